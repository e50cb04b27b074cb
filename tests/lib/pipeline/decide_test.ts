import { assert, assertEquals } from "@std/assert";
import type { Site } from "../../../lib/config/config.ts";
import type { ProbeResult } from "../../../lib/evaluation/results.ts";
import { configOf } from "../../helpers/sites.ts";
import { parseSummary } from "../../../lib/statistics/summary.ts";
import { appendRows, type CheckRow } from "../../../lib/history/checks_log.ts";
import type { HistoryState } from "../../../lib/pipeline/history_state.ts";
import type { State } from "../../../lib/state.ts";
import type { Capabilities } from "../../../lib/history/store/store.ts";
import { historyState, recordSince } from "../../helpers/history_states.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";
import { LEDGER } from "../../helpers/ledger.ts";
import { outageSince } from "../../helpers/outage.ts";
import { NOW, resultOf, siteNamed } from "../../helpers/outcomes.ts";
import { configWith, decideRun, HOUR, recordResults } from "../../helpers/runs.ts";
import { plansOf } from "../../helpers/windows.ts";

const SITE = await siteNamed("Shop", "shop");
const OPEN: Capabilities = { takesRef: true, commits: true };
const LOG = "history/checks/2026-11-21.csv";
const SUMMARY_FILE = "history/summary.json";
const SUMMARY = JSON.stringify([{ name: "Shop", slug: "shop", status: "up", state: "up" }]);

/** A run some minutes after {@linkcode NOW}, which is five past ten. */
function run(minutes: number) {
  return { id: String(Math.abs(minutes)).padStart(8, "0"), time: NOW.add({ minutes }) };
}

function row(minutes: number): CheckRow {
  const { id, time } = run(minutes);
  return { run: id, time, slug: "shop", state: "up", code: 200, ms: 80, attempts: 1 };
}

/** The site is up, and was last committed at a minute; the rows wait. */
function stateOf(
  flushed: number | undefined,
  rows: CheckRow[] = [],
  more: Partial<HistoryState> = {},
): HistoryState {
  const since = NOW.subtract({ hours: 30 });
  const record = recordSince(since, { lastUpdated: NOW.subtract({ minutes: 5 }) });
  const before = flushed === undefined ? undefined : run(flushed);
  const runState = before && {
    run: before.id,
    time: before.time,
    flushed: { run: before.id, time: before.time },
    rows,
    outbox: [],
    sites: {},
    failedCanaries: 0,
  };
  return historyState({
    capabilities: OPEN,
    records: new Map([["shop", record]]),
    sites: [SITE],
    summary: parseSummary(SUMMARY),
    loadedState: {
      runState,
      rows,
      onBranch: [],
      isInRef: runState !== undefined,
      isRefMissing: false,
      unreadable: [],
    },
    ...more,
  });
}

function decideAt(minutes: number, state: HistoryState, found: State = "up", commitEvery = HOUR) {
  const { time } = run(minutes);
  const result = resultOf(SITE, found as "up", { began: time, confirmed: time });
  return decideResults(minutes, state, [result], commitEvery);
}

function decideResults(
  minutes: number,
  state: HistoryState,
  results: readonly ProbeResult[],
  commitEvery: number,
) {
  return decideRun(state, results, run(minutes), {
    config: configWith({ commitEvery, maxGap: 2 * HOUR }),
    targets: { tracker: LEDGER, dispatches: true },
  });
}

Deno.test("a run that ends after a newer one neither begins nor ends its maintenance again", () => {
  const plan = {
    ...{ source: "configuration" as const, name: "Move", text: "" },
    ...{ start: run(10).time, until: run(20).time },
    sites: new Map([["shop", "down" as const]]),
  };
  const going = { kind: "maintenance" as const, ...plan, updates: [] };
  const late = (
    from: number,
    to: number,
    own: Partial<typeof going & { end: Temporal.Instant }>,
  ) => {
    const shown = own.end === undefined ? "maintenance" : "up";
    const summary = parseSummary(SUMMARY.replace('"state":"up"', `"state":"${shown}"`));
    const maintenance = new Map([["2026-11-21-maintenance-move", { ...going, ...own }]]);
    const { maintenance: changes, files } = decideRun(
      stateOf(from, [], { maintenance, summary }),
      [],
      run(from),
      {
        now: run(to).time,
        config: configWith({ maxGap: 2 * HOUR }),
        plans: { configured: [plan] },
      },
    );
    return [changes.length, files.size];
  };
  assertEquals(late(9, 11, {}), [0, 0]);
  assertEquals(late(19, 21, { end: run(20).time }), [0, 0]);
});

