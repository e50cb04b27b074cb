import { assertEquals } from "@std/assert";
import { incidentPath, parseIncident } from "../../../lib/history/incident.ts";
import { parseRecord } from "../../../lib/history/record.ts";
import { BufferedStore } from "../../../lib/history/store/buffered_store.ts";
import { folderWorkspace } from "../../../lib/io/workspace.ts";
import { Turns } from "../../../lib/pipeline/turns.ts";
import { loadHistoryState } from "../../../lib/pipeline/history_state.ts";
import { KeptHistory } from "../../../lib/pipeline/kept_history.ts";
import { incidentEvents } from "../../../lib/pipeline/plan_effects.ts";
import type { Condition } from "../../../lib/state.ts";
import { formatTime } from "../../../lib/time.ts";
import { describeLosses } from "../../../templates/terminal/update.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";
import { NOW, resultOf, siteNamed } from "../../helpers/outcomes.ts";
import fc, { runs } from "../../helpers/property.ts";
import { recordResults } from "../../helpers/runs.ts";
import { StillClock } from "../../helpers/still_clock.ts";

const POST = await siteNamed("Post", "post");
const SHOP = await siteNamed("Shop", "shop", { reopenWithin: 0 });
const RECORD = "history/shop.yml";
const FIRST = incidentPath("2026-11-21-shop");

/** A site that was up for a run and has been down for one, as a store keeps it. */
async function downSite() {
  const store = new MemoryStore();
  let runs = 0;
  const run = (state: Condition) => {
    const time = NOW.add({ minutes: 5 * runs });
    const id = String(++runs).padStart(8, "0");
    const result = resultOf(SHOP, state, { began: time, confirmed: time });
    return recordResults(store, { run: { id, time }, results: [result] });
  };
  await run("up");
  const before = store.files.get(RECORD)!;
  await run("down");
  const write = (path: string, text: string | null) =>
    store.publish(() =>
      Promise.resolve({
        run: "ffffffff",
        time: NOW,
        files: new Map([[path, text]]),
        message: "By hand",
        author: { name: "Jo", email: "jo@example.com" },
      })
    );
  const incidents = () =>
    [...store.files].filter(([path]) => path.startsWith("history/incidents/")).sort()
      .map(([path, text]) => [path, parseIncident(text)!.end !== undefined]);
  return { store, run, write, incidents, before };
}

/** Edits after which the record of a site that is down names no open incident, given it and that of the run before. */
const EDITS: Readonly<Record<string, (record: string, before: string) => string | null>> = {
  "is lost": () => null,
  "is unreadable": () => "<<<<<<< HEAD\nurl: a\n",
  "has lost the name of its incident": (record) => record.replace(/^incident:.*\n/m, ""),
  "names an incident without a file": (record) => record.replace(/^incident: /m, "$&2020-"),
  "comes from an older commit": (_, before) => before,
};

for (const [what, edit] of Object.entries(EDITS)) {
  Deno.test(`if a record ${what}, its open incident is continued, and ends later`, async () => {
    const { store, run, write, incidents, before } = await downSite();
    const { since } = parseRecord(store.files.get(RECORD)!)!;
    await write(RECORD, edit(store.files.get(RECORD)!, before));
    const { state, decision } = await run("down");
    assertEquals(incidents(), [[FIRST, false]]);
    assertEquals(decision.outcomes.map(({ change, incident }) => [change, incident]), [
      [undefined, undefined],
    ]);
    const record = parseRecord(store.files.get(RECORD)!)!;
    assertEquals([record.since, record.incident, record.status], [
      since,
      "2026-11-21-shop",
      "down",
    ]);
    assertEquals(
      describeLosses(state).at(-1),
      "history/shop.yml was lost or changed while history/incidents/2026-11-21-shop.yml is open, which is continued",
    );
    assertEquals(describeLosses((await run("down")).state), []);
    await run("up");
    assertEquals(incidents(), [[FIRST, true]]);
  });

  Deno.test(`if a record ${what} and the site is up again, its incident ends`, async () => {
    const { store, run, write, incidents, before } = await downSite();
    await write(RECORD, edit(store.files.get(RECORD)!, before));
    const { decision } = await run("up");
    assertEquals(decision.outcomes[0]?.incident?.action, "close");
    assertEquals(incidents(), [[FIRST, true]]);
  });
}

Deno.test("an incident whose file is older than the record ends when the site was up", async () => {
  const { store, run, write } = await downSite();
  const open = store.files.get(FIRST)!;
  await run("up");
  const ended = store.files.get(FIRST)!;
  for (const state of ["up", "down"] as const) {
    await write(FIRST, open);
    const { decision } = await run(state);
    assertEquals(decision.effects, []);
    assertEquals(store.files.get(FIRST), ended);
  }
});

