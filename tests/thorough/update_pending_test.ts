import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { wrapGit } from "../helpers/git_wrapper.ts";
import { resultOf, siteNamed } from "../helpers/outcomes.ts";
import { type ProgramResult, runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  commitFile,
  configText,
  incidentsAt,
  pathsAt,
  rowsAt,
  runStateAt,
  status,
  tip,
  writeHook,
} from "../helpers/repositories.ts";
import { configWith, HOUR, recordResults } from "../helpers/runs.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { openStore } from "../../lib/history/store/open_store.ts";
import { randomName, systemClock } from "../../lib/io/clock.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { describeLosses } from "../../templates/terminal/update.ts";

/** Records one run in this process, and returns its exit code and warnings. */
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
    config: configWith({ commitEvery: 24 * HOUR }),
  });
  const said = [...warnings, ...describeLosses(state), ...published?.notes ?? []];
  return {
    code: failure === undefined ? 0 : 1,
    stderr: said.map((text) => `warning: ${text}\n`).join(""),
  };
}

const SITE = await siteNamed("A", "a");

/** Makes a site whose state can be set, and a remote that monitors it with a clone. */
async function rig(scratch: Scratch, ...options: string[]) {
  let code = 200;
  let asked = 0;
  const server = httpServer(() => {
    asked++;
    return new Response(null, { status: code, headers: { "Retry-After": "600" } });
  });
  const config = configText({ A: server.url });
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config });
  const clone = await cloneRemote(remote, join(scratch.path, "clone"), ...options);
  return {
    remote,
    clone,
    config,
    turn: (next: number) => code = next,
    asked: () => asked,
    update: (folder: string) => runIn(folder, code),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Counts the runs whose rows are on the branch, and those that wait in the run state; none may be in one twice. */
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

Deno.test("a run without a commit updates the clone to what others have pushed", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote, update } = site;
  await update(clone);
  const other = await cloneRemote(remote, join(scratch.path, "other"));
  await commitFile(other, "theirs", "1\n");
  await git(other, "push", "--quiet");
  await update(clone);
  assertEquals(await Deno.readTextFile(join(clone, "theirs")), "1\n");
  assertEquals([await tip(clone), await runsAt(remote)], [await tip(remote, "main"), [1, 1]]);
});

Deno.test("a push in between makes a run without a commit decide again", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote, update } = site;
  await update(clone);
  const seed = join(scratch.path, "seed");
  await git(seed, "pull", "--quiet");
  await commitFile(seed, "theirs", "1\n");
  const wrapped = await wrapGit(scratch.path);
  await wrapped.before(`if [ "$command" = push ]; then git -C '${seed}' push --quiet; fi`);
  const { code, stderr } = await runTask("update", { folder: clone, env: wrapped.env });
  assertEquals([code, stderr, await runsAt(remote)], [0, "", [1, 1]]);
  assertEquals((await wrapped.calls()).filter((call) => call === "push").length, 2);
});

Deno.test("a remote without atomic pushes gets the branch first, then the pending ref", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote, update } = site;
  await git(remote, "config", "receive.advertiseAtomic", "false");
  for (const [code, expected] of [[200, 1], [200, 2], [503, 3], [503, 4], [200, 5]]) {
    site.turn(code!);
    const { code: exit, stderr } = await update(clone);
    assertEquals([exit, stderr], [0, ""]);
    const rows = [...await rowsAt(remote, "main"), ...(await runStateAt(remote))!.rows];
    assertEquals(new Set(rows.map(({ run }) => run)).size, expected);
  }
  assertEquals((await rowsAt(remote, "main")).length, 5);
  assertEquals((await incidentsAt(remote, "main")).map(({ end }) => end !== undefined), [true]);
  assertEquals(await git(remote, "rev-list", "--count", "main"), "4");
});

const REFUSALS: Record<string, (remote: string) => Promise<unknown>> = {
  "by a hook for each ref": (remote) =>
    writeHook(remote, "update", 'case "$1" in refs/monitor/*) exit 1;; esac'),
  "by a hook for all": (remote) =>
    writeHook(
      remote,
      "pre-receive",
      'while read -r _ _ ref; do case "$ref" in refs/monitor/*) exit 1;; esac; done',
    ),
  "because it hides it": (remote) => git(remote, "config", "transfer.hideRefs", "refs/monitor"),
};