Deno.test("the summary has the last state from each location, until the site is checked from one alone", async () => {
  const { sites } = await configOf([{ name: "Shop", url: "https://shop.example" }], {
    locations: ["Oslo", "Lima"].map((name) => ({ name, runner: "ubuntu-latest" })),
  });
  const [shop] = sites;
  const { time } = run(54);
  const ofLocation = (location: string, state: "up" | "unknown") => (
    { location, state, code: 200, attempts: 1, confirmed: time, isNew: true }
  );
  const locations = [ofLocation("Oslo", "up"), ofLocation("Lima", "unknown")];
  const summaryOf = (site: Site, results: ProbeResult[], text = SUMMARY) => {
    const summary = parseSummary(text);
    const { files } = decideResults(54, stateOf(0, [], { sites: [site], summary }), results, 0);
    return files.get(SUMMARY_FILE)!;
  };
  const result = resultOf(shop!, "up", { began: time, confirmed: time });
  const first = summaryOf(shop!, [{ ...result, locations }]);
  assertEquals(JSON.parse(first)[0].locations, { Oslo: "up", Lima: "unknown" });
  const unchecked = summaryOf(shop!, [], first);
  assertEquals(JSON.parse(unchecked)[0].locations, { Oslo: "up", Lima: "unknown" });
  assert(!summaryOf(SITE, [resultOf(SITE, "up")], first).includes("locations"));
});

Deno.test("checks without a change stay pending until the next full hour of UTC", () => {
  const first = decideAt(54, stateOf(0, [row(1)]));
  assertEquals([[...first.files.keys()], first.flushedRuns], [[], 0]);
  assertEquals(first.runState.rows.map(({ run }) => run), ["00000001", "00000054"]);
  assertEquals(String(first.dueAt), "2026-11-21T11:00:00Z");
  const next = decideAt(55, stateOf(0, [row(1), row(54)]));
  assertEquals([[...next.files.keys()], next.flushedRuns], [
    [LOG, "history/shop.yml", SUMMARY_FILE],
    3,
  ]);
  assertEquals([next.runState.rows, next.dueAt], [[], undefined]);
  assertEquals(next.runState.flushed, { run: "00000055", time: run(55).time });
});

Deno.test("a late run of the hour before a commit needs none of its own, nor does the next", () => {
  const late = decideAt(54, stateOf(56));
  assertEquals([late.files.size, late.runState.rows.length], [0, 1]);
  const next = decideAt(57, stateOf(56, late.runState.rows));
  assertEquals([next.files.size, String(next.dueAt)], [0, "2026-11-21T12:00:00Z"]);
});

Deno.test("a last commit that is hours ahead was made by a wrong clock, and holds up no other", () => {
  assert(decideAt(54, stateOf(300)).files.size > 0);
});

Deno.test("a run commits at once if something changes, if there is no run state, and if every run should", () => {
  assertEquals(decideAt(1, stateOf(0), "down").files.size, 7);
  assertEquals(decideAt(1, stateOf(undefined)).files.size, 3);
  assertEquals(decideAt(1, stateOf(0), "up", 0).files.size, 3);
  assertEquals(decideAt(1, stateOf(0, [], { unreadable: ["history/shop.yml"] })).files.size, 3);
  assertEquals(decideAt(1, stateOf(0), "unknown").files.size, 0);
});

Deno.test("an incident and a window that start in one run under the same name have files of their own", async () => {
  const site = await siteNamed("Maintenance move", "maintenance-move");
  const { time } = run(0);
  const window = {
    source: "configuration" as const,
    name: "Move",
    start: time,
    until: time.add({ hours: 1 }),
    sites: new Map([["shop", "down" as const]]),
    text: "",
  };
  const { files } = decideRun(stateOf(0), [resultOf(site, "down")], run(0), {
    targets: { tracker: LEDGER },
    plans: { configured: [window] },
  });
  assertEquals([...files.keys()].filter((path) => path.includes("incidents")).sort(), [
    "history/incidents/2026-11-21-maintenance-move-2.yml",
    "history/incidents/2026-11-21-maintenance-move.yml",
  ]);
});

