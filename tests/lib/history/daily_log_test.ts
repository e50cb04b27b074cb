import { assertEquals } from "@std/assert";
import { type Days, formatDays, parseDays } from "../../../lib/history/daily_log.ts";

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

Deno.test("what a day of a log does not tell is 0, and the number of its checks not known", () => {
  const text = "date,slug,checks,up,down\n2026-11-20,shop\n2026-11-21,shop,,7\n";
  const totals = [...parseDays(text).get("shop")!.values()];
  assertEquals(totals.map(({ checks, up }) => [checks, up]), [[NaN, 0], [NaN, 7]]);
  assertEquals(totals.map(({ responseTimes }) => responseTimes), [NOTHING, NOTHING]);
});
