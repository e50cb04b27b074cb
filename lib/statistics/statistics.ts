import type { Window } from "../history/windows.ts";

/** Seconds in which a site was in some states. */
export interface StateTimes {
  /** Time that checks cover, maintenance included. */
  observed: number;
  /** Parts of the observed time; `down` in confirmed outages. */
  maintenance: number;
  down: number;
  degraded: number;
}

/** Response times of successful checks, in milliseconds. */
export interface ResponseTimes {
  count: number;
  mean: number;
  min: number;
  max: number;
  /** The median; p95 and p99 are not exceeded by 95 and 99 percent. Exact for windows of up to 7 days, else accurate to 5 %. */
  p50: number;
  p95: number;
  p99: number;
}

/** How a site meets its service level objective. */
export interface Objective {
  /** Share of the time that the site shall be up, from 0 to 1. */
  target: number;
  /** Absent if nothing was observed. */
  isMet?: boolean;
  /**
   * Seconds that it may be down in the window: (1 - target) of the time observed outside of maintenance. Absent
   * before there is a full day of data.
   */
  budget?: number;
  /** Seconds of it that are left; below 0 if it is overspent. */
  left?: number;
}

/** Statistics of one site in one window. Lengths of time are in seconds. */
export interface Statistics extends StateTimes {
  window: Window;
  /** Observed share of the window since the site was first monitored, from 0 to 1; absent if that was after its end. */
  coverage?: number;
  /** 1 - down / (observed - maintenance), from 0 to 1; absent if nothing was observed outside of maintenance. */
  uptime?: number;
  /** Checks that had a result. */
  checks: number;
  responseTimes?: ResponseTimes;
  /** (satisfied + tolerated / 2) / successful or failed checks, from 0 to 1 (apdex.org, Apdex Technical Specification 1.1); absent without any. */
  apdex?: number;
  /** Times of being down that overlap the window: an incident that was reopened has several. */
  outages: number;
  /** Incidents that were open in the window. */
  incidents: number;
  /** Incidents that overlap the window and in which the site was never worse than degraded. */
  degradations: number;
  /** The part of the longest outage that lies in the window; 0 without any. */
  longestOutage: number;
  /** Mean time to recovery, of outages that ended in the window; absent without any. */
  mttr?: number;
  /** Mean time between failures: time up, for each outage that started in the window; absent without any. */
  mtbf?: number;
  /** Absent if the site has no `slo`. */
  objective?: Objective;
}

/**
 * Rounds a share from 0 to 1 to some decimals, but never to 0 or 1 unless it is exactly that.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([roundShare(0.99998, 2), roundShare(1, 2), roundShare(1e-9, 2)], [0.99, 1, 0.01]);
 * ```
 */
export function roundShare(share: number, decimals: number): number {
  const whole = 10 ** decimals;
  const parts = Math.round(share * whole);
  if (parts >= whole && share < 1) return (whole - 1) / whole;
  return (parts <= 0 && share > 0 ? 1 : parts) / whole;
}

/** Converts a share from 0 to 1 to percent with some decimals at most, such as `99.98`, rounded as by {@linkcode roundShare}. */
export function toPercent(share: number, decimals = 2): number {
  const parts = 10 ** (decimals + 2);
  return Math.round(roundShare(share, decimals + 2) * parts) / 10 ** decimals;
}

/** Formats a share from 0 to 1. */
export function formatPercent(share: number): string {
  return `${toPercent(share)}%`;
}
