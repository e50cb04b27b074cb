import { CALM } from "../evaluation/flapping.ts";
import { withError, withoutLocations } from "../evaluation/location_words.ts";
import { plainLines, plainText } from "../text/plain_text.ts";
import { describeMoment, describeSpan, type Reading } from "../time.ts";
import { describeAcknowledgement } from "./acknowledgements.ts";
import { joinFitting } from "./fit_text.ts";
import { isOutage, type SiteEvent } from "./message.ts";

/** What was found, when, and what else is known, in words. */
export interface EventWords {
  /** The reason without times, possibly in a server's words; may be empty. */
  error: string;
  /** `since 22:14 CET`, or `22:14 to 22:21 CET`; empty if it isn't said in sentences. */
  time: string;
  /** Sentences about dependencies and acknowledgements; may be empty. */
  context: string;
}

/**
 * An event whose texts are on one line, without characters that steer a terminal or the reading order, and with
 * times as people read them.
 */
export function plainEvent(event: SiteEvent, reading: Reading): SiteEvent {
  const { name, slug, title, url = "", error, expiry, affected, released, failed, figures } = event;
  const { description, runbook, group, tags, hint, body } = event;
  const shown = (text: string) => showTimes(plainText(text), reading);
  return {
    ...event,
    description: description && plainText(description),
    runbook: runbook && plainText(runbook),
    group: group && plainText(group),
    tags: tags?.map(plainText),
    hint: hint && shown(hint),
    body: body && plainLines(body),
    name: plainText(name) || slug,
    title: title && shown(title),
    figures: figures?.map(({ name, text }) => ({ name: plainText(name), text })),
    url: plainText(url) || undefined,
    error: shown(error),
    failed: failed && { ...failed, error: shown(failed.error) },
    expiry: expiry && plainText(expiry),
    affected: affected?.map(plainText),
    released: released && { ...released, name: plainText(released.name) },
  };
}

/** A time in a stored text, which is in UTC, or a span of two. */
const STORED_TIME =
  /(\d{4}-\d\d-\d\d \d\d:\d\d)(?: (?:to|until) (\d{4}-\d\d-\d\d \d\d:\d\d))? UTC\b/g;

/**
 * Writes the times of an error, a hint or a notice, which are stored in UTC, in the reader's zone.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const reading = { timezone: "Europe/Vienna", now: Temporal.Instant.from("2026-11-27T22:00:00Z") };
 * assertEquals(showTimes("no beat since 2026-11-26 02:30 UTC", reading), "no beat since 26 Nov 03:30 CET");
 * assertEquals(showTimes("2026-11-27 10:05 to 2026-11-27 12:05 UTC", reading), "11:05 to 13:05 CET");
 * ```
 */
export function showTimes(text: string, reading: Reading): string {
  return text.replace(STORED_TIME, (written, ...times: (string | undefined)[]) => {
    const [from, to] = times.slice(0, 2).map((time) =>
      time && Date.parse(`${time.replace(" ", "T")}Z`)
    );
    if (Number.isNaN(from) || Number.isNaN(to)) return written;
    const start = Temporal.Instant.fromEpochMilliseconds(Number(from));
    if (to === undefined) return describeMoment(start, reading);
    return describeSpan(start, Temporal.Instant.fromEpochMilliseconds(Number(to)), reading);
  });
}

/** The times of an event, ISO 8601: its start, and of something that is over the end. */
export function findTimes(
  { kind, since, lasted = 0 }: Pick<SiteEvent, "kind" | "since" | "lasted">,
): { from: string; to?: string } {
  if (kind !== "up") return { from: since };
  const start = Temporal.Instant.from(since).subtract({ milliseconds: Math.floor(lasted) });
  return { from: `${start}`, to: since };
}

export function describeEvent(event: SiteEvent, reading: Reading): EventWords {
  return {
    error: describeError(event),
    time: describeTime(event, reading),
    context: showTimes(joinSentences(describeSilence(event), describeContext(event)), reading),
  };
}

function describeTime(event: SiteEvent, reading: Reading): string {
  const { kind, gone, was } = event;
  const [from, to] = Object.values(findTimes(event)).map((time) => Temporal.Instant.from(time));
  if (to !== undefined) {
    const [start, end] = [from!, to].map((time) => describeMoment(time, reading));
    const span = start === end ? `at ${end}` : describeSpan(from!, to, reading);
    return gone && was !== undefined ? `${span}, when it was removed from monitoring` : span;
  }
  // That a certificate expires is no news of that time.
  if (!isOutage(kind) || (event.expiry !== undefined && restOfError(event) === "")) return "";
  return `since ${describeMoment(from!, reading)}`;
}

