import { assert, assertEquals } from "@std/assert";
import { appendRows, type CheckRow, parseRows } from "../../../lib/history/checks_log.ts";
import {
  type Days,
  formatDays,
  formatLocationDays,
  planDailyFiles,
  readDays,
} from "../../../lib/history/daily_log.ts";
import { expiredLogs, planLogs, readKnownLogs } from "../../../lib/history/known_logs.ts";
import { PART_BYTES } from "../../../lib/history/log_parts.ts";
import { readHistories } from "../../../lib/history/read_histories.ts";
import { readRunStarts } from "../../../lib/history/run_starts.ts";
import type { Snapshot } from "../../../lib/history/store/store.ts";
import { countBytes } from "../../../lib/text/plain_text.ts";
import { DAY } from "../../../lib/time.ts";
import { storeOf } from "../../helpers/random_history.ts";
import { configOf } from "../../helpers/sites.ts";

const LOG = "history/checks/2026-11-21";
const TIME = Temporal.Instant.from("2026-11-21T00:05:00Z");
/** A long text, so that few rows fill a part. */
const LONG = "x".repeat(100_000);
/** A run of these fills about a fifth of a part. */
const SITES = 10;

function rowsOf(run: number, sites = SITES): CheckRow[] {
  const time = TIME.add({ minutes: 5 * run });
  const id = run.toString(16).padStart(8, "0");
  return Array.from({ length: sites }, (_, index) => ({
    ...{ time, run: id, slug: `site-${index}`, state: "down", code: 503, attempts: 3 },
    error: LONG,
  }));
}

async function snapshotOf(files: ReadonlyMap<string, string>): Promise<Snapshot> {
  return await (await storeOf(files)).read();
}

/** Adds rows to the logs of a history, as a run does; returns the paths that it writes. */
async function add(files: Map<string, string>, rows: readonly CheckRow[]): Promise<string[]> {
  const known = await readKnownLogs(await snapshotOf(files), rows.map(({ time }) => time));
  const planned = planLogs(known, rows);
  for (const [path, text] of planned.files) files.set(path, text);
  return [...planned.files.keys()];
}

