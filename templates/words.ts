import type { State } from "../lib/state.ts";
import { describeDuration, largestUnits, utcDay, utcMinute } from "../lib/time.ts";
import { formatPercent } from "../lib/statistics/percent.ts";
import type { Site } from "../lib/config/config.ts";
import { plainText } from "../lib/text/plain_text.ts";
import type { Outcome } from "../lib/pipeline/outcomes.ts";
import type { Incident } from "../lib/history/incident.ts";

export const STATE_SIGNS: Readonly<Record<State, string>> = {
  up: "🟩",
  degraded: "🟨",
  down: "🟥",
  maintenance: "🔧",
  unknown: "⬜",
};

/**
 * How many of each state there are, the usual first.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(countStates(["up", "down", "up"]), "2 up, 1 down");
 * assertEquals(countStates(["up", "up"]), "all up");
 * assertEquals(countStates(["up", "maintenance"]), "1 up, 1 in maintenance");
 * ```
 */
export function countStates(states: readonly State[]): string {
  const order: State[] = ["up", "degraded", "down", "maintenance", "unknown"];
  const counts = order
    .map((state) => ({ state, number: states.filter((one) => one === state).length }))
    .filter(({ number }) => number > 0);
  const word = (state: State) => state === "maintenance" ? "in maintenance" : state;
  if (counts.length === 1 && states.length > 1) return `all ${word(counts[0]!.state)}`;
  return counts.map(({ state, number }) => `${number} ${word(state)}`).join(", ");
}

/** A number of sites. */
export function countSites(sites: number): string {
  return count(sites, "site");
}

/** A number of things, given the word for one of them. */
export function count(number: number, thing: string): string {
  return number === 1 ? `1 ${thing}` : `${number} ${thing}s`;
}

/**
 * A moment as people read it, to the minute.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(formatMinute(Temporal.Instant.from("2026-11-21T10:05:03Z")), "2026-11-21 10:05 UTC");
 * ```
 */
export function formatMinute(time: Temporal.Instant): string {
  return `${utcMinute(time)} UTC`;
}

/**
 * The same beside another moment: without the day where that is the same.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const now = Temporal.Instant.from("2026-11-21T10:05:03Z");
 * assertEquals(formatMinuteFrom(now.subtract({ hours: 1 }), now), "09:05 UTC");
 * assertEquals(formatMinuteFrom(now.subtract({ hours: 24 }), now), "2026-11-20 10:05 UTC");
 * ```
 */
export function formatMinuteFrom(time: Temporal.Instant, other: Temporal.Instant): string {
  const text = formatMinute(time);
  return utcDay(time) === utcDay(other) ? text.slice("YYYY-MM-DD ".length) : text;
}

const DAY = 86_400;

export const NOTHING = "–";

/** A share of the time in percent, or other words where there is none. */
export function formatShare(share: number | undefined, none = NOTHING): string {
  return share === undefined ? none : formatPercent(share);
}

const wholeNumber = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Milliseconds with their unit, or other words where there are none. */
export function formatMilliseconds(milliseconds: number | undefined, none = NOTHING): string {
  return milliseconds === undefined ? none : `${wholeNumber.format(Math.round(milliseconds))} ms`;
}

/**
 * A target in percent, as it was configured; given as a share.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([0.999, 0.99995, 1].map(formatTarget), ["99.9%", "99.995%", "100%"]);
 * ```
 */
export function formatTarget(target: number): string {
  return `${targetPercent(target)}%`;
}

/** Percent of a share that was made of a percentage, without what the division left behind. */
export function targetPercent(target: number): number {
  return Number((target * 100).toPrecision(12));
}

/**
 * Seconds in the fewest letters: the two largest units, but no seconds beside ten minutes, no hours beside ten days.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const texts = [40 * 86_400, 90_000, 7_500, 2_576, 90, 0.2].map(shortDuration);
 * assertEquals(texts, ["40d", "1d 1h", "2h 5m", "42m", "1m 30s", "0s"]);
 * ```
 */
