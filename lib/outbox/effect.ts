import type { ErrorKind } from "../io/requests.ts";

/** A value that a stored file can contain. */
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

/** A planned change outside of the repository: an issue, a message, the start of a workflow. */
export interface Effect {
  /** The same in every run that plans it, so that it is executed once. */
  id: string;
  handler: string;
  /** For people, as a command: `open an issue for Shop`. */
  description: string;
  /** Input of the handler; secrets by their names. */
  data: { [key: string]: Plain };
  /** Effects of a queue are executed in order. In a run, a failed one that is not given up blocks the rest. */
  queue?: string;
  /**
   * Its subjects, such as slugs of sites. A run claims an effect only if no earlier one of its queue about one of these is
   * left to another run; if absent, it waits for all of them.
   */
  about?: string[];
  /** Earliest time of execution. */
  notBefore?: Temporal.Instant;
  /** Time after which it is dropped unexecuted; until then it is retried after any failure. Absent if never. */
  expires?: Temporal.Instant;
}

export interface PlannedEffect extends Effect {
  /** Start of the run that planned it. */
  planned: Temporal.Instant;
}

/** Facts to remember about an executed effect, such as the number of an issue. */
export type Receipt = { [key: string]: Plain };

export interface EffectHandler {
  /** Minutes for which a run claims one of its effects. @default 10 */
  readonly claimMinutes?: number;
  /** Finds what this run lacks for an effect, such as a token. */
  findObstacle?(effect: Effect): string | undefined;
  /**
   * Executes an effect, given the receipts of the earlier ones of its queue. An interrupted run may have executed
   * it before.
   *
   * @throws {EffectError} If it fails.
   */
  execute(effect: PlannedEffect, before: readonly Receipt[]): Promise<Receipt>;
}

export type EffectHandlers = Readonly<Record<string, EffectHandler>>;

/** The reason why a run can't execute an effect; `undefined` if it can. */
export function findObstacle(effect: Effect, handlers: EffectHandlers): string | undefined {
  return Object.hasOwn(handlers, effect.handler)
    ? handlers[effect.handler]!.findObstacle?.(effect)
    : "only another version of the program knows how";
}

/** A failed effect. Later runs retry `transient` and `misconfigured` ones; `permanent` ones only if they expire. */
export class EffectError extends Error {
  override readonly name = "EffectError";
  readonly kind: ErrorKind;
  /** Milliseconds to wait before the next attempt, if that is known. */
  readonly retryAfter?: number;

  constructor(
    message: string,
    { kind, retryAfter, cause }: { kind: ErrorKind; retryAfter?: number; cause?: unknown },
  ) {
    super(message, { cause });
    this.kind = kind;
    this.retryAfter = retryAfter;
  }
}
