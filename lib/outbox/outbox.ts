import type { ErrorKind } from "../io/requests.ts";
import { DAY, isBefore } from "../time.ts";
import {
  type Effect,
  EffectError,
  type EffectHandlers,
  findObstacle,
  type PlannedEffect,
  type Receipt,
} from "./effect.ts";

/** An effect in the outbox: planned, then claimed by a run, then executed. */
export interface Entry extends PlannedEffect {
  /** The run that executes it; others leave it alone until the claim expires. */
  claim?: Claim;
  /** Reason why an earlier execution failed. */
  failure?: string;
  /** Set if a person must change something before it can succeed. */
  isRefused?: true;
  /** Present once it was executed or given up; kept for a while, so that it is not planned again. */
  done?: Done;
}

interface Claim {
  run: string;
  until: Temporal.Instant;
}

interface Done {
  at: Temporal.Instant;
  /** Absent if it was given up. */
  receipt?: Receipt;
}

/** Result of an execution; `isBlocked` if an earlier effect of its queue failed. */
export type EffectResult =
  | { id: string; receipt: Receipt }
  | FailedEffect
  | { id: string; isBlocked: true };

export interface FailedEffect {
  id: string;
  failure: string;
  kind: ErrorKind;
  /** Milliseconds to wait before the next attempt. */
  retryAfter?: number;
}

/** Minutes that a claim lasts by default: longer than a run may take. */
const CLAIM_MINUTES = 10;
/** Time in which later runs retry failed effects that don't expire. */
const PATIENCE = { hours: 24 };
/** Longest time in milliseconds that an effect waits because it was asked to: servers answer with any number. */
const LONGEST_WAIT = 31 * DAY;
/** Time in which executed effects are kept: longer than the commit that records it may be missing. */
const RETENTION = { hours: 48 };

/**
 * Adds the effects that a run plans, each once, and claims for the run those that it can execute, that no
 * other run has claimed, and that wait for no earlier effect of their queue which this run has not claimed.
 */
export function enqueueEffects(
  outbox: readonly Entry[],
  effects: readonly Effect[],
  handlers: EffectHandlers,
  { id, time, now }: {
    id: string;
    /** Start of the run. */
    time: Temporal.Instant;
    /** Start of its claims. */
    now: Temporal.Instant;
  },
): Entry[] {
  const entries = new Map(outbox.map((entry) => [entry.id, entry]));
  for (const effect of effects) {
    if (!entries.has(effect.id)) entries.set(effect.id, { ...effect, planned: time });
  }
  const waiting: Entry[] = [];
  return [...entries.values()].map((entry) => {
    if (entry.done !== undefined) return entry;
    const isFree = !waiting.some((earlier) => waitsFor(entry, earlier)) &&
      !isClaimed(entry.claim, now) &&
      (entry.notBefore === undefined || !isBefore(now, entry.notBefore)) &&
      findObstacle(entry, handlers) === undefined;
    const minutes = handlers[entry.handler]?.claimMinutes ?? CLAIM_MINUTES;
    const claimed = isFree ? { ...entry, claim: { run: id, until: now.add({ minutes }) } } : entry;
    if (entry.queue !== undefined && claimed.claim?.run !== id) waiting.push(entry);
    return claimed;
  });
}

/** True if an effect must not be executed before an earlier one. */
function waitsFor({ queue, about }: Entry, earlier: Entry): boolean {
  if (queue === undefined || queue !== earlier.queue) return false;
  return about === undefined || (earlier.about?.some((one) => about.includes(one)) ?? true);
}

/** True if a claim is valid. One further in the future than any can be was made by a wrong clock. */
export function isClaimed(claim: Claim | undefined, now: Temporal.Instant): boolean {
  if (claim === undefined) return false;
  const furthest = now.add({ minutes: 2 * CLAIM_MINUTES });
  return isBefore(now, claim.until) && !isBefore(furthest, claim.until);
}

export function selectClaimed(outbox: readonly Entry[], run: string): Entry[] {
  return outbox.filter(({ claim, done }) => done === undefined && claim?.run === run);
}

