import { assert, assertEquals } from "@std/assert";
import { parse } from "@std/csv/parse";
import {
  appendRows,
  type CheckRow,
  checksPath,
  parseRows,
  sitesWithPhases,
} from "../../../lib/history/checks_log.ts";

const TIME = Temporal.Instant.from("2026-11-21T10:05:03.120Z");

function row(more: Partial<CheckRow> = {}): CheckRow {
  return {
    time: TIME,
    run: "9f3c01ab",
    slug: "shop",
    state: "up",
    code: 200,
    attempts: 1,
    ...more,
  };
}

Deno.test("the log of a moment is that of its UTC day", () => {
  const late = Temporal.Instant.from("2026-11-21T23:59:59.999-01:00");
  assertEquals(checksPath(TIME), "history/checks/2026-11-21.csv");
  assertEquals(checksPath(late), "history/checks/2026-11-22.csv");
});

Deno.test("a new log starts with its header, and each row has its own line", () => {
  const rows = [
    row({ ms: 122.6, phases: "4/18/35/60/6" }),
    row({ slug: "api", state: "down", code: 0, attempts: 3, error: "refused (203.0.113.7:443)" }),
  ];
  assertEquals(
    appendRows(undefined, rows),
    `time,run,slug,state,code,ms,attempts,phases,location,error
2026-11-21T10:05:03.120Z,9f3c01ab,shop,up,200,123,1,4/18/35/60/6,,
2026-11-21T10:05:03.120Z,9f3c01ab,api,down,0,,3,,,refused (203.0.113.7:443)
`,
  );
});

Deno.test("any row is one line of the log, and read back as it was written", () => {
  const texts = ['a "quoted", text', "a\nb", "a\r\nb", '"', ",", "'", "ünï 🚀", " blank ", "a\tb"];
  const rows = texts.map((text, index) =>
    row({ run: `0000000${index}`, slug: text.trim() || "x", state: "down", error: text })
  );
  const text = appendRows(appendRows(undefined, rows.slice(0, 4)), rows.slice(4));
  assertEquals(
    parseRows(text).map(({ error }) => error),
    texts.map((one) => one.replace(/\r?\n/, " ")),
  );
  assertEquals(text.split("\n").length, rows.length + 2);
  const [header, ...cells] = parse(text);
  assertEquals(cells.length, rows.length);
  for (const line of cells) assertEquals(line.length, header!.length);
});

Deno.test("no cell is a formula to a spreadsheet, and every cell is read back without its escape", () => {
  const texts = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "'=1",
    "''@x",
    "'quoted'",
    "1-1",
    "--help",
  ];
  const rows = texts.map((text, index) => row({ run: `0000000${index}`, slug: text, error: text }));
  const text = appendRows(undefined, rows);
  for (const cell of parse(text).flat()) assert(!/^[=+\-@\t\r]/.test(cell), cell);
  assertEquals(parseRows(text), rows);
});

Deno.test("a truncated last line is skipped, and removed when rows are added", () => {
  const whole = appendRows(undefined, [row()]);
  const more = appendRows(whole, [row({ run: "00000002", error: "x, y" })]);
  for (let length = whole.length; length < more.length; length++) {
    const torn = more.slice(0, length);
    assertEquals(parseRows(torn), [row()], torn);
    assertEquals(appendRows(torn, [row({ run: "00000003" })]).startsWith(whole), true);
    assertEquals(parseRows(appendRows(torn, [row({ run: "00000003" })])).length, 2);
  }
  assertEquals(parseRows(appendRows("time,run,sl", [row()])), [row()]);
});

Deno.test("a row counts once, by run and site, however often it is written", () => {
  const once = appendRows(undefined, [row()]);
  assertEquals(appendRows(once, [row()]), once);
  assertEquals(appendRows(once, [row({ state: "down" })]), once);
  assertEquals(parseRows(once + once.slice(once.indexOf("\n") + 1)), [row()]);
  const others = [row({ slug: "api" }), row({ run: "00000002" })];
  assertEquals(parseRows(appendRows(once, [row(), ...others])), [row(), ...others]);
});

Deno.test("a site whose name starts like a formula counts once in the log", () => {
  const once = appendRows(undefined, [row({ slug: "--help" })]);
  assertEquals(appendRows(once, [row({ slug: "--help" })]), once);
});

