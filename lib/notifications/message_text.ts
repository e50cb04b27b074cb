import { toSitePageAddress } from "../config/page_path.ts";
import { CALM, flapsText } from "../evaluation/flapping.ts";
import { withError, withoutLocations } from "../evaluation/location_words.ts";
import { plainLines, plainText } from "../text/plain_text.ts";
import { parseWebAddress } from "../text/safe_parse.ts";
import { joinNames } from "../text/words.ts";
import { describeAfter, describeDuration, utcMinute } from "../time.ts";
import { describeAcknowledgement } from "./acknowledgements.ts";
import { cutText, importantFirst, joinFitting } from "./fit_text.ts";
import {
  isOfSite,
  type Message,
  type MessagePlaces,
  type SiteEvent,
  UNNAMED_MONITOR,
} from "./message.ts";

/** A message in words without markup, which each channel puts into its own form. */
export interface MessageText {
  headline: string;
  /** The most important first. */
  events: EventText[];
}

export interface EventText {
  /** Its texts are plain. */
  event: SiteEvent;
  sign: string;
  /** `Shop is down`. */
  headline: string;
  /** The reason without the time, possibly in a server's words; may be empty. */
  reason: string;
  /** Time of the event for people: `2026-11-21 10:05 UTC`. */
  since: string;
  /** Both in a sentence: `connection refused, since 2026-11-21 10:05 UTC`. */
  sentence: string;
  /** Headline and sentence on one line. */
  summary: string;
  /** Further facts, the most important first. */
  facts: { label: string; value: string }[];
  links: { text: string; address: string }[];
}

/** Colors of messages by the kind of their event. */
export const EVENT_COLORS = {
  down: "#c13737",
  degraded: "#d29922",
  up: "#2e9e5b",
  notice: "#d29922",
  test: "#3b82c4",
} as const;

const SIGNS = { down: "🛑", degraded: "⚠️", up: "✅", notice: "⚠️", test: "🔔" } as const;
const ACKNOWLEDGED = "👀";

export function renderMessage({ events }: Message, places: MessagePlaces): MessageText {
  return {
    headline: renderHeadline(events.map(plainEvent)),
    events: importantFirst(events).map((event) => renderEvent(event, places)),
  };
}

export function renderEvent(original: SiteEvent, places: MessagePlaces): EventText {
  const event = plainEvent(original);
  const { kind, code, attempts, responseTime, url, lasted, over } = event;
  const since = `${utcMinute(Temporal.Instant.from(event.since))} UTC`;
  const { hint, description, group, tags = [], runbook } = event;
  const facts = {
    Code: code === 0 ? undefined : code,
    "Response time": responseTime === undefined ? undefined : `${Math.round(responseTime)} ms`,
    Attempts: kind === "up" || attempts < 2 ? undefined : attempts,
    Lasted: lasted === undefined ? undefined : describeDuration(lasted),
    Hint: hint,
    Address: url,
    About: description,
    Runbook: isAddress(runbook) ? undefined : runbook,
    Group: group,
    Tags: tags.length === 0 ? undefined : tags.join(", "),
  };
  const brief = { ...event, error: restOfError(event) };
  const headline = eventHeadline(event);
  const sentence = withContext(renderSentence(brief, since), event);
  return {
    event,
    sign: over ? SIGNS.up : event.news === "acknowledged" ? ACKNOWLEDGED : SIGNS[kind],
    headline,
    reason: withContext(describeReason(event), event),
    since,
    sentence,
    summary: withError(headline, sentence),
    facts: Object.entries(facts).flatMap(([label, value]) =>
      value === undefined ? [] : [{ label, value: String(value) }]
    ),
    links: listLinks(event, places),
  };
}

/** An event whose texts are on one line, without characters that steer a terminal or the reading order. */
function plainEvent(event: SiteEvent): SiteEvent {
  const { name, slug, title, url = "", error, expiry, affected, released } = event;
  const { description, runbook, group, tags, hint, body } = event;
  return {
    ...event,
    description: description && plainText(description),
    runbook: runbook && plainText(runbook),
    group: group && plainText(group),
    tags: tags?.map(plainText),
    hint: hint && plainText(hint),
    body: body && plainLines(body),
    name: plainText(name) || slug,
    title: title && plainText(title),
    url: plainText(url) || undefined,
    error: plainText(error),
    expiry: expiry && plainText(expiry),
    affected: affected?.map(plainText),
    released: released && { ...released, name: plainText(released.name) },
  };
}