Deno.test("of several open incidents of a site the named one is continued, and all end once the site is up", async () => {
  const { store, run, write, incidents } = await downSite();
  const second = incidentPath("2026-11-20-shop");
  await write(second, store.files.get(FIRST)!.replace("kind: down", "kind: degraded"));
  const { state } = await run("down");
  assertEquals(describeLosses(state), [
    "history/incidents/2026-11-20-shop.yml is open, but history/shop.yml does not name it; it ends once the site is up or no longer monitored",
  ]);
  assertEquals(incidents(), [[second, false], [FIRST, false]]);
  const { decision } = await run("up");
  assertEquals(incidents(), [[second, true], [FIRST, true]]);
  const end = (path: string) => parseIncident(store.files.get(path)!)!.end;
  assertEquals(end(second), end(FIRST));
  // Both have an issue, but channels know of one outage.
  assertEquals(incidentEvents(decision).map(({ id, action }) => [id, action]), [
    ["2026-11-21-shop", "close"],
    ["2026-11-20-shop", "close"],
  ]);
  assertEquals(decision.outcomes.map(({ incident }) => incident?.action), ["close"]);
  assertEquals(describeLosses((await run("up")).state), []);
});

Deno.test("of several open incidents that the record does not name, the oldest is continued", async () => {
  const { store, run, write, incidents } = await downSite();
  const later = incidentPath("2026-11-21-shop-2");
  const text = store.files.get(FIRST)!;
  const { start } = parseIncident(text)!;
  await write(later, text.replaceAll(formatTime(start), formatTime(start.add({ seconds: 1 }))));
  await write(RECORD, store.files.get(RECORD)!.replace(/^incident:.*\n/m, ""));
  await run("down");
  assertEquals(parseRecord(store.files.get(RECORD)!)!.incident, "2026-11-21-shop");
  await run("up");
  assertEquals(incidents(), [[later, true], [FIRST, true]]);
});

Deno.test("an open incident of a site without a record that is no longer monitored ends, that of a paused one stays", async () => {
  for (const [configured, isOver] of [[[POST], true], [[POST, SHOP], false]] as const) {
    const { store, write, incidents } = await downSite();
    await write(RECORD, null);
    const run = { id: "0000000a", time: NOW.add({ hours: 1 }) };
    const results = [resultOf(POST, "up", { began: run.time, confirmed: run.time })];
    await recordResults(store, { run, results, configured });
    assertEquals(incidents(), [[FIRST, isOver]]);
  }
});

Deno.test("maintenance and incidents that people report are not continued", async () => {
  const { run, write, store } = await downSite();
  await run("up");
  const times = "start: 2026-11-21T10:00:00.000Z\nuntil: 2026-11-29T10:00:00.000Z\n";
  const files = {
    "2026-11-21-maintenance-shop":
      `kind: maintenance\nsource: hand\nname: Shop\n${times}sites: {}\n`,
    "2026-11-21-manual-7":
      "kind: manual\nname: Shop\nsites:\n  - shop\nimpact: major\nstart: 2026-11-21T10:00:00.000Z\nissue: 7\n",
  };
  for (const [id, text] of Object.entries(files)) await write(incidentPath(id), text);
  const before = new Map(store.files);
  assertEquals(describeLosses((await run("up")).state), []);
  for (const id of Object.keys(files)) {
    assertEquals(store.files.get(incidentPath(id)), before.get(incidentPath(id)));
  }
});

const SITES = [await siteNamed("Shop", "shop"), await siteNamed("Post", "post")];
const STATES = fc.constantFrom("up", "up", "up", "up", "down", "degraded", "unknown");
const RUNS = fc.array(
  fc.record({ states: fc.tuple(STATES, STATES), seconds: fc.constantFrom(10, 10, 10, 60, 900) }),
  { minLength: 5, maxLength: 30 },
);

Deno.test("the state kept in memory equals the one that would be loaded", async () => {
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(RUNS, async (all) => {
      const clock = new StillClock(String(NOW));
      const nowhere = () => Promise.resolve(undefined);
      const file = { read: nowhere, write: nowhere, remove: nowhere };
      const store = new BufferedStore(new MemoryStore(), {
        file,
        clock,
        holder: { [Symbol.dispose]() {} },
      });
      const history = new KeptHistory(folderWorkspace("/"), store, new Turns());
      let last: unknown;
      for (const [index, { states, seconds }] of all.entries()) {
        clock.pass(1000 * seconds);
        const run = { id: String(index).padStart(8, "0"), time: clock.now() };
        const scope = { sites: SITES, configured: SITES, time: run.time, keepDays: 35 };
        const { load } = await history.open(scope);
        const state = await load(await store.read());
        if (state === last) kept++;
        const loaded = await loadHistoryState(await store.read(), scope);
        // Incidents that are too old to be reopened are forgotten with the next commit.
        const ended = new Map([...state.ended].filter(([id]) => loaded.ended.has(id)));
        assertEquals(plain({ ...state, ended }), plain(loaded));
        const seen = { began: run.time, confirmed: run.time, responseTime: 123 };
        const results = SITES.map((site, number) => resultOf(site, states[number]!, seen));
        const recorded = await recordResults(store, { run, results, state });
        history.keep(recorded);
        last = await load(await store.read());
      }
    }),
    { numRuns: runs(8, 40) },
  );
  assertEquals(kept > 50, true);
});

/** Plain values without absent ones: the state is stored without them. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return plain(Object.fromEntries(value));
  if (value instanceof Set) return [...value].sort();
  if (value instanceof Temporal.Instant) return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, plain(one)]);
  return Object.fromEntries(entries.filter(([key, one]) => one !== undefined && key !== "files"));
}
