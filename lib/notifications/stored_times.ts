import type { Language } from "../text/language.ts";
import { type Reading, utcMinute } from "../time.ts";

/** The language, the zone and the present of a reader of times. */
export interface TimeView extends Reading {
  language: Language;
}

/** A time in a text that is stored, the same in every language. */
export function storedTime(time: Temporal.Instant): string {
  return `${utcMinute(time)} UTC`;
}

/** A span in a text that is stored, the same in every language. */
export function storedSpan(from: Temporal.Instant, to: Temporal.Instant): string {
  return `${utcMinute(from)} to ${storedTime(to)}`;
}

/** A time in a stored text, which is in UTC, or a span of two. */
const STORED_TIME =
  /(\d{4}-\d\d-\d\d \d\d:\d\d)(?: (?:to|until) (\d{4}-\d\d-\d\d \d\d:\d\d))? UTC\b/g;

/**
 * Writes the times of an error, a hint or a notice, which are stored in UTC, in the reader's language and zone.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createLanguage } from "../text/language.ts";
 * import { mergeMessages } from "../text/messages.ts";
 * const now = Temporal.Instant.from("2026-11-27T22:00:00Z");
 * const view = { timezone: "Europe/Vienna", now, language: createLanguage("en", mergeMessages()) };
 * assertEquals(showTimes("no beat since 2026-11-26 02:30 UTC", view), "no beat since 26 Nov 03:30 CET");
 * assertEquals(showTimes("2026-11-27 10:05 to 2026-11-27 12:05 UTC", view), "11:05 to 13:05 CET");
 * ```
 */
export function showTimes(text: string, view: TimeView): string {
  return text.replace(STORED_TIME, (written, ...times: (string | undefined)[]) => {
    const [from, to] = times.slice(0, 2).map((time) =>
      time && Date.parse(`${time.replace(" ", "T")}Z`)
    );
    if (Number.isNaN(from) || Number.isNaN(to)) return written;
    const start = Temporal.Instant.fromEpochMilliseconds(Number(from));
    if (to === undefined) return view.language.moment(start, view);
    return view.language.span(start, Temporal.Instant.fromEpochMilliseconds(Number(to)), view);
  });
}
