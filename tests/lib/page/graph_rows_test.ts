import { assert, assertEquals } from "@std/assert";
import { toGraphRows } from "../../../lib/page/graph_rows.ts";
import type { Graph } from "../../../lib/statistics/graph.ts";
import { HOUR, MINUTE } from "../../../lib/time.ts";
import { statistics } from "../../helpers/reports.ts";

const FROM = Date.parse("2026-11-20T10:05:00Z");
const TO = FROM + 24 * HOUR;

function graph(changes: Partial<Graph>): Graph {
  return {
    name: "Shop",
    window: "day",
    timezone: "UTC",
    bucket: HOUR,
    points: [],
    intervals: [],
    statistics: statistics("day", { window: { from: FROM, to: TO } }),
    ...changes,
  };
}

const at = (hours: number) => Date.parse("2026-11-20T10:00:00Z") + hours * HOUR;

Deno.test("a graph has a row for each point and for each time in which the site was not up", () => {
  const first = { time: at(0.9), median: 15, p95: 45, max: 50, checks: 12, isJoined: false };
  const second = { time: at(3), median: 12, checks: 1, isJoined: false };
  const rows = toGraphRows(
    graph({
      points: [first, second],
      intervals: [
        { from: at(1.5), to: at(2.25), state: "down" },
        { from: at(2.25), to: at(2.5), state: "unknown" },
        { from: at(5), to: at(9.5), state: "maintenance" },
      ],
    }),
  );
  assertEquals(rows, [
    { from: FROM, to: at(1), point: first, states: [] },
    { from: at(1), to: at(2), point: undefined, states: [["down", 1800]] },
    { from: at(2), to: at(3), point: undefined, states: [["down", 900], ["unknown", 900]] },
    { from: at(3), to: at(4), point: second, states: [] },
    { from: at(5), to: at(10), point: undefined, states: [["maintenance", 4.5 * 3600]] },
  ]);
});

Deno.test("a row has the median of each location, and nothing for one that is silent", () => {
  const line = (name: string, median: number, ...hours: number[]) => ({
    name,
    points: hours.map((hour) => ({ time: at(hour), median, isJoined: false })),
  });
  const locations = {
    lines: [line("Oslo", 30, 0.5, 2.5), line("Lima", 9, 2.5)],
    others: 0,
    earlier: [],
  };
  const rows = toGraphRows(graph({ locations }));
  assertEquals(rows.map(({ from, lines }) => [from, lines]), [
    [FROM, [30, undefined]],
    [at(2), [30, 9]],
  ]);
});

Deno.test("no point of a graph is without a row, also not the one of the check made right now", () => {
  const points = Array.from({ length: 24 }, (_, index) => ({
    ...{ time: at(index + 1) + 5 * MINUTE, median: index, checks: 1, isJoined: true },
  }));
  const rows = toGraphRows(graph({ points }));
  assertEquals(rows.map(({ point }) => point), points);
  assert(rows.every(({ from, to }) => from < to));
  assertEquals(toGraphRows(graph({})), []);
});
