import { assertEquals } from "@std/assert";
import { LEDGER } from "./ledger.ts";
import { MemoryStore } from "./memory_store.ts";
import { resultOf } from "./outcomes.ts";
import { configWith, recordResults } from "./runs.ts";
import type { Site } from "../../lib/config/config.ts";
import type { EffectHandlers } from "../../lib/outbox/effect.ts";
import type { Entry } from "../../lib/outbox/outbox.ts";
import { formatTime } from "../../lib/time.ts";

export const MONDAY = Temporal.Instant.from("2026-11-16T00:00:03.120Z");

export const DAY_OF_RUNS = 24 * 12;

/** Time from the start of a run to its first attempt, and from that to the confirmation of a failure. */
export const FIRST_ATTEMPT = { milliseconds: 40 };

export const CONFIRMATION = { seconds: 31 };

/** The state after simulated runs. */
export interface Simulated {
  store: MemoryStore;
  /** Start of each run, by its id. */
  starts: Map<string, Temporal.Instant>;
  /** Each state of each effect that the outbox ever had, and the last run that had it. */
  outbox: Map<string, { entries: Set<string>; last: Entry; lastSeen: Temporal.Instant }>;
}

/** Simulates a run every five minutes; `clock` turns the true time of a run into the machine's. */
export async function simulate(
  site: Site,
  { runs, isDown, clock = (time) => time }: {
    runs: number;
    isDown(trueTime: Temporal.Instant): boolean;
    clock?(trueTime: Temporal.Instant): Temporal.Instant;
  },
): Promise<Simulated> {
  const store = new MemoryStore();
  const handlers: EffectHandlers = {
    issue: { execute: ({ queue }) => Promise.resolve({ path: queue! }) },
  };
  const simulated: Simulated = { store, starts: new Map(), outbox: new Map() };
  for (let index = 0; index < runs; index++) {
    const trueTime = MONDAY.add({ minutes: 5 * index });
    const time = clock(trueTime);
    const run = { id: index.toString(16).padStart(8, "0"), time };
    const began = time.add(FIRST_ATTEMPT);
    const result = isDown(trueTime)
      ? resultOf(site, "down", { began, confirmed: began.add(CONFIRMATION) })
      : resultOf(site, "up", { began, confirmed: began });
    const { decision, failure } = await recordResults(store, {
      run,
      results: [result],
      config: configWith(),
      targets: { tracker: LEDGER, handlers },
    });
    assertEquals(failure, undefined);
    simulated.starts.set(run.id, time);
    for (const last of decision.runState.outbox) {
      const entries = simulated.outbox.get(last.id)?.entries ?? new Set();
      simulated.outbox.set(last.id, {
        entries: entries.add(JSON.stringify(last)),
        last,
        lastSeen: time,
      });
    }
  }
  return simulated;
}

/** The lines of a log without the header, including duplicates. */
export function linesOf(log = ""): string[] {
  return log.trimEnd().split("\n").slice(1);
}

/** Asserts that every run is recorded once, pending or on the branch, and there in the log of its UTC day. */
export function assertEachCheckOnce({ store, starts }: Simulated): void {
  const found: string[] = [];
  for (const [path, text] of store.files) {
    if (!path.startsWith("history/checks/")) continue;
    const lines = linesOf(text);
    for (const line of lines) assertEquals(`history/checks/${line.slice(0, 10)}.csv`, path);
    found.push(...lines);
  }
  found.push(...linesOf(store.pending.get("checks.csv")));
  assertEquals(
    found.map((line) => line.split(",").slice(0, 2).join(" ")).sort(),
    [...starts].map(([id, time]) => `${formatTime(time)} ${id}`).sort(),
  );
}
