/** A value that a stored file can hold. */
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

/** Something that is owed to the outside: an issue, a message. */
export interface Effect {
  /** The same whoever plans it, so that what is planned twice is carried out once. */
  id: string;
  /** The carrier that knows how to carry it out: a name of the table of carriers. */
  carrier: string;
  /** What it does, for people, as a command: `open an issue for Shop`. */
  what: string;
  /** What the carrier needs to know. Secrets stand in it by name. */
  data: { [key: string]: Plain };
  /** Effects of one line are carried out one after another, in the order they were planned in. */
  line?: string;
  /**
   * Subjects of the effect, such as sites. One that shares none of them with an earlier effect of its line
   * does not wait for that one's claim; one without subjects waits for all of them.
   */
  about?: string[];
  /** Until when nobody carries it out. */
  notBefore?: Temporal.Instant;
  /** When it is of no use any more; absent where it stays until it is carried out. */
  lapses?: Temporal.Instant;
}

/** What there is to remember of an effect that was carried out: the number of an issue, a path. */
export type Receipt = { [key: string]: Plain };

/** Knows how to carry out one kind of effect. */
export interface Carrier {
  /** Minutes for which a run claims one of its effects; by default 10. */
  readonly claimMinutes?: number;
  /** What this run has not got and the effect needs, such as a token; `undefined` where nothing is missing. */
  lacks?(effect: Effect): string | undefined;
  /**
   * Carries it out, given what there is to remember of those before it in its line. An effect of the
   * same id may have been carried out before, by a run that was cut off.
   *
   * @throws {CarrierError} Where that is not possible, now or ever.
   */
  carry(effect: PlannedEffect, before: readonly Receipt[]): Promise<Receipt>;
}

/** An effect that was planned. */
export interface PlannedEffect extends Effect {
  /** Start of the run that planned it. */
  planned: Temporal.Instant;
}

/** The carriers by name. */
export type Carriers = Readonly<Record<string, Carrier>>;

/**
 * What to expect of what failed: `passing` is tried again and may come right by itself, `setting` is
 * tried again too, but a person has to change something first, `final` is given up.
 */
export type Prospect = "passing" | "setting" | "final";

/** An effect that could not be carried out. */
export class CarrierError extends Error {
  override readonly name = "CarrierError";
  readonly prospect: Prospect;
  /** Milliseconds after which it may be tried again, where that is known. */
  readonly retryAfter?: number;

  constructor(
    message: string,
    { prospect, retryAfter, cause }: {
      prospect: Prospect;
      retryAfter?: number;
      cause?: unknown;
    },
  ) {
    super(message, { cause });
    this.prospect = prospect;
    this.retryAfter = retryAfter;
  }
}
