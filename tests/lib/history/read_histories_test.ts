import { assertEquals } from "@std/assert";
import { appendRows, type CheckRow, checksPath } from "../../../lib/history/checks_log.ts";
import { dailyPath, formatDays } from "../../../lib/history/daily_log.ts";
import { readHistories } from "../../../lib/history/read_histories.ts";
import { computeReport } from "../../../lib/statistics/report/report_of.ts";
import { rollUp } from "../../../lib/statistics/rolled_days.ts";
import { selectSamples } from "../../../lib/statistics/samples.ts";
import { DAY, formatDate } from "../../../lib/time.ts";
import { formatRunState } from "../../../lib/history/run_state.ts";
import { storeOf } from "../../helpers/random_history.ts";
import { configOf } from "../../helpers/sites.ts";

const NOW = Temporal.Instant.from("2026-11-21T10:05:00Z");
const config = await configOf([
  { slug: "shop", url: "https://example.com" },
  { slug: "blog", url: "https://example.com" },
]);

const OPTIONS = { maxGap: 1_800_000, now: NOW.epochMilliseconds };

function row(hours: number, more: Partial<CheckRow> = {}): CheckRow {
  const run = Math.round(100 * hours).toString(16).padStart(8, "0");
  const base = { time: NOW.subtract({ minutes: Math.round(60 * hours) }), run, slug: "shop" };
  return { ...base, state: "up", code: 200, ms: 100, attempts: 1, ...more };
}

function logsOf(rows: readonly CheckRow[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const one of rows) {
    const path = checksPath(one.time);
    files.set(path, appendRows(files.get(path), [one]));
  }
  return files;
}

async function read(files: ReadonlyMap<string, string>, pending?: readonly CheckRow[]) {
  const texts = pending && formatRunState({
    run: "00000000",
    time: NOW,
    rows: [...pending],
    outbox: [],
    sites: {},
    failedCanaries: 0,
  });
  const progress: number[] = [];
  const snapshot = await (await storeOf(files, texts)).read();
  const histories = await readHistories(snapshot, config.sites, (_, all) => progress.push(all));
  return { ...histories, shop: histories.histories.get("shop")!, logs: progress.at(-1) };
}

Deno.test("only the logs of the last days and of days that are not rolled up are read check by check", async () => {
  const rows = Array.from({ length: 20 }, (_, day) => row(24 * (20 - day)));
  const files = logsOf([...rows, row(0)]);
  const first = await read(files);
  assertEquals([first.logs, first.shop.checks.length], [21, 21]);
  const now = NOW.epochMilliseconds + 1000;
  const rolled = rollUp(selectSamples(first.shop, { ...OPTIONS, now }));
  assertEquals(rolled.length, 20);
  const gap = rolled.filter((_, index) => index !== 4);
  files.set(dailyPath(now), formatDays(new Map([["shop", gap]])));
  const second = await read(files);
  assertEquals([second.logs, second.shop.checks.length], [10, 10]);
  assertEquals(second.shop.checks.map(({ time }) => formatDate(time)).slice(0, 2), [
    formatDate(now - 16 * DAY),
    formatDate(now - 8 * DAY),
  ]);
  assertEquals(second.shop.days.map(({ from }) => from), gap.map(({ from }) => from));
});

Deno.test("of recent logs with very many parts, those of three days are read", async () => {
  const rows = Array.from({ length: 20 }, (_, day) => row(24 * day));
  const rolled = new Map([[
    "shop",
    rollUp(selectSamples((await read(logsOf(rows))).shop, OPTIONS)),
  ]]);
  const logsWith = async (parts: number) => {
    const files = logsOf(rows);
    for (const { time } of rows) {
      for (let part = 2; part <= parts; part++) files.set(checksPath(time, part), "");
    }
    files.set(dailyPath(NOW.epochMilliseconds), formatDays(rolled));
    return (await read(files)).logs! / parts;
  };
  assertEquals([await logsWith(6), await logsWith(7), await logsWith(30)], [9, 8, 3]);
});

