import { DAY, floorToDay } from "../time.ts";

/** A time span, in milliseconds since 1970; `to` is exclusive. */
export interface Window {
  from: number;
  to: number;
}

/** Milliseconds that two windows have in common. */
export function overlap(one: Window, other: Window): number {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));
}

/** Windows that end now, shortest first: milliseconds, words after "in the", abbreviation. */
export const WINDOWS = {
  day: { length: DAY, words: "last 24 hours", short: "24h" },
  week: { length: 7 * DAY, words: "last 7 days", short: "7d" },
  month: { length: 30 * DAY, words: "last 30 days", short: "30d" },
  quarter: { length: 90 * DAY, words: "last 90 days", short: "90d" },
  year: { length: 365 * DAY, words: "last 365 days", short: "1y" },
  all: { length: undefined, words: "whole time", short: "" },
} as const;

export type WindowName = keyof typeof WINDOWS;

export const WINDOW_NAMES = Object.keys(WINDOWS) as WindowName[];

/** A window that badges, endpoints and graphs have files of, as in Upptime. */
export type FileWindowName = Exclude<WindowName, "quarter">;

export const FILE_WINDOW_NAMES = WINDOW_NAMES.filter((name) => name !== "quarter");

/** Suffix of file names, such as `-day`; empty for all time. */
export function inFileName(window: WindowName): string {
  return window === "all" ? "" : `-${window}`;
}

/**
 * Computes a window, given now and the time of the first data, in milliseconds since 1970. One of more than a week has
 * whole days (UTC), the last of which is today so far.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const now = Date.parse("2026-11-28T10:00:00Z");
 * const names = ["day", "week", "month", "all"] as const;
 * const starts = names.map((name) => new Date(windowBack(name, now, now - 8_640_000_000).from).toJSON());
 * assertEquals(starts, [
 *   "2026-11-27T10:00:00.000Z",
 *   "2026-11-21T10:00:00.000Z",
 *   "2026-10-30T00:00:00.000Z",
 *   "2026-08-20T00:00:00.000Z",
 * ]);
 * ```
 */
export function windowBack(name: WindowName, now: number, first: number): Window {
  const { length } = WINDOWS[name];
  if (length === undefined) return { from: floorToDay(Math.min(first, now)), to: now };
  const isRolling = name === "day" || name === "week";
  return { from: isRolling ? now - length : floorToDay(now - length + DAY), to: now };
}
