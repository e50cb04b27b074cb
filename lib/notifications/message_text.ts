import { toSitePageAddress } from "../config/page_path.ts";
import { STATUS_LABEL } from "../incidents/issue_labels.ts";
import { parseWebAddress } from "../text/safe_parse.ts";
import { describeMoment } from "../time.ts";
import {
  describeEvent,
  type EventWords,
  findTimes,
  joinSentences,
  listReportLines,
  plainEvent,
  renderLine,
} from "./event_words.ts";
import { importantFirst } from "./fit_text.ts";
import {
  describeState,
  isUnacknowledged,
  latestEvents,
  longHeadline,
  renderHeadline,
} from "./headlines.ts";
import {
  isOfSite,
  type Message,
  type MessagePlaces,
  type MessageView,
  type SiteEvent,
} from "./message.ts";

/** A message in words without markup, which each channel puts into its own form. */
export interface MessageText {
  headline: string;
  /** The most important first. */
  events: EventText[];
  /** The same for a list: equal errors of several sites are one entry. */
  lines: EventText[];
  /** The text of a message that has one event, or one entry in its list. */
  only?: EventText;
}

interface Fact {
  label: string;
  value: string;
}

export interface EventText extends EventWords {
  /** Its texts are plain. */
  event: SiteEvent;
  sign: string;
  /** `Shop is down`. */
  headline: string;
  /** The reason and its context without times, possibly in a server's words; may be empty. */
  reason: string;
  /** Time of the event: `22:14 CET`. */
  since: string;
  /** Start, and end of what is over, for channels that show times in the zone of each reader; ISO 8601. */
  times: { from: string; to?: string };
  /** Reason, time and context in a sentence: `connection refused, since 22:14 CET`. */
  sentence: string;
  /** Headline and sentence on one line. */
  summary: string;
  /** The same without times. */
  brief: string;
  /** True if the reason is in parentheses in a line: of what is over, and of a headline that has a colon or semicolon. */
  isEnclosed: boolean;
  /** Further facts, the most important first. */
  facts: Fact[];
  /** Reason and facts for channels that show times in the zone of the monitor. */
  dated: { reason: string; facts: Fact[] };
  links: { text: string; address: string }[];
}

export const EVENT_COLORS = {
  down: "#c13737",
  degraded: "#d29922",
  up: "#2e9e5b",
  notice: "#d29922",
  report: "#3b82c4",
  test: "#3b82c4",
} as const;

const SIGNS = {
  down: "🛑",
  degraded: "⚠️",
  up: "✅",
  notice: "⚠️",
  report: "📊",
  test: "🔔",
} as const;
/** In front of the figures of a site. */
const ITEM = "•";
const NEWS_SIGNS: Readonly<Record<string, string>> = { acknowledged: "👀", muted: "🔇" };

export function renderMessage({ events }: Message, view: MessageView): MessageText {
  const ordered = importantFirst(events);
  const texts = ordered.map((event) => renderEvent(event, view));
  const latest = latestEvents(events);
  const [first] = texts as [EventText];
  if (first.event.kind === "report") {
    const lines = listReportTexts(first);
    return { headline: first.headline, events: lines, lines };
  }
  const lines = events.length === 1 ? texts : joinEqual(texts, view);
  return {
    headline: latest.length === 1
      ? renderEvent(latest[0]!, view).headline
      : renderHeadline(latest.map((event) => plainEvent(event, view))),
    events: texts,
    lines,
    only: lines.length === 1 ? lines[0] : undefined,
  };
}

/** A report as several events, so that each channel shows as many sites as fit. */
function listReportTexts(report: EventText): EventText[] {
  return listReportLines(report.event).map((line, index) => {
    const words = { headline: line, error: "", time: "", context: "" };
    const text = toText(report.event, { ...report, ...words });
    return index === 0 ? text : { ...text, sign: ITEM, links: [] };
  });
}

/** Joins the texts of sites with equal errors, each in the place of the first. */
function joinEqual(texts: readonly EventText[], view: MessageView): EventText[] {
  const groups = Map.groupBy(
    texts,
    ({ event, error, sentence }) =>
      isOfSite(event) && error !== "" && event.expiry === undefined
        ? JSON.stringify([describeState(event), sentence])
        : event.id,
  );
  return [...groups.values()].map((group): EventText => {
    const [first] = group as [EventText];
    if (group.length === 1) return first;
    const events = group.map(({ event }) => event);
    const facts = [{ label: "Sites", value: events.map(({ name }) => name).join(", ") }];
    return toText(first.event, {
      ...first,
      headline: renderHeadline(events),
      facts,
      links: listCommonLinks(events, view),
    });
  });
}

