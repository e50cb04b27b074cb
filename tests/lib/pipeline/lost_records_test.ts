import { assertEquals } from "@std/assert";
import { incidentPath, parseIncident } from "../../../lib/history/incident.ts";
import { parseRecord } from "../../../lib/history/record.ts";
import type { Condition } from "../../../lib/state.ts";
import { describeLosses } from "../../../templates/terminal/update.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";
import { NOW, resultOf, siteNamed } from "../../helpers/outcomes.ts";
import { FILES_ONLY, recordResults } from "../../helpers/runs.ts";

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