/** The error without the words about a certificate that are in the headline. */
function restOfError({ error, expiry }: SiteEvent): string {
  const own = withoutLocations(error);
  if (expiry === undefined || !own.startsWith(expiry)) return error;
  return own.slice(expiry.length).replace(/^[\s,:]+/, "").replace(/^\((\S+)\)/, "on $1");
}

/** The reason without the time, or of an end with the time if that is given. */
function describeReason(
  { kind, error, lasted, was, gone, flapping }: SiteEvent,
  at?: string,
): string {
  const after = describeAfter(lasted ?? 0);
  if (kind === "notice" || was !== undefined) return error;
  if (kind === "test") return "Nothing is wrong: this message only shows that notifications arrive";
  if (gone) return `It was removed from monitoring${after}, which ends its incident`;
  if (kind === "up") {
    const since = at === undefined ? "" : ` at ${at}`;
    return `Recovered${since}${after}`;
  }
  if (flapping === undefined) return error;
  const last = error === "" ? "" : `, last because of: ${error}`;
  return `It keeps changing state${last}. The next message follows when it has been up in ${CALM} runs in a row`;
}

function renderSentence(event: SiteEvent, at: string): string {
  const { kind, was, gone, flapping, lasted, since } = event;
  const reason = describeReason(event, at);
  const because = reason === "" ? "" : `${reason}, `;
  if (was !== undefined) {
    const start = Temporal.Instant.from(since).subtract({ milliseconds: lasted ?? 0 });
    const removed = gone ? ", when it was removed from monitoring" : "";
    return `${because}from ${utcMinute(start)} to ${at}${removed}`;
  }
  const isOngoing = (kind === "down" || kind === "degraded") && flapping === undefined;
  return isOngoing && !gone ? `${because}since ${at}` : reason;
}

/** Longest list of sites, in UTF-16 units. */
const LONGEST_LIST = 300;

/**
 * Appends the event's dependencies, and who has acknowledged it, to a reason.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(withContext("slow", { affected: ["Shop"] }), "slow. Also failing, because it depends on this: Shop");
 * const released = { name: "Router", isBack: true };
 * assertEquals(withContext("", { released }), "Until now the root cause was Router, which is up again");
 * ```
 */
export function withContext(
  reason: string,
  event: Pick<SiteEvent, "affected" | "released" | "acknowledged" | "formerly" | "news">,
): string {
  const { affected = [], released, news } = event;
  const why = affected.length === 1 ? "it depends on this" : "they depend on it";
  const list = joinFitting(affected, { separator: ", ", longest: LONGEST_LIST });
  const isBack = released?.isBack ? ", which is up again" : "";
  return [
    reason,
    released === undefined ? "" : `Until now the root cause was ${released.name}${isBack}`,
    list === "" ? "" : `Also failing, because ${why}: ${list}`,
    news === "acknowledged" ? "" : describeAcknowledgement(event),
  ].filter((part) => part !== "").join(". ");
}

function listLinks(event: SiteEvent, { home, page }: MessagePlaces): EventText["links"] {
  const hasIssue = home !== undefined && event.issue !== undefined;
  return [
    ...hasIssue ? [{ text: "Incident", address: `${home}/issues/${event.issue}` }] : [],
    ...page !== undefined && isOfSite(event)
      ? [{ text: "Status page", address: toSitePageAddress(page, event.slug) }]
      : [],
    ...isAddress(event.runbook) ? [{ text: "Runbook", address: event.runbook }] : [],
    ...home !== undefined && !(hasIssue && isOfSite(event))
      ? [{ text: "Monitor", address: home }]
      : [],
  ];
}

function isAddress(runbook: string | undefined): runbook is string {
  return parseWebAddress(runbook ?? "") !== undefined;
}

