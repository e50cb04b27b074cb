/**
 * What to do about a refusal: `passing` goes away by itself, `setting` needs a person who changes something,
 * `final` is the answer.
 */
export type Refusal = "passing" | "setting" | "final";

/** Why GitHub did not do what it was asked for, with the cure where there is one; holds no secret. */
export class GitHubError extends Error {
  override readonly name = "GitHubError";
  readonly kind: Refusal;
  /** Whether it may have been done all the same: no answer came, or one of a broken server. */
  readonly isOpenEnded: boolean;
  /** Milliseconds to wait before it is asked again, where GitHub says so. */
  readonly retryAfter?: number;

  constructor(
    message: string,
    { kind, isOpenEnded = false, retryAfter, cause }: {
      kind: Refusal;
      isOpenEnded?: boolean;
      retryAfter?: number;
      cause?: unknown;
    },
  ) {
    super(message, { cause });
    this.kind = kind;
    this.isOpenEnded = isOpenEnded;
    this.retryAfter = retryAfter;
  }
}
