import { assertEquals } from "@std/assert";
import { Batches } from "../../../lib/evaluation/batches.ts";
import { NOW } from "../../helpers/outcomes.ts";
import { VirtualClock } from "../../helpers/virtual_clock.ts";

/** Batches of results that come at milliseconds, each as `end: result result`; `takes` is the time that its reader needs. */
async function batchesOf(
  results: readonly number[],
  { end, takes = 0, waits = true }: { end: number; takes?: number; waits?: boolean },
): Promise<string[]> {
  const clock = new VirtualClock(NOW);
  const start = clock.elapsed();
  const batches = new Batches<number>(waits ? clock : undefined);
  const coming = results.map((at) => clock.wait(at).then(() => batches.add(at)));
  const ending = clock.wait(end).then(() => batches.end());
  const seen: string[] = [];
  await clock.until((async () => {
    for await (const batch of batches) {
      seen.push(`${clock.elapsed() - start}: ${batch.join(" ")}`);
      await clock.wait(takes);
    }
    await Promise.all([...coming, ending]);
  })());
  return seen;
}

Deno.test("results that come together are one batch, a second after the last of them", async () => {
  assertEquals(await batchesOf([3, 40, 900], { end: 60_000 }), ["1900: 3 40 900"]);
});

Deno.test("a slow result delays no other", async () => {
  assertEquals(await batchesOf([3, 40, 30_000], { end: 60_000 }), [
    "1040: 3 40",
    "31000: 30000",
  ]);
});

Deno.test("the last batch ends with the results", async () => {
  assertEquals(await batchesOf([3, 40], { end: 40 }), ["40: 3 40"]);
  assertEquals(await batchesOf([3, 5_000], { end: 5_200 }), ["1003: 3", "5200: 5000"]);
});

Deno.test("without a clock all results are one batch", async () => {
  const options = { end: 50_000, waits: false };
  assertEquals(await batchesOf([3, 40, 30_000], options), ["50000: 3 40 30000"]);
});

Deno.test("without results there is no batch", async () => {
  assertEquals(await batchesOf([], { end: 500 }), []);
  assertEquals(await batchesOf([], { end: 500, waits: false }), []);
});

Deno.test("no result is lost while the batch before is recorded", async () => {
  assertEquals(await batchesOf([3, 1_500, 2_500, 9_000], { end: 9_000, takes: 6_000 }), [
    "1003: 3",
    "8003: 1500 2500",
    "14003: 9000",
  ]);
});
