import { CALM } from "../evaluation/flapping.ts";
import { sayError, withoutLocations } from "../evaluation/location_words.ts";
import { plainLines, plainText } from "../text/plain_text.ts";
import type { Language } from "../text/language.ts";
import { describeAcknowledgement } from "./acknowledgements.ts";
import { joinFitting } from "./fit_text.ts";
import { isOutage, type MessageView, type Outage, type SiteEvent } from "./message.ts";
import {
  findSeparator,
  joinTexts,
  readSeen,
  sayEvidence,
  type Seen,
  splitExpiry,
  withReason,
} from "./recorded_words.ts";
import { showTimes, type TimeView } from "./stored_times.ts";

/** What was found, when, and what else is known, in words. */
export interface EventWords {
  /** The reason without times, possibly in a server's words; may be empty. */
  error: string;
  /** The same in parts, if locations are a part of it. */
  seen?: Seen;
  /** `since 22:14 CET`, or `22:14 to 22:21 CET`; empty if it isn't said in sentences. */
  time: string;
  /** Sentences about dependencies and acknowledgements; may be empty. */
  context: string;
}

/**
 * An event whose texts are on one line, without characters that steer a terminal or the reading order, and with
 * times as people read them.
 */
export function plainEvent(event: SiteEvent, view: TimeView): SiteEvent {
  const { name, slug, title, url = "", error, expiry, affected, released, failed, figures } = event;
  const { description, runbook, group, tags, hint, body } = event;
  const shown = (text: string) => showTimes(plainText(text), view);
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

/** The times of an event, ISO 8601: its start, and of something that is over the end. */
export function findTimes(
  { kind, since, lasted = 0 }: Pick<SiteEvent, "kind" | "since" | "lasted">,
): { from: string; to?: string } {
  if (kind !== "up") return { from: since };
  const start = Temporal.Instant.from(since).subtract({ milliseconds: Math.floor(lasted) });
  return { from: `${start}`, to: since };
}

export function describeEvent(event: SiteEvent, view: MessageView): EventWords {
  const { language } = view;
  const recorded = findRecorded(event);
  return {
    error: recorded === undefined
      ? describeError(event, language)
      : recorded === ""
      ? ""
      : sayError(recorded, language),
    seen: recorded === undefined ? undefined : readSeen(recorded, language),
    time: describeTime(event, view),
    context: joinTexts(
      "sentencesBetween",
      [describeSilence(event, language), describeContext(event, view)],
      language,
    ),
  };
}

function describeTime(event: SiteEvent, view: MessageView): string {
  const { kind, gone, was } = event;
  const { say, moment, span } = view.language;
  const [from, to] = Object.values(findTimes(event)).map((time) => Temporal.Instant.from(time));
  if (to !== undefined) {
    const [start, end] = [from!, to].map((time) => moment(time, view));
    const both = start === end ? say("atTime", { TIME: end! }) : span(from!, to, view);
    return gone && was !== undefined ? say("untilRemoved", { TIME: both }) : both;
  }
  // That a certificate expires is no news of that time.
  if (!isOutage(kind) || (event.expiry !== undefined && restOfError(event) === "")) return "";
  return say("sinceTime", { TIME: moment(from!, view) });
}

/** The recorded error that is the reason of an event; `undefined` if we say the reason ourselves. */
function findRecorded(event: SiteEvent): string | undefined {
  const { kind, error, was, failed, flapping, expiry } = event;
  if (kind === "test" || kind === "report" || kind === "notice") return undefined;
  if (kind === "up" && (was === undefined || expiry !== undefined)) return undefined;
  if (was !== undefined) return restOfError({ ...event, error: error || (failed?.error ?? "") });
  return flapping === undefined ? restOfError(event) : undefined;
}

function describeError(event: SiteEvent, language: Language): string {
  const { kind, error } = event;
  const { say } = language;
  if (kind === "test") return say("onlyATest");
  if (kind === "report") return describeReport(event, language);
  if (kind === "notice") return error;
  if (kind === "up") return describeFailed(event, language);
  return error === ""
    ? say("keepsFailing")
    : say("keepsFailingBecause", { ERROR: sayError(error, language) });
}

function describeSilence({ kind, flapping }: SiteEvent, { say }: Language): string {
  return isOutage(kind) && flapping !== undefined ? say("silentUntilCalm", { COUNT: CALM }) : "";
}

/** The reason of something that is over, to stand in parentheses. */
function describeFailed(event: SiteEvent, language: Language): string {
  const { failed, expiry } = event;
  if (expiry === undefined) {
    const own = withoutLocations(failed?.error ?? "").replace(/^answered (?=\d{3}\b)/, "");
    return sayEvidence(own, language);
  }
  const { what, count = 0 } = splitExpiry(event).expiry ?? {};
  if (what === "domain") return language.say("domainWasExpiring");
  return language.say(count < 0 ? "certificateHadExpired" : "certificateWasExpiring");
}

function restOfError(event: SiteEvent): string {
  return event.expiry === undefined ? event.error : splitExpiry(event).rest;
}

type ReportEvent = Pick<SiteEvent, "error" | "figures">;

/** Longest report on one line, in UTF-16 units. */
const LONGEST_REPORT = 2_000;

/** The lines of a report below its headline: the first is about all sites, each of the others about one. */
export function listReportLines(
  { error, figures = [] }: ReportEvent,
  language: Language,
): string[] {
  return [
    error,
    ...figures.map(({ name, text }) => withReason(language.isolate(name), text, language)),
  ];
}

/** A report below its headline on one line. */
export function describeReport(event: ReportEvent, language: Language): string {
  return joinFitting(listReportLines(event, language), {
    separator: findSeparator("semicolonBetween", language),
    longest: LONGEST_REPORT,
    language,
  });
}

/** Longest list of sites, in UTF-16 units. */
const LONGEST_LIST = 300;

type Context = Pick<
  SiteEvent,
  "affected" | "released" | "acknowledged" | "formerly" | "news"
>;

function describeContext(event: Context, view: TimeView): string {
  const { affected = [], released } = event;
  const { language } = view;
  const { say, isolate } = language;
  const list = joinFitting(affected.map(isolate), {
    separator: findSeparator("commaBetween", language),
    longest: LONGEST_LIST,
    language,
  });
  const cause = released && { NAME: isolate(released.name) };
  return joinTexts("sentencesBetween", [
    cause === undefined ? "" : say(released?.isBack ? "formerCauseUp" : "formerCause", cause),
    affected.length === 0 ? "" : say("alsoFailing", { COUNT: affected.length, NAMES: list }),
    event.news === "acknowledged" ? "" : describeAcknowledgement(event, view),
  ], language);
}

/** Appends the event's dependencies, and who has acknowledged it, to a reason. */
export function withContext(reason: string, event: Context, view: TimeView): string {
  return joinTexts("sentencesBetween", [reason, describeContext(event, view)], view.language);
}

/**
 * Joins a headline and words on one line. What is over, and what has a headline of two sentences, has its reason in
 * parentheses. Locations follow the outage with which a headline ends, `said`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createLanguage } from "../text/language.ts";
 * import { mergeMessages } from "../text/messages.ts";
 * const language = createLanguage("en", mergeMessages());
 * const show = (headline: string, words: EventWords, isEnclosed = false) => renderLine(headline, words, { isEnclosed, language });
 * const words = { error: "answered 503", time: "since 22:14 CET", context: "" };
 * assertEquals(show("Shop is down", words), "Shop is down: answered 503, since 22:14 CET");
 * assertEquals(show("Shop is down", { ...words, error: "" }), "Shop is down, since 22:14 CET");
 * const over = { error: "503", time: "22:14 to 22:21 CET", context: "Acknowledged by ann" };
 * assertEquals(show("Shop is up again", over, true), "Shop is up again (503, 22:14 to 22:21 CET). Acknowledged by ann");
 * ```
 */
export function renderLine(
  headline: string,
  { error, seen, time, context }: EventWords,
  { isEnclosed, said, language }: { isEnclosed: boolean; said?: Outage; language: Language },
): string {
  const { say } = language;
  const comma = (...texts: string[]) => joinTexts("commaBetween", texts, language);
  const line = () => {
    const why = comma(error, time);
    if (isEnclosed) return why === "" ? headline : say("withNote", { TEXT: headline, NOTE: why });
    if (error === "") return comma(headline, time);
    if (seen === undefined) return withReason(headline, why, language);
    const { state, places, reason } = seen;
    return state === said
      ? withReason(
        say("sentenceInPlaces", { TEXT: headline, PLACES: places }),
        comma(reason, time),
        language,
      )
      : comma(headline, why);
  };
  return joinTexts("sentencesBetween", [line(), context], language);
}
