import { assertEquals } from "@std/assert";
import type { CheckRow } from "../../../lib/history/checks_log.ts";
import type { Decision } from "../../../lib/pipeline/decide.ts";
import type { Entry } from "../../../lib/outbox/outbox.ts";
import { dryRunText } from "../../../templates/terminal/update.ts";
import { NOW } from "../../helpers/outcomes.ts";

const RUN = "9f3c01ab";
const HEADER = "time,run,slug,state,code,ms,attempts,phases,location,error\n";

function row(run: string, time: Temporal.Instant): CheckRow {
  return { run, time, slug: "shop", state: "up", code: 200, attempts: 1 };
}

function decisionOf(more: Partial<Decision>): Decision {
  return {
    outcomes: [],
    abandoned: [],
    maintenance: [],
    rows: [row(RUN, NOW)],
    parents: new Map(),
    effects: [],
    runState: { run: RUN, time: NOW, rows: [], outbox: [], sites: {}, failedCanaries: 0 },
    flushedRuns: 1,
    files: new Map(),
    ...more,
  };
}

Deno.test("a dry run shows of logs the run's own checks alone, and says that others wait for them", () => {
  const own = "2026-11-21T10:05:03.120Z,9f3c01ab,shop,up,200,,1,,,\n";
  const waiting = "2026-11-20T23:55:00.000Z,11111111,shop,up,200,,1,,,\n";
  const files = new Map([
    ["history/checks/2026-11-20.csv", HEADER + waiting.repeat(288)],
    ["history/checks/2026-11-21.csv", HEADER + own.replace(RUN, "22222222") + own],
  ]);
  const [, ...lines] = dryRunText(decisionOf({ files, flushedRuns: 3 })).split("\n\n");
  assertEquals(lines, [
    "--- history/checks/2026-11-20.csv\n(checks that wait)",
    `--- history/checks/2026-11-21.csv\n${HEADER}${own.trimEnd()}`,
    "The logs also get the checks of 2 runs before.",
  ]);
});

Deno.test("a dry run shows what it would carry out, also of what earlier runs have left", () => {
  const claim = { run: RUN, until: NOW.add({ minutes: 10 }) };
  const entry = (id: string, more: Partial<Entry>): Entry => ({
    id,
    carrier: "of a later version",
    what: `do ${id}`,
    data: {},
    planned: NOW,
    ...more,
  });
  const outbox = [
    entry("new", { claim }),
    entry("left behind", { claim }),
    entry("another run's", { claim: { ...claim, run: "11111111" } }),
    entry("done", { claim, done: { at: NOW, receipt: {} } }),
  ];
  const decision = decisionOf({ effects: [outbox[0]!] });
  const { runState } = decision;
  const text = dryRunText({ ...decision, runState: { ...runState, outbox } });
  assertEquals(text.split("\n\nIt would\n")[1], "  do new\n  do left behind");
});
