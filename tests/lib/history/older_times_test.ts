import { assertEquals } from "@std/assert";
import { appendRows, type CheckRow, checksPath } from "../../../lib/history/checks_log.ts";
import { dailyPath, formatDays } from "../../../lib/history/daily_log.ts";
import { readOlderTimes } from "../../../lib/history/older_times.ts";
import { readHistories } from "../../../lib/history/read_histories.ts";
import { rollUp } from "../../../lib/statistics/rolled_days.ts";
import { selectSamples } from "../../../lib/statistics/samples.ts";
import { DAY } from "../../../lib/time.ts";
import { storeOf } from "../../helpers/random_history.ts";
import { configOf } from "../../helpers/sites.ts";

const NOW = Temporal.Instant.from("2026-11-21T10:05:00Z");
const { sites } = await configOf([{ slug: "shop", url: "https://example.com" }]);

function row(daysAgo: number, more: Partial<CheckRow> = {}): CheckRow {
  const base = { time: NOW.subtract({ hours: 24 * daysAgo }), run: `a${daysAgo}`, slug: "shop" };
  return { ...base, state: "up", code: 200, ms: 100 + daysAgo, attempts: 1, ...more };
}

Deno.test("older times are those of days that are read as totals, each check once", async () => {
  const rows = Array.from({ length: 30 }, (_, index) => row(30 - index));
  const files = new Map<string, string>();
  const others = [
    row(20, { run: "b1", state: "down", ms: undefined, error: "refused" }),
    row(20, { run: "b2", location: "Oslo", ms: 900 }),
    row(20, { run: "b3", slug: "blog", ms: 7 }),
    row(20),
  ];
  for (const one of [...rows, ...others]) {
    const path = checksPath(one.time);
    files.set(path, appendRows(files.get(path), [one]));
  }
  const isWanted = (day: number) => day > NOW.epochMilliseconds - 29 * DAY;
  const read = async () => {
    const snapshot = await (await storeOf(files)).read();
    const { histories } = await readHistories(snapshot, sites);
    return { histories, older: await readOlderTimes(snapshot, histories, isWanted) };
  };
  const first = await read();
  assertEquals([first.histories.get("shop")!.checks.length, first.older.size], [31, 0]);
  const options = { maxGap: 1_800_000, now: NOW.epochMilliseconds };
  const days = rollUp(selectSamples(first.histories.get("shop")!, options));
  files.set(dailyPath(NOW.epochMilliseconds), formatDays(new Map([["shop", days]])));
  const { histories, older } = await read();
  const own = histories.get("shop")!.checks.filter(({ ms }) => ms !== undefined);
  assertEquals(older.get("blog")!.ms, [7]);
  assertEquals(
    [...older.get("shop")!.ms, ...own.map(({ ms }) => ms)],
    Array.from({ length: 28 }, (_, index) => 128 - index),
  );
});
