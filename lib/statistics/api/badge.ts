import type { State } from "../../state.ts";
import type { WindowName } from "../../history/windows.ts";
import type { Language } from "../../text/language.ts";
import { ENGLISH_LANGUAGE } from "../../text/languages.ts";
import type { MessageKey, PluralKey } from "../../text/messages.ts";
import { LONG_TIME } from "../../time.ts";
import { type Statistics, toPercent } from "../statistics.ts";

const COLORS = ["brightgreen", "green", "yellowgreen", "yellow", "orange"] as const;

/** The colors of badges, as badge services name them. */
export type BadgeColor = typeof COLORS[number] | "red" | "blue" | "lightgrey";

/** A badge in any language. */
export interface Badge {
  label(language: Language): string;
  message(language: Language): string;
  color: BadgeColor;
}

/** Dependencies of everything that writes files for other programs. */
export interface Rendering {
  draw(badge: Badge): string;
}

const STATUS_BADGES = {
  up: ["wordUp", "brightgreen", "badgeCountUp"],
  degraded: ["wordDegraded", "yellow", "badgeCountDegraded"],
  down: ["wordDown", "red", "badgeCountDown"],
  maintenance: ["wordMaintenance", "blue", undefined],
  unknown: ["noData", "lightgrey", "badgeCountUp"],
} as const satisfies Record<State, [MessageKey, BadgeColor, counted?: PluralKey]>;

/** The color of a figure, given whether it is better than each of the limits, the best first. */
function chooseColor(limits: readonly boolean[]): BadgeColor {
  return COLORS[limits.indexOf(true)] ?? "red";
}

/** The badge of a state; `label` is a name in place of "status". */
export function statusBadge(state: State, label?: string): Badge {
  const [word, color] = STATUS_BADGES[state];
  return {
    label: ({ say }) => label ?? say("badgeOfStatus"),
    message: ({ say }) => say(word),
    color,
  };
}

/** States from the worst to the best, as far as a badge of several sites is concerned. */
const WORST_FIRST: readonly State[] = ["down", "degraded", "maintenance", "unknown", "up"];

/**
 * The status badge of several sites: the worst state, and how many have it if not all do.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const of = (...states: State[]) => {
 *   const { message, color } = JSON.parse(formatEndpoint(combinedStatusBadge(states)));
 *   return [message, color];
 * };
 * assertEquals(of("up", "up"), ["up", "brightgreen"]);
 * assertEquals(of("up", "down", "degraded"), ["1 of 3 down", "orange"]);
 * assertEquals(of("down", "down", "up"), ["2 of 3 down", "red"]);
 * assertEquals(of("up", "unknown"), ["1 of 2 up", "lightgrey"]);
 * assertEquals([of("unknown"), of()], [["no data", "lightgrey"], ["no data", "lightgrey"]]);
 * ```
 */
export function combinedStatusBadge(states: readonly State[]): Badge {
  const worst = WORST_FIRST.find((state) => states.includes(state)) ?? "unknown";
  const badge = statusBadge(worst);
  const [, , counted] = STATUS_BADGES[worst];
  const state = worst === "unknown" ? "up" : worst;
  const [COUNT, TOTAL] = [states.filter((one) => one === state).length, states.length];
  if (counted === undefined || COUNT === 0 || COUNT === TOTAL) return badge;
  const isPartial = worst === "down" && COUNT / TOTAL <= 0.5;
  return {
    ...badge,
    message: ({ say }) => say(counted, { COUNT, TOTAL }),
    color: isPartial ? "orange" : badge.color,
  };
}

/** The badge of the uptime, with Upptime's words and colors; the color is that of the rounded figure. */
export function uptimeBadge(window: WindowName, { uptime }: Pick<Statistics, "uptime">): Badge {
  const label = toLabel("wordUptime", "badgeOfUptimeIn", window);
  if (uptime === undefined) return { label, message: sayNoData, color: "lightgrey" };
  const percent = toPercent(uptime);
  const color = chooseColor([95, 90, 85, 80, 75].map((limit) => percent > limit));
  return { label, message: (language) => language.percent(percent / 100), color };
}

/** The badge of the mean response time in a window, with Upptime's words and colors. */
export function responseTimeBadge(
  window: WindowName,
  { responseTimes }: Pick<Statistics, "responseTimes">,
): Badge {
  const label = toLabel("badgeOfResponseTime", "badgeOfResponseTimeIn", window);
  if (responseTimes === undefined) return { label, message: sayNoData, color: "lightgrey" };
  const milliseconds = Math.round(responseTimes.mean);
  const isLong = milliseconds >= LONG_TIME;
  const color = isLong
    ? "blue"
    : chooseColor([200, 400, 600, 800, 1000].map((limit) => milliseconds < limit));
  return {
    label,
    message: (language) =>
      isLong ? language.duration(milliseconds) : formatMilliseconds(milliseconds, language),
    color,
  };
}

export const SHORT_WINDOW_WORDS = {
  day: "short24H",
  week: "short7D",
  month: "short30D",
  quarter: "short90D",
  year: "short1Y",
  all: "shortAll",
} as const satisfies Record<WindowName, MessageKey>;

/** Short, as in Upptime: without separators between thousands. */
function formatMilliseconds(milliseconds: number, { locale }: Language): string {
  const options = { style: "unit", unit: "millisecond", useGrouping: false } as const;
  return new Intl.NumberFormat(locale, options).format(milliseconds);
}

function sayNoData({ say }: Language): string {
  return say("noData");
}

function toLabel(whole: MessageKey, key: MessageKey, window: WindowName): Badge["label"] {
  return ({ say }) =>
    window === "all" ? say(whole) : say(key, { WINDOW: say(SHORT_WINDOW_WORDS[window]) });
}

/** Formats a badge for badge services, which reject other keys than these four; on one line and in English, as Upptime does. */
export function formatEndpoint({ label, message, color }: Badge): string {
  const texts = { label: label(ENGLISH_LANGUAGE), message: message(ENGLISH_LANGUAGE) };
  return `${JSON.stringify({ schemaVersion: 1, ...texts, color })}\n`;
}