Deno.test("columns are found by name in any order, and unknown ones are skipped", () => {
  const text = `slug,weather,run,time,state,code,attempts,ms
shop,sunny,9f3c01ab,2026-11-21T10:05:03.120Z,up,200,1,12
`;
  assertEquals(parseRows(text), [row({ ms: 12 })]);
  const edited =
    `slug,run,time,state,code,ms\nshop,9f3c01ab,2026-11-21T10:05:03.120Z,up,n/a,fast\n`;
  assertEquals(parseRows(edited), [row({ code: 0, attempts: 0 })]);
});

Deno.test("lines that are not rows are skipped, and kept in the file", () => {
  const good = appendRows(undefined, [row()]);
  const bad = `${good}\nsome words\n,,,,,,,,,\nnever,00000002,shop,up,200,1,1,,,\n`;
  assertEquals(parseRows(bad), [row()]);
  assert(appendRows(bad, [row({ run: "00000003" })]).startsWith(bad));
});

Deno.test("a log with a missing or foreign header is rewritten when rows are added", () => {
  const [header, line] = appendRows(undefined, [row()]).split("\n") as [string, string];
  const damaged = [
    `${line}\n`,
    `\n${line}\n`,
    `${line}\n${header}\n`,
    `<<<<<<< HEAD\n${header}\n${line}\n=======\n${header}\n>>>>>>> theirs\n`,
    `slug,weather,run,time,state,code,attempts\nshop,sunny,${row().run},${TIME},up,200,1\n`,
  ];
  for (const text of damaged) {
    assertEquals(parseRows(text).map(({ slug, run }) => [slug, run]), [["shop", row().run]], text);
    const next = row({ run: "00000002", state: "down", error: "refused" });
    const repaired = appendRows(text, [next]);
    assertEquals(repaired.split("\n")[0], header);
    assertEquals(parseRows(repaired).at(-1), next);
    assertEquals(appendRows(repaired, [next]), repaired);
  }
  const saved = "time;run;slug;state\n2026-11-21T10:05:00Z;9f3c01ab;shop;up\n";
  assertEquals(appendRows(saved, []), `${header}\n${saved}`);
});

Deno.test("a log saved by a spreadsheet is readable", () => {
  const text = `\ufeff${appendRows(undefined, [row()]).replaceAll("\n", "\r\n")}`;
  assertEquals(parseRows(text), [row()]);
  assertEquals(parseRows(appendRows(text, [row({ run: "00000002" })])).length, 2);
});

Deno.test("phases count for their hour only", () => {
  const text = appendRows(undefined, [
    row({ phases: "1/2/3/4/5", time: TIME.subtract({ minutes: 6 }) }),
    row({ run: "00000002", slug: "api", phases: "1/2/3/4/5" }),
    row({ run: "00000002", slug: "plain" }),
  ]);
  const waiting = [
    row({ slug: "shop", phases: "1/2/3/4/5" }),
    row({ slug: "early", phases: "1/2/3/4/5", time: TIME.subtract({ minutes: 6 }) }),
    row({ slug: "bare" }),
  ];
  assertEquals(sitesWithPhases(text, [], TIME), new Set(["api"]));
  assertEquals(sitesWithPhases(text, waiting, TIME), new Set(["api", "shop"]));
  assertEquals(sitesWithPhases(text, waiting, TIME.add({ hours: 1 })), new Set());
  assertEquals(sitesWithPhases(undefined, [], TIME), new Set());
});

Deno.test("a row truncated inside quotes hides no other row", () => {
  const line = (minute: number, error: string) =>
    `2026-11-21T10:0${minute}:00.000Z,0000000${minute},shop,down,0,,1,,,${error}\n`;
  const header = "time,run,slug,state,code,ms,attempts,phases,location,error\n";
  const text = header + line(1, "") + line(2, '"said ""no') + line(3, '"a, ""b"""') + line(4, "");
  const runs = parseRows(text).map(({ run }) => run);
  assertEquals(runs, ["00000001", "00000003", "00000004"]);
});

Deno.test("a run has one row of a site as a whole, and one of each of its locations", () => {
  const rows = [
    row({ state: "degraded" }),
    row({ location: "Frankfurt", state: "down" }),
    row({ location: "São Paulo" }),
  ];
  const text = appendRows(undefined, rows);
  assertEquals(parseRows(text), rows);
  assertEquals(
    appendRows(text, [...rows, row({ location: "Oslo" })]),
    text + "2026-11-21T10:05:03.120Z,9f3c01ab,shop,up,200,,1,,Oslo,\n",
  );
  // Imported rows are of the site as a whole.
  const imported = [row({ location: "upptime" }), row()];
  assertEquals(parseRows(appendRows(undefined, imported)), imported.slice(0, 1));
});
