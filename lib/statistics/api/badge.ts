import { describeDuration, LONG_TIME } from "../../time.ts";
import type { State } from "../../state.ts";
import { type WindowName, WINDOWS } from "../../history/windows.ts";
import { formatPercent, type Statistics, toPercent } from "../statistics.ts";

const COLORS = ["brightgreen", "green", "yellowgreen", "yellow", "orange"] as const;

/** The colors of badges, as badge services name them. */
export type BadgeColor = typeof COLORS[number] | "red" | "blue" | "lightgrey";

export interface Badge {
  label: string;
  message: string;
  color: BadgeColor;
}

/** Dependencies of everything that writes files for other programs. */
export interface Rendering {
  draw(badge: Badge): string;
}

export const NO_DATA = "no data";

const STATUS_BADGES: Readonly<Record<State, [message: string, color: BadgeColor]>> = {
  up: ["up", "brightgreen"],
  degraded: ["degraded", "yellow"],
  down: ["down", "red"],
  maintenance: ["maintenance", "blue"],
  unknown: [NO_DATA, "lightgrey"],
};

/** The color of a figure, given whether it is better than each of the limits, the best first. */
function chooseColor(limits: readonly boolean[]): BadgeColor {
  return COLORS[limits.indexOf(true)] ?? "red";
}

export function statusBadge(state: State, label = "status"): Badge {
  const [message, color] = STATUS_BADGES[state];
  return { label, message, color };
}

/** States from the worst to the best, as far as a badge of several sites is concerned. */
const WORST_FIRST: readonly State[] = ["down", "degraded", "maintenance", "unknown", "up"];

/**
 * The status badge of several sites: the worst state, and how many have it if not all do.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const of = (...states: State[]) => Object.values(combinedStatusBadge(states)).slice(1);
 * assertEquals(of("up", "up"), ["up", "brightgreen"]);
 * assertEquals(of("up", "down", "degraded"), ["1 of 3 down", "orange"]);
 * assertEquals(of("down", "down", "up"), ["2 of 3 down", "red"]);
 * assertEquals(of("up", "unknown"), ["1 of 2 up", "lightgrey"]);
 * assertEquals([of("unknown"), of()], [["no data", "lightgrey"], ["no data", "lightgrey"]]);
 * ```
 */
export function combinedStatusBadge(states: readonly State[]): Badge {
  const count = (state: State) => states.filter((one) => one === state).length;
  const worst = WORST_FIRST.find((state) => count(state) > 0) ?? "unknown";
  const { label, message, color } = statusBadge(worst);
  const counted = worst === "unknown" ? "up" : worst;
  const isCounted = worst !== "maintenance" && count(counted) > 0 && count(counted) < states.length;
  if (!isCounted) return { label, message, color };
  const isPartial = worst === "down" && count(worst) / states.length <= 0.5;
  const word = statusBadge(counted).message;
  return {
    label,
    message: `${count(counted)} of ${states.length} ${word}`,
    color: isPartial ? "orange" : color,
  };
}

/** The badge of the uptime, with Upptime's words and colors; the color is that of the rounded figure. */
export function uptimeBadge(window: WindowName, { uptime }: Pick<Statistics, "uptime">): Badge {
  const label = formatLabel("uptime", window);
  if (uptime === undefined) return { label, message: NO_DATA, color: "lightgrey" };
  const percent = toPercent(uptime);
  const color = chooseColor([95, 90, 85, 80, 75].map((limit) => percent > limit));
  return { label, message: formatPercent(uptime), color };
}

/** The badge of the mean response time in a window, with Upptime's words and colors. */
export function responseTimeBadge(
  window: WindowName,
  { responseTimes }: Pick<Statistics, "responseTimes">,
): Badge {
  const label = formatLabel("response time", window);
  if (responseTimes === undefined) return { label, message: NO_DATA, color: "lightgrey" };
  const milliseconds = Math.round(responseTimes.mean);
  if (milliseconds >= LONG_TIME) {
    return { label, message: describeDuration(milliseconds), color: "blue" };
  }
  const color = chooseColor([200, 400, 600, 800, 1000].map((limit) => milliseconds < limit));
  return { label, message: `${milliseconds} ms`, color };
}

function formatLabel(what: string, window: WindowName): string {
  return `${what} ${WINDOWS[window].short}`.trim();
}

/** Formats a badge for badge services, which reject other keys than these four; on one line, as Upptime does. */
export function formatEndpoint({ label, message, color }: Badge): string {
  return `${JSON.stringify({ schemaVersion: 1, label, message, color })}\n`;
}
