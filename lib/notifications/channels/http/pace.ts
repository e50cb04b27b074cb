/** How long sending may take. */
export interface SendingPace {
  /** Milliseconds for one request, its answer included. */
  request: number;
  /** Milliseconds before the second attempt, the third, and so on. */
  delays: readonly number[];
  /** Milliseconds that may be waited because a vendor asks for it, all attempts of a message together. */
  patience: number;
  /**
   * Milliseconds after which no further request of a message starts, and no further message of a channel. The
   * rest waits for the next run. The last request may take 65 s, and claims of messages last 3 minutes.
   */
  budget: number;
}

/** What vendors advise, and what a job can wait. */
export const USUAL_SENDING_PACE: SendingPace = {
  request: 10_000,
  delays: [1_000, 4_000],
  patience: 30_000,
  budget: 100_000,
};
