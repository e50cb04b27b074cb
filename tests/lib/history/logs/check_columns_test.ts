import { assertEquals } from "@std/assert";
import { CheckColumns } from "../../../../lib/history/logs/check_columns.ts";
import { appendRows, type CheckRow, parseRows } from "../../../../lib/history/checks_log.ts";
import { STATES } from "../../../../lib/state.ts";
import type { Checks } from "../../../../lib/history/site_history.ts";
import fc from "../../../helpers/property.ts";

const encoder = new TextEncoder();

/** What a check may have, each cell of it. */
const CELLS = {
  state: fc.constantFrom(...STATES),
  code: fc.constantFrom(0, 200),
  ms: fc.option(fc.integer({ min: 0, max: 60_000 }), { nil: undefined }),
  attempts: fc.constantFrom(1, 3),
  phases: fc.constantFrom("4/18/35/60/6", "0/0/0/7/0", "4/18", "4/18/35/60/x", "quick", undefined),
  location: fc.constantFrom("upptime", undefined),
  error: fc.constantFrom("it's", 'a "quote", and more', "=1+1", "connection refused", undefined),
};

const ROW = fc.record({
  time: fc.integer({ min: 0, max: 4_000_000_000_000 })
    .map((at) => Temporal.Instant.fromEpochMilliseconds(at)),
  run: fc.integer({ min: 0, max: 30 }).map((run) => run.toString(16).padStart(8, "0")),
  slug: fc.constantFrom("shop", "forum", "-dash", "Ünï"),
  ...CELLS,
});

/** Runs of the same sites in the same order, nearly all of whose checks are like the one before. */
const RUNS = fc.array(
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ ms: fc.nat(9999) }) },
      { weight: 1, arbitrary: fc.record(CELLS, { requiredKeys: [] }) },
    ),
    { minLength: 3, maxLength: 3 },
  ),
  { maxLength: 12 },
).map((runs) =>
  runs.flatMap((checks, run) =>
    ["shop", "shops", "Ünï"].map((slug, site) => ({
      ...{ state: "up", code: 200, attempts: 1, ...checks[site] },
      slug,
      time: Temporal.Instant.fromEpochMilliseconds(run * 300_000),
      run: run.toString(16).padStart(8, "0"),
    }))
  )
);

/** What is wrong with some logs: a torn last line, another line end, a column more, other columns, other numbers, cells that are missing. */
const DAMAGE = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.slice(0, -3),
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.replaceAll("\n", ",more\n"),
  (text) => text.replace("time,run", "run,time"),
  (text) => text.replaceAll(/,(\d+),([13]),/g, ",$1.25e1,$2,"),
  (text) => text.replaceAll(/(,200,\d)(\d+,1,)/g, "$1x$2"),
  (text) => text.replaceAll(",1,", ",,"),
  (text) => text.replaceAll(/,\d,(.*)\n/g, ",1e3,$1\n"),
  (text) => text.replace(/(.*,shops,.*\n)(.*,Ünï,.*\n)/, "$2$1"),
  (text) => text.replaceAll(",,", ","),
  (text) => text.replaceAll("shop", ""),
  (text) => `${text}rubbish\n,,,\n`,
  (text) => `${text}rubbish\n`,
  (text) => `${text}2026-11-21T10:05:00.000Z,00000001\n`,
  (text) => `${text}2026-11-21T10:05:00.000Z,00000001,shop,up\n\n`,
  (text) => text + text.slice(text.indexOf("\n") + 1),
  (text) => text.slice(text.indexOf("\n") + 1),
  (text) => text + text,
  (text) => `\ufeff${text}`,
  (text) => text.slice(text.indexOf("\n") + 1) + text,
  (text) => `<<<<<<< HEAD\n${text}=======\n${text.replace("time,run", "run,time")}>>>>>>> theirs\n`,
  (text) => `${text}run,time,slug,state\n00000002,2026-11-21T10:05:00.000Z,shop,down\n`,
);

function plain({ times, states, durations, imported }: Checks): unknown {
  return [[...times], [...states], [...durations], [...imported]];
}

function columnsOf(add: (columns: CheckColumns) => void): Map<string, unknown> {
  const columns = new CheckColumns();
  add(columns);
  const phases = columns.phases();
  return new Map([...columns.gathered()].map(([slug, checks]) => {
    const { times, milliseconds } = phases.get(slug)!;
    return [slug, [plain(checks), times, milliseconds]];
  }));
}

Deno.test("columns hold what the rows of a log say, whatever is in it", () => {
  const rows = fc.oneof(fc.array(ROW, { maxLength: 40 }), RUNS) as fc.Arbitrary<CheckRow[]>;
  const log = fc.tuple(rows, DAMAGE);
  fc.assert(
    fc.property(log, ([rows, damage]) => {
      const text = damage(appendRows(undefined, rows));
      assertEquals(
        columnsOf((columns) => columns.addLog(encoder.encode(text))),
        columnsOf((columns) => columns.addRows(parseRows(text))),
      );
    }),
  );
});