Deno.test("checks are sorted, and each counts once, also if it is pending and on the branch", async () => {
  const rows = [row(1), row(3), row(2), row(2, { slug: "blog" })];
  const { shop, histories } = await read(logsOf(rows), [row(3), row(0.5), row(30)]);
  assertEquals(shop.checks.map(({ time }) => (NOW.epochMilliseconds - time) / 3_600_000), [
    ...[30, 3, 2, 1, 0.5],
  ]);
  assertEquals(histories.get("blog")!.checks.length, 1);
});

Deno.test("checks of single locations count for their location only", async () => {
  const from = (location: string, hours: number, more: Partial<CheckRow> = {}) =>
    row(hours, { location, ...more });
  const [failed, slow] = [
    from("Frankfurt", 1, { state: "down", code: 0, ms: undefined, error: "refused" }),
    from("Virginia", 1, { ms: 900 }),
  ];
  const { shop, histories, records } = await read(
    logsOf([row(2), from("Frankfurt", 2), row(1), slow, failed, row(3, { location: "upptime" })]),
    [from("Virginia", 0.5, { ms: 300 })],
  );
  assertEquals(shop.checks.map(({ ms, isImported }) => [ms, isImported]), [
    [100, true],
    [100, false],
    [100, false],
  ]);
  const locations = [...shop.locations!].map((
    [name, { checks, days, last }],
  ) => [name, checks.map(({ state, ms }) => [state, ms]), days.length, last?.error ?? last?.ms]);
  assertEquals(locations, [
    ["Frankfurt", [["up", 100], ["down", undefined]], 0, "refused"],
    ["Virginia", [["up", 900], ["up", 300]], 0, 300],
  ]);
  assertEquals([histories.get("blog")!.locations, records.size], [undefined, 0]);
});

Deno.test("an unreadable log is reported, and an empty one is not", async () => {
  const { illegible } = await read(
    new Map([
      ["history/checks/2026-11-20.csv", "time;slug\n2026;shop\n"],
      ["history/checks/2026-11-21.csv", "time,run,slug,state\n"],
    ]),
  );
  assertEquals(illegible, ["history/checks/2026-11-20.csv"]);
});

Deno.test("a report contains the mean timings of the last 7 days, of successful checks", async () => {
  const rows = [
    row(8 * 24, { phases: "900/900/900/900/900" }),
    row(7 * 24, { phases: "2/10/20/30/40" }),
    row(3),
    row(2, { state: "down", phases: "9/9/9/9/9" }),
    row(1, { phases: "4/20/30/50/41" }),
    row(1.5, { phases: "rubbish" }),
    row(1, { slug: "blog" }),
  ];
  const [shop, blog] = computeReport(config, await read(logsOf(rows)), NOW).sites;
  const means = { checks: 2, dns: 3, connect: 15, tls: 25, ttfb: 40, download: 40.5 };
  assertEquals([shop!.timings, blog!.timings], [means, undefined]);
});

Deno.test("rows of overlapping rounds say the same in whatever order they were recorded", async () => {
  // A site that hangs is recorded minutes later, with the time at which its round began.
  const rows = Array.from(
    { length: 60 },
    (_, index) => row(index / 60, index % 20 < 5 ? { state: "down" } : {}),
  );
  const late = rows.filter((_, index) => index % 7 === 3);
  const inOrder = rows.toReversed();
  const mixed = [...inOrder.filter((one) => !late.includes(one)), ...late];
  const measured = async (own: readonly CheckRow[], pending: number) => {
    const { shop } = await read(logsOf(own.slice(pending)), own.slice(0, pending));
    const { intervals, checks } = selectSamples(shop, OPTIONS);
    return { intervals, checks };
  };
  const expected = await measured(inOrder, 0);
  assertEquals(expected.intervals.length, 6);
  assertEquals(await measured(mixed, 0), expected);
  assertEquals(await measured(mixed, 30), expected);
});
