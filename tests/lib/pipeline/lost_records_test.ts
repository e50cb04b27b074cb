import { assertEquals } from "@std/assert";
import { incidentPath, parseIncident } from "../../../lib/history/incident.ts";
import { parseRecord } from "../../../lib/history/record.ts";
import { BufferedStore } from "../../../lib/history/store/buffered_store.ts";
import { folderWorkspace } from "../../../lib/io/workspace.ts";
import { loadHistoryState } from "../../../lib/pipeline/history_state.ts";
import { KeptHistory } from "../../../lib/pipeline/kept_history.ts";
import type { Condition } from "../../../lib/state.ts";
import { describeLosses } from "../../../templates/terminal/update.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";
import { NOW, resultOf, siteNamed } from "../../helpers/outcomes.ts";
import fc, { runs } from "../../helpers/property.ts";
import { FILES_ONLY, recordResults } from "../../helpers/runs.ts";
import { StillClock } from "../../helpers/still_clock.ts";

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
    return recordResults(store, { run: { id, time }, results: [result], targets: FILES_ONLY });
  };
  await run("up");
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
  return { store, run, write, incidents };
}

for (const [what, text] of [["lost", null], ["unreadable", "<<<<<<< HEAD\nurl: a\n"]] as const) {
  Deno.test(`a record that is ${what} while its incident is open is restored from that, which ends later`, async () => {
    const { store, run, write, incidents } = await downSite();
    const before = parseRecord(store.files.get(RECORD)!)!;
    await write(RECORD, text);
    const { state, decision } = await run("down");
    assertEquals(incidents(), [[FIRST, false]]);
    assertEquals(decision.outcomes.map(({ change, incident }) => [change, incident]), [
      [undefined, undefined],
    ]);
    const { since, incident, status } = parseRecord(store.files.get(RECORD)!)!;
    assertEquals({ since, incident, status }, {
      since: before.since,
      incident: "2026-11-21-shop",
      status: "down",
    });
    assertEquals(
      describeLosses(state).at(-1),
      "history/shop.yml was lost or changed while history/incidents/2026-11-21-shop.yml is open, which is continued",
    );
    assertEquals(describeLosses((await run("down")).state), []);
    await run("up");
    assertEquals(incidents(), [[FIRST, true]]);
  });
}

Deno.test("a site that is up again when its record is found lost ends its incident", async () => {
  const { run, write, incidents } = await downSite();
  await write(RECORD, null);
  const { decision } = await run("up");
  assertEquals(decision.outcomes[0]?.incident?.action, "close");
  assertEquals(incidents(), [[FIRST, true]]);
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
      const history = new KeptHistory(folderWorkspace("/"), store);
      let last: unknown;
      for (const [index, { states, seconds }] of all.entries()) {
        clock.pass(1000 * seconds);
        const run = { id: String(index).padStart(8, "0"), time: clock.now() };
        const scope = { sites: SITES, configured: SITES, time: run.time, keepDays: 35 };
        const { state } = await history.open(scope);
        if (state === last) kept++;
        const loaded = await loadHistoryState(await store.read(), scope);
        // Incidents that are too old to be reopened are forgotten with the next commit.
        const ended = new Map([...state.ended].filter(([id]) => loaded.ended.has(id)));
        assertEquals(plain({ ...state, ended }), plain(loaded));
        const seen = { began: run.time, confirmed: run.time, responseTime: 123 };
        const results = SITES.map((site, number) => resultOf(site, states[number]!, seen));
        const recorded = await recordResults(store, { run, results, state });
        history.keep(state, recorded);
        last = (await history.open(scope)).state;
      }
    }),
    { numRuns: runs(20) },
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
