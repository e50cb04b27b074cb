import { pageOfSite } from "../config/page_path.ts";
import { plainText } from "../text/plain_text.ts";
import { describeDuration, utcMinute } from "../time.ts";
import { CALM, flapsText } from "../evaluation/flapping.ts";
import { jointHeadline, latestEvents, lengthOf, withDependencies } from "./headlines.ts";
import { isOfSite, type Message, type MessagePlaces, type SiteEvent } from "./message.ts";

/** A message in words that know no markup: each channel puts them into the best form it has. */
export interface MessageText {
  /** Subject or title of the whole message. */
  headline: string;
  events: EventText[];
}

/** An event in words. */
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
  /** Further facts, the most important first. */
  facts: { label: string; value: string }[];
  links: { text: string; address: string }[];
}

const SIGNS = { down: "🛑", degraded: "⚠️", up: "✅", notice: "⚠️", test: "🔔" } as const;

/**
 * Renders a message as texts without markup, which each channel puts into its own form.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const since = "2026-11-21T10:05:03.120Z";
 * const seen = { code: 503, error: "answered 503 Service Unavailable", attempts: 3 };
 * const event = { id: "a", kind: "down", name: "Shop", slug: "shop", since, incident: "2026-11-21-shop", ...seen } as const;
 * const { headline, events: [told] } = renderMessage({ id: "1", events: [event] }, {});
 * assertEquals(headline, "Shop is down");
 * assertEquals(told?.reason, "answered 503 Service Unavailable");
 * assertEquals(told?.sentence, "answered 503 Service Unavailable, since 2026-11-21 10:05 UTC");
 * ```
 */
export function renderMessage({ events }: Message, places: MessagePlaces): MessageText {
  const told = events.map((event) => renderEvent(plainEvent(event), places));
  return { headline: headlineOf(told), events: told };
}

/** An event whose texts stand on one line, without what steers a terminal or the order of reading. */
function plainEvent(event: SiteEvent): SiteEvent {
  const { name, slug, title, url = "", error, expiry, affected, released } = event;
  return {
    ...event,
    name: plainText(name) || slug,
    ...title === undefined ? {} : { title: plainText(title) },
    url: plainText(url) || undefined,
    error: plainText(error),
    ...expiry === undefined ? {} : { expiry: plainText(expiry) },
    ...affected === undefined ? {} : { affected: affected.map(plainText) },
    ...released === undefined ? {} : { released: { ...released, name: plainText(released.name) } },
  };
}

function renderEvent(event: SiteEvent, places: MessagePlaces): EventText {
  const { kind, code, attempts, responseTime, url, lasted } = event;
  const facts = [
    ...(code === 0 ? [] : [{ label: "Code", value: String(code) }]),
    ...(responseTime === undefined
      ? []
      : [{ label: "Response time", value: `${Math.round(responseTime)} ms` }]),
    ...(kind === "up" || attempts < 2 ? [] : [{ label: "Attempts", value: String(attempts) }]),
    ...(lasted === undefined ? [] : [{ label: "Lasted", value: describeDuration(lasted) }]),
    ...(url === undefined ? [] : [{ label: "Address", value: url }]),
  ];
  return {
    event,
    sign: event.over ? SIGNS.up : SIGNS[kind],
    headline: eventHeadline(event),
    reason: withDependencies(reasonOf(event), event),
    since: `${utcMinute(Temporal.Instant.from(event.since))} UTC`,
    sentence: withDependencies(sentenceOf({ ...event, error: restOfError(event) }), event),
    facts,
    links: linksOf(event, places),
  };
}

