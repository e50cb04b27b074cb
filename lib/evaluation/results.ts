import type { Heartbeat } from "../checks/heartbeat/heartbeat.ts";
import type { Details, Phases, Registration } from "../checks/observation.ts";
import type { Site } from "../config/config.ts";
import type { State } from "../state.ts";
import { isBefore } from "../time.ts";
import type { Flaps } from "./flapping.ts";

/** Most characters of an error. */
export const LONGEST_ERROR = 300;

/** Conclusion of one run about a site, from its attempts. */
export interface ProbeResult {
  site: Site;
  state: Exclude<State, "maintenance">;
  /** Of the last attempt; see `Observation`. */
  code: number;
  /** Milliseconds of the last attempt; absent if it failed or measured none. */
  responseTime?: number;
  phases?: Phases;
  /** Expiry of the site's certificate, from the last attempt that saw one. */
  certificate?: Temporal.Instant;
  /** Of the last attempt, if they were requested. */
  details?: Details;
  /** 0 if the run ended before the first one. */
  attempts: number;
  /** Reason why no attempt of the run counts, or `pending` if no beat of the job has come yet; absent if one counts. */
  missing?: "notAsked" | "unfinished" | "resting" | "noRoom" | "pending";
  /** Reason for the state, or a note on a site that is up. */
  error?: string;
  /** Remaining validity of the certificate in words, if the site is degraded because of it. */
  expiry?: string;
  body?: string;
  /** True for a failure without any answer: the runner's own network may be at fault. */
  unreached?: boolean;
  /** Addresses that the site depends on, as configured, and if they can be reached; only those that were checked. */
  addresses?: ReadonlyMap<string, boolean>;
  restUntil?: Temporal.Instant;
  heartbeat?: Heartbeat;
  registration?: Registration;
  /** Start of the first attempt that showed the state, or of the state itself if that is known. */
  began: Temporal.Instant;
  confirmed: Temporal.Instant;
  /** Results of the site's locations, in their order, from which this one is made; absent if it has none. */
  locations?: readonly LocationResult[];
  /** True if earlier runs have used everything that shows the state: it counts for no threshold again. */
  isRepeated?: true;
}

/** Result of a site from one location in a run. */
export interface LocationResult extends
  Pick<
    ProbeResult,
    "state" | "code" | "responseTime" | "attempts" | "error" | "confirmed"
  > {
  /** Name of the location. `unknown` with the reason as error if it has no result that counts. */
  location: string;
  /** True if no earlier run has used it. */
  isNew: boolean;
  /** Id of the results that it was sent with; absent if the deciding run has asked the location itself. */
  results?: string;
}

/** Meaning of a {@linkcode ProbeResult} for its site, given the runs before. */
export interface SiteState extends Omit<ProbeResult, "state"> {
  state: State;
  /** Attempts of all consecutive failing runs, if the site is down because of them. */
  confirmedBy?: number;
  until?: Temporal.Instant;
  /** Present if the site changes so often that no alert is sent. */
  flapping?: true;
  /** Recent changes, in the run in which it starts to flap. */
  flaps?: Flaps;
  /** Present in the run in which it stops flapping. */
  settled?: true;
}

/** State of a site that is kept between runs, in addition to its record. */
export interface Streak {
  /** Consecutive failing runs, their attempts and the start of the first one. */
  failing?: { runs: number; attempts: number; since: Temporal.Instant };
  /** Recent runs since the first slow one, the newest last: the start of a slow one, `null` for others. */
  slow: (Temporal.Instant | null)[];
  /** Recent results, one letter each; see `isFlapping`. */
  recent: string;
  flapping?: true;
  /** Times of the changes in `recent`, the oldest first; absent if there are none. */
  changed?: Temporal.Instant[];
  restUntil?: Temporal.Instant;
  /** Consecutive runs without a result, up to the last one. */
  unknown?: UnknownStreak;
  /** Consecutive runs in which the site was not checked because the run was out of time or of open files. */
  notAsked?: number;
  /** Present if the site did not answer before the end of the last run that checked it. */
  unfinished?: true;
  /** Maintenance window of the last run; `failing` if the site failed in it. */
  window?: { until: Temporal.Instant; failing: boolean };
  /** Reason for the failure in the last run, if it differs from that of the incident. */
  reason?: SeenReason;
  heartbeat?: Heartbeat;
  registration?: Registration;
}

/** A reason for a failure that is not confirmed yet. */
export interface SeenReason {
  kind: string;
  at: Temporal.Instant;
}

/** Consecutive runs without a result, outside of maintenance windows. */
export interface UnknownStreak {
  runs: number;
  since: Temporal.Instant;
  /** Reason why the last one had no result, without secrets. */
  reason: string;
}

export interface SiteWindow {
  /** End of the maintenance: overlapping and adjacent windows are one. */
  until: Temporal.Instant;
  expected: "down" | "degraded";
}

export type SiteWindows = ReadonlyMap<string, SiteWindow>;

/** True if the last check of a site had a result. A job without a beat yet has none. */
export function hasResult({ unknown, heartbeat, failing }: Streak): boolean {
  const isPending = heartbeat !== undefined && heartbeat.end === undefined && failing === undefined;
  return unknown === undefined && !isPending;
}

/**
 * True if no site had a result when it was last checked, so that nothing is monitored. Sites that ask not to be
 * checked now don't count, nor do jobs without a beat yet. `undefined` if it is not known yet: no site has had a
 * result, and some were never checked, or none counts.
 */
export function isBlind(
  sites: readonly Pick<Site, "slug">[],
  streaks: ReadonlyMap<string, Streak>,
  now: Temporal.Instant,
): boolean | undefined {
  const known = sites.map(({ slug }) => streaks.get(slug));
  if (known.some((streak) => streak !== undefined && hasResult(streak))) return false;
  const isMissed = (streak: Streak | undefined) =>
    streak?.unknown !== undefined &&
    (streak.restUntil === undefined || !isBefore(now, streak.restUntil));
  return known.some(isMissed) && !known.includes(undefined) ? true : undefined;
}
