import type { Phases } from "../lib/checks/observation.ts";
import { shownAddress, type Site } from "../lib/config/config.ts";
import { describeEvery } from "../lib/config/checks/heartbeat.ts";
import { readVotes, withError } from "../lib/evaluation/location_words.ts";
import type { Incident } from "../lib/history/incident.ts";
import { formatPercent, type Objective } from "../lib/statistics/statistics.ts";
import type { Outcome } from "../lib/pipeline/outcomes.ts";
import type { State } from "../lib/state.ts";
import type { Language } from "../lib/text/language.ts";
import { plainText } from "../lib/text/plain_text.ts";
import {
  DAY,
  describeDuration,
  HOUR,
  largestUnits,
  LONG_TIME,
  MINUTE,
  utcMinute,
} from "../lib/time.ts";

/** Signs of states for outputs without colors. */
export const STATE_SIGNS: Readonly<Record<State, string>> = {
  up: "🟩",
  degraded: "🟨",
  down: "🟥",
  maintenance: "🔧",
  unknown: "⬜",
};

const STATE_WORDS = {
  up: "up",
  degraded: "degraded",
  down: "down",
  maintenance: "in maintenance",
  unknown: "unknown",
  paused: "paused",
  "no data": "without data",
  "not checked": "not checked yet",
};

/** Counts states, the usual first: `2 up, 1 down`, or `all up`. */
export function countStates(states: readonly (keyof typeof STATE_WORDS)[]): string {
  const counts = Object.entries(STATE_WORDS).flatMap(([state, word]) => {
    const number = states.filter((one) => one === state).length;
    return number === 0 ? [] : [{ word, number }];
  });
  if (counts.length === 1 && states.length > 1) return `all ${counts[0]!.word}`;
  return counts.map(({ word, number }) => `${number} ${word}`).join(", ");
}

/** The public address of a site, or when the job of a heartbeat has to run; `undefined` if it is hidden. */
export function describeAddress(site: Site): string | undefined {
  const { target, url } = site;
  return target.check === "heartbeat" && url === "" ? describeEvery(target) : shownAddress(site);
}

/** Says when the job of a heartbeat without an address has to run; `undefined` of other sites. */
export function saySchedule({ target, url }: Site, language: Language): string | undefined {
  if (target.check !== "heartbeat" || url !== "") return undefined;
  const { every } = target;
  if (every === undefined || every === 0) return language.say("noSchedule");
  if (typeof every === "string") return language.isolate(describeEvery(target));
  const [unit, length] = INTERVALS.find(([, length]) => every % length === 0) ?? INTERVALS.at(-1)!;
  return language.say(unit, { COUNT: every / length });
}

const INTERVALS = [
  ["everyDays", DAY],
  ["everyHours", HOUR],
  ["everyMinutes", MINUTE],
  ["everySeconds", 1000],
] as const;

export function countSites(sites: number): string {
  return count(sites, "site");
}

/** Formats a number of things, given the singular. */
export function count(number: number, thing: string): string {
  return number === 1 ? `1 ${thing}` : `${number} ${thing}s`;
}

export type NamedSite = Pick<Site, "slug" | "name">;

/** Returns the name of a site on one line; its slug if it is no longer configured. */
export function siteName(slug: string, sites: readonly NamedSite[]): string {
  return plainText(sites.find((site) => site.slug === slug)?.name ?? slug);
}

/**
 * Describes a condition: `down (connection refused) since 10:05 UTC, confirmed by 3 attempts over 31 s`, or
 * `down in Rome (up in Oslo): connection refused, since 10:05 UTC`.
 */
export function formatCondition({ result, since, open }: Outcome): string {
  const { state, error = "", confirmed, flapping, until } = result;
  // Brackets at its end would be within brackets, as others would.
  const brief = error.replace(/ \(([^()]*)\)$/, ", $1");
  const isLong = readVotes(error) !== undefined || /[()]/.test(brief);
  const [condition, comma] = isLong
    ? [withError(state, error), ","]
    : [state + (error === "" ? "" : ` (${brief})`), ""];
  if (until !== undefined) {
    return `${condition}${comma} until ${formatMinuteFrom(until, confirmed)}`;
  }
  const start = since === undefined || state === "unknown"
    ? ""
    : `${comma} since ${formatMinuteFrom(since, confirmed)}`;
  const time = open === undefined || state !== "down"
    ? undefined
    : confirmationTime(open, since ?? open.confirmed);
  const sure = time === undefined
    ? ""
    : `, confirmed by ${count(open!.attempts, "attempt")} over ${time}`;
  return `${condition}${start}${sure}${flapping ? ", flapping" : ""}`;
}

/**
 * Formats the time between the start of a condition and its confirmation; `undefined` if one attempt was enough,
 * or if the condition started later.
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
  confirmation: Pick<Incident, "attempts" | "confirmed">,
  since: Temporal.Instant,
): string | undefined {
  const length = computeConfirmation(confirmation, since);
  if (length === undefined) return undefined;
  return length < LONG_TIME ? `${Math.round(length / 1000)} s` : describeDuration(length);
}

/** The same in milliseconds. */
function computeConfirmation(
  { attempts, confirmed }: Pick<Incident, "attempts" | "confirmed">,
  since: Temporal.Instant,
): number | undefined {
  const length = confirmed.since(since).total("milliseconds");
  return attempts < 2 || length < 0 ? undefined : length;
}

