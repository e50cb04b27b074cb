import type { Carriers, Effect, Receipt } from "./effect.ts";

/** An effect on its way: planned, then claimed by a run, then carried out. */
export interface Entry extends Effect {
  /** Start of the run that planned it. */
  planned: Temporal.Instant;
  /** The run that carries it out, and until when others leave it alone. */
  claim?: Claim;
  /** Why it could not be carried out when it was last tried. */
  failure?: string;
  /** How it ended; kept for a while, so that it is not planned again. */
  done?: Done;
}

/** Who carries out an effect, and how long others leave it alone. */
export interface Claim {
  run: string;
  until: Temporal.Instant;
}

/** The end of an effect. */
export interface Done {
  at: Temporal.Instant;
  /** What there is to remember of it; absent where it was given up. */
  receipt?: Receipt;
}

/** What came of carrying out an effect. */
export type Carried =
  & { id: string }
  & ({ receipt: Receipt } | { failure: string; permanent: boolean });

/** The run that looks at an outbox. */
export interface OutboxRun {
  id: string;
  time: Temporal.Instant;
}

/** How long a claim lasts: longer than a run may take. */
const CLAIM = { minutes: 10 };
/** How long what fails is tried again, by later runs. */
const PATIENCE = { hours: 24 };
/** How long it is remembered that an effect was carried out. */
const MEMORY = { hours: 24 };

/**
 * The outbox with the effects that a run plans, each once, and with that run's claims on all it can carry
 * out itself and nobody else is at.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const time = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const carriers = { mail: { describe: () => "tell Jo", carry: () => Promise.resolve({}) } };
 * const effect = { id: "shop/down/jo", carrier: "mail", data: {} };
 * const outbox = plan([], [effect, effect], carriers, { id: "9f3c01ab", time });
 * assertEquals(outbox.map(({ claim }) => claim?.run), ["9f3c01ab"]);
 * assertEquals(claimedBy(plan(outbox, [], carriers, { id: "11111111", time }), "11111111"), []);
 * ```
 */
export function plan(
  outbox: readonly Entry[],
  effects: readonly Effect[],
  carriers: Carriers,
  run: OutboxRun,
): Entry[] {
  const entries = new Map(outbox.map((entry) => [entry.id, entry]));
  for (const effect of effects) {
    if (entries.has(effect.id)) continue;
    const receipt = carriers[effect.carrier]?.settle?.(effect);
    const entry: Entry = { ...effect, planned: run.time };
    entries.set(
      effect.id,
      receipt === undefined ? entry : { ...entry, done: { at: run.time, receipt } },
    );
  }
  return [...entries.values()].map((entry) => claim(entry, carriers, run));
}

function claim(entry: Entry, carriers: Carriers, { id, time }: OutboxRun): Entry {
  if (entry.done !== undefined || isHeld(entry.claim, time)) return entry;
  const carrier = Object.hasOwn(carriers, entry.carrier) ? carriers[entry.carrier] : undefined;
  if (carrier?.carry === undefined || carrier.lacks?.(entry) !== undefined) return entry;
  return { ...entry, claim: { run: id, until: time.add(CLAIM) } };
}

/** Whether a claim holds; one that reaches further ahead than any does was made by a clock that was wrong. */
function isHeld(claim: Claim | undefined, time: Temporal.Instant): boolean {
  if (claim === undefined) return false;
  return isBefore(time, claim.until) && !isBefore(time.add(CLAIM).add(CLAIM), claim.until);
}

/** What a run has claimed and not yet carried out. */
export function claimedBy(outbox: readonly Entry[], run: string): Entry[] {
  return outbox.filter(({ claim, done }) => done === undefined && claim?.run === run);
}

/** The outbox after a run has carried out what it had claimed. What failed is free for the next run, or given up. */
export function settle(
  outbox: readonly Entry[],
  carried: readonly Carried[],
  now: Temporal.Instant,
): Entry[] {
  const results = new Map(carried.map((one) => [one.id, one]));
  return outbox.map((entry) => {
    const result = results.get(entry.id);
    if (result === undefined || entry.done !== undefined) return entry;
    const { claim: _, failure: __, ...rest } = entry;
    if ("receipt" in result) return { ...rest, done: { at: now, receipt: result.receipt } };
    const { failure, permanent } = result;
    const isLate = isBefore(entry.planned.add(PATIENCE), now);
    return { ...rest, failure, ...permanent || isLate ? { done: { at: now } } : {} };
  });
}

/** The outbox without what was carried out so long ago that nobody plans it any more. */
export function forgetOld(outbox: readonly Entry[], time: Temporal.Instant): Entry[] {
  return outbox.filter(({ done }) => done === undefined || !isBefore(done.at.add(MEMORY), time));
}

function isBefore(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0;
}