/** The event in a few words. */
export function eventHeadline(event: SiteEvent): string {
  const { name, kind, title = "", reminder, was, gone, lasted = 0 } = event;
  const { missed, expiry, flapping, knew } = event;
  if (kind === "notice") return title;
  if (kind === "test") return `This is a test of the monitor of ${name}`;
  if (expiry !== undefined && !gone) {
    return kind === "up" && was === undefined
      ? `${name} is as it should be again`
      : `${name}: ${expiry}`;
  }
  if (was !== undefined && flapping !== undefined) {
    return `${name} was flapping for ${lengthOf(lasted)}`;
  }
  if (was !== undefined) {
    const how = was === "down" || missed?.kind === "down" ? "was down" : "had degraded performance";
    if (missed === undefined) return `${name} ${how} for ${lengthOf(lasted)}`;
    const all = lengthOf(lasted + missed.lasted);
    return `${name} ${how} ${missed.times + 1} times, for ${all} in all`;
  }
  if (gone) return `${name} is no longer monitored`;
  if (kind === "up") return `${name} is up again${knew === "flapping" ? " and stable" : ""}`;
  if (flapping !== undefined) {
    return `${name} is flapping (${flapsText(flapping)}), silent until it stays up`;
  }
  const still = reminder ? "still " : "";
  return kind === "down" ? `${name} is ${still}down` : `${name} ${still}has degraded performance`;
}

/** The error without what the headline says of a certificate: both stand in one line. */
function restOfError({ error, expiry }: SiteEvent): string {
  if (expiry === undefined || !error.startsWith(expiry)) return error;
  return error.slice(expiry.length).replace(/^[\s,:]+/, "").replace(/^\((\S+)\)/, "on $1");
}

function reasonOf(event: SiteEvent): string {
  const { kind, error, lasted, was, gone, flapping } = event;
  if (kind === "test" || (gone && was === undefined)) return sentenceOf(event);
  if (was === undefined && kind !== "up" && flapping !== undefined) return sentenceOf(event);
  if (kind !== "up" || was !== undefined) return error;
  return `It answers as it should${
    lasted === undefined ? "" : `, after ${describeDuration(lasted)}`
  }`;
}

function sentenceOf({ kind, error, since, lasted, was, gone, flapping }: SiteEvent): string {
  const end = Temporal.Instant.from(since);
  const at = `${utcMinute(end)} UTC`;
  if (kind === "notice") return error;
  if (kind === "test") return "Nothing is wrong: somebody wanted to see whether messages arrive";
  if (was !== undefined) {
    const start = utcMinute(end.subtract({ milliseconds: lasted ?? 0 }));
    const because = error === "" ? "" : `${error}, `;
    return `${because}from ${start} to ${at}${gone ? ", when it was taken out of monitoring" : ""}`;
  }
  if (gone) {
    return `It was taken out of monitoring${
      lasted === undefined ? "" : ` after ${describeDuration(lasted)}`
    }, which ends its incident`;
  }
  if (kind === "up") {
    return `It answers as it should since ${at}${
      lasted === undefined ? "" : `, after ${describeDuration(lasted)}`
    }`;
  }
  if (flapping !== undefined) {
    const last = error === "" ? "" : `, last because of: ${error}`;
    return `It keeps changing its state${last}. The next message follows when it has been up in ${CALM} runs in a row`;
  }
  return `${error === "" ? "" : `${error}, `}since ${at}`;
}

function linksOf(event: SiteEvent, { home, page }: MessagePlaces) {
  const { slug, issue } = event;
  return [
    ...(home === undefined || issue === undefined
      ? []
      : [{ text: "Incident", address: `${home}/issues/${issue}` }]),
    ...(page === undefined || !isOfSite(event)
      ? []
      : [{ text: "Status page", address: pageOfSite(page, slug) }]),
    ...(home === undefined || (issue !== undefined && isOfSite(event))
      ? []
      : [{ text: "Monitor", address: home }]),
  ];
}

/** Makes one headline of the latest events of all sites. */
function headlineOf(told: readonly EventText[]): string {
  const last = latestEvents(told.map(({ event }) => event));
  return last.length === 1 ? eventHeadline(last[0]!) : jointHeadline(last);
}
