import { assertEquals, assertRejects } from "@std/assert";
import { parseRows } from "../../../../lib/history/checks_log.ts";
import { type Incident, parseIncident } from "../../../../lib/history/incident.ts";
import { filesStore } from "../../../../lib/history/store/files_store.ts";
import { folderWorkspace, type Workspace } from "../../../../lib/io/workspace.ts";
import { NOW, resultOf, siteNamed } from "../../../helpers/outcomes.ts";
import { recordResults } from "../../../helpers/runs.ts";
import { makeScratch } from "../../../helpers/scratch.ts";

const SITE = await siteNamed("Shop", "shop");

/** A run that finds the site in a state, `number` minutes after the first. */
async function run(workspace: Workspace, number: number, state: "up" | "down"): Promise<void> {
  const time = NOW.add({ minutes: number });
  const id = String(number).padStart(8, "0");
  const result = resultOf(SITE, state, { began: time, confirmed: time });
  const store = filesStore(workspace, "lock", "git is not installed");
  const { failure } = await recordResults(store, { run: { id, time }, results: [result] });
  if (failure !== undefined) throw failure.cause;
}

async function incidents(workspace: Workspace): Promise<Incident[]> {
  const names = await workspace.list("history/incidents");
  return await Promise.all(
    names.map(async (name) => parseIncident((await workspace.read(`history/incidents/${name}`))!)!),
  );
}

Deno.test("runs in one folder wait for each other, and readers see complete files", async () => {
  await using scratch = await makeScratch();
  await scratch.write("lock", "");
  const workspace = folderWorkspace(scratch.path);
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  await Promise.all(numbers.map((number) => run(workspace, number, "down")));
  const rows = parseRows((await workspace.read("history/checks/2026-11-21.csv"))!);
  assertEquals(rows.map(({ run }) => Number(run)).sort((a, b) => a - b), numbers);
  assertEquals((await incidents(workspace)).length, 1);
  assertEquals(await workspace.list("history"), ["shop.yml", "summary.json"]);
});

class Killed extends Error {}

/** A folder in which a run is killed before it writes one file more than allowed. */
function mortal(folder: string, allowed: number): Workspace {
  const workspace = folderWorkspace(folder);
  return {
    ...workspace,
    write(path, text) {
      if (allowed-- === 0) throw new Killed();
      return workspace.write(path, text);
    },
  };
}

Deno.test("a run killed between two files loses at most its row, and no outage is notified twice", async () => {
  for (const killedAt of [0, 1, 2, 3]) {
    for (const states of [["up", "down"], ["down", "up"]] as const) {
      await using scratch = await makeScratch();
      await scratch.write("lock", "");
      const workspace = folderWorkspace(scratch.path);
      await run(workspace, 0, states[0]);
      await assertRejects(() => run(mortal(scratch.path, killedAt), 1, states[1]), Killed);
      await run(workspace, 2, states[1]);
      await run(workspace, 3, "up");
      const all = await incidents(workspace);
      assertEquals(all.map(({ end }) => end !== undefined), [true], `${states} ${killedAt}`);
      const rows = parseRows((await workspace.read("history/checks/2026-11-21.csv"))!);
      assertEquals(rows.map(({ run }) => Number(run)), killedAt === 0 ? [0, 2, 3] : [0, 1, 2, 3]);
    }
  }
});
