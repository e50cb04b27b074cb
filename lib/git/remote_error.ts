/** A remote that could not be used, in words. */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
  /** Whether the same may succeed later: the remote did not answer. */
  constructor(message: string, readonly temporary: boolean, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Milliseconds that a remote has for its answer. */
export const PATIENCE = 45_000;