Deno.test("a check that stands in two logs, or waits as well, is one; and all of them are by time", () => {
  const at = (minute: number) => Temporal.Instant.from(`2026-11-21T10:0${minute}:00Z`);
  const row = (minute: number): CheckRow => ({
    time: at(minute),
    run: `0000000${minute}`,
    slug: "shop",
    state: "up",
    code: 200,
    ms: minute,
    attempts: 1,
  });
  const columns = new CheckColumns();
  columns.addLog(encoder.encode(appendRows(undefined, [row(3), row(1)])));
  columns.addLog(encoder.encode(appendRows(undefined, [row(1), row(2)])));
  columns.addRows([row(3), row(4)]);
  assertEquals([...columns.gathered().get("shop")!.durations], [1, 2, 3, 4]);
});

Deno.test("columns have room for as many checks as there are, whether room was made for them or not", () => {
  const begin = Temporal.Instant.from("2026-11-21T10:00:00Z");
  const rows = Array.from({ length: 1500 }, (_, index): CheckRow => ({
    time: begin.add({ minutes: index }),
    run: index.toString(16).padStart(8, "0"),
    slug: "shop",
    state: index % 7 === 0 ? "down" : "up",
    code: 200,
    ms: index,
    attempts: 1,
    location: index % 5 === 0 ? "upptime" : undefined,
    phases: `${index}/1/2/3/4`,
  }));
  const logs = [rows.slice(0, 700), rows.slice(700)].map((part) =>
    encoder.encode(appendRows(undefined, part))
  );
  const grown = columnsOf((columns) => logs.forEach((log) => columns.addLog(log)));
  const reserved = columnsOf((columns) => {
    columns.addLog(logs[0]!);
    columns.reserve(2.5);
    columns.addLog(logs[1]!);
  });
  assertEquals(reserved, grown);
  assertEquals((grown.get("shop") as unknown[])[0], [
    rows.map(({ time }) => time.epochMilliseconds),
    rows.map(({ state }) => STATES.indexOf(state)),
    rows.map(({ ms }) => ms),
    rows.map(({ location }) => location === undefined ? 0 : 1),
  ]);
  const successful = rows.filter(({ state }) => state === "up");
  assertEquals((grown.get("shop") as unknown[]).slice(1), [
    successful.map(({ time }) => time.epochMilliseconds),
    successful.flatMap(({ ms }) => [ms, 1, 2, 3, 4]),
  ]);
});

Deno.test("a guess at how many checks there will be asks for no more memory than there is", () => {
  const time = Temporal.Instant.from("2026-11-21T10:05:00Z");
  const row = { time, slug: "shop", state: "up", code: 200, attempts: 1 } as const;
  const columns = new CheckColumns();
  columns.addRows([{ ...row, run: "00000001" }]);
  columns.reserve(1e12);
  columns.addRows([{ ...row, run: "00000002" }]);
  assertEquals(columns.gathered().get("shop")!.length, 2);
});

Deno.test("a run whose first row has quotes tells its time with its other rows all the same", () => {
  const time = Temporal.Instant.from("2026-11-21T10:05:00Z");
  const row = { time, run: "00000001", state: "up", code: 200, attempts: 1 } as const;
  const rows: CheckRow[] = [{ ...row, slug: "shop", error: "it's" }, { ...row, slug: "forum" }];
  const columns = new CheckColumns();
  columns.addLog(encoder.encode(appendRows(undefined, rows)));
  assertEquals([...columns.gathered().get("forum")!.times], [time.epochMilliseconds]);
});

Deno.test("phases are told of successful checks, once of each, where they are whole", () => {
  const at = (minute: number) => Temporal.Instant.from(`2026-11-21T10:0${minute}:00Z`);
  const row = (minute: number, state: CheckRow["state"], phases?: string): CheckRow => ({
    time: at(minute),
    run: `0000000${minute}`,
    slug: "shop",
    state,
    code: 200,
    attempts: 1,
    phases,
  });
  const rows = [
    row(1, "up", "4/18/35/60/6"),
    row(2, "up"),
    row(3, "down", "1/1/1/1/1"),
    row(4, "degraded", "0/0/0/900/0"),
    row(5, "up", "1/2/3"),
  ];
  const columns = new CheckColumns();
  const log = encoder.encode(appendRows(undefined, rows));
  columns.addLog(log);
  columns.addLog(log);
  columns.addRows(rows);
  const { times, milliseconds } = columns.phases().get("shop")!;
  assertEquals(times, [at(1), at(4)].map((time) => time.epochMilliseconds));
  assertEquals(milliseconds, [4, 18, 35, 60, 6, 0, 0, 0, 900, 0]);
});
