import { assertEquals } from "@std/assert";
import type { SiteDays } from "../../../lib/history/logs/site_days.ts";
import { Histogram } from "../../../lib/history/histogram.ts";
import type { RolledDay } from "../../../lib/history/site_history.ts";
import { addDays } from "../../../lib/history/logs/add_days.ts";
import { type Days, formatDays, parseDays } from "../../../lib/history/daily_log.ts";
import { dateOf } from "../../../lib/time.ts";

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

const NOTHING = { count: 0, sum: 0, min: 0, max: 0, histogram: "" };

/** Days of sites whose slugs a log has to write with care. */
function daysOf(...slugs: string[]): Days {
  const own = () => new Map([["2026-11-20", TOTALS], ["2026-11-21", { ...TOTALS, up: 0 }]]);
  return new Map(slugs.map((slug) => [slug, own()]));
}

Deno.test("a log of days is read as it was written, whatever the slugs", () => {
  const days = daysOf("-dash", "ünï", "shop");
  assertEquals(parseDays(formatDays(days)), days);
  const quoted = daysOf('a "quote", and more', "shop");
  assertEquals(parseDays(formatDays(quoted)), quoted);
});

Deno.test("a log of days may have other line ends, columns and numbers, and lines that are none", () => {
  const days = daysOf("shop");
  const text = formatDays(days);
  assertEquals(parseDays(text.replaceAll("\n", "\r\n")), days);
  assertEquals(parseDays(text.replaceAll("\n", ",more\n")), days);
  assertEquals(parseDays(text.replaceAll("86100", "8.61e4")), days);
  assertEquals(parseDays(`${text}rubbish\n\n,,,\n2026-11-22,shop,28`), days);
  const lines = text.split("\n").map((line) => line.split(","));
  const turned = lines.map((cells) => cells.toReversed().join(",")).join("\n");
  assertEquals(parseDays(turned), days);
});

Deno.test("a log of days is read if a merge has taken its header, moved it, or left both", () => {
  const days = daysOf("shop");
  const text = formatDays(days);
  const header = text.slice(0, text.indexOf("\n") + 1);
  const rows = text.slice(header.length);
  const turn = (lines: string) =>
    lines.split("\n").map((line) => line.split(",").toReversed().join(",")).join("\n");
  assertEquals(parseDays(rows), days);
  assertEquals(parseDays(rows + header), days);
  assertEquals(parseDays(`\ufeff${text}`), days);
  assertEquals(parseDays(`<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> theirs\n`), days);
  assertEquals(parseDays(`<<<<<<< HEAD\n${text}=======\n${turn(text)}>>>>>>> theirs\n`), days);
});

Deno.test("what a day of a log does not tell is 0, and the number of its checks not known", () => {
  const text = "date,slug,checks,up,down\n2026-11-20,shop\n2026-11-21,shop,,7\n";
  const totals = [...parseDays(text).get("shop")!.values()];
  assertEquals(totals.map(({ checks, up }) => [checks, up]), [[NaN, 0], [NaN, 7]]);
  assertEquals(totals.map(({ responseTimes }) => responseTimes), [NOTHING, NOTHING]);
});

Deno.test("days of several logs are each told once, and of two of a date the later", () => {
  const sites = new Map<string, SiteDays>();
  const encoder = new TextEncoder();
  const older = { ...TOTALS, up: 1 };
  const own = new Map([["2026-11-21", older], ["2027-01-01", older]]);
  const log = encoder.encode(formatDays(new Map([["shop", own]])));
  addDays(sites, log);
  // What a log was read from may be overwritten by the next.
  log.fill(0);
  addDays(sites, encoder.encode(formatDays(daysOf("shop", "blog"))));
  const told = [...sites.get("shop")!.days()].map(({ from, totals: { up, responseTimes } }) => {
    const histogram = new Histogram();
    histogram.addDay(responseTimes, 2);
    return [dateOf(from), up, responseTimes.max, histogram.format()];
  });
  assertEquals(told, [
    ["2026-11-20", 280, 240, "96:400 99:162"],
    ["2026-11-21", 0, 240, "96:400 99:162"],
    ["2027-01-01", 1, 240, "96:400 99:162"],
  ]);
});

Deno.test("a log of many days has room for all of them", () => {
  const all = Array.from({ length: 1000 }, (_, day): [string, typeof TOTALS] => [
    new Date(86_400_000 * day).toISOString().slice(0, 10),
    { ...TOTALS, up: day },
  ]);
  const days: Days = new Map([["shop", new Map(all)]]);
  assertEquals(parseDays(formatDays(days)), days);
});

Deno.test("numbers that no integer tells are read as they stand, before and behind days of integers", () => {
  const lines = formatDays(daysOf("shop")).trimEnd().split("\n");
  const [header, first, second] = [lines[0], lines[1]!, lines[2]!];
  const log = [
    header,
    first.replace(",86100,", ",86100.5,"),
    second.replace(",34440,", ",2147483648,"),
  ];
  const later = second.replace("2026-11-21", "2026-11-22");
  const read = parseDays(`${[...log, later].join("\n")}\n`).get("shop")!;
  assertEquals(read.get("2026-11-20")!.observedTime, 86_100.5);
  assertEquals(read.get("2026-11-21")!.responseTimes.sum, 2 ** 31);
  assertEquals(
    read.get("2026-11-22"),
    parseDays(formatDays(daysOf("shop"))).get("shop")!.get("2026-11-21"),
  );
});