export function shortDuration(seconds: number): string {
  // What does not fit is cut, as in longer words: what is not over yet has not been.
  const coarse = seconds >= 10 * DAY ? DAY : seconds >= 600 ? 60 : 1;
  const shown = coarse === 1 ? Math.round(seconds) : Math.floor(seconds / coarse) * coarse;
  return largestUnits(shown).map(([count, unit]) => `${count}${unit[0]}`).join(" ") || "0s";
}

/**
 * Seconds in words, whole ones; a dash where there are none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([7_500, 0, undefined].map((seconds) => longDuration(seconds)), ["2 hours, 5 minutes", "–", "–"]);
 * ```
 */
export function longDuration(seconds: number | undefined): string {
  return seconds === undefined || Math.round(seconds) < 1
    ? NOTHING
    : describeDuration(seconds * 1000);
}

/**
 * A moment to the minute on the clocks of a zone.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const time = Temporal.Instant.from("2026-11-21T23:05:03Z");
 * assertEquals(zonedMinute(time, "Europe/Berlin"), "2026-11-22 00:05");
 * ```
 */
export function zonedMinute(time: Temporal.Instant, timezone: string): string {
  return zonedTime(time, timezone).slice(0, 16).replace("T", " ");
}

/**
 * A moment on the clocks of a zone with their distance from UTC, to the second.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const time = Temporal.Instant.from("2026-11-21T23:05:03.120Z");
 * assertEquals(zonedTime(time, "Europe/Berlin"), "2026-11-22T00:05:03+01:00");
 * ```
 */
export function zonedTime(time: Temporal.Instant, timezone: string): string {
  return time.toZonedDateTimeISO(timezone).toString({
    timeZoneName: "never",
    smallestUnit: "second",
  });
}

export type NamedSite = Pick<Site, "slug" | "name">;

/** The name of a site, on one line; its slug where it is no longer configured. */
export function siteName(slug: string, sites: readonly NamedSite[]): string {
  return plainText(sites.find((site) => site.slug === slug)?.name ?? slug);
}

export function conditionText({ result, since, open }: Outcome): string {
  const { state, error, confirmed, flapping, until } = result;
  const reason = error === undefined ? "" : ` (${unbracketed(error)})`;
  if (until !== undefined) return `${state}${reason} until ${formatMinuteFrom(until, confirmed)}`;
  const began = since === undefined || state === "unknown"
    ? ""
    : ` since ${formatMinuteFrom(since, confirmed)}`;
  const sure = open === undefined || state !== "down" ? "" : confirmation(open, since);
  return `${state}${reason}${began}${sure}${flapping ? ", flapping" : ""}`;
}

function confirmation(incident: Incident, since = incident.confirmed): string {
  const time = confirmationTime(incident, since);
  return time === undefined
    ? ""
    : `, confirmed by ${count(incident.attempts, "attempt")} over ${time}`;
}

/** Without the brackets at its end, because it stands in brackets itself. */
function unbracketed(error: string): string {
  return error.replace(/ \(([^()]*)\)$/, ", $1");
}

/**
 * How long it took to be sure of a condition that began at `since`; `undefined` where one attempt was
 * enough, or where the condition began only after what made the incident sure.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const since = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * assertEquals(confirmationTime({ attempts: 3, confirmed: since.add({ seconds: 31 }) }, since), "31 s");
 * assertEquals(confirmationTime({ attempts: 1, confirmed: since }, since), undefined);
 * ```
 */
export function confirmationTime(
  { attempts, confirmed }: Pick<Incident, "attempts" | "confirmed">,
  since: Temporal.Instant,
): string | undefined {
  const length = confirmed.since(since).total("milliseconds");
  if (attempts < 2 || length < 0) return undefined;
  return length < 120_000 ? `${Math.round(length / 1000)} s` : describeDuration(length);
}

/**
 * A share of a window that is known, in whole percent and never all of it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([0.6249, 0.997, 0.001, 0, 1].map(formatCoverage), ["62%", "99%", "<1%", "0%", "100%"]);
 * ```
 */
export function formatCoverage(share: number): string {
  if (share > 0 && share < 0.01) return "<1%";
  return `${Math.floor(share * 100 + 1e-9)}%`;
}