Deno.test("a clock that is set back causes one commit", () => {
  const back = decideAt(-120, stateOf(0));
  assertEquals(back.flushedRuns, 1);
  const after = { ...stateOf(-120) };
  assertEquals(decideAt(-115, after).flushedRuns, 0);
});

Deno.test("each check goes into the log of its own day, and no log gets one twice", () => {
  const late = row(13 * 60 + 54);
  const logs = new Map([[LOG, appendRows(undefined, [row(1)])]]);
  const state = stateOf(0, [row(1), late], { logs });
  const { files, flushedRuns } = decideAt(13 * 60 + 55, state);
  assertEquals([...files.keys()].filter((path) => path.endsWith(".csv")), [
    LOG,
    "history/checks/2026-11-22.csv",
  ]);
  assertEquals(files.get(LOG), appendRows(undefined, [row(1), late]));
  assertEquals(flushedRuns, 2);
});

Deno.test("if the remote rejects commits everything stays pending; if it rejects the ref nothing does", () => {
  const kept = decideAt(
    55,
    stateOf(0, [row(1)], { capabilities: { ...OPEN, commits: false } }),
    "down",
  );
  assertEquals([kept.files.size, kept.runState.rows.length, kept.runState.outbox.length], [
    0,
    2,
    3,
  ]);
  const refused = decideAt(
    1,
    stateOf(0, [row(0)], { capabilities: { ...OPEN, takesRef: false } }),
  );
  assertEquals([...refused.files.keys()], [
    LOG,
    "history/state/memory.json",
    "history/shop.yml",
    SUMMARY_FILE,
  ]);
  assertEquals(refused.pending, undefined);
});

Deno.test("the next commit removes a run state from the branch if the remote takes the ref", () => {
  const onBranch = ["history/state/memory.json"];
  const state = stateOf(0);
  const known = { ...state, loadedState: { ...state.loadedState, onBranch } };
  assertEquals(decideAt(5, known).files.size, 0);
  const due = decideAt(60, known);
  assertEquals([due.pending?.has("memory.json"), due.files.get(onBranch[0]!)], [true, null]);
});

Deno.test("open incidents that no tracker knows are tracked once", () => {
  const open = outageSince(NOW);
  const state = stateOf(undefined);
  const record = {
    ...state.records.get("shop")!,
    status: "down" as const,
    incident: "2026-11-20-shop",
  };
  const known = {
    ...state,
    summary: parseSummary(SUMMARY.replaceAll('"up"', '"down"')),
    records: new Map([["shop", record]]),
    incidents: new Map([["2026-11-20-shop", open]]),
  };
  const { effects, runState } = decideAt(5, known, "down");
  assertEquals(effects.map(({ id }) => id), ["2026-11-20-shop/open"]);
  const loadedState = { ...known.loadedState, runState };
  assertEquals(decideAt(10, { ...known, loadedState }, "down").effects, []);
  const numbered = new Map([["2026-11-20-shop", { ...open, issue: 7 }]]);
  assertEquals(decideAt(5, { ...known, incidents: numbered }, "down").effects, []);
});

Deno.test("a new site in maintenance stays so in runs that check other sites only", async () => {
  const [shop, blog] = [await siteNamed("Shop", "shop"), await siteNamed("Blog", "blog")];
  const store = new MemoryStore();
  const { time } = run(0);
  const plans = plansOf(["shop"], time.subtract({ hours: 1 }), time.add({ hours: 1 }));
  const configured = [shop, blog];
  const states = [];
  for (const [minutes, sites] of [[0, [shop, blog]], [1, [blog]], [2, [blog]]] as const) {
    const at = { began: run(minutes).time, confirmed: run(minutes).time };
    const results = sites.map((site) => resultOf(site, "up", at));
    const config = configWith({ commitEvery: 0 });
    await recordResults(store, {
      run: run(minutes),
      results,
      configured,
      config,
      people: { plans },
    });
    const summary = parseSummary(store.files.get(SUMMARY_FILE) ?? "");
    states.push(summary.get("shop")?.current.state);
  }
  assertEquals(states, ["maintenance", "maintenance", "maintenance"]);
});
