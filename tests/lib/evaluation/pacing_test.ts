import { assertEquals } from "@std/assert";
import { Pace, Slots } from "../../../lib/evaluation/pacing.ts";
import { StillClock } from "../../helpers/still_clock.ts";
import { systemClock } from "../../../lib/io/clock.ts";
import { VirtualClock } from "../../helpers/virtual_clock.ts";

/** Milliseconds from the first start to each, of sites that all wait for their turn. */
async function starts(urls: readonly string[], clock: StillClock): Promise<number[]> {
  const pace = new Pace(clock);
  const first = clock.elapsed();
  return await Promise.all(urls.map(async (url) => {
    await pace.turn(url);
    return clock.elapsed() - first;
  }));
}

/** A clock on a busy machine: each wait takes this much longer, as long as the list lasts. */
class LateClock extends StillClock {
  constructor(readonly late: number, public times: number) {
    super();
  }

  override wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return super.wait(this.times-- > 0 ? milliseconds + this.late : milliseconds, signal);
  }
}

Deno.test("Pace starts one site after the other, and gives a TLS handshake more time", async () => {
  const urls = ["http://a", "http://b", "https://c", "db.example:5432", "$SECRET", "http://d"];
  assertEquals(await starts(urls, new StillClock()), [0, 1.5, 3, 8, 9.5, 14.5]);
});

Deno.test("Pace makes up for a timer that is a little late", async () => {
  const urls = ["http://a", "http://b", "http://c", "http://d"];
  assertEquals(await starts(urls, new LateClock(1, 1)), [0, 2.5, 3, 4.5]);
});

Deno.test("Pace puts a start off while the processor is behind, but not for ever", async () => {
  const urls = ["http://a", "http://b", "http://c"];
  assertEquals(await starts(urls, new LateClock(10, 2)), [0, 24.5, 26]);
  const [, second] = await starts(urls, new LateClock(10, Infinity));
  assertEquals(second, 25 * 11.5);
});

Deno.test("Pace starts a site at once if none has started for a while", async () => {
  const clock = new StillClock();
  const pace = new Pace(clock);
  await pace.turn("https://a");
  clock.pass(1_000);
  const waits = clock.waits.length;
  await pace.turn("https://b");
  assertEquals(clock.waits.length, waits);
  await pace.turn("https://c");
  assertEquals(clock.waits.slice(waits), [5]);
});

const REAL = { limit: 60_000, clock: systemClock };

Deno.test("Slots frees the slot of an action that fails", async () => {
  const slots = new Slots(1, REAL);
  const failing = [1, 2].map(() => slots.use(() => Promise.reject(new Error("no"))));
  const settled = await Promise.allSettled(failing);
  assertEquals(settled.map(({ status }) => status), ["rejected", "rejected"]);
  assertEquals(await slots.use(() => Promise.resolve("yes")), "yes");
});

Deno.test("slow actions start after all others, and one that hangs gives its slot back in time", async () => {
  const clock = new VirtualClock(Temporal.Instant.from("2026-11-21T10:00:00Z"));
  const start = clock.elapsed();
  const slots = new Slots(2, { limit: 5_000, clock });
  const started: [name: string, second: number][] = [];
  const action = (name: "slow" | "usual", length: number) =>
    slots.use(async () => {
      started.push([name, (clock.elapsed() - start) / 1000]);
      await clock.wait(length);
    }, name);
  const hanging = Array.from({ length: 4 }, () => action("slow", 40_000));
  const healthy = Array.from({ length: 3 }, () => action("usual", 2_000));
  await clock.until(Promise.all([...hanging, ...healthy]));
  assertEquals(started, [
    ...[["slow", 0], ["slow", 0], ["usual", 5], ["usual", 5]],
    ...[["usual", 7], ["slow", 7], ["slow", 9]],
  ]);
});
