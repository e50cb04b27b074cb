import { DAY } from "../time.ts";

/** A piece of time that statistics are about, in milliseconds since 1970; `to` is not part of it. */
export interface Window {
  from: number;
  to: number;
}

/** Milliseconds that two pieces of time have in common. */
export function overlap(one: Window, other: Window): number {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));
}

/** How a rolling window is called, and how long it is. */
interface WindowKind {
  /** Milliseconds; absent for everything that is known. */
  length?: number;
  /** In words, behind "in the". */
  words: string;
  /** A few letters for narrow places; empty for all time. */
  short: string;
}

/** The rolling windows of every statistic, shortest first. They are measured back from now. */
export const WINDOWS = {
  day: { length: DAY, words: "last 24 hours", short: "24h" },
  week: { length: 7 * DAY, words: "last 7 days", short: "7d" },
  month: { length: 30 * DAY, words: "last 30 days", short: "30d" },
  quarter: { length: 90 * DAY, words: "last 90 days", short: "90d" },
  year: { length: 365 * DAY, words: "last 365 days", short: "1y" },
  all: { words: "whole time", short: "" },
} as const satisfies Record<string, WindowKind>;

/** Name of a rolling window. */
export type WindowName = keyof typeof WINDOWS;

/** Names of the rolling windows, shortest first. */
export const WINDOW_NAMES = Object.keys(WINDOWS) as WindowName[];

/** A window that badges, endpoints and graphs have files of, as in Upptime. */
export type FileWindowName = Exclude<WindowName, "quarter">;

/** Names of the windows that have files, shortest first. */
export const FILE_WINDOW_NAMES = WINDOW_NAMES.filter((name) => name !== "quarter");

/** The end of a file's name that tells of which window it is: `-day`; nothing for all time. */
export function inFileName(window: WindowName): string {
  return window === "all" ? "" : `-${window}`;
}

/**
 * A rolling window, given now and when something was first known, in milliseconds since 1970.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(windowBack("day", 90_000_000, 0), { from: 3_600_000, to: 90_000_000 });
 * assertEquals(windowBack("all", 90_000_000, 5_000), { from: 5_000, to: 90_000_000 });
 * ```
 */
export function windowBack(name: WindowName, now: number, first: number): Window {
  const { length }: WindowKind = WINDOWS[name];
  return { from: length === undefined ? Math.min(first, now) : now - length, to: now };
}
