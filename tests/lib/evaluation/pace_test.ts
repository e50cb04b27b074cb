import { assertEquals } from "@std/assert";
import { Pace } from "../../../lib/evaluation/pace.ts";
import { StillClock } from "../../helpers/still_clock.ts";

/** Milliseconds from the first start to each, of sites that all wait for their turn. */
async function starts(urls: readonly string[], clock: StillClock): Promise<number[]> {
  const pace = new Pace(clock);
  const first = clock.elapsed();
  return await Promise.all(urls.map(async (url) => {
    await pace.turn(url);
    return clock.elapsed() - first;
  }));
}

/** A clock on a machine that is busy: each wait lasts this much longer than asked for, as long as it lasts. */
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

Deno.test("Pace lets a site start at once where none has started for a while", async () => {
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
