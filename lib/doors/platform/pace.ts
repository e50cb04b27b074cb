/** How fast the platform is asked, and how long it may take. */
export interface Pace {
  /** Milliseconds for one request, its answer included. */
  request: number;
  /** Milliseconds in a second that is waited before a further attempt. */
  second: number;
  /** Milliseconds from one request that changes something to the next. */
  write: number;
  /** Milliseconds from one request that people are notified of to the next. */
  notice: number;
  /** Milliseconds for everything that is asked for, together. */
  budget: number;
  /** Milliseconds for what a run can do without, together; they don't count in {@linkcode budget}. */
  aside: number;
}

/** What the platform asks of its clients, and what a job can wait. */
export const USUAL_PACE: Pace = {
  request: 10_000,
  second: 1_000,
  write: 1_000,
  notice: 3_000,
  budget: 120_000,
  aside: 10_000,
};
