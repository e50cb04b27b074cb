/** What is remembered of a site between two runs, beside its record. */
export interface Streak {
  /** The failing runs in a row, their attempts and the first of these; absent after a good one. */
  failing?: { runs: number; attempts: number; since: Temporal.Instant };
  /** The last runs from the first slow one on, the newest last: when a slow one began, `null` for others. */
  slow: (Temporal.Instant | null)[];
  /** The last results, as flapping is told by them. */
  recent: string;
  flapping?: true;
  /** Times of the changes in `recent`, the oldest first; absent if there were none. */
  changed?: Temporal.Instant[];
  /** Until when the site asks not to be looked at. */
  restUntil?: Temporal.Instant;
  /** The runs in a row, up to the last, that had no result; absent after one that had. */
  unknown?: UnknownStreak;
  /** Runs in a row in which the site was not asked because the run was out of time, or of open files. */
  notAsked?: number;
  /** Present if the site did not answer before the run was out of time, in the last run that asked it. */
  unfinished?: true;
  /** The maintenance window of the last run, and whether the site failed in it. */
  window?: { until: Temporal.Instant; failing: boolean };
  /** Why the last run saw the site fail, if that differs from what its incident says. */
  reason?: SeenReason;
}

/** A reason for a failure that is yet to be confirmed. */
export interface SeenReason {
  /** See `reasonKind`. */
  kind: string;
  /** The first attempt that showed it. */
  at: Temporal.Instant;
}

/** Runs in a row without a result. Those in a maintenance window are not among them. */
export interface UnknownStreak {
  runs: number;
  /** Start of the first. */
  since: Temporal.Instant;
  /** Why the last had no result, in words without secrets. */
  reason: string;
}

/** Of a site that nothing is remembered of. */
export const NOTHING_KNOWN: Streak = { slow: [], recent: "" };
