import type { Window } from "../history/windows.ts";

/** Response times of successful checks, in milliseconds. */
export interface ResponseTimes {
  /** How many they are of. */
  count: number;
  mean: number;
  min: number;
  max: number;
  /** The value that half of them do not exceed; 95 and 99 percent of them below. Exact where single checks are kept, else within 5 %. */
  p50: number;
  p95: number;
  p99: number;
}

/** How a site keeps to its service level objective. */
export interface Objective {
  /** Share of the time that the site shall be up, from 0 to 1. */
  target: number;
  /** Absent where nothing was observed. */
  isMet?: boolean;
  /** Seconds that it may be down in the window: (1 - target) of the time observed outside of maintenance. */
  budget: number;
  /** Seconds of that which are left; below 0 where more is spent. */
  left: number;
}

/** What is known of one site in one window. Lengths of time are in seconds. */
export interface Statistics {
  window: Window;
  /** Time that checks speak for, maintenance included. */
  observed: number;
  /** Of the observed time: in maintenance, in confirmed outages, and degraded. */
  maintenance: number;
  down: number;
  degraded: number;
  /** Observed share of the window since the site was first monitored, from 0 to 1; absent where that was not before its end. */
  coverage?: number;
  /** 1 - down / (observed - maintenance), from 0 to 1; absent where nothing was observed outside of maintenance. */
  uptime?: number;
  /** Checks whose state is known. */
  checks: number;
  /** Absent where no check was successful. */
  responseTimes?: ResponseTimes;
  /** (satisfied + tolerated / 2) / successful or failed checks, from 0 to 1 (apdex.org, Apdex Technical Specification 1.1); absent without any. */
  apdex?: number;
  /** Outages that fall into the window, also in part. */
  outages: number;
  /** Incidents in which the site was degraded at most. */
  degradations: number;
  /** The part of the longest outage that lies in the window; 0 without any. */
  longestOutage: number;
  /** Mean time to recovery, of outages that ended in the window; absent without any. */
  mttr?: number;
  /** Mean time between failures: time up, for each outage that began in the window; absent without any. */
  mtbf?: number;
  /** Absent where the site has no `slo`. */
  objective?: Objective;
}
