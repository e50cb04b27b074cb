import { toSitePageAddress } from "../config/page_path.ts";
import { STATUS_LABEL } from "../incidents/issue_labels.ts";
import { parseWebAddress } from "../text/safe_parse.ts";
import type { Language } from "../text/language.ts";
import type { MessageKey } from "../text/messages.ts";
import {
  describeEvent,
  type EventWords,
  findTimes,
  listReportLines,
  plainEvent,
  renderLine,
} from "./event_words.ts";
import { importantFirst } from "./fit_text.ts";
import {
  findLikeness,
  findSaidOutage,
  isUnacknowledged,
  latestEvents,
  longHeadline,
  renderHeadline,
} from "./headlines.ts";
import {
  isOfSite,
  type Message,
  type MessageView,
  type Outage,
  type SiteEvent,
} from "./message.ts";
import { findSeparator, joinTexts, withReason } from "./recorded_words.ts";

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

const LABELS = {
  since: "factSince",
  time: "factTime",
  sites: "reportSites",
  code: "factCode",
  responseTime: "responseTime",
  hint: "factHint",
  address: "factAddress",
  about: "factAbout",
  runbook: "runbook",
  group: "factGroup",
  tags: "tags",
} as const satisfies Record<string, MessageKey>;

interface Fact {
  /** Absent for a site of a report. */
  name?: keyof typeof LABELS;
  label: string;
  value: string;
}

/** A fact with its label; right-to-left text isolates the value. */
export function toFact(name: keyof typeof LABELS, value: string, language: Language): Fact {
  // Programs that find an address would take a mark at its end for a part of it.
  const isPlain = name === "address" || value.includes("\u2068");
  return {
    name,
    label: language.say(LABELS[name]),
    value: isPlain ? value : language.isolate(value),
  };
}

/** A fact on one line: `Group: EU`. */
export function sayFact({ label, value }: Fact, language: Language): string {
  return withReason(label, value, language);
}

/** A link on one line: `Status page: https://…`. */
export function sayLink({ text, address }: EventText["links"][number], language: Language): string {
  return withReason(text, address, language);
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
  /** The outage with which the headline ends. */
  said?: Outage;
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
    const lines = listReportTexts(first, view);
    return { headline: first.headline, events: lines, lines };
  }
  const lines = events.length === 1 ? texts : joinEqual(texts, view);
  return {
    headline: latest.length === 1
      ? renderEvent(latest[0]!, view).headline
      : renderHeadline(latest.map((event) => plainEvent(event, view)), view.language),
    events: texts,
    lines,
    only: lines.length === 1 ? lines[0] : undefined,
  };
}

/** A report as several events, so that each channel shows as many sites as fit. */
function listReportTexts(report: EventText, { language }: MessageView): EventText[] {
  return listReportLines(report.event, language).map((line, index) => {
    const words = { headline: line, error: "", time: "", context: "" };
    const text = toText(report.event, { ...report, ...words }, language);
    return index === 0 ? text : { ...text, sign: ITEM, links: [] };
  });
}

/** Joins the texts of sites with equal errors, each in the place of the first. */
function joinEqual(texts: readonly EventText[], view: MessageView): EventText[] {
  const { language } = view;
  const groups = Map.groupBy(
    texts,
    ({ event, error, sentence }) =>
      isOfSite(event) && error !== "" && event.expiry === undefined
        ? JSON.stringify([findLikeness(event), sentence])
        : event.id,
  );
  return [...groups.values()].map((group): EventText => {
    const [first] = group as [EventText];
    if (group.length === 1) return first;
    const events = group.map(({ event }) => event);
    const names = events.map(({ name }) => language.isolate(name));
    const facts = [toFact("sites", names.join(findSeparator("commaBetween", language)), language)];
    return toText(first.event, {
      ...first,
      headline: renderHeadline(events, language),
      facts,
      links: listCommonLinks(events, view),
    }, language);
  });
}

export function renderEvent(original: SiteEvent, view: MessageView): EventText {
  const event = plainEvent(original, view);
  const { language } = view;
  return toText(event, {
    ...describeEvent(event, view),
    headline: longHeadline(event, view),
    facts: listFacts(event, language),
    links: listLinks(event, view),
    since: language.moment(Temporal.Instant.from(event.since), view),
  }, language);
}

