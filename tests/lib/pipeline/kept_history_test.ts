import { assertEquals } from "@std/assert";
import { BufferedStore } from "../../../lib/history/store/buffered_store.ts";
import { folderWorkspace } from "../../../lib/io/workspace.ts";
import { loadHistoryState } from "../../../lib/pipeline/history_state.ts";
import { KeptHistory } from "../../../lib/pipeline/kept_history.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";
import { NOW, resultOf, siteNamed } from "../../helpers/outcomes.ts";
import fc, { runs } from "../../helpers/property.ts";
import { recordResults } from "../../helpers/runs.ts";
import { StillClock } from "../../helpers/still_clock.ts";

const SITES = [await siteNamed("Shop", "shop"), await siteNamed("Post", "post")];
const STATES = fc.constantFrom("up", "up", "up", "up", "down", "degraded", "unknown");
const RUNS = fc.array(
  fc.record({ states: fc.tuple(STATES, STATES), seconds: fc.constantFrom(10, 10, 10, 60, 900) }),
  { minLength: 5, maxLength: 30 },
);

Deno.test("the state that is kept in memory is the one that would be loaded", async () => {
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

/** Plain values without what is absent: the state is stored without it. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return plain(Object.fromEntries(value));
  if (value instanceof Set) return [...value].sort();
  if (value instanceof Temporal.Instant) return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, plain(one)]);
  return Object.fromEntries(entries.filter(([key, one]) => one !== undefined && key !== "files"));
}
