import { assertEquals } from "@std/assert";
import type { Decide, Published, Snapshot } from "../../../lib/history/store/store.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";
import { NOW, resultOf, siteNamed } from "../../helpers/outcomes.ts";
import { recordResults } from "../../helpers/runs.ts";

/** Takes the ref before the branch, and the branch only when it is pushed for the second time. */
class HalfStore extends MemoryStore {
  override async read(): Promise<Snapshot> {
    const snapshot = await super.read();
    return { ...snapshot, ways: { ...snapshot.ways, atomic: false } };
  }

  override async publish(decide: Decide): Promise<Published> {
    await super.publish(async (snapshot) => {
      const change = await decide(snapshot);
      return change && { ...change, files: new Map() };
    });
    return await super.publish(decide);
  }
}

Deno.test("a run whose branch was pushed too late counts once, though the ref knows it already", async () => {
  const site = { ...await siteNamed("Shop", "shop"), failureThreshold: 2 };
  const store = new HalfStore();
  const states: string[] = [];
  for (const [index, state] of (["up", "down", "down"] as const).entries()) {
    const time = NOW.add({ minutes: index });
    const results = [resultOf(site, state, { began: time, confirmed: time })];
    const run = { id: String(index).padStart(8, "0"), time };
    const { decision } = await recordResults(store, { run, results, commitEvery: 0 });
    states.push(...decision.outcomes.map(({ result }) => result.state));
  }
  assertEquals(states, ["up", "up", "down"]);
});
