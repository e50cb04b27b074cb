/** Rate limits and timeouts of requests to GitHub. */
export interface Pace {
  /** Milliseconds for one request, its answer included. */
  request: number;
  /** Milliseconds in a second that is waited before a further attempt. */
  second: number;
  /** Writing requests that may start at once. */
  burst: number;
  /** Milliseconds from one writing request to the next, after a burst. */
  write: number;
  /** Milliseconds for everything that is asked for, together. */
  budget: number;
  /** Milliseconds for what a run can do without, together; they don't count in {@linkcode budget}. */
  aside: number;
}

/**
 * GitHub allows 80 requests a minute that create content
 * (docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api): these are 70 in the first minute, then 60.
 */
export const USUAL_PACE: Pace = {
  request: 10_000,
  second: 1_000,
  burst: 10,
  write: 1_000,
  budget: 120_000,
  aside: 10_000,
};
