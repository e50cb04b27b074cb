import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { killGroup } from "../helpers/incident_program.ts";
import { output, runTask, spawnTask } from "../helpers/program.ts";
import { SEED } from "../helpers/property.ts";
import { repetitions } from "../helpers/repetitions.ts";
import {
  allRowsAt,
  cloneRemote,
  configText,
  incidentsAt,
  removeLocks,
  status,
  tip,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

const CLONES = repetitions(2, 4);
/** Rounds in which each clone is killed. */
const ROUNDS = repetitions(2, 7);
/** Runs of each clone that are killed in a row. */
const KILLS = 2;

/** Numbers from 0 to 1, the same for the same seed. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Kills a run, with all that it started, after some milliseconds; it may have ended by then. */
async function killAfter(folder: string, milliseconds: number): Promise<void> {
  const child = spawnTask("update", { folder });
  const timer = setTimeout(() => killGroup(child.pid), milliseconds);
  await output(child);
  clearTimeout(timer);
}

Deno.test(`runs that are killed at any instant lose and double nothing (seed ${SEED})`, async () => {
  await using scratch = await makeScratch();
  const random = dice(SEED);
  let code = 200;
  await using site = httpServer(() => new Response(null, { status: code }));
  await using other = httpServer(() => new Response("ok"));
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": configText({ A: site.url, B: other.url }),
  });
  const clones = await Promise.all(
    Array.from(
      { length: CLONES },
      (_, index) => cloneRemote(remote, join(scratch.path, `${index}`)),
    ),
  );
  const keys = async () => (await allRowsAt(remote)).map(({ run, slug }) => `${run} ${slug}`);
  let outages = 0;

  /** All clones at once, each to its end. */
  const runAll = async () => {
    const before = await keys();
    const runs = clones.map((folder) => runTask("update", { folder }));
    for (const { code, stdout, stderr } of await Promise.all(runs)) {
      assertEquals(code, 0, stdout + stderr);
    }
    const after = await keys();
    assertEquals(before.filter((key) => !after.includes(key)), []);
    assertEquals(new Set(after).size, after.length);
    assert(after.length >= before.length + 2 * CLONES, `${before.length}, ${after.length}`);
    const incidents = await incidentsAt(remote, "main");
    assertEquals(incidents.length, outages);
    const open = incidents.filter(({ end }) => end === undefined);
    assertEquals(open.length, code === 200 ? 0 : 1);
  };

  await runAll();
  const start = performance.now();
  await Promise.all(clones.map((folder) => output(spawnTask("update", { folder }))));
  const usual = performance.now() - start;
  for (let round = 0; round < ROUNDS; round++) {
    const next = Math.floor(round / 2) % 2 === 0 ? 503 : 200;
    if (code === 200 && next === 503) outages++;
    code = next;
    await Promise.all(clones.map(async (clone) => {
      for (let kill = 0; kill < KILLS; kill++) await killAfter(clone, random() * usual);
    }));
    for (const folder of [remote, ...clones]) await removeLocks(folder);
    await runAll();
  }
  code = 200;
  await runAll();
  for (const clone of clones) {
    assertEquals((await runTask("update", { folder: clone })).code, 0);
    assertEquals([await status(clone), await tip(clone)], ["", await tip(remote, "main")]);
    assertEquals(await git(clone, "for-each-ref", "refs/monitor/build", "refs/worktree"), "");
    await git(clone, "fsck", "--strict");
  }
  await git(remote, "fsck", "--strict");
});
