import { assertEquals } from "@std/assert";
import { formatDays } from "../../../lib/history/daily_log.ts";
import { readHistories } from "../../../lib/history/read_histories.ts";
import { computeBuckets } from "../../../lib/statistics/buckets.ts";
import { measure } from "../../../lib/statistics/measure.ts";
import { downMinutes } from "../../../lib/statistics/report/bars.ts";
import { type Samples, selectSamples } from "../../../lib/statistics/samples.ts";
import { DAY, MINUTE } from "../../../lib/time.ts";
import { computeIntervals, rollUp } from "../../../lib/statistics/rolled_days.ts";
import { storeOf } from "../../helpers/random_history.ts";
import { configOf } from "../../helpers/sites.ts";

const { sites } = await configOf([{ slug: "shop", url: "https://example.com" }]);
const TEN = Date.parse("2026-11-21T10:00:00Z");
const HOUR = { from: TEN, to: TEN + 60 * MINUTE };
const STATES: Readonly<Record<string, string>> = { u: "up", d: "down", m: "maintenance" };

/** A time by its minutes after ten; an open end has none. */
type Times = readonly [from: number, to?: number];

/** With the expected state of the site, and an earlier actual end. */
type Windows = readonly (readonly [...Times, expected?: string, end?: number])[];

/** An hour with checks every five minutes from ten on, by the first letters of their results. */
interface Story {
  seen: string;
  outage?: Times;
  windows?: Windows;
}

function text(minute: number): string {
  return new Date(TEN + minute * MINUTE).toISOString();
}

function filesOf({ seen, outage, windows = [] }: Story): Map<string, string> {
  const rows = [...seen].map((letter, index) => {
    const ms = letter === "u" ? "100" : "";
    return `${text(5 * index)},${index.toString(16).padStart(8, "0")},shop,${
      STATES[letter]
    },0,${ms},1,,,\n`;
  });
  const files = new Map([[
    "history/checks/2026-11-21.csv",
    `time,run,slug,state,code,ms,attempts,phases,location,error\n${rows.join("")}`,
  ]]);
  if (outage !== undefined) {
    const [from, to] = outage;
    const end = to === undefined ? "" : `end: ${text(to)}\n`;
    files.set(
      "history/incidents/2026-11-21-shop.yml",
      `slug: shop\nkind: down\nstart: ${text(from)}\nconfirmed: ${text(from)}\n${end}`,
    );
  }
  for (const [index, [start, until = 60, expected = "down", end]] of windows.entries()) {
    const ended = end === undefined ? "" : `end: ${text(end)}\n`;
    files.set(
      `history/incidents/2026-11-21-maintenance-${index}.yml`,
      `kind: maintenance\nsource: hand\nname: Move\nstart: ${text(start)}\nuntil: ${
        text(until)
      }\n${ended}sites:\n  shop: ${expected}\n  blog: down\n`,
    );
  }
  return files;
}

async function samplesIn(files: ReadonlyMap<string, string>, now = HOUR.to): Promise<Samples> {
  const { histories } = await readHistories(await (await storeOf(files)).read(), sites);
  return selectSamples({ ...histories.get("shop")!, first: TEN }, { maxGap: 30 * MINUTE, now });
}

/** Minutes in maintenance and down. */
async function minutesOf(story: Story): Promise<number[]> {
  const { maintenance, down, observed } = measure(await samplesIn(filesOf(story)), HOUR, {
    apdex: 500,
  });
  assertEquals(observed, 3600);
  return [maintenance / 60, down / 60];
}

/** An hour of a site, the resulting minutes of maintenance and of downtime, its windows and its outage. */
type Case = [seen: string, maintenance: number, down: number, windows: Windows, outage?: Times];