function describeError(event: SiteEvent): string {
  const { kind, error, was, failed, flapping, expiry } = event;
  if (kind === "test") {
    return "Nothing is wrong: this message only shows that notifications arrive";
  }
  if (kind === "report") return describeReport(event);
  if (kind === "up" && (was === undefined || expiry !== undefined)) return describeFailed(event);
  if (was !== undefined) return restOfError({ ...event, error: error || (failed?.error ?? "") });
  if (kind === "notice" || flapping === undefined) return restOfError(event);
  const last = error === "" ? "" : ` (last failure: ${error})`;
  return `it keeps failing and recovering${last}`;
}

function describeSilence({ kind, flapping }: SiteEvent): string {
  return isOutage(kind) && flapping !== undefined
    ? `The next message follows once it has been up in ${CALM} runs in a row`
    : "";
}

/** The reason of something that is over, to stand in parentheses. */
function describeFailed({ failed, expiry }: SiteEvent): string {
  if (expiry !== undefined) {
    return expiry.replace(/ expires .*$/, " was about to expire").replace(
      / expired .*$/,
      " had expired",
    );
  }
  return withoutLocations(failed?.error ?? "").replace(/^answered (?=\d{3}\b)/, "");
}

/** Splits an error of a certificate into the words of the headline, with its date, and the rest. */
export function splitExpiry(
  { error, expiry = "" }: Pick<SiteEvent, "error" | "expiry">,
): { expiry: string; rest: string } {
  const own = withoutLocations(error);
  if (expiry === "" || !own.startsWith(expiry)) return { expiry, rest: error };
  const [, date = "", rest = ""] = /^( \([^()]+\))?[\s,:]*(.*)$/s.exec(own.slice(expiry.length))!;
  return { expiry: expiry + date, rest };
}

function restOfError(event: SiteEvent): string {
  return event.expiry === undefined ? event.error : splitExpiry(event).rest;
}

type ReportEvent = Pick<SiteEvent, "error" | "figures">;

/** Longest report on one line, in UTF-16 units. */
const LONGEST_REPORT = 2_000;

/** The lines of a report below its headline: the first is about all sites, each of the others about one. */
export function listReportLines({ error, figures = [] }: ReportEvent): string[] {
  return [error, ...figures.map(({ name, text }) => `${name}: ${text}`)];
}

/** A report below its headline on one line. */
export function describeReport(event: ReportEvent): string {
  return joinFitting(listReportLines(event), { separator: "; ", longest: LONGEST_REPORT });
}

/** Longest list of sites, in UTF-16 units. */
const LONGEST_LIST = 300;

type Context = Pick<
  SiteEvent,
  "affected" | "released" | "acknowledged" | "formerly" | "news"
>;

function describeContext(event: Context): string {
  const { affected = [], released } = event;
  const why = affected.length === 1 ? "it depends on this" : "they depend on it";
  const list = joinFitting(affected, { separator: ", ", longest: LONGEST_LIST });
  const isBack = released?.isBack ? ", which is up again" : "";
  return joinSentences(
    released === undefined ? "" : `Until now the root cause was ${released.name}${isBack}`,
    list === "" ? "" : `Also failing, because ${why}: ${list}`,
    event.news === "acknowledged" ? "" : describeAcknowledgement(event),
  );
}

/** Appends the event's dependencies, and who has acknowledged it, to a reason. */
export function withContext(reason: string, event: Context): string {
  return joinSentences(reason, describeContext(event));
}

export function joinSentences(...sentences: readonly string[]): string {
  return sentences.filter((part) => part !== "").join(". ");
}

/**
 * Joins a headline and words on one line. What is over, and what has a headline of two sentences, has its reason in
 * parentheses.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const words = { error: "answered 503", time: "since 22:14 CET", context: "" };
 * assertEquals(renderLine("Shop is down", words), "Shop is down: answered 503, since 22:14 CET");
 * assertEquals(renderLine("Shop is down", { ...words, error: "" }), "Shop is down, since 22:14 CET");
 * const over = { error: "503", time: "22:14 to 22:21 CET", context: "Acknowledged by ann" };
 * assertEquals(renderLine("Shop is up again", over, true), "Shop is up again (503, 22:14 to 22:21 CET). Acknowledged by ann");
 * ```
 */
export function renderLine(
  headline: string,
  { error, time, context }: EventWords,
  isEnclosed = false,
): string {
  const why = [error, time].filter((part) => part !== "").join(", ");
  if (isEnclosed) return joinSentences(why === "" ? headline : `${headline} (${why})`, context);
  return joinSentences(
    error === "" && time !== "" ? `${headline}, ${time}` : withError(headline, why),
    context,
  );
}