for (const [how, refuse] of Object.entries(REFUSALS)) {
  Deno.test(`if the remote refuses the ref ${how}, every run commits, with its run state on the branch`, async () => {
    await using scratch = await makeScratch();
    await using site = await rig(scratch);
    const { clone, remote, update } = site;
    await refuse(remote);
    for (const [index, code] of [200, 200, 503, 200].entries()) {
      site.turn(code);
      const { code: exit, stderr } = await update(clone);
      assertEquals([exit, stderr, await runsAt(remote)], [0, "", [index + 1, 0]]);
      assert((await pathsAt(remote, "main")).includes("history/state/memory.json"));
    }
    assertEquals((await incidentsAt(remote, "main")).map(({ end }) => end !== undefined), [true]);
    assertEquals([await tip(clone), await status(clone)], [await tip(remote, "main"), ""]);
    const { stdout } = await runTask("state", { folder: clone });
    assertMatch(stdout, /^Run state +history\/state\nHistory +branch main at origin$/m);
  });
}

Deno.test("run state is in the pending ref once a remote takes it, and the next commit removes it from the branch", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote, update } = site;
  await git(clone, "remote", "remove", "origin");
  site.turn(503);
  await update(clone);
  assert((await pathsAt(clone)).includes("history/state/memory.json"));
  await git(clone, "remote", "add", "origin", `file://${remote}`);
  await git(clone, "push", "--quiet", "--set-upstream", "origin", "main");
  for (let run = 2; run <= 4; run++) {
    const { code, stderr } = await update(clone);
    assertEquals([code, stderr], [0, ""]);
    assertEquals((await runStateAt(remote))?.sites["a"]?.failing?.runs, run);
  }
  site.turn(200);
  await update(clone);
  assert(!(await pathsAt(remote, "main")).some((path) => path.startsWith("history/state/")));
  assertEquals(await runsAt(remote), [5, 0]);
});

Deno.test("a deleted pending ref costs its pending checks, which is reported; open incidents continue", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote, update } = site;
  for (const code of [200, 503, 503]) {
    site.turn(code);
    await update(clone);
  }
  assertEquals(await runsAt(remote), [2, 1]);
  await git(remote, "update-ref", "-d", "refs/monitor/pending");
  const { code, stderr } = await update(clone);
  assertEquals(code, 0);
  assertMatch(
    stderr,
    /^warning: refs\/monitor\/pending is gone from the remote: checks after \d{4}-\d\d-\d\d \d\d:\d\d UTC that no commit holds are lost$/m,
  );
  assertEquals(await runsAt(remote), [3, 0]);
  assertEquals((await incidentsAt(remote, "main")).map(({ end }) => end), [undefined]);
  site.turn(200);
  const next = await update(clone);
  assertEquals([next.code, next.stderr], [0, ""]);
  assertEquals((await incidentsAt(remote, "main")).map(({ end }) => end !== undefined), [true]);
});

Deno.test("a branch reset by a person keeps the pending checks", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone, remote, update } = site;
  const before = await tip(remote, "main");
  for (const code of [200, 503, 503]) {
    site.turn(code);
    await update(clone);
  }
  const seed = join(scratch.path, "seed");
  await git(seed, "commit", "--quiet", "--allow-empty", "--message", "Begin anew");
  await git(seed, "push", "--quiet", "--force");
  const fresh = await cloneRemote(remote, join(scratch.path, "fresh"));
  assertEquals(await update(fresh), { code: 0, stderr: "" });
  assertEquals(await runsAt(remote), [2, 0]);
  assertEquals((await incidentsAt(remote, "main")).length, 1);
  const old = await update(clone);
  assertEquals(old.code, 0);
  assertStringIncludes(old.stderr, "your branch main stays where it is");
  assertEquals(await runsAt(remote), [2, 1]);
  await git(remote, "merge-base", "--is-ancestor", before, "main");
});

Deno.test("checks without a change stay in the pending ref, and a change commits them all", async () => {
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
    /^warning: Cannot fetch from origin: .*; using what was fetched before\n$/,
  );
});

Deno.test("a site that asks not to be checked for a while is committed at once, and the next run leaves it alone", async () => {
  await using scratch = await makeScratch();
  await using site = await rig(scratch);
  const { clone } = site;
  await runTask("update", { folder: clone });
  site.turn(429);
  assertStringIncludes((await runTask("update", { folder: clone })).stdout, "Recorded in ");
  assertEquals(site.asked(), 2);
  const { stdout } = await runTask("update", { folder: clone });
  assertStringIncludes(stdout, "it asked not to be checked before");
  assertEquals(site.asked(), 2);
});
