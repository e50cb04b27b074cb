import { isBefore } from "../time.ts";
import type { Carriers, Effect, PlannedEffect, Prospect, Receipt } from "./effect.ts";

/** An effect on its way: planned, then claimed by a run, then carried out. */
export interface Entry extends PlannedEffect {
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
export type Carried = { id: string; receipt: Receipt } | Failed | { id: string; isHeldUp: true };

/** An effect that could not be carried out; one that is held up waits for such a one before it in its line. */
export interface Failed {
  id: string;
  failure: string;
  prospect: Prospect;
  /** Milliseconds after which it may be tried again. */
  retryAfter?: number;
}

/** The run that looks at an outbox. */
export interface OutboxRun {
  id: string;
  /** Its start. */
  time: Temporal.Instant;
  /** The present time, from which claims count; by default its start. */
  now?: Temporal.Instant;
}

/** Minutes that a claim lasts unless the effect's handler says otherwise: longer than a run may take. */
const CLAIM_MINUTES = 10;
/** How long what fails is tried again, by later runs. */
const PATIENCE = { hours: 24 };
/** How long it is remembered that an effect was carried out: longer than a commit may be away that says so. */
const MEMORY = { hours: 48 };

/**
 * The outbox with the effects that a run plans, each once, and with that run's claims on all it can carry
 * out itself, nobody else is at, and no other effect of the same line is to come before.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const time = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const carriers = { mail: { carry: () => Promise.resolve({}) } };
 * const effect = { id: "shop/down/jo", carrier: "mail", what: "tell Jo", data: {} };
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
    if (!entries.has(effect.id)) entries.set(effect.id, { ...effect, planned: run.time });
  }
  const waiting: Entry[] = [];
  return [...entries.values()].map((entry) => {
    if (entry.done !== undefined) return entry;
    const isFree = !waiting.some((earlier) => waitsFor(entry, earlier));
    const claimed = isFree && canClaim(entry, carriers, run)
      ? { ...entry, claim: claimOf(entry, carriers, run) }
      : entry;
    if (entry.line !== undefined && claimed.claim?.run !== run.id) waiting.push(entry);
    return claimed;
  });
}

/** True if an effect must not be carried out before an earlier one. */
function waitsFor(entry: Entry, earlier: Entry): boolean {
  if (entry.line === undefined || entry.line !== earlier.line) return false;
  const { about } = entry;
  return about === undefined || (earlier.about?.some((one) => about.includes(one)) ?? true);
}

function claimOf({ carrier }: Entry, carriers: Carriers, { id, time, now = time }: OutboxRun) {
  const minutes = carriers[carrier]?.claimMinutes ?? CLAIM_MINUTES;
  return { run: id, until: now.add({ minutes }) };
}

function canClaim(entry: Entry, carriers: Carriers, { time, now = time }: OutboxRun): boolean {
  if (isHeld(entry.claim, now)) return false;
  if (entry.notBefore !== undefined && isBefore(now, entry.notBefore)) return false;
  const carrier = Object.hasOwn(carriers, entry.carrier) ? carriers[entry.carrier] : undefined;
  return carrier !== undefined && carrier.lacks?.(entry) === undefined;
}

/** True if a claim holds; one that reaches further ahead than any does was made by a clock that was wrong. */
export function isHeld(claim: Claim | undefined, now: Temporal.Instant): boolean {
  if (claim === undefined) return false;
  const furthest = now.add({ minutes: 2 * CLAIM_MINUTES });
  return isBefore(now, claim.until) && !isBefore(furthest, claim.until);
}

/** What a run has claimed and not yet carried out. */
export function claimedBy(outbox: readonly Entry[], run: string): Entry[] {
  return outbox.filter(({ claim, done }) => done === undefined && claim?.run === run);
}

/**
 * The outbox after a run has carried out what it had claimed. What failed is free for the next run, or
 * given up; of what is done, only that is kept which tells it was, and of what is given up what it was.
 */
export function settle(
  outbox: readonly Entry[],
  carried: readonly Carried[],
  now: Temporal.Instant,
): Entry[] {
  const results = new Map(carried.map((one) => [one.id, one]));
  return outbox.map((entry) => {
    const result = results.get(entry.id);
    if (result === undefined || entry.done !== undefined) return entry;
    const { claim: _, failure: __, notBefore: ___, ...rest } = entry;
    if ("isHeldUp" in result) return rest;
    if ("receipt" in result) {
      return { ...rest, data: {}, done: { at: now, receipt: result.receipt } };
    }
    const { failure, retryAfter } = result;
    if (isGivenUp(entry, result, now)) return { ...rest, failure, done: { at: now } };
    const notBefore = retryAfter === undefined
      ? {}
      : { notBefore: now.add({ milliseconds: Math.ceil(retryAfter) }) };
    return { ...rest, failure, ...notBefore };
  });
}

/** Whether a failed effect is not tried again. */
export function isGivenUp(
  { planned }: PlannedEffect,
  { prospect }: Failed,
  now: Temporal.Instant,
): boolean {
  return prospect === "final" || isBefore(planned.add(PATIENCE), now);
}

/** The outbox without what is of no use any more, or was carried out so long ago that nobody plans it again. */
export function forgetOld(outbox: readonly Entry[], time: Temporal.Instant): Entry[] {
  return outbox.filter(({ done, lapses }) => {
    const end = done === undefined ? lapses : done.at.add(MEMORY);
    return end === undefined || !isBefore(end, time);
  });
}
