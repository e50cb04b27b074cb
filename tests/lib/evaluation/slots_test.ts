import { assertEquals } from "@std/assert";
import { systemClock } from "../../../lib/io/clock.ts";
import { Slots } from "../../../lib/evaluation/slots.ts";
import { VirtualClock } from "../../helpers/virtual_clock.ts";

const REAL = { limit: 60_000, clock: systemClock };

/** Runs so many actions at once and tells how many of them ran at the same time. */
async function most(slots: Slots, actions: number): Promise<number> {
  let running = 0;
  let most = 0;
  await Promise.all(Array.from({ length: actions }, () =>
    slots.use(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running--;
    })));
  return most;
}

Deno.test("Slots lets as many actions run at once as there are slots, again and again", async () => {
  for (const size of [1, 3]) {
    const slots = new Slots(size, REAL);
    for (let round = 1; round <= 3; round++) assertEquals(await most(slots, 10), size);
    assertEquals(await most(slots, 1), 1);
  }
});

Deno.test("Slots gives a slot back where an action fails", async () => {
  const slots = new Slots(1, REAL);
  const failing = [1, 2].map(() => slots.use(() => Promise.reject(new Error("no"))));
  const settled = await Promise.allSettled(failing);
  assertEquals(settled.map(({ status }) => status), ["rejected", "rejected"]);
  assertEquals(await slots.use(() => Promise.resolve("yes")), "yes");
});

Deno.test("however many slow actions hang, they leave three quarters of the slots to the others and give theirs back in time", async () => {
  const clock = new VirtualClock(Temporal.Instant.from("2026-11-21T10:00:00Z"));
  const start = clock.elapsed();
  const slots = new Slots(8, { limit: 5_000, clock });
  const started: Record<string, number[]> = { slow: [], usual: [] };
  const action = (lane: "slow" | "usual", length: number) =>
    slots.use(async () => {
      started[lane]!.push((clock.elapsed() - start) / 1000);
      await clock.wait(length);
    }, lane);
  const slow = Array.from({ length: 20 }, () => action("slow", 40_000));
  const usual = Array.from({ length: 18 }, () => action("usual", 2_000));
  await clock.until(Promise.all([...slow, ...usual]));
  assertEquals(started.usual, [0, 2, 4].flatMap((second) => Array(6).fill(second)));
  // Two at first; all slots once nothing else waits.
  const counts = Map.groupBy(started.slow!, (second) => second).entries();
  assertEquals(counts.map(([second, own]) => [second, own.length]).toArray(), [
    [0, 2],
    [5, 2],
    [6, 6],
    [10, 2],
    [11, 6],
    [15, 2],
  ]);
});