Deno.test("a day that no month has is passed over", () => {
  const log = formatDays(daysOf("shop"));
  assertEquals(parseDays(log.replaceAll("2026-11-20", "2026-11-31")).get("shop")!.size, 1);
});

Deno.test("whatever stands in place of a histogram is read as it is, and counts what it says", () => {
  const texts = [
    "96:200 99:81",
    "",
    "rubbish",
    "96:1  99:2",
    "1:2 x 3:4 ",
    "99:070",
    "4000:5 0:1",
    "1:9999 9999:1",
    "1:10000",
    "1:123456",
  ];
  const totals = (histogram: string) => ({
    ...TOTALS,
    responseTimes: { ...TOTALS.responseTimes, histogram },
  });
  const own = texts.map((
    text,
    day,
  ): [string, typeof TOTALS] => [`2026-11-${day + 10}`, totals(text)]);
  const days: Days = new Map([["shop", new Map(own)]]);
  const log = formatDays(days);
  const sites = new Map<string, SiteDays>();
  addDays(sites, new TextEncoder().encode(log));
  const all = [...sites.get("shop")!.days()];
  assertEquals(all.length, texts.length);
  for (const [day, { totals: { responseTimes } }] of all.entries()) {
    // The end of a line is not told from what is before it.
    const text = texts[day]!.trimEnd();
    assertEquals(responseTimes.histogram, text);
    const [read, written] = [new Histogram(), new Histogram()];
    read.addDay(responseTimes, 3);
    written.addText(text, 3);
    assertEquals([read.format(), read.total], [written.format(), written.total]);
  }
});

Deno.test("a log is read alike from the first line on that is not as we write it", () => {
  const days = daysOf("shop", "blog", "api");
  const lines = formatDays(days).trimEnd().split("\n");
  const changes: ((line: string) => string)[] = [
    (line) => line.replace(",288,", ",2.88e2,"),
    (line) => line.replace(",86100,", ", 86100,"),
    (line) => line.replace(",1200,", ",0001200,"),
    (line) => line.replace(/(blog|shop|api)/, '"$1"'),
    (line) => line.replace("96:200", "96:0200"),
    (line) => `${line}\r`,
    (line) => `${line},more`,
    (line) => `rubbish\n${line}`,
    (line) => `\n${line}`,
    (line) => `2026-11-2x${line.slice(10)}\n${line}`,
    (line) => `2026-11-20,shop\n${line}`,
    (line) => `2026-11-20,,1,2\n${line}`,
    (line) => `2026-02-30${line.slice(10)}\n${line}`,
  ];
  for (const change of changes) {
    for (let at = 1; at < lines.length; at++) {
      const text = `${lines.with(at, change(lines[at]!)).join("\n")}\n`;
      const read = parseDays(text);
      // The first column more makes a line that only a reader of any order of columns reads.
      const turned = `x,${text.trimEnd().split("\n").join("\nx,")}\n`.replaceAll("\nx,\n", "\n\n");
      assertEquals(read, parseDays(turned), text);
      const { shop, blog, api } = Object.fromEntries(read);
      assertEquals([shop!.size, blog!.size, api!.size], [2, 2, 2], text);
    }
  }
});

Deno.test("days of a log are the same however they are looked at, also those that integers can't tell", () => {
  const dates = Array.from({ length: 1500 }, (_, day) => dateOf(day * 86_400_000));
  const own = dates.map((date, day) => [date, { ...TOTALS, up: day }] as const);
  const lines = formatDays(new Map([["shop", new Map(own)]])).split("\n");
  lines[801] = lines[801]!.replace(",800,", ",800.5,");
  const sites = new Map<string, SiteDays>();
  addDays(sites, new TextEncoder().encode(lines.join("\n")));
  const days = sites.get("shop")!.days();
  const seen = ({ from, totals: { up } }: RolledDay) => [dateOf(from), up];
  const all = [...days].map(seen);
  assertEquals(all, own.map(([date, { up }]) => [date, up === 800 ? 800.5 : up]));
  assertEquals(dates.map((_, day) => dateOf(days.from(day))), dates);
  assertEquals(dates.map((_, day) => seen(days.at(day)!)), all);
  assertEquals(days.at(days.length), undefined);
  const shown: unknown[] = [];
  days.forEach((day) => shown.push(seen(day)), 790, 1400);
  assertEquals(shown, all.slice(790, 1400));
  const odd = days.slice(700).filter(({ totals: { up } }) => up % 2 !== 0);
  assertEquals([...odd].map(seen), all.slice(700).filter(([, up]) => Number(up) % 2 !== 0));
});
