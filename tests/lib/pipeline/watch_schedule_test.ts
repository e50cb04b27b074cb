import { assert, assertEquals } from "@std/assert";
import { type DueTime, dueTimes, selectDue } from "../../../lib/pipeline/watch_schedule.ts";
import { VirtualClock } from "../../helpers/virtual_clock.ts";

const MINUTE = 60_000;
const START = Temporal.Instant.from("2026-11-21T10:00:03.210Z");

/** Runs until some virtual minutes have passed; `takes` is the length of each. Returns their starts and ends. */
async function watched(
  minutes: number,
  { intervals, takes, jitter = 0 }: {
    intervals: number | ((run: number) => readonly number[]);
    takes(run: number): number;
    jitter?: number;
  },
) {
  const clock = new VirtualClock(START);
  const controller = new AbortController();
  const start = clock.elapsed();
  const runs: (DueTime & { from: number; to: number })[] = [];
  let next = 0;
  const of = typeof intervals === "number" ? () => [intervals] : intervals;
  let atOnce = 0;
  await clock.until((async () => {
    const due = dueTimes({
      clock,
      jitter,
      random: Math.random,
      signal: controller.signal,
      intervals: () => Promise.resolve(of(runs.length)),
      onWait: (milliseconds) => next = clock.elapsed() + milliseconds,
    });
    for await (const run of due) {
      assertEquals(++atOnce, 1);
      const from = clock.elapsed() - start;
      assert(from === 0 || from >= next - start);
      if (from > minutes * MINUTE) controller.abort();
      else await clock.wait(takes(runs.length));
      runs.push({ ...run, from, to: clock.elapsed() - start });
      atOnce--;
    }
  })());
  return runs;
}

Deno.test("in 60 minutes a run each 10 s starts exactly on time, whatever runs take", async () => {
  const runs = await watched(60, { intervals: 10_000, takes: (run) => (37 * run) % 9_999 });
  assertEquals(runs.length, 362);
  assertEquals(runs.map(({ from }) => from), runs.map((_, index) => 10_000 * index));
});

Deno.test("a run that is slower than its interval leaves out times and never overlaps the next", async () => {
  const runs = await watched(10, {
    intervals: 10_000,
    takes: (run) => run % 5 === 2 ? 25_001 : 10,
  });
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1];
    assert(before === undefined || before.to <= run.from);
    assertEquals([run.from % 10_000, run.last], [0, before?.at ?? -Infinity]);
  }
  assertEquals(runs.slice(0, 5).map(({ from }) => from), [0, 10_000, 20_000, 50_000, 60_000]);
});

Deno.test("jitter starts runs later by at most half of the interval, and never adds up", async () => {
  const runs = await watched(60, { intervals: 10_000, takes: () => 100, jitter: 60_000 });
  const late = runs.map(({ from, at }) => from - at);
  assertEquals(runs.map(({ at }) => at), runs.map((_, index) => 10_000 * index));
  assert(late.every((one) => one >= 0 && one <= 5_000), `${Math.max(...late)}`);
  assert(new Set(late.map(Math.round)).size > 100);
});

Deno.test("another interval counts from the next wait on, within a minute even if the old one is a day", async () => {
  const intervals = (run: number) => [run < 2 ? 10_000 : 15_000];
  const runs = await watched(1, { intervals, takes: () => 0 });
  assertEquals(runs.map(({ at }) => at / 1000), [0, 10, 15, 30, 45, 60, 75]);
  let looks = 0;
  const changed = await watched(3, {
    intervals: () => [++looks < 2 ? 24 * 60 * MINUTE : MINUTE],
    takes: () => 0,
  });
  assertEquals(changed.map(({ at }) => at / MINUTE), [0, 1, 2, 3, 4]);
});

Deno.test("a site is due once in each of its intervals, also after slow runs, with all that it depends on", () => {
  const site = (slug: string, interval: number, ...parents: string[]) => ({
    slug,
    interval,
    dependsOn: parents.map((slug) => ({ slug })),
  });
  const sites = [site("a", 10), site("b", 30, "c"), site("c", 90, "d"), site("d", 90)];
  const due = (last: number, now: number) => [...selectDue(sites, { last, now })].sort().join("");
  assertEquals(due(-Infinity, 0), "abcd");
  assertEquals([due(0, 10), due(10, 20), due(20, 30), due(80, 90)], ["a", "a", "abcd", "abcd"]);
  assertEquals([due(20, 40), due(0, 1_000)], ["abcd", "abcd"]);
});
