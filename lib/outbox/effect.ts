/** A value that a stored file can hold. */
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

/** Something that is owed to the outside: an issue, a message. */
export interface Effect {
  /** The same whoever plans it, so that what is planned twice is carried out once. */
  id: string;
  /** The carrier that knows how to carry it out: a name of the table of carriers. */
  carrier: string;
  /** What the carrier needs to know. Secrets stand in it by name. */
  data: { [key: string]: Plain };
}

/** What there is to remember of an effect that was carried out: the number of an issue, a path. */
export type Receipt = { [key: string]: Plain };

/** Knows how to carry out one kind of effect. */
export interface Carrier {
  /** What the effect does, for people, as a command: `open the incident 2026-11-21-shop`. */
  describe(effect: Effect): string;
  /**
   * Where the commit that plans an effect is all there is to do, what there is to remember of it.
   * Such an effect is carried out as soon as it is planned, and nothing happens twice.
   */
  settle?(effect: Effect): Receipt;
  /** What this run has not got and the effect needs, such as a token; `undefined` where nothing is missing. */
  lacks?(effect: Effect): string | undefined;
  /**
   * Carries it out. An effect of the same id may have been carried out before, by a run that was cut off.
   *
   * @throws {CarrierError} Where that is not possible, now or ever.
   */
  carry?(effect: Effect): Promise<Receipt>;
}

/** The carriers by name. */
export type Carriers = Readonly<Record<string, Carrier>>;

/** An effect that could not be carried out. */
export class CarrierError extends Error {
  override readonly name = "CarrierError";
  /** Whether trying again is of no use. */
  constructor(message: string, readonly permanent: boolean, options?: ErrorOptions) {
    super(message, options);
  }
}
