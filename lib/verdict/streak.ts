/** What is remembered of a site between two runs, beside its record. */
export interface Streak {
  /** The failing runs in a row, their attempts and the first of these; absent after a good one. */
  failing?: { runs: number; attempts: number; since: Temporal.Instant };
  /** The last runs from the first slow one on, the newest last: when a slow one began, `null` for others. */
  slow: (Temporal.Instant | null)[];
  /** The last results, as flapping is told by them. */
  recent: string;
  flapping?: true;
  /** Until when the site asks not to be looked at. */
  restUntil?: Temporal.Instant;
  /** The maintenance window of the last run, and whether the site failed in it. */
  window?: { until: Temporal.Instant; failing: boolean };
}

/** Of a site that nothing is remembered of. */
export const NOTHING_KNOWN: Streak = { slow: [], recent: "" };
