import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { type GitWrapper, wrapGit } from "../helpers/git_wrapper.ts";
import { type ProgramResult, runProcess, runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  configText,
  EVERY_RUN,
  incidentsAt,
  remoteAndClone,
  rowsAt,
  status,
  tip,
} from "../helpers/repositories.ts";
import { git, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

function update(folder: string, env?: Record<string, string>): Promise<ProgramResult> {
  return runTask("update", { folder, env });
}

/** A site that is up in one run and down in the next: every run has an incident to open or to close. */
function switchingSite() {
  let code = 200;
  const server = httpServer(() => new Response(null, { status: code }));
  return {
    url: server.url,
    turn: () => code = code === 200 ? 503 : 200,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The git commands that change something: a run killed before another one might as well be killed before the next of these. */
const CHANGING = ["fast-import", "push", "read-tree", "update-ref"];

/**
 * Kills a run before each of the given git commands, and completes a run after each. Returns the commands
 * before which it killed. `place` contains the history.
 */
async function killEverywhere(
  folder: string,
  wrapped: GitWrapper,
  turn: () => unknown,
  place: { folder: string; revision: string },
  commands: readonly string[],
): Promise<string[]> {
  assertEquals((await update(folder)).code, 0);
  const killed: string[] = [];
  for (let number = 1;; number++) {
    turn();
    await wrapped.killBefore(number, commands);
    const { code } = await runProcess("update", { folder, env: wrapped.env });
    if (code === 0) return killed;
    assertEquals(code, 137);
    const command = (await wrapped.calls()).at(-1)!;
    killed.push(command);

    const { code: next, stdout, stderr } = await update(folder);
    assertEquals(next, 0, `after a kill before ${command}: ${stdout}${stderr}`);
    assertEquals([await status(folder), stderr], ["", ""], `after a kill before ${command}`);
    assertEquals(await tip(folder), await tip(place.folder, place.revision), command);
    const runs = (await rowsAt(place.folder, place.revision)).map(({ run }) => run);
    assertEquals(new Set(runs).size, runs.length);
    assert(runs.length >= 1 + killed.length, `a run that ended is lost after ${command}`);
    const incidents = await incidentsAt(place.folder, place.revision);
    assertEquals(incidents.length, Math.ceil(killed.length / 2), command);
    const open = incidents.filter(({ end }) => end === undefined);
    assertEquals(open.length, killed.length % 2, command);
    assertEquals(await git(folder, "for-each-ref", "refs/monitor/build"), "");
  }
}

Deno.test("a run killed at any git command costs its own row at most, with a remote", async () => {
  await using scratch = await makeScratch();
  await using site = switchingSite();
  const config = configText({ A: site.url }, EVERY_RUN);
  const { remote, folder: clone } = await remoteAndClone(scratch, config);
  const wrapped = await wrapGit(scratch.path);
  const killed = await killEverywhere(clone, wrapped, site.turn, {
    folder: remote,
    revision: "main",
  }, CHANGING);
  assertEquals(killed, ["fast-import", "push", "read-tree", "update-ref", "read-tree"]);
  await git(clone, "fsck", "--strict");
});

async function cloneBehind(scratch: Scratch, url: string): Promise<[string, string, string]> {
  const config = configText({ A: url }, EVERY_RUN);
  const { remote, folder: clone } = await remoteAndClone(scratch, config);
  const other = await cloneRemote(remote, join(scratch.path, "other"));
  assertEquals((await update(other)).code, 0);
  return [remote, clone, other];
}

Deno.test("a run that is overtaken between fetch and push decides again and keeps both", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response(null, { status: 503 }));
  const [remote, clone] = await cloneBehind(scratch, site.url);
  const seed = join(scratch.path, "seed");
  await git(seed, "pull", "--quiet");
  await git(seed, "commit", "--quiet", "--allow-empty", "--message", "Theirs");
  const wrapped = await wrapGit(scratch.path);
  const push = `git -C '${seed}' push --quiet`;
  await wrapped.before(`if [ "$command" = push ]; then ${push}; fi`);
  const { code, stdout, stderr } = await update(clone, wrapped.env);
  assertEquals([code, stderr], [0, ""], stdout);
  assertEquals((await wrapped.calls()).filter((call) => call === "push").length, 2);
  assertEquals((await rowsAt(remote, "main")).length, 2);
  assertEquals((await incidentsAt(remote, "main")).length, 1);
  assertEquals(await git(remote, "log", "-1", "--skip=1", "--format=%s", "main"), "Theirs");
  assertEquals([await tip(clone), await status(clone)], [await tip(remote, "main"), ""]);
});
