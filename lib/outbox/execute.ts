import { EffectError, type EffectHandlers, type Receipt } from "./effect.ts";
import type { EffectResult, Entry } from "./outbox.ts";

export interface Executed {
  results: EffectResult[];
  /** Errors of the program, to be thrown once the results are saved. */
  bugs: unknown[];
}

export type OnExecuted = (entry: Entry, receipt: Receipt) => void;

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
