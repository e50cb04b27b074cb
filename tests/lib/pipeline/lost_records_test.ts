import { assertEquals } from "@std/assert";
import { incidentPath, parseIncident } from "../../../lib/history/incident.ts";
import { parseRecord } from "../../../lib/history/record.ts";
import type { Condition } from "../../../lib/state.ts";
import { issueComment } from "../../../templates/issue/issue.ts";
import { describeLosses } from "../../../templates/terminal/update.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";
import { NOW, resultOf, siteNamed } from "../../helpers/outcomes.ts";
import { FILES_ONLY, recordResults } from "../../helpers/runs.ts";

const SHOP = await siteNamed("Shop", "shop", { reopenWithin: 0 });
const RECORD = "history/shop.yml";
const FIRST = incidentPath("2026-11-21-shop");
const SECOND = incidentPath("2026-11-21-shop-2");
const PLACES = { repository: "https://github.com/acme/status", folder: "" };

/** A site that was up for a run and has been down for one, as a store keeps it. */
async function downSite() {
  const store = new MemoryStore();
  let runs = 0;
  const run = (state: Condition, targets = FILES_ONLY) => {
    const time = NOW.add({ minutes: 5 * runs });
    const id = String(++runs).padStart(8, "0");
    const result = resultOf(SHOP, state, { began: time, confirmed: time });
    return recordResults(store, { run: { id, time }, results: [result], targets });
  };
  await run("up");
  const upRecord = store.files.get(RECORD)!;
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
  return { store, run, write, incidents, upRecord };
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

for (const what of ["from before the outage", "naming an incident that is not there"]) {
  for (const next of ["down", "up"] as const) {
    Deno.test(`after a merge has left a record ${what}, the open incident is continued and ends, also if the site is ${next} next`, async () => {
      const { store, run, write, incidents, upRecord } = await downSite();
      const other = store.files.get(RECORD)!.replace("2026-11-21-shop", "2026-11-20-shop");
      await write(RECORD, what === "from before the outage" ? upRecord : other);
      const { state } = await run(next);
      assertEquals(describeLosses(state).length, 1);
      assertEquals(incidents(), [[FIRST, next === "up"]]);
      assertEquals(describeLosses((await run("up")).state), []);
      assertEquals(incidents(), [[FIRST, true]]);
    });
  }
}

Deno.test("a site that is up again when its record is found lost ends its incident", async () => {
  const { run, write, incidents } = await downSite();
  await write(RECORD, null);
  const { decision } = await run("up");
  assertEquals(decision.outcomes[0]?.incident?.action, "close");
  assertEquals(incidents(), [[FIRST, true]]);
});

Deno.test("of several open incidents of a site without a record the oldest is continued, the others end at their start", async () => {
  const { store, run, write, incidents } = await downSite();
  const first = store.files.get(FIRST)!;
  await write(FIRST, first.replace("attempts: 1\n", "attempts: 1\nissue: 3\n"));
  const later = NOW.add({ minutes: 7 });
  const second = first.replace(/^start: .*$/m, `start: ${later}`);
  await write(SECOND, second.replace("attempts: 1\n", "attempts: 1\nissue: 7\n"));
  await write("history/incidents/2026-11-21-shop-window.yml", first.replace("shop", "shop-window"));
  await write(RECORD, null);
  const comments: string[] = [];
  const tracker = {
    place: "issues",
    plan: (event: Parameters<typeof issueComment>[0]) => {
      comments.push(`${event.id} ${event.action} ${issueComment(event, PLACES).split("\n")[0]}`);
      return [];
    },
  };
  await run("down", { ...FILES_ONLY, tracker });
  assertEquals(incidents(), [
    [SECOND, true],
    ["history/incidents/2026-11-21-shop-window.yml", false],
    [FIRST, false],
  ]);
  const { start, end } = parseIncident(store.files.get(SECOND)!)!;
  assertEquals([`${start}`, `${end}`], [`${later}`, `${later}`]);
  assertEquals(comments, [
    "2026-11-21-shop-2 close **Resolved:** this is a duplicate of #3, which is about the same outage.",
  ]);
});
