import type { Carriers, Receipt } from "./effect.ts";
import { CarrierError } from "./effect.ts";
import type { Carried, Entry, Failed } from "./outbox.ts";

/** What came of carrying out all that a run had claimed. */
export interface AllCarried {
  carried: Carried[];
  /** What broke in a carrier, to be thrown once the rest is noted. */
  bugs: unknown[];
}

/** Is told what was carried out, as soon as it is. */
export type OnCarried = (entry: Entry, receipt: Receipt) => void;

/**
 * Carries out what a run has claimed of an outbox: all lines at once, each in its order and no further than
 * to what has to be tried again. What breaks in one line costs no other.
 */
export async function carryOut(
  claimed: readonly Entry[],
  outbox: readonly Entry[],
  carriers: Carriers,
  onCarried: OnCarried = () => {},
): Promise<AllCarried> {
  const lines = Map.groupBy(claimed, ({ id, line }) => line ?? { id });
  const ends = await Promise.all(
    [...lines.values()].map((entries) => carryLine(entries, { outbox, carriers, onCarried })),
  );
  return {
    carried: ends.flatMap(({ carried }) => carried),
    bugs: ends.flatMap(({ bugs }) => bugs),
  };
}

async function carryLine(
  entries: readonly Entry[],
  { outbox, carriers, onCarried }: {
    outbox: readonly Entry[];
    carriers: Carriers;
    onCarried: OnCarried;
  },
): Promise<AllCarried> {
  const { line } = entries[0]!;
  const before: Receipt[] = line === undefined
    ? []
    : outbox.filter((entry) => entry.line === line).map(({ done }) => done?.receipt)
      .filter((receipt) => receipt !== undefined);
  const carried: Carried[] = [];
  for (const [index, entry] of entries.entries()) {
    try {
      const receipt = await carriers[entry.carrier]!.carry(entry, before);
      carried.push({ id: entry.id, receipt });
      before.push(receipt);
      onCarried(entry, receipt);
    } catch (error) {
      const held = entries.slice(index + 1).map(({ id }) => ({ id, isHeldUp: true as const }));
      if (!(error instanceof CarrierError)) {
        return { carried: [...carried, ...held], bugs: [error] };
      }
      const failed = failedOf(entry, error);
      carried.push(failed);
      if (failed.prospect !== "final") return { carried: [...carried, ...held], bugs: [] };
    }
  }
  return { carried, bugs: [] };
}

function failedOf({ id }: Entry, { message, prospect, retryAfter }: CarrierError): Failed {
  return { id, failure: message, prospect, retryAfter };
}
