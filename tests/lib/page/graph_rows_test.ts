import { assertEquals } from "@std/assert";
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
    points: [],
    intervals: [],
    statistics: statistics("day", { window: { from: FROM, to: TO } }),
    ...changes,
  };
}

const at = (hours: number) => Date.parse("2026-11-20T10:00:00Z") + hours * HOUR;

Deno.test("the rows of a graph describe its points by ranges, and its states by durations", () => {
  const { length, rows } = toGraphRows(
    graph({
      points: [
        { time: at(0.5), median: 20, p95: 30, isJoined: false },
        { time: at(0.9), median: 15, p95: 45, isJoined: true },
        { time: at(3), median: 12, isJoined: false },
      ],
      intervals: [
        { from: at(1.5), to: at(2.25), state: "down" },
        { from: at(2.25), to: at(2.5), state: "unknown" },
        { from: at(5), to: at(9.5), state: "maintenance" },
      ],
    }),
    24,
  );
  assertEquals(length, HOUR);
  assertEquals(rows, [
    { from: FROM, median: [15, 20], p95: 45, states: [] },
    { from: at(1), states: [["down", 1800]] },
    { from: at(2), states: [["down", 900], ["unknown", 900]] },
    { from: at(3), median: [12, 12], p95: 12, states: [] },
    { from: at(5), states: [["maintenance", 4.5 * 3600]] },
  ]);
});

Deno.test("an empty graph has no rows, and any graph has few", () => {
  assertEquals(toGraphRows(graph({}), 24).rows, []);
  const points = Array.from({ length: 288 }, (_, index) => ({
    ...{ time: FROM + index * 5 * MINUTE, median: index, isJoined: true },
  }));
  const { rows } = toGraphRows(graph({ points }), 24);
  assertEquals(rows.length, 25);
  assertEquals(rows.at(-1)!.median![1], 287);
});
