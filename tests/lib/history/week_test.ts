import { assertEquals } from "@std/assert";
import { LEDGER } from "../../helpers/ledger.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";
import { resultOf, siteNamed } from "../../helpers/outcomes.ts";
import { recordResults } from "../../helpers/runs.ts";
import type { Site } from "../../../lib/config/config.ts";
import type { EffectHandlers } from "../../../lib/outbox/effect.ts";
import { executeEffects } from "../../../lib/outbox/execute.ts";
import type { Entry } from "../../../lib/outbox/outbox.ts";
import { noteExecuted } from "../../../lib/pipeline/publish_run.ts";
import { formatTime, utcDay } from "../../../lib/time.ts";

const MONDAY = Temporal.Instant.from("2026-11-16T00:00:03.120Z");

const DAY_OF_RUNS = 24 * 12;

/** How long after its start a run makes its first attempt, and how long until a failure is confirmed. */
const FIRST_ATTEMPT = { milliseconds: 40 };

const CONFIRMATION = { seconds: 31 };

/** What there is to see after a simulated time. */
interface Simulated {
  store: MemoryStore;
  /** Start of each run, by its id. */
  starts: Map<string, Temporal.Instant>;
  /** Each state of each effect that the outbox ever had, and the last run that had it. */
  outbox: Map<string, { entries: Set<string>; last: Entry; lastSeen: Temporal.Instant }>;
}

/** Runs every five minutes; `clock` is what the machine makes of the true time of a run. */
async function simulate(
  site: Site,
  { runs, isDown, clock = (time) => time, commitEvery }: {
    runs: number;
    isDown(trueTime: Temporal.Instant): boolean;
    clock?(trueTime: Temporal.Instant): Temporal.Instant;
    commitEvery?: number;
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
    const { decision, claimed, failure } = await recordResults(store, {
      run,
      results: [result],
      commitEvery,
      handlers,
      targets: { tracker: LEDGER, dispatches: false, channels: [] },
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
    if (claimed.length > 0) {
      const { results: executed } = await executeEffects(
        claimed,
        decision.runState.outbox,
        handlers,
      );
      const author = { name: "Jo", email: "jo@example.com" };
      await noteExecuted(store, { run, results: executed, now: time, message: "Note it", author });
    }
  }
  return simulated;
}

/** The lines of a log without the first, as they stand there: also those that stand twice. */
function linesOf(log = ""): string[] {
  return log.trimEnd().split("\n").slice(1);
}

/** Asserts that every run stands once on the branch or beside it, on the branch in the log of its UTC day. */
function assertEachCheckOnce({ store, starts }: Simulated): void {
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

function commitsPerDay({ commits }: MemoryStore): Record<string, number> {
  const days: Record<string, number> = {};
  for (const { time } of commits) days[utcDay(time)] = (days[utcDay(time)] ?? 0) + 1;
  return days;
}

Deno.test("a day in which every run commits leaves no check waiting", async () => {
  const site = await siteNamed("Shop", "shop");
  const day = await simulate(site, { runs: DAY_OF_RUNS, isDown: () => false, commitEvery: 0 });
  const { store } = day;
  assertEquals(commitsPerDay(store), { "2026-11-16": DAY_OF_RUNS });
  assertEquals(
    new Set(store.commits.map(({ message }) => message)),
    new Set(["Check 1 site: 1 up [skip ci]"]),
  );
  assertEquals([...store.pending.keys()], ["memory.json"]);
  assertEachCheckOnce(day);
});
