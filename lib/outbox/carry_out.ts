import type { Carriers } from "./effect.ts";
import { CarrierError } from "./effect.ts";
import type { Carried, Entry } from "./outbox.ts";

/** Carries out what a run has claimed, all at once: one that fails or hangs keeps no other waiting. */
export async function carryOut(
  entries: readonly Entry[],
  carriers: Carriers,
): Promise<Carried[]> {
  return await Promise.all(entries.map(async (entry): Promise<Carried> => {
    const { id } = entry;
    try {
      return { id, receipt: await carriers[entry.carrier]!.carry!(entry) };
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      return { id, failure: error.message, permanent: error.permanent };
    }
  }));
}
