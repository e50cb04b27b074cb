import { assertEquals } from "@std/assert";
import { formatDays } from "../../../lib/history/daily_log.ts";
import { readHistories } from "../../../lib/history/read_histories.ts";
import { selectSamples } from "../../../lib/statistics/samples.ts";
import { rollUp } from "../../../lib/statistics/rolled_days.ts";
import { storeOf } from "../../helpers/random_history.ts";
import { formatDate } from "../../../lib/time.ts";
import { configOf } from "../../helpers/sites.ts";

const MINUTE = 60_000;
const OPTIONS = { maxGap: 30 * MINUTE, now: Date.parse("2026-11-23T12:00:00Z") };
const { sites } = await configOf([{ slug: "shop", url: "https://example.com" }]);

/** Checks every ten minutes through pieces of time, rolled up; then the logs of some days go. */
async function rolledUp(
  pieces: readonly (readonly [from: string, to: string])[],
  gone: readonly string[] = [],
) {
  const logs = new Map<string, string>();
  for (const [from, to] of pieces) {
    for (let time = Date.parse(from); time < Date.parse(to); time += 10 * MINUTE) {
      const text = new Date(time).toISOString();
      const path = `history/checks/${text.slice(0, 10)}.csv`;
      const before = logs.get(path) ??
        "time,run,slug,state,code,ms,attempts,phases,location,error\n";
      logs.set(path, `${before}${text},${(time / 1000).toString(16)},shop,up,200,100,1,,,\n`);
    }
  }
  const historyOf = async () =>
    (await readHistories(await (await storeOf(logs)).read(), sites)).histories.get("shop")!;
  const days = rollUp(selectSamples(await historyOf(), OPTIONS));
  logs.set("history/daily/2026.csv", formatDays(new Map([["shop", days]])));
  for (const day of gone) logs.delete(`history/checks/${day}.csv`);
  const { checks, days: counted } = selectSamples(await historyOf(), OPTIONS);
  return [checks.length, counted.map(({ from }) => formatDate(from))];
}

Deno.test("the first day of a site is computed from its checks, also after it was rolled up", async () => {
  const pieces = [["2026-11-22T20:00:00Z", "2026-11-23T12:00:00Z"]] as const;
  assertEquals(await rolledUp(pieces), [96, []]);
});

Deno.test("a day after one without a check is computed from its checks", async () => {
  const before = ["2026-11-19T20:00:00Z", "2026-11-20T00:00:00Z"] as const;
  const after = ["2026-11-22T00:00:00Z", "2026-11-23T12:00:00Z"] as const;
  assertEquals(await rolledUp([before, after]), [24 + 216, []]);
});

Deno.test("a day is computed from its totals if the checks of the night before are gone", async () => {
  const pieces = [["2026-11-21T00:00:00Z", "2026-11-23T12:00:00Z"]] as const;
  const result = await rolledUp(pieces, ["2026-11-21"]);
  assertEquals(result, [72, ["2026-11-21", "2026-11-22"]]);
});
