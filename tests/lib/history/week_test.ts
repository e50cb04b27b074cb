import { assertEquals } from "@std/assert";
import { utcDay } from "../../../lib/time.ts";
import type { MemoryStore } from "../../helpers/memory_store.ts";
import { siteNamed } from "../../helpers/outcomes.ts";
import { assertEachCheckOnce, DAY_OF_RUNS, simulate } from "../../helpers/simulated_week.ts";

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