function toText(
  event: SiteEvent,
  { headline, error, seen, time, context, since, facts, links }:
    & EventWords
    & Pick<EventText, "headline" | "since" | "facts" | "links">,
  language: Language,
): EventText {
  const words = { error, seen, time, context };
  const { kind, over, news, was, topic } = event;
  const isOver = kind === "up" && was === undefined;
  const reason = joinTexts("sentencesBetween", [error, context], language);
  const sentence = joinTexts("sentencesBetween", [
    joinTexts("commaBetween", [error, time], language),
    context,
  ], language);
  const said = findSaidOutage(event);
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
    said,
    facts,
    links,
    sign: over ? SIGNS.up : news && NEWS_SIGNS[news] || SIGNS[kind],
    times: findTimes(event),
    summary: renderLine(headline, words, { isEnclosed, said, language }),
    brief: renderLine(headline, { ...words, time: "" }, { isEnclosed, said, language }),
    dated: kind === "up"
      ? { reason: sentence, facts }
      : { reason, facts: [toFact("since", since, language), ...facts] },
  };
}

/**
 * A fact with the times of an event, as `show` writes each of them for its channel.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createLanguage } from "../text/language.ts";
 * import { mergeMessages } from "../text/messages.ts";
 * const language = createLanguage("en", mergeMessages());
 * const show = (from: string, to?: string) => {
 *   const { label, value } = toTimeFact({ from, to }, { show: (time) => `<${time}>`, language });
 *   return `${label} ${value}`;
 * };
 * assertEquals(show("a"), "Since <a>");
 * assertEquals(show("a", "b"), "Time <a> to <b>");
 * ```
 */
export function toTimeFact(
  { from, to }: EventText["times"],
  { show, language }: { show(time: string): string; language: Language },
): Fact {
  return to === undefined
    ? toFact("since", show(from), language)
    : toFact("time", language.say("timeSpan", { FROM: show(from), TO: show(to) }), language);
}

function listFacts(event: SiteEvent, language: Language): Fact[] {
  const { kind, code, error, responseTime, url, hint, description, group, tags = [], runbook } =
    event;
  const isSaid = code === 0 || kind === "up" || new RegExp(`\\b${code}\\b`).test(error);
  const facts: { [name in keyof typeof LABELS]?: string } = {
    code: isSaid ? undefined : String(code),
    responseTime: responseTime === undefined
      ? undefined
      : language.say("responseTimeOf", { NUMBER: String(Math.round(responseTime)) }),
    hint,
    address: url,
    about: description,
    runbook: isAddress(runbook) ? undefined : runbook,
    group,
    tags: tags.length === 0 ? undefined : tags.join(", "),
  };
  return Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : [toFact(name as keyof typeof LABELS, value, language)]
  );
}

function listLinks(event: SiteEvent, view: MessageView): EventText["links"] {
  const { home, page, language: { say } } = view;
  const hasIssue = home !== undefined && event.issue !== undefined;
  const slug = isOfSite(event) ? event.slug : event.site;
  const shown = event.kind === "report" ? page : slug && page && toSitePageAddress(page, slug);
  return toLinks(say, {
    linkToIncident: hasIssue ? `${home}/issues/${event.issue}` : undefined,
    statusPage: shown,
    runbook: isAddress(event.runbook) ? event.runbook : undefined,
    linkMonitor: hasIssue && isOfSite(event) ? undefined : home,
  });
}

/** Links about several events: to the issue that they share, the page, and the list of open incidents. */
export function listCommonLinks(
  events: readonly Pick<SiteEvent, "issue">[],
  { home, page, language: { say } }: MessageView,
): EventText["links"] {
  const issues = new Set(events.map(({ issue }) => issue));
  const [shared] = issues;
  const hasShared = home !== undefined && issues.size === 1 && shared !== undefined;
  return toLinks(say, {
    linkToIncident: hasShared ? `${home}/issues/${shared}` : undefined,
    statusPage: page,
    linkIncidents: home !== undefined && issues.size > 1
      ? `${home}/issues?q=is%3Aopen+label%3A${STATUS_LABEL}`
      : undefined,
    linkMonitor: home,
  });
}

function toLinks(
  say: Language["say"],
  addresses: { [key in MessageKey]?: string },
): EventText["links"] {
  return Object.entries(addresses).flatMap(([key, address]) =>
    address === undefined ? [] : [{ text: say(key as MessageKey), address }]
  );
}

/** Longest address that is a link, in UTF-16 units: it can't be cut, and the shortest limit of a vendor is 2,000. */
const LONGEST_ADDRESS = 1_000;

function isAddress(runbook = ""): runbook is string {
  return runbook.length <= LONGEST_ADDRESS && parseWebAddress(runbook) !== undefined;
}