/** The same in a language. */
export function sayConfirmationTime(
  confirmation: Pick<Incident, "attempts" | "confirmed">,
  since: Temporal.Instant,
  { say, duration }: Language,
): string | undefined {
  const length = computeConfirmation(confirmation, since);
  if (length === undefined) return undefined;
  return length < LONG_TIME
    ? say("shortSeconds", { COUNT: Math.round(length / 1000) })
    : duration(length);
}

/** Shown for a missing value. */
export const NOTHING = "–";

export function formatShare(share: number | undefined, none = NOTHING): string {
  return share === undefined ? none : formatPercent(share);
}

/**
 * Formats a share of a window that is known in whole percent, rounded down.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([0.6249, 0.997, 0.001, 0, 1].map(formatCoverage), ["62%", "99%", "<1%", "0%", "100%"]);
 * ```
 */
export function formatCoverage(share: number): string {
  return share > 0 && share < 0.01 ? "<1%" : `${Math.floor(share * 100 + 1e-9)}%`;
}

/** The same in a language. */
export function sayCoverage(share: number, { isolate, percent }: Language): string {
  return share > 0 && share < 0.01
    ? isolate(`<${percent(0.01)}`)
    : percent(Math.floor(share * 100 + 1e-9) / 100);
}

const wholeNumber = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/**
 * Formats a response time; the length of a job, in larger units.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([85.2, 30_000, 5_400_000].map((time) => formatMilliseconds(time)), ["85 ms", "30,000 ms", "1h 30m"]);
 * ```
 */
export function formatMilliseconds(milliseconds: number | undefined, none = NOTHING): string {
  if (milliseconds === undefined) return none;
  return milliseconds >= LONG_TIME
    ? shortDuration(milliseconds / 1000)
    : `${wholeNumber.format(Math.round(milliseconds))} ms`;
}

/** The same in a language. */
export function sayMilliseconds(milliseconds: number, language: Language): string {
  return language.locale.language === "en"
    ? formatMilliseconds(milliseconds)
    : language.responseTime(milliseconds);
}

/**
 * Formats an objective, given as a share, as it was configured.
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

/**
 * Formats what is left of an error budget, negative if it is overspent; nothing before there is a day of data.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const left = [90, -7_500, 0.2].map((left) => formatBudget({ target: 0.999, budget: 90, left }));
 * assertEquals(left, ["1m 30s", "-2h 5m", "<1s"]);
 * assertEquals(formatBudget({ target: 1, budget: 0, left: 0 }), "none");
 * assertEquals(formatBudget({ target: 0.999 }), "");
 * ```
 */
export function formatBudget({ budget, left }: Objective): string {
  if (budget === undefined || left === undefined) return "";
  if (budget === 0 && left === 0) return "none";
  const seconds = Math.abs(left);
  const time = seconds > 0 && seconds < 0.5 ? "<1s" : shortDuration(seconds);
  return left < 0 ? `-${time}` : time;
}

/** Converts a share to percent without floating-point residue. */
export function targetPercent(target: number): number {
  return Number((target * 100).toPrecision(12));
}

export const PHASES: Readonly<Record<keyof Phases, string>> = {
  dns: "name look-up",
  connect: "connect",
  tls: "TLS",
  ttfb: "first byte",
  download: "download",
};

const DAY_SECONDS = 86_400;

/**
 * Formats seconds briefly: the two largest units, without seconds from ten minutes and hours from ten days on.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const texts = [40 * 86_400, 90_000, 7_500, 2_576, 90, 0.2].map(shortDuration);
 * assertEquals(texts, ["40d", "1d 1h", "2h 5m", "42m", "1m 30s", "0s"]);
 * ```
 */
export function shortDuration(seconds: number): string {
  const unit = seconds >= 10 * DAY_SECONDS ? DAY_SECONDS : seconds >= 600 ? 60 : 1;
  const shown = unit === 1 ? Math.round(seconds) : Math.floor(seconds / unit) * unit;
  return largestUnits(shown).map(([count, unit]) => `${count}${unit[0]}`).join(" ") || "0s";
}

/**
 * Formats seconds in words; a dash for less than one.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([7_500, 0, undefined].map((seconds) => longDuration(seconds)), ["2 hours 5 minutes", "–", "–"]);
 * ```
 */
export function longDuration(seconds: number | undefined): string {
  return seconds === undefined || Math.round(seconds) < 1
    ? NOTHING
    : describeDuration(seconds * 1000);
}

/** Formats a moment to the minute: `2026-11-21 10:05 UTC`. */
export function formatMinute(time: Temporal.Instant): string {
  return `${utcMinute(time)} UTC`;
}

/** Formats a moment to the minute, without the day if it is that of another moment: `10:05 UTC`. */
export function formatMinuteFrom(time: Temporal.Instant, other: Temporal.Instant): string {
  return `${zonedMinute(time, "UTC", other)} UTC`;
}

/** Formats a moment to the minute in a time zone, without the day if it is that of another moment. */
export function zonedMinute(
  time: Temporal.Instant,
  timezone: string,
  other?: Temporal.Instant,
): string {
  const [day, clock] = zonedTime(time, timezone).slice(0, 16).split("T") as [string, string];
  return other && zonedTime(other, timezone).startsWith(day) ? clock : `${day} ${clock}`;
}

/** Formats a moment to the second in a time zone, with its offset from UTC. */
export function zonedTime(time: Temporal.Instant, timezone: string): string {
  const options = { timeZoneName: "never", smallestUnit: "second" } as const;
  return time.toZonedDateTimeISO(timezone).toString(options);
}
