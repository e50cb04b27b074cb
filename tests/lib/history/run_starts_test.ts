import { assertEquals } from "@std/assert";
import { parseRows } from "../../../lib/history/checks_log.ts";
import { readHistories } from "../../../lib/history/read_histories.ts";
import { readRunStarts } from "../../../lib/history/run_starts.ts";
import { storeOf } from "../../helpers/random_history.ts";

const HEADER = "time,run,slug,state,code,ms,attempts,phases,location,error\n";
const at = (time: string) => Date.parse(`2026-05-${time}:00Z`);

/** A log with rows of `time run slug location`. */
function log(...rows: readonly string[]): string {
  return HEADER + rows.map((row) => {
    const [time, run, slug, location = ""] = row.split(" ");
    return `2026-05-${time}:00.000Z,${run},${slug},up,200,100,1,,${location},\n`;
  }).join("");
}

const FILES = new Map([
  ["history/checks/2026-05-01.csv", log("01T09:00 aaaaaaaa shop")],
  ["history/checks/2026-05-02.csv", log("02T09:00 bbbbbbbb shop")],
  ["history/checks/2026-05-19.csv", log("19T09:00 cccccccc shop upptime")],
  [
    "history/checks/2026-05-20.csv",
    log(
      ...["20T08:00 dddddddd shop", "20T08:00 dddddddd api", "20T08:01 eeeeeeee shop frankfurt"],
      ...["20T09:00 ffffffff shop", "20T08:30 99999999 shop"],
    ),
  ],
  ["history/checks/2026-05-21.csv", log("21T07:05 77777777 shop")],
  ["history/checks/2026-05-21-2.csv", log("21T07:05 77777777 api")],
]);

Deno.test("starts of runs come from all parts of logs: not imported ones, nor those of a location", async () => {
  const snapshot = await (await storeOf(FILES)).read();
  const pending = parseRows(log("21T07:10 88888888 shop"));
  const expected = ["20T08:00", "20T08:30", "20T09:00", "21T07:05", "21T07:10"].map(at);
  assertEquals(await readRunStarts(snapshot, at("20T00:00"), pending), expected);
  assertEquals(await readRunStarts(snapshot, at("19T00:00"), pending), [
    at("02T09:00"),
    ...expected,
  ]);
  assertEquals(await readRunStarts(snapshot, at("01T00:00"), []), [
    ...[at("01T09:00"), at("02T09:00"), ...expected.slice(0, -1)],
  ]);
  const { runs } = await readHistories(snapshot, []);
  assertEquals(runs.slice(-4), expected.slice(0, -1));
});