const CASES: Readonly<Record<string, Case>> = {
  "starts while the site is down": ["ddmmmmmuuuuu", 25, 10, [[8, 33]], [-60, 35]],
  "starts while the site is down, and has no file": ["ddmmmmmuuuuu", 25, 10, [], [-60, 35]],
  "ends while the site is down": ["uummmdduuuuu", 15, 12, [[8, 23]], [23, 35]],
  "ends while the site is down, and has no file": ["uummmdduuuuu", 13, 12, [], [23, 35]],
  "starts and ends while the site is down permanently": ["ddmmmddddddd", 15, 45, [[8, 23]], [-60]],
  "starts and ends between two runs that don't know it": ["uuuuuuuuuuuu", 2, 0, [[11, 13]]],
  "is over while the site is up, before the next run": ["uummmuuuuuuu", 11, 0, [[10, 21]]],
  "overlaps with another one, follows one, and holds one": ["uummmmmuuuuu", 25, 0, [
    [28, 33],
    [8, 15],
    [10, 12],
    [13, 28],
  ]],
  "is ongoing": ["uummmmmmmmmm", 52, 0, [[8, 120]]],
  "was over before it was planned to be": ["uummmdduuuuu", 15, 12, [[8, 60, "down", 23]], [23, 35]],
  "was called off before it began": ["uuuddduuuuuu", 0, 15, [[10, 40, "down", 5]], [15, 30]],
  "lasts for no time, or for less": ["uuuddduuuuuu", 0, 15, [[20, 20], [25, 18]], [15, 30]],
  "expects the site to be slow, or as always": ["uuuddduuuuuu", 0, 15, [[0, 60, "degraded"], [
    0,
    60,
    "none",
  ]], [15, 30]],
  "was written down when it was over": ["uuddddduuuuu", 25, 2, [[8, 33]], [10, 35]],
  "is only recorded by a check, before a short outage": ["uumuuuuuuuuu", 3, 2, [], [11, 13]],
};

for (const [what, [seen, maintenance, down, windows, outage]] of Object.entries(CASES)) {
  Deno.test(`time is counted correctly if a maintenance window ${what}`, async () => {
    assertEquals(await minutesOf({ seen, outage, windows }), [maintenance, down]);
  });
}

Deno.test("a response time or a failure in a maintenance window never counts, whenever it was written down", async () => {
  const samples = await samplesIn(filesOf({
    seen: "uuududuuuuuu",
    outage: [15, 30],
    windows: [[8, 33]],
  }));
  const { checks, responseTimes, apdex } = measure(samples, HOUR, { apdex: 50 });
  assertEquals([checks, responseTimes?.count, apdex], [12, 2 + 5, 0.5]);
  const buckets = computeBuckets(samples, HOUR, 12);
  const states = buckets.map(({ state, median }) =>
    `${state[0]}${median === undefined ? "" : "!"}`
  );
  assertEquals(states.join(" "), "u! u! m m m m u u! u! u! u! u!");
});

Deno.test("a rolled-up maintenance window has the numbers, bars and bounds of its checks", async () => {
  const files = filesOf({ seen: "ddmmmmmddddu", outage: [0, 55], windows: [[8, 33]] });
  const now = TEN + DAY;
  const single = await samplesIn(files, now);
  const days = formatDays(new Map([["shop", rollUp(single)]]));
  const left = [...files].filter(([path]) => !path.startsWith("history/checks/"));
  const rolled = await samplesIn(new Map([...left, ["history/daily/2026.csv", days]]), now);
  assertEquals([single.days.length, rolled.days.length], [0, 1]);
  for (const samples of [single, rolled]) {
    const { maintenance, down } = measure(samples, { from: TEN, to: now }, { apdex: 500 });
    assertEquals([maintenance, down], [25 * 60, 30 * 60]);
    assertEquals([...downMinutes(samples)], [["2026-11-21", 30]]);
    const shown = computeIntervals(samples, HOUR).map((
      { from, state },
    ) => [(from - TEN) / MINUTE, state]);
    assertEquals(shown, [[0, "down"], [8, "maintenance"], [33, "down"], [55, "up"]]);
  }
  const downIn = (hours: number) => {
    const from = TEN + (hours - 10) * 60 * MINUTE;
    return measure(rolled, { from, to: from + DAY }, { apdex: 500 }).down;
  };
  assertEquals([-13, -11, 0, 11, 13].map(downIn), [0, 1800, 1800, 1800, 0], "noon decides");
});
