import { assertEquals } from "@std/assert";
import { join } from "node:path";
import type { CheckRow } from "../../lib/history/checks_log.ts";
import { runProcess, runTask } from "../helpers/program.ts";
import {
  allRowsAt,
  cloneRemote,
  configText,
  EVERY_RUN,
  incidentsAt,
  makeRepository,
  remoteAndClone,
  rowsAt,
  rowsIn,
  status,
  tip,
} from "../helpers/repositories.ts";
import { repetitions } from "../helpers/repetitions.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";

const DOWN = `http://127.0.0.1:${closedPort()}`;

/** Runs at the same moment. */
const MANY = repetitions(4, 7);
const FEW = repetitions(3, 5);

/** Two sites that are up and one that is down. */
function config(url: string, top = EVERY_RUN): string {
  return configText({ "Shop": url, 'Ünï, "quoted"': `${url}/2`, "Broken": DOWN }, top);
}

/** Runs `update` in all folders at the same moment; fails if one fails. Runs in one folder are processes. */
async function updateAtOnce(folders: readonly string[]): Promise<void> {
  const run = new Set(folders).size === 1 ? runProcess : runTask;
  const runs = folders.map((folder) => run("update", { folder }));
  for (const { code, stdout, stderr } of await Promise.all(runs)) {
    assertEquals(code, 0, stdout + stderr);
  }
}

function assertEachOnce(rows: readonly CheckRow[], runs: number): void {
  const keys = rows.map(({ run, slug }) => `${run} ${slug}`);
  assertEquals([keys.length, new Set(keys).size], [3 * runs, 3 * runs]);
  assertEquals(new Set(rows.map(({ run }) => run)).size, runs);
}

async function assertOneOutage(folder: string, revision: string): Promise<void> {
  const incidents = await incidentsAt(folder, revision);
  assertEquals(incidents.map(({ slug, end }) => [slug, end]), [["broken", undefined]]);
}

Deno.test("runs at the same moment, each in its own clone, all keep their rows", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config(site.url) });
  const folders = Array.from({ length: MANY }, (_, index) => join(scratch.path, `${index}`));
  await Promise.all(folders.map((folder) => cloneRemote(remote, folder, "--depth=1")));
  await updateAtOnce(folders);
  assertEachOnce(await rowsAt(remote, "main"), MANY);
  await assertOneOutage(remote, "main");
  assertEquals(await git(remote, "rev-list", "--count", "main"), String(MANY + 1));
  for (const folder of folders) {
    assertEquals(await status(folder), "");
    await git(remote, "merge-base", "--is-ancestor", await tip(folder), "main");
  }
});

Deno.test("repeated concurrent runs keep their rows on the branch or in the pending ref", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config(site.url, "") });
  const folders = Array.from({ length: FEW }, (_, index) => join(scratch.path, `${index}`));
  await Promise.all(folders.map((folder) => cloneRemote(remote, folder, "--depth=1")));
  const rounds = repetitions(2, 3);
  for (let round = 1; round <= rounds; round++) {
    await updateAtOnce(folders);
    assertEachOnce(await allRowsAt(remote), FEW * round);
    await assertOneOutage(remote, "main");
  }
  for (const folder of folders) assertEquals(await status(folder), "");
});

Deno.test("runs at the same moment in one clone all keep their rows", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const { remote, folder: clone } = await remoteAndClone(scratch, config(site.url));
  await Deno.writeTextFile(join(clone, "mine"), "mine\n");
  await updateAtOnce(Array(FEW).fill(clone));
  assertEachOnce(await rowsAt(remote, "main"), FEW);
  await assertOneOutage(remote, "main");
  assertEquals(await tip(clone), await tip(remote, "main"));
  assertEquals(await status(clone), "?? mine");
});

Deno.test("runs at the same moment in one repository without a remote all keep their rows", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const folder = await makeRepository(join(scratch.path, "repository"), {
    ".monitorrc.yml": config(site.url),
  });
  await updateAtOnce(Array(FEW).fill(folder));
  assertEachOnce(await rowsAt(folder), FEW);
  await assertOneOutage(folder, "HEAD");
  assertEquals(await git(folder, "rev-list", "--count", "HEAD"), String(FEW + 1));
  assertEquals(await status(folder), "");
  await git(folder, "fsck", "--strict");
});

Deno.test("runs at the same moment in one folder without git all keep their rows", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  await scratch.write(".monitorrc.yml", config(site.url));
  await updateAtOnce(Array(FEW).fill(scratch.path));
  assertEachOnce(await rowsIn(scratch.path), FEW);
  const incidents = await Array.fromAsync(Deno.readDir(join(scratch.path, "history/incidents")));
  assertEquals(incidents.length, 1);
});
