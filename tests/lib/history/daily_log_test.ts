import { assertEquals } from "@std/assert";
import { appendRows, type CheckRow, checksPath } from "../../../lib/history/checks_log.ts";
import {
  type Days,
  formatDays,
  formatLocationDays,
  parseDays,
  parseLocationDays,
} from "../../../lib/history/daily_log.ts";
import { expiredLogs } from "../../../lib/history/known_logs.ts";
import { Histogram, ParsedHistograms } from "../../../lib/history/histogram.ts";
import { formatDate } from "../../../lib/time.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";

const TOTALS = {
  checks: 288,
  up: 280,
  degraded: 1,
  down: 4,
  maintenance: 2,
  unknown: 1,
  observedTime: 86_100,
  downTime: 1200,
  degradedTime: 300,
  maintenanceTime: 600,
  responseTimes: { count: 281, sum: 34_440, min: 101, max: 240, histogram: "96:200 99:81" },
};

/** Two days of sites whose slugs a log has to escape. */
function daysOf(...slugs: string[]): Days {
  const own = [
    { from: Date.parse("2026-11-20"), ...TOTALS },
    { from: Date.parse("2026-11-21"), ...TOTALS, up: 0 },
  ];
  return new Map(slugs.map((slug) => [slug, own]));
}

Deno.test("a daily log is read as it was written, whatever the slugs", () => {
  for (const days of [daysOf("-dash", "ünï", "shop"), daysOf('a "quote", and more', "shop")]) {
    assertEquals(parseDays([formatDays(days)]), days);
  }
});

Deno.test("a daily log of locations is read as it was written, and not as one of sites", () => {
  const days = new Map([
    ["shop", daysOf("São Paulo", "=1+1", 'a "quote", and more', "Frankfurt")],
    ["shop-2", daysOf("Frankfurt")],
  ]);
  const text = formatLocationDays(days);
  assertEquals(parseLocationDays([text]), days);
  const lines = text.split("\n").slice(1, 6).map((line) => line.split(",").slice(0, 2).join());
  assertEquals([...new Set(lines)], ["2026-11-20,shop", "2026-11-20,shop-2"]);
  assertEquals(parseLocationDays([formatDays(daysOf("shop"))]), new Map());
});

Deno.test("a daily log is read after a spreadsheet, an editor or a merge has changed it", () => {
  const days = daysOf("shop");
  const text = formatDays(days);
  const header = text.slice(0, text.indexOf("\n") + 1);
  const rows = text.slice(header.length);
  const turn = (lines: string) =>
    lines.split("\n").map((line) => line.split(",").toReversed().join(",")).join("\n");
  const changed = [
    text.replaceAll("\n", "\r\n"),
    text.replaceAll("\n", ",more\n"),
    text.replaceAll("86100", "8.61e4"),
    text.replaceAll("shop", '"shop"'),
    `${text}rubbish\n\n,,,\n2026-11-31${rows.slice(10, rows.indexOf("\n"))}\n2026-11-22,shop,28`,
    turn(text),
    rows,
    rows + header,
    `\ufeff${text}`,
    `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> theirs\n`,
    `<<<<<<< HEAD\n${text}=======\n${turn(text)}>>>>>>> theirs\n`,
  ];
  for (const one of changed) assertEquals(parseDays([one]), days, one);
});

Deno.test("missing fields of a day are 0, except the number of checks, which is unknown", () => {
  const text = "date,slug,checks,up,down\n2026-11-20,shop\n2026-11-21,shop,,7\n";
  const days = parseDays([text]).get("shop")!;
  const nothing = { count: 0, sum: 0, min: 0, max: 0, histogram: "" };
  assertEquals(days.map(({ checks, up }) => [checks, up]), [[NaN, 0], [NaN, 7]]);
  assertEquals(days.map(({ responseTimes }) => responseTimes), [nothing, nothing]);
});

Deno.test("days of several logs ascend, and of two of a date the later one counts", () => {
  const older = ["2027-01-01", "2026-11-21"].map((date) => (
    { ...TOTALS, from: Date.parse(date), up: 1 }
  ));
  const logs = [new Map([["shop", older]]), daysOf("shop", "blog")].map(formatDays);
  const days = parseDays(logs).get("shop")!;
  assertEquals(days.map(({ from, up }) => [formatDate(from), up]), [
    ["2026-11-20", 280],
    ["2026-11-21", 0],
    ["2027-01-01", 1],
  ]);
});

Deno.test("a damaged histogram counts its readable buckets", () => {
  const read = (text: string) => {
    const histogram = new Histogram();
    new ParsedHistograms([text, text]).addTo(histogram, 0, 2);
    return histogram.format();
  };
  const cases: [text: string, counts: string][] = [
    ["96:200 99:81", "96:400 99:162"],
    ["", ""],
    ["rubbish", ""],
    ["96:1  99:2 ", "96:2 99:4"],
    ["1:2 x 3:4", "1:4 3:8"],
    ["99:070 4000:5", "99:140 311:10"],
    ["1:123456", "1:246912"],
  ];
  for (const [text, counts] of cases) assertEquals(read(text), counts, text);
});

const TIME = Temporal.Instant.from("2026-11-21T10:05:00Z");
const AUTHOR = { name: "Jo", email: "jo@example.com" };

function row(day: string, slug: string): CheckRow {
  const time = Temporal.Instant.from(`${day}T23:55:00Z`);
  return { time, run: "9f3c01ab", slug, state: "up", code: 200, attempts: 1 };
}

Deno.test("a log expires once the row of its day counts all of its checks", async () => {
  const store = new MemoryStore();
  const logs = [row("2026-11-08", "shop"), row("2026-11-10", "shop"), row("2026-11-11", "blog")];
  const files = new Map([
    ...logs.map((own) => [checksPath(own.time), appendRows(undefined, [own])] as const),
    ["history/daily/2026.csv", "date,slug,checks\n2026-11-10,shop,1\n2026-11-11,shop,288\n"],
  ]);
  await store.publish(() =>
    Promise.resolve({ run: "9f3c01ab", time: TIME, files, message: "Roll up", author: AUTHOR })
  );
  const snapshot = await store.read();
  assertEquals(await expiredLogs(snapshot, TIME, 10), ["history/checks/2026-11-10.csv"]);
  assertEquals(await expiredLogs(snapshot, TIME, 20), []);
});

Deno.test("a log expires only once the days of its locations count all of their checks too", async () => {
  const store = new MemoryStore();
  const header = "date,slug,checks";
  const ofLocation = { ...row("2026-11-10", "shop"), location: "Frankfurt" };
  const log = appendRows(undefined, [row("2026-11-10", "shop"), ofLocation]);
  const expired = async (locations: string) => {
    const files = new Map([
      ["history/checks/2026-11-10.csv", log],
      ["history/daily/2026.csv", `${header}\n2026-11-10,shop,1\n`],
      ["history/daily/locations-2026.csv", `${header},location\n${locations}\n`],
    ]);
    await store.publish(() =>
      Promise.resolve({ run: "9f3c01ab", time: TIME, files, message: "Roll up", author: AUTHOR })
    );
    return (await expiredLogs(await store.read(), TIME, 10)).length;
  };
  assertEquals(await expired("2026-11-10,shop,1,Virginia"), 0);
  assertEquals(await expired("2026-11-10,shop,0,Frankfurt"), 0);
  assertEquals(await expired("2026-11-10,shop,1,Frankfurt"), 1);
});