/** Adds the results of a run: failed effects are free again or given up, executed ones keep their receipt. */
export function settle(
  outbox: readonly Entry[],
  results: readonly EffectResult[],
  now: Temporal.Instant,
): Entry[] {
  const byId = new Map(results.map((one) => [one.id, one]));
  return outbox.map((entry) => {
    const result = byId.get(entry.id);
    if (result === undefined || entry.done !== undefined) return entry;
    const { claim: _, failure: __, isRefused: ___, notBefore: ____, ...rest } = entry;
    if ("isBlocked" in result) return rest;
    if ("receipt" in result) {
      return { ...rest, data: {}, done: { at: now, receipt: result.receipt } };
    }
    const { failure, kind, retryAfter } = result;
    if (isGivenUp(entry, result, now)) return { ...rest, failure, done: { at: now } };
    const notBefore = retryAfter === undefined
      ? {}
      : { notBefore: now.add({ milliseconds: Math.min(Math.ceil(retryAfter), LONGEST_WAIT) }) };
    return {
      ...rest,
      failure,
      ...kind === "transient" ? {} : { isRefused: true as const },
      ...notBefore,
    };
  });
}

/** True if no run tries a failed effect again. */
function isGivenUp(
  { planned, expires }: PlannedEffect,
  { kind }: FailedEffect,
  now: Temporal.Instant,
): boolean {
  if (expires !== undefined) return false;
  return kind === "permanent" || isBefore(planned.add(PATIENCE), now);
}

/** Drops effects that have expired, or were executed so long ago that no run plans them again. */
export function dropOld(outbox: readonly Entry[], time: Temporal.Instant): Entry[] {
  return outbox.filter(({ done, expires }) => {
    const end = done === undefined ? expires : done.at.add(RETENTION);
    return end === undefined || !isBefore(end, time);
  });
}

export type EntryResult =
  & { entry: Entry }
  & ({ receipt: Receipt } | { failed: FailedEffect; isGivenUp: boolean });

/** The results of a run with their entries, without those that were blocked. */
export function toEntryResults(
  entries: readonly Entry[],
  results: readonly EffectResult[],
  now: Temporal.Instant,
): EntryResult[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return results.flatMap((one): EntryResult[] => {
    const entry = byId.get(one.id)!;
    if ("receipt" in one) return [{ entry, receipt: one.receipt }];
    if ("isBlocked" in one) return [];
    return [{ entry, failed: one, isGivenUp: isGivenUp(entry, one, now) }];
  });
}

/** True if the user must fix something: the failure does not go away by itself. */
export function needsUser(result: EntryResult): boolean {
  return "failed" in result && (result.isGivenUp || result.failed.kind !== "transient");
}

/** Effects that were refused, and wait for their next attempt: they are reported in each run until they succeed. */
export function selectRefused(outbox: readonly Entry[]): Entry[] {
  return outbox.filter(({ isRefused, notBefore, claim, done }) =>
    isRefused && notBefore !== undefined && claim === undefined && done === undefined
  );
}

export interface Executed {
  results: EffectResult[];
  /** Errors of the program, to be thrown once the results are saved. */
  bugs: unknown[];
}

type OnExecuted = (entry: Entry, receipt: Receipt) => void;

/**
 * Executes the effects that a run has claimed: all queues at once, each in its order and up to the first effect
 * that must be tried again. An error in one queue does not affect others.
 */
export async function executeEffects(
  claimed: readonly Entry[],
  outbox: readonly Entry[],
  handlers: EffectHandlers,
  onExecuted: OnExecuted = () => {},
): Promise<Executed> {
  const queues = Map.groupBy(claimed, ({ id, queue }) => queue ?? { id });
  const ends = await Promise.all([...queues].map(([queue, entries]) => {
    const before = outbox.filter((entry) => entry.queue === queue)
      .flatMap(({ done }): Receipt[] => done?.receipt === undefined ? [] : [done.receipt]);
    return executeQueue(entries, before, handlers, onExecuted);
  }));
  return {
    results: ends.flatMap(({ results }) => results),
    bugs: ends.flatMap(({ bugs }) => bugs),
  };
}

async function executeQueue(
  entries: readonly Entry[],
  before: Receipt[],
  handlers: EffectHandlers,
  onExecuted: OnExecuted,
): Promise<Executed> {
  const results: EffectResult[] = [];
  for (const [index, entry] of entries.entries()) {
    const { id } = entry;
    try {
      const receipt = await handlers[entry.handler]!.execute(entry, before);
      results.push({ id, receipt });
      before.push(receipt);
      onExecuted(entry, receipt);
    } catch (error) {
      const blocked = entries.slice(index + 1).map(({ id }) => ({ id, isBlocked: true as const }));
      if (!(error instanceof EffectError)) {
        return { results: [...results, ...blocked], bugs: [error] };
      }
      const { message: failure, kind, retryAfter } = error;
      results.push({ id, failure, kind, retryAfter });
      if (kind !== "permanent") return { results: [...results, ...blocked], bugs: [] };
    }
  }
  return { results, bugs: [] };
}
