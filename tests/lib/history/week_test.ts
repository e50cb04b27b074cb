import { assertEquals } from "@std/assert";
import type { MemoryStore } from "../../helpers/memory_store.ts";
import { siteNamed } from "../../helpers/outcomes.ts";
import { formatTime, utcDay } from "../../../lib/time.ts";
import { DAY_OF_RUNS, simulate, type Simulated } from "../../helpers/simulated_week.ts";

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
