import { assertEquals } from "@std/assert";
import { readHistories } from "../../../lib/history/read_histories.ts";
import { measured } from "../../helpers/measured.ts";
import { storeOf } from "../../helpers/random_history.ts";
import { configOf } from "../../helpers/sites.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const { sites } = await configOf([{ slug: "shop", url: "https://example.com" }]);

/** Midnights at which something is special. */
const MIDNIGHTS = {
  "an ordinary day": "2026-11-21T00:00:00Z",
  "the end of a month": "2026-12-01T00:00:00Z",
  "the end of a year": "2027-01-01T00:00:00Z",
  "the start of a leap day": "2028-02-29T00:00:00Z",
  "a leap day's end": "2028-03-01T00:00:00Z",
  "28 February of another year": "2027-03-01T00:00:00Z",
  "the start of summer time in Europe": "2027-03-28T00:00:00Z",
  "the end of summer time in America": "2027-11-07T00:00:00Z",
};

/** A day before a midnight and one behind it, checked every five minutes, down from 23:50 to 00:20. */
async function twoDays(midnight: number, first = midnight - DAY) {
  const outage = [midnight - 10 * MINUTE, midnight + 20 * MINUTE] as const;
  const logs = new Map<string, string>();
  const text = (time: number) => new Date(time).toISOString();
  for (let time = first; time < midnight + DAY; time += 5 * MINUTE) {
    const path = `history/checks/${text(time).slice(0, 10)}.csv`;
    const before = logs.get(path) ??
      "time,run,slug,state,code,ms,attempts,phases,location,error\n";
    const isDown = time >= outage[0] && time < outage[1];
    const run = (time / 1000).toString(16);
    const cells = isDown ? "down,0,,3,,,no answer" : "up,200,100,1,,,";
    logs.set(path, `${before}${text(time)},${run},shop,${cells}\n`);
  }
  const id = `${text(outage[0]).slice(0, 10)}-shop`;
  logs.set(
    `history/incidents/${id}.yml`,
    `slug: shop\nkind: down\nstart: ${text(outage[0])}\nconfirmed: ${text(outage[0])}\nend: ${
      text(outage[1])
    }\n`,
  );
  const { histories } = await readHistories(await (await storeOf(logs)).read(), sites);
  const now = midnight + DAY;
  const history = { ...histories.get("shop")!, first };
  return (from: number, to: number) =>
    measured(history, { from, to }, { maxGap: 30 * MINUTE, now, apdex: 500 });
}

for (const [what, text] of Object.entries(MIDNIGHTS)) {
  Deno.test(`an outage over midnight is cut in two by ${what}`, async () => {
    const midnight = Date.parse(text);
    const of = await twoDays(midnight);
    const before = of(midnight - DAY, midnight);
    const after = of(midnight, midnight + DAY);
    assertEquals([before.down, after.down], [600, 1200]);
    assertEquals([before.observed, after.observed], [86_400, 86_400]);
    assertEquals([before.checks, after.checks], [288, 288]);
    assertEquals([before.outages, after.outages], [1, 1]);
    assertEquals([before.mttr, after.mttr], [undefined, 1800]);
    assertEquals(after.uptime!, 1 - 1200 / 86_400);
    const both = of(midnight - DAY, midnight + DAY);
    assertEquals([both.down, both.longestOutage, both.mttr], [1800, 1800, 1800]);
    assertEquals(both.mtbf, 2 * 86_400 - 1800);
  });
}

Deno.test("the coverage of a window is relative to the time since the site was added", async () => {
  const midnight = Date.parse("2028-02-29T00:00:00Z");
  const of = await twoDays(midnight, midnight - 60 * MINUTE);
  const week = of(midnight - 6 * DAY, midnight + DAY);
  assertEquals([week.observed, week.coverage, week.down], [25 * 3600, 1, 1800]);
  const before = of(midnight - 6 * DAY, midnight - DAY);
  assertEquals([before.coverage, before.uptime, before.checks], [undefined, undefined, 0]);
});