export function eventHeadline(event: SiteEvent): string {
  const { name, kind, title = "", reminder, was, gone, lasted = 0, expiry, flapping, knew } = event;
  if (kind === "notice") return title;
  if (kind === "test") {
    return `This is a test of ${
      name === UNNAMED_MONITOR ? "this monitor" : `the monitor of ${name}`
    }`;
  }
  if (expiry !== undefined && !gone) {
    return kind === "up" && was === undefined ? `${name} is back to normal` : `${name}: ${expiry}`;
  }
  if (was !== undefined) {
    const state = flapping !== undefined
      ? "was flapping"
      : was === "down"
      ? "was down"
      : "had degraded performance";
    return `${name} ${state} for ${lasted < 1000 ? "a moment" : describeDuration(lasted)}`;
  }
  if (gone) return `${name} is no longer monitored`;
  if (kind === "up") return `${name} is up again${knew === "flapping" ? " and stable" : ""}`;
  if (flapping !== undefined) {
    return `${name} is flapping (${flapsText(flapping)}), silent until it stays up`;
  }
  const still = reminder ? "still " : "";
  return kind === "down" ? `${name} is ${still}down` : `${name} ${still}has degraded performance`;
}

/** The last event of each site, and every notice. */
function latestEvents<T extends Pick<SiteEvent, "kind" | "slug" | "id">>(
  events: readonly T[],
): T[] {
  const byKey = new Map(
    events.map((event) => [event.kind === "notice" ? event.id : event.slug, event]),
  );
  return [...byKey.values()];
}

/** States in a joint headline, the most urgent first. */
const STATES = [
  "down",
  "flapping",
  "still down",
  "degraded",
  "still degraded",
  "down for a while",
  "degraded for a while",
  "acknowledged",
  "up again",
  "no longer monitored",
  "notice",
  "tested",
] as const;

function describeState(
  { kind, reminder, was, gone, flapping, news }: Pick<
    SiteEvent,
    "kind" | "reminder" | "was" | "gone" | "flapping" | "news"
  >,
): typeof STATES[number] {
  if (kind === "test") return "tested";
  if (kind === "notice") return news === "acknowledged" ? news : "notice";
  if (kind !== "up" && flapping !== undefined) return "flapping";
  if (kind !== "up") return reminder ? `still ${kind}` : kind;
  if (was !== undefined) return `${was} for a while`;
  return gone ? "no longer monitored" : "up again";
}

/** Sites that a headline names at most, "and N more" counting as one of them. */
const MOST_NAMES = 3;
/** Longest name in such a headline, and longest title of a notice, in UTF-16 units. */
const LONGEST_NAME = 40;
const LONGEST_TITLE = 100;

/**
 * Makes one headline of the latest event of each site: it names up to three sites, the most urgent first,
 * and counts the others. If all are notices, it quotes the first title.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const event = { id: "a", since: "2026-11-21T10:05:03Z", code: 0, error: "", attempts: 3, incident: "a" };
 * const of = (kind: "down" | "up", ...names: string[]) => names.map((name) => ({ ...event, kind, name, slug: name }));
 * assertEquals(renderHeadline(of("down", "Shop", "API", "A", "B")), "Shop, API and 2 more are down");
 * assertEquals(renderHeadline([...of("up", "Blog"), ...of("down", "Shop", "API")]), "Shop and API are down, Blog is up again");
 * assertEquals(renderHeadline([...of("up", "A", "B"), ...of("down", "Shop", "API")]), "Shop and API are down, 2 are up again");
 * ```
 */
export function renderHeadline(events: readonly SiteEvent[]): string {
  const latest = latestEvents(events);
  if (latest.length === 1) return eventHeadline(latest[0]!);
  const byState = Map.groupBy(latest, describeState);
  let left = MOST_NAMES;
  return STATES.flatMap((state) => {
    const names = byState.get(state)?.map(({ name }) => cutText(name, LONGEST_NAME)) ?? [];
    const count = names.length;
    if (count === 0) return [];
    if (state === "notice" && count === latest.length) {
      return [`${cutText(eventHeadline(latest[0]!), LONGEST_TITLE)}, and ${count - 1} more`];
    }
    if (state === "notice") return [count === 1 ? "1 notice" : `${count} notices`];
    const [one, many] = state.endsWith("for a while") ? ["was", "were"] : ["is", "are"];
    const predicate = `${count === 1 ? one : many} ${state}`;
    if (left < MOST_NAMES && count > left) return [`${count} ${predicate}`];
    left -= Math.min(count, MOST_NAMES);
    return [`${nameList(names)} ${predicate}`];
  }).join(", ");
}

/** `Shop`, `Shop and API`, `Shop, API and Blog`, `Shop, API and 10 more`. */
function nameList(names: readonly string[]): string {
  if (names.length <= MOST_NAMES) return joinNames(names);
  const shown = names.slice(0, MOST_NAMES - 1);
  return joinNames([...shown, `${names.length - shown.length} more`]);
}
