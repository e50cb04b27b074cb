import type { Retry } from "../../lib/evaluation/evaluate_site.ts";
import type { State } from "../../lib/state.ts";
import { fit, textWidth } from "../../lib/text/columns.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { joinFirst } from "../../lib/text/words.ts";
import { describeDuration, describeInterval, MINUTE } from "../../lib/time.ts";
import { countSites, countStates } from "../words.ts";
import { LONGEST_NAME } from "./lines.ts";
import { formatCommand } from "../../lib/text/invocation.ts";

/** Longest reason of a retry, in characters. */
const LONGEST_REASON = 50;
const MOST_NAMES = 10;

/**
 * Describes a retry.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const retry = { code: 503, error: "503 Service Unavailable", pause: 20_000, attempt: 2, most: 3 };
 * assertEquals(retryText("Shop", retry, 20_000), "Shop: 503, retrying in 20 s (2 of 3)");
 * assertEquals(
 *   retryText("Shop", { ...retry, code: 0, error: "no such name" }, 1_200),
 *   "Shop: no such name, retrying in 2 s (2 of 3)",
 * );
 * ```
 */
export function retryText(
  name: string,
  { code, error = "up", attempt, most }: Retry,
  left: number,
): string {
  const what = code >= 400 ? code : shorten(plainText(error), LONGEST_REASON);
  const seconds = Math.max(0, Math.ceil(left / 1000));
  return `${fit(name, LONGEST_NAME)}: ${what}, retrying in ${seconds} s (${attempt} of ${most})`;
}

/** Names the sites whose checks are still running; the first of the retries is described. */
export function describeWaiting(names: readonly string[], retries: readonly string[]): string {
  if (names.length === 0) return "recording";
  const [retry] = retries;
  if (retry !== undefined) {
    const others = names.length - 1;
    return others === 0 ? retry : `${retry}; ${others} more to come`;
  }
  return `waiting for ${joinFirst(names, 2, (name) => fit(name, LONGEST_NAME))}`;
}

/**
 * Describes what is watched, given the interval of each site that is not paused.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(watchedNote([60_000, 60_000]), "Watching 2 sites every minute.");
 * assertEquals(watchedNote([60_000, 10_000]), "Watching 2 sites at intervals of 10 seconds to 1 minute.");
 * assertEquals(watchedNote([]), "Every site is paused: nothing is checked.");
 * ```
 */
export function watchedNote(intervals: readonly number[]): string {
  if (intervals.length === 0) return "Every site is paused: nothing is checked.";
  const [least, most] = [Math.min(...intervals), Math.max(...intervals)];
  const every = least === most
    ? describeInterval(least)
    : `at intervals of ${describeDuration(least)} to ${describeDuration(most)}`;
  return `Watching ${countSites(intervals.length)} ${every}.`;
}

/**
 * Describes the sites that `watch` checks: their states, those whose check takes long, and the milliseconds until the
 * next round, which are absent at the end. With few columns only what fits.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const states = ["up", "up", "degraded"] as const;
 * const line = (columns: number) => watchingLine({ states, checking: [], next: 41_200 }, columns);
 * assertEquals(line(80), "3 sites: 2 up, 1 degraded, next check in 42 s");
 * assertEquals(line(40), "2 up, 1 degraded, next check in 42 s");
 * assertEquals(line(30), "2 up, 1 degraded, 42 s");
 * assertEquals(watchingLine({ states: [], checking: [], next: Infinity }, 80), "every site is paused");
 * ```
 */
export function watchingLine(
  { states, checking, next }: {
    /** `undefined` for a site that was not checked yet. */
    states: readonly (State | undefined)[];
    checking: readonly string[];
    next: number | undefined;
  },
  columns: number,
): string {
  if (states.length === 0) return "every site is paused";
  const counts = states.some((state) => state !== undefined)
    ? countStates(states.map((state) => state ?? "not checked"))
    : "not checked yet";
  const open = checking.length === 0
    ? ""
    : `, checking ${joinFirst(checking, 1, (name) => fit(name, LONGEST_NAME))}`;
  const wait = next === undefined ? "stopping" : describeWait(next);
  const end = next === undefined ? `, ${wait}` : next > 0 ? `, next check in ${wait}` : "";
  const sites = countSites(states.length);
  const lines = [
    `${sites}: ${counts}${open}${end}`,
    `${sites}: ${counts}${end}`,
    `${counts}${end}`,
    `${counts}, ${wait}`,
  ];
  return lines.find((line) => textWidth(line) <= columns) ?? counts;
}

function describeWait(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 120 ? `${seconds} s` : describeDuration(Math.ceil(seconds / 60) * MINUTE);
}

export interface RunProgress {
  stage: "checking" | "recording" | "recorded";
  sites: readonly string[];
  checked: Set<string>;
}

export function stoppedNote({ stage, sites, checked }: RunProgress): string {
  if (stage === "recorded") return "Stopped after all results were recorded";
  if (stage === "recording") {
    return `Stopped while the results were being recorded: "${
      formatCommand("state")
    }" shows what is there, and the next run does the rest`;
  }
  const listed = (label: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${label}: ${joinFirst(names, MOST_NAMES)}`];
  return [
    "Stopped",
    "Nothing was recorded",
    ...listed("Checked, but not recorded", [...checked]),
    ...listed("Not checked", sites.filter((name) => !checked.has(name))),
    "The next run checks all sites again",
  ].join(". ");
}

/** Warns that most canaries failed: the monitor's network is at fault, or the canaries are wrong. */
export function canaryNote(
  addresses: readonly string[],
  { distrusted }: { distrusted: boolean },
): string {
  if (distrusted) return distrustNote(addresses);
  const list = addresses.join(", ");
  return `the monitor's own network seems to be at fault: most canaries (${list}) can't be reached, so sites that can't be reached either are unknown and not down`;
}

export function distrustNote(addresses: readonly string[]): string {
  const list = addresses.join(", ");
  return `the canaries (${list}) can't be reached from here though sites can, so they are not believed; name places that this runner reaches in canaries:, or none with []`;
}