Deno.test("a day's log continues in another part before it is larger than 5 MB, and no row is twice", async () => {
  const files = new Map<string, string>();
  assertEquals(await add(files, [0, 1, 2].flatMap((run) => rowsOf(run))), [`${LOG}.csv`]);
  const before = files.get(`${LOG}.csv`)!;
  assertEquals(await add(files, [2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap((run) => rowsOf(run))), [
    ...[`${LOG}.csv`, `${LOG}-2.csv`, `${LOG}-3.csv`],
  ]);
  assert(files.get(`${LOG}.csv`)!.startsWith(before));
  for (const text of files.values()) assert(countBytes(text) <= PART_BYTES);
  assertEquals([...files.values()].flatMap(parseRows).length, 11 * SITES);
  assertEquals(await add(files, rowsOf(0, 5)), [], "rows of the first part are known");
  assertEquals(await add(files, rowsOf(11, 5)), [`${LOG}-3.csv`]);
});

Deno.test("a larger log of an earlier version stays as it is, and continues in a second part", async () => {
  const whole = appendRows(undefined, [0, 1, 2, 3, 4, 5].flatMap((run) => rowsOf(run)));
  assert(countBytes(whole) > PART_BYTES);
  const files = new Map([[`${LOG}.csv`, whole]]);
  assertEquals(await add(files, [...rowsOf(5), ...rowsOf(6)]), [`${LOG}-2.csv`]);
  assertEquals(parseRows(files.get(`${LOG}-2.csv`)!), rowsOf(6));
});

Deno.test("readers of checks take all parts, by number, and each row once", async () => {
  const files = new Map<string, string>();
  for (const part of [10, 9, 2, 1]) {
    const name = part === 1 ? LOG : `${LOG}-${part}`;
    files.set(`${name}.csv`, appendRows(undefined, [...rowsOf(part, 1), ...rowsOf(0, 1)]));
  }
  files.set(`${LOG}-1.csv`, appendRows(undefined, rowsOf(99, 1)));
  const snapshot = await snapshotOf(files);
  const numbers = [...(await readKnownLogs(snapshot, [TIME])).keys()]
    .map((path) => path.slice(LOG.length));
  assertEquals(numbers, [".csv", "-2.csv", "-9.csv", "-10.csv"]);
  const { sites } = await configOf([{ slug: "site-0", url: "https://example.com" }]);
  const { histories, runs } = await readHistories(snapshot, sites);
  const minutes = (times: readonly number[]) =>
    times.map((time) => (time - TIME.epochMilliseconds) / 60_000);
  assertEquals(minutes(histories.get("site-0")!.checks.map(({ time }) => time)), [
    0,
    5,
    10,
    45,
    50,
  ]);
  assertEquals(minutes(runs), [0, 5, 10, 45, 50]);
  assertEquals(
    minutes(await readRunStarts(snapshot, TIME.epochMilliseconds, [])),
    [0, 5, 10, 45, 50],
  );
  assertEquals(await add(files, rowsOf(60, 1)), [`${LOG}-10.csv`]);
});

Deno.test("all parts of a day's log expire together, once the checks of all are rolled up", async () => {
  const files = new Map([
    [`${LOG}.csv`, appendRows(undefined, rowsOf(1, 1))],
    [`${LOG}-2.csv`, appendRows(undefined, rowsOf(2, 2))],
  ]);
  const expired = async (first: number, second: number) => {
    files.set(
      "history/daily/2026.csv",
      `date,slug,checks\n2026-11-21,site-0,${first}\n2026-11-21,site-1,${second}\n`,
    );
    return await expiredLogs(await snapshotOf(files), TIME.add({ hours: 24 * 40 }), 35);
  };
  assertEquals(await expired(2, 0), []);
  assertEquals(await expired(1, 1), []);
  assertEquals(await expired(2, 1), [`${LOG}.csv`, `${LOG}-2.csv`]);
});

/** Days of sites from the start of 2026 on, of which about fifty rows fill a part. */
function daysOf(count: number, sites = 10): Days {
  const start = Date.UTC(2026, 0, 1);
  const times = { observedTime: 86_400, downTime: 0, degradedTime: 0, maintenanceTime: 0 };
  const histogram = LONG;
  return new Map(Array.from({ length: sites }, (_, site) => [
    `site-${site}`,
    Array.from({ length: count }, (_, day) => ({
      ...{ from: start + day * DAY, checks: 288, up: 288, degraded: 0, down: 0 },
      ...{ maintenance: 0, unknown: 0, ...times },
      responseTimes: { count: 288, sum: 34_000, min: 90, max: 200, histogram },
    })),
  ]));
}

/** Writes whole logs, as `response-time` does; returns what changes. */
async function write(files: Map<string, string>, logs: ReadonlyMap<string, string>) {
  const planned = await planDailyFiles(logs, await snapshotOf(files));
  const changed = [...planned].filter(([path, text]) => files.get(path) !== text);
  for (const [path, text] of planned) {
    if (text === null) files.delete(path);
    else files.set(path, text);
  }
  return changed.map(([path, text]) => text === null ? `-${path}` : path);
}

Deno.test("a year's daily log continues in further parts, grows in the last one, and loses those that it has no longer", async () => {
  const files = new Map<string, string>();
  const log = (days: Days) => new Map([["history/daily/2026.csv", formatDays(days)]]);
  assertEquals(await write(files, log(daysOf(12))), [
    ...["history/daily/2026.csv", "history/daily/2026-2.csv", "history/daily/2026-3.csv"],
  ]);
  for (const text of files.values()) assert(countBytes(text) <= PART_BYTES);
  assertEquals((await readDays(await snapshotOf(files))).days, daysOf(12));
  assertEquals(await write(files, log(daysOf(13))), ["history/daily/2026-3.csv"]);
  assertEquals((await readDays(await snapshotOf(files), [Date.UTC(2026, 5)])).days, daysOf(13));
  const one = new Map([["history/daily/2026.csv", formatDays(daysOf(13)) + "\n"]]);
  assertEquals(await write(one, log(daysOf(13))), [
    ...["history/daily/2026.csv", "history/daily/2026-2.csv", "history/daily/2026-3.csv"],
  ]);
  assertEquals(await write(files, log(daysOf(1))), [
    ...["history/daily/2026.csv", "-history/daily/2026-2.csv", "-history/daily/2026-3.csv"],
  ]);
});

Deno.test("the daily log of locations has parts of its own", async () => {
  const path = "history/daily/locations-2026.csv";
  const all = new Map(["shop", "blog"].map((slug) => [slug, daysOf(6, 5)] as const));
  const files = new Map([["history/daily/2026.csv", formatDays(daysOf(1, 1))]]);
  assertEquals(await write(files, new Map([[path, formatLocationDays(all)]])), [
    path,
    "history/daily/locations-2026-2.csv",
  ]);
  const { days, locationDays } = await readDays(await snapshotOf(files));
  assertEquals([days, locationDays], [daysOf(1, 1), all]);
});
