/**
 * Kinds of failure: `transient` goes away by itself, `misconfigured` needs a person who changes something,
 * `permanent` can't be helped.
 */
export type ErrorKind = "transient" | "misconfigured" | "permanent";

/** A failed request to GitHub, with reason and cure; it holds no secret. */
export class GitHubError extends Error {
  override readonly name = "GitHubError";
  readonly kind: ErrorKind;
  /** True if GitHub may have done it all the same: no answer came, or one of a broken server. */
  readonly mayHaveSucceeded: boolean;
  /** Milliseconds to wait before the next attempt, if GitHub says so. */
  readonly retryAfter?: number;

  constructor(
    message: string,
    { kind, mayHaveSucceeded = false, retryAfter, cause }: {
      kind: ErrorKind;
      mayHaveSucceeded?: boolean;
      retryAfter?: number;
      cause?: unknown;
    },
  ) {
    super(message, { cause });
    this.kind = kind;
    this.mayHaveSucceeded = mayHaveSucceeded;
    this.retryAfter = retryAfter;
  }
}
