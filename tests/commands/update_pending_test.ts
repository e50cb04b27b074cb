import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { resultOf, siteNamed } from "../helpers/outcomes.ts";
import { type ProgramResult, runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  configText,
  incidentsAt,
  ONCE_A_DAY,
  rowsAt,
  runStateAt,
  status,
  tip,
} from "../helpers/repositories.ts";
import { HOUR, recordResults } from "../helpers/runs.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { openStore } from "../../lib/history/store/open_store.ts";
import { randomName, systemClock } from "../../lib/io/clock.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { describeLosses } from "../../templates/terminal/update.ts";

/** A run in this process, without the start of the program: what it exits with, and what it warns of. */
async function runIn(
  folder: string,
  code: number,
): Promise<Pick<ProgramResult, "code" | "stderr">> {
  const warnings: string[] = [];
  const store = await openStore(folder, {
    workspace: folderWorkspace(folder),
    lock: ".monitorrc.yml",
    clock: systemClock,
    warn: (text) => warnings.push(text),
  });
  const time = Temporal.Now.instant();
  const seen = { began: time, confirmed: time, code };
  const { state, published, failure } = await recordResults(store, {
    run: { id: randomName(), time },
    results: [resultOf(SITE, code === 200 ? "up" : "down", seen)],
    commitEvery: 24 * HOUR,
  });
  const said = [...warnings, ...describeLosses(state), ...published?.notes ?? []];
  return {
    code: failure === undefined ? 0 : 1,
    stderr: said.map((text) => `warning: ${text}\n`).join(""),
  };
}

const SITE = await siteNamed("A", "a");

/** A site whose state can be set, in a remote with a clone of it. */
async function rig(scratch: Scratch, ...options: string[]) {
  let code = 200;
  const server = httpServer(() => new Response(null, { status: code }));
  const config = configText({ A: server.url }, ONCE_A_DAY);
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config });
  const clone = await cloneRemote(remote, join(scratch.path, "clone"), ...options);
  return {
    remote,
    clone,
    config,
    turn: (next: number) => code = next,
    update: (folder: string) => runIn(folder, code),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** How often each run stands on the branch, and among what waits. */
async function runsAt(
  remote: string,
  branch = "main",
): Promise<[committed: number, waiting: number]> {
  const committed = (await rowsAt(remote, branch)).map(({ run }) => run);
  assertEquals(new Set(committed).size, committed.length);
  const waiting = (await runStateAt(remote, branch))?.rows.map(({ run }) => run) ?? [];
  assertEquals(new Set(waiting).size, waiting.length);
  return [committed.length, waiting.length];
}

Deno.test("checks in which nothing changes wait beside the branch, and a change commits them all", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote } = site;
  await runTask("update", { folder: clone });
  const first = await tip(remote, "main");
  for (let number = 1; number <= 2; number++) {
    const { stdout, stderr } = await runTask("update", { folder: clone });
    assertEquals(stderr, "");
    const checks = number === 1 ? "1 check waits" : "2 checks wait";
    assertStringIncludes(
      stdout,
      `1 up. ${checks} in refs/monitor/pending at origin for the commit at 00:00 UTC.`,
    );
    assertEquals([await tip(remote, "main"), await runsAt(remote)], [first, [1, number]]);
  }
  site.turn(503);
  assertStringIncludes((await runTask("update", { folder: clone })).stdout, "Recorded in ");
  assertEquals(await runsAt(remote), [4, 0]);
  assertEquals((await incidentsAt(remote, "main")).map(({ end }) => end), [undefined]);
  assertEquals(await git(remote, "rev-list", "--count", "main"), "3");
  assertEquals([await tip(clone), await status(clone)], [await tip(remote, "main"), ""]);
  assertEquals((await runStateAt(remote))!.outbox, []);
});

Deno.test("a fetch that fails in a fresh clone is not reported as lost checks", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote, update } = site;
  await update(clone);
  await update(clone);
  const fresh = await cloneRemote(remote, join(scratch.path, "fresh"), "--depth=1");
  await git(fresh, "remote", "set-url", "origin", join(scratch.path, "nowhere"));
  const { stderr } = await runTask("update", { folder: fresh, args: ["--dry-run"] });
  assertMatch(
    stderr,
    /^warning: Cannot fetch from origin: .*; going on from what is known here\n$/,
  );
});
