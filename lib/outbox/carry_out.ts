import type { Carriers } from "./effect.ts";
import { CarrierError } from "./effect.ts";
import type { Carried, Entry } from "./outbox.ts";

/** What came of carrying out all that a run had claimed. */
export interface AllCarried {
  carried: Carried[];
  /** What broke in a carrier, to be thrown once the rest is noted. */
  bugs: unknown[];
}

/** Carries out what a run has claimed, all at once; what breaks in one carrier costs no other. */
export async function carryOut(
  entries: readonly Entry[],
  carriers: Carriers,
): Promise<AllCarried> {
  const ends = await Promise.allSettled(entries.map(async (entry): Promise<Carried> => {
    const { id } = entry;
    try {
      return { id, receipt: await carriers[entry.carrier]!.carry!(entry) };
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      return { id, failure: error.message, permanent: error.permanent };
    }
  }));
  return {
    carried: ends.flatMap((end) => end.status === "fulfilled" ? [end.value] : []),
    bugs: ends.flatMap((end) => end.status === "rejected" ? [end.reason] : []),
  };
}
