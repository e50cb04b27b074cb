import { assertEquals } from "@std/assert";
import {
  type Badge,
  responseTimeBadge,
  statusBadge,
  uptimeBadge,
} from "../../../../lib/statistics/api/badge.ts";
import { FILE_WINDOW_NAMES } from "../../../../lib/history/windows.ts";
import { ENGLISH_LANGUAGE } from "../../../../lib/text/languages.ts";
import { STATES } from "../../../../lib/state.ts";
import { responseTimes } from "../../../helpers/reports.ts";

function right({ message, color }: Badge): string {
  return `${message(ENGLISH_LANGUAGE)} ${color}`;
}

Deno.test("the badges of each window are labeled as they are in Upptime", () => {
  assertEquals(
    FILE_WINDOW_NAMES.map((name) => uptimeBadge(name, { uptime: 1 }).label(ENGLISH_LANGUAGE)),
    ["uptime 24h", "uptime 7d", "uptime 30d", "uptime 1y", "uptime"],
  );
  const times = responseTimes(123);
  assertEquals(
    FILE_WINDOW_NAMES.map((name) =>
      responseTimeBadge(name, { responseTimes: times }).label(ENGLISH_LANGUAGE)
    ),
    ["24h", "7d", "30d", "1y", ""].map((window) => `response time ${window}`.trim()),
  );
});

Deno.test("an uptime has Upptime's colors, and is never rounded to 0 % or 100 %", () => {
  const cases: [share: number | undefined, right: string][] = [
    [1, "100% brightgreen"],
    [0.99996, "99.99% brightgreen"],
    [0.9998, "99.98% brightgreen"],
    [0.999, "99.9% brightgreen"],
    [0.9501, "95.01% brightgreen"],
    [0.950001, "95% green"],
    [0.95, "95% green"],
    [0.9, "90% yellowgreen"],
    [0.85, "85% yellow"],
    [0.8, "80% orange"],
    [0.75, "75% red"],
    [0.000001, "0.01% red"],
    [0, "0% red"],
    [undefined, "no data lightgrey"],
  ];
  for (const [uptime, expected] of cases) {
    assertEquals(right(uptimeBadge("day", { uptime })), expected);
  }
});

Deno.test("a response time has Upptime's colors, and none if no check succeeded", () => {
  const cases: [mean: number, right: string][] = [
    [0.3, "0 ms brightgreen"],
    [199.4, "199 ms brightgreen"],
    [199.6, "200 ms green"],
    [400, "400 ms yellowgreen"],
    [600, "600 ms yellow"],
    [800, "800 ms orange"],
    [1000, "1000 ms red"],
  ];
  for (const [mean, expected] of cases) {
    const own = { responseTimes: responseTimes(mean) };
    assertEquals(right(responseTimeBadge("day", own)), expected);
  }
  const none = responseTimeBadge("day", { responseTimes: undefined });
  assertEquals(right(none), "no data lightgrey");
});

Deno.test("a status badge has a word and a color for each state", () => {
  assertEquals(STATES.map((state) => right(statusBadge(state))), [
    "up brightgreen",
    "degraded yellow",
    "down red",
    "maintenance blue",
    "no data lightgrey",
  ]);
});