export function renderEvent(original: SiteEvent, view: MessageView): EventText {
  const event = plainEvent(original, view);
  const words = describeEvent(event, view);
  return toText(event, {
    ...words,
    headline: longHeadline(event, view),
    facts: listFacts(event),
    links: listLinks(event, view),
    since: describeMoment(Temporal.Instant.from(event.since), view),
  });
}

function toText(
  event: SiteEvent,
  { headline, error, time, context, since, facts, links }:
    & EventWords
    & Pick<EventText, "headline" | "since" | "facts" | "links">,
): EventText {
  const words = { error, time, context };
  const { kind, over, news, was, topic } = event;
  const isOver = kind === "up" && was === undefined;
  const reason = joinSentences(error, context);
  const sentence = joinSentences([error, time].filter((part) => part !== "").join(", "), context);
  const isEnclosed = isOver || news === "acknowledged" || topic === "maintenance" ||
    (isUnacknowledged(event) && event.flapping === undefined);
  return {
    event,
    headline,
    ...words,
    reason,
    since,
    sentence,
    isEnclosed,
    facts,
    links,
    sign: over ? SIGNS.up : news && NEWS_SIGNS[news] || SIGNS[kind],
    times: findTimes(event),
    summary: renderLine(headline, words, isEnclosed),
    brief: renderLine(headline, { ...words, time: "" }, isEnclosed),
    dated: kind === "up"
      ? { reason: sentence, facts }
      : { reason, facts: [{ label: "Since", value: since }, ...facts] },
  };
}

/**
 * A fact with the times of an event, as `show` writes each of them for its channel.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(toTimeFact({ from: "a" }, (time) => `<${time}>`), { label: "Since", value: "<a>" });
 * assertEquals(toTimeFact({ from: "a", to: "b" }, (time) => `<${time}>`), { label: "Time", value: "<a> to <b>" });
 * ```
 */
export function toTimeFact(
  { from, to }: EventText["times"],
  show: (time: string) => string,
): Fact {
  return to === undefined
    ? { label: "Since", value: show(from) }
    : { label: "Time", value: `${show(from)} to ${show(to)}` };
}

function listFacts(event: SiteEvent): Fact[] {
  const { kind, code, error, responseTime, url, hint, description, group, tags = [], runbook } =
    event;
  const isSaid = code === 0 || kind === "up" || new RegExp(`\\b${code}\\b`).test(error);
  const facts = {
    Code: isSaid ? undefined : String(code),
    "Response time": responseTime === undefined ? undefined : `${Math.round(responseTime)} ms`,
    Hint: hint,
    Address: url,
    About: description,
    Runbook: isAddress(runbook) ? undefined : runbook,
    Group: group,
    Tags: tags.length === 0 ? undefined : tags.join(", "),
  };
  return Object.entries(facts).flatMap(([label, value]) =>
    value === undefined ? [] : [{ label, value }]
  );
}

function listLinks(event: SiteEvent, { home, page }: MessageView): EventText["links"] {
  const hasIssue = home !== undefined && event.issue !== undefined;
  const slug = isOfSite(event) ? event.slug : event.site;
  return [
    ...hasIssue ? [{ text: "Incident", address: `${home}/issues/${event.issue}` }] : [],
    ...page !== undefined && slug !== undefined
      ? [{ text: "Status page", address: toSitePageAddress(page, slug) }]
      : [],
    ...page !== undefined && event.kind === "report"
      ? [{ text: "Status page", address: page }]
      : [],
    ...isAddress(event.runbook) ? [{ text: "Runbook", address: event.runbook }] : [],
    ...home !== undefined && !(hasIssue && isOfSite(event))
      ? [{ text: "Monitor", address: home }]
      : [],
  ];
}

/** Links about several events: to the issue that they share, the page, and the list of open incidents. */
export function listCommonLinks(
  events: readonly Pick<SiteEvent, "issue">[],
  { home, page }: MessagePlaces,
): EventText["links"] {
  const issues = new Set(events.map(({ issue }) => issue));
  const [shared] = issues;
  const list = `${home}/issues?q=is%3Aopen+label%3A${STATUS_LABEL}`;
  return [
    ...home !== undefined && issues.size === 1 && shared !== undefined
      ? [{ text: "Incident", address: `${home}/issues/${shared}` }]
      : [],
    ...page === undefined ? [] : [{ text: "Status page", address: page }],
    ...home !== undefined && issues.size > 1 ? [{ text: "Incidents", address: list }] : [],
    ...home === undefined ? [] : [{ text: "Monitor", address: home }],
  ];
}

/** Longest address that is a link, in UTF-16 units: it can't be cut, and the shortest limit of a vendor is 2,000. */
const LONGEST_ADDRESS = 1_000;

function isAddress(runbook = ""): runbook is string {
  return runbook.length <= LONGEST_ADDRESS && parseWebAddress(runbook) !== undefined;
}
