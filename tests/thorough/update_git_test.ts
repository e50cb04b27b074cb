import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { makeRig, succeed } from "../helpers/rig.ts";
import { githubServer } from "../helpers/github_server.ts";
import { runProcess, runTask } from "../helpers/program.ts";
import {
  allRowsAt,
  cloneRemote,
  commitFile,
  configText,
  EVERY_RUN,
  incidentsAt,
  makeRepository,
  pathsAt,
  remoteAndClone,
  rowsAt,
  rowsIn,
  runStateAt,
  status,
  tip,
  writeHook,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";

Deno.test("update makes the first commit of a repository that has none", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  await git(scratch.path, "init", "--quiet");
  await scratch.write(".monitorrc.yml", configText({ A: site.url }, EVERY_RUN));
  for (const count of [1, 2]) {
    const said = await succeed("update", scratch.path);
    assertMatch(said, /Recorded in [0-9a-f]{7} on branch main, no remote\.$/m);
    assertEquals(await git(scratch.path, "rev-list", "--count", "main"), String(count));
    assertEquals((await rowsAt(scratch.path)).length, count);
    assertEquals(await status(scratch.path), "?? .monitorrc.yml");
  }
  assert(!(await pathsAt(scratch.path)).includes(".monitorrc.yml"));
});

Deno.test("update commits locally if the branch does not exist on the remote, and says so", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = join(scratch.path, "remote.git");
  await git(scratch.path, "init", "--quiet", "--bare", remote);
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
  await commitFile(clone, ".monitorrc.yml", configText({ A: site.url }, EVERY_RUN));
  for (const count of [1, 2]) {
    const said = await succeed("update", clone);
    assertStringIncludes(
      said,
      "origin has no branch main, so this stays here until you push it: git push -u origin main",
    );
    assertMatch(
      said,
      /Recorded in [0-9a-f]{7} on branch main, which origin does not have yet\.$/m,
    );
    assertEquals((await rowsAt(clone)).length, count);
    assertEquals(await status(clone), "");
  }
  assertEquals(await git(remote, "for-each-ref"), "");
});

Deno.test("update in a sub-folder of a repository keeps the history in that folder", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = await makeRemote(scratch.path, { "readme": "" });
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
  const folder = join(clone, "mein Mönitor");
  await Deno.mkdir(folder);
  await commitFile(clone, "mein Mönitor/.monitorrc.yml", configText({ A: site.url }, EVERY_RUN));
  await git(clone, "push", "--quiet");
  for (const count of [1, 2]) {
    await succeed("update", folder);
    assertEquals((await rowsAt(remote, "main", "mein Mönitor/")).length, count);
    assertEquals(await status(clone), "");
  }
  const paths = await pathsAt(remote, "main");
  assert(paths.every((path) => path === "readme" || path.startsWith("mein Mönitor/")), `${paths}`);
});

Deno.test("update pushes to a remote of another name, and to the branch that ours follows", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const { remote, folder: clone } = await remoteAndClone(
    scratch,
    configText({ A: site.url }, EVERY_RUN),
  );
  await git(clone, "remote", "rename", "origin", "up/stream");
  await git(clone, "branch", "--quiet", "--move", "work/Ünï");
  assertStringIncludes(await succeed("update", clone), "branch main at up/stream");
  assertEquals(await tip(clone), await tip(remote, "main"));
  assertEquals(await git(clone, "symbolic-ref", "HEAD"), "refs/heads/work/Ünï");
  assertEquals(await status(clone), "");
});

Deno.test("if the remote is unreachable, update reports that nothing was recorded, and leaves files and branch unchanged", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const { remote } = await remoteAndClone(scratch, configText({ A: site.url }, EVERY_RUN));
  const urls = [join(scratch.path, "gone.git"), `http://127.0.0.1:${closedPort()}/remote.git`];
  const why = "The results were not recorded: Cannot fetch from origin: ";
  await Promise.all(urls.map(async (url, index) => {
    const clone = await cloneRemote(remote, join(scratch.path, `clone ${index}`));
    await git(clone, "remote", "set-url", "origin", url);
    const before = await tip(clone);
    const args = ["--json"];
    const env = { GITHUB_ACTIONS: "true" };
    const { code, stdout, stderr } = await runTask("update", { folder: clone, args, env });
    assertEquals(code, 1);
    const said = stderr.trimEnd().split("\n");
    assertMatch(
      said[0]!,
      /^::warning::Cannot fetch from origin: .*; using what was fetched before$/,
    );
    assertStringIncludes(said.at(-1)!, `::error::${why}`);
    const { sites, commit, place, failure } = JSON.parse(stdout);
    assertEquals([sites[0].state, commit, place], ["up", null, "a file on this machine"]);
    assertStringIncludes(failure, why);
    const summary = await Deno.readTextFile(join(clone, ".git", "monitor", "summary.md"));
    assertMatch(summary, /^- The results were not recorded: Cannot fetch from origin: .+$/m);
    assertEquals([await tip(clone), await status(clone)], [before, ""]);
  }));
});

Deno.test("update fails at once if the remote rejects the push, and shows the remote's message", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const { remote, folder: clone } = await remoteAndClone(
    scratch,
    configText({ A: site.url }, EVERY_RUN),
  );
  const pushes = join(scratch.path, "pushes");
  const words = "error: GH006: Protected branch update failed for refs/heads/main.";
  await writeHook(remote, "pre-receive", `echo push >> '${pushes}'; echo '${words}' >&2; exit 1`);
  const before = await tip(clone);
  const { code, stderr } = await runTask("update", { folder: clone });
  assertEquals(code, 1, stderr);
  assertMatch(
    stderr,
    /^error: The results were not recorded: Cannot push to main at origin: the remote refused .*pre-receive/m,
  );
  assertStringIncludes(stderr, "GH006: Protected branch update failed for refs/heads/main.");
  // Both at once, then the branch alone.
  assertEquals(await Deno.readTextFile(pushes), "push\n".repeat(2));
  assertEquals([await tip(clone), await tip(remote, "main")], [before, before]);
  assertEquals(await status(clone), "");
});

Deno.test("update writes files if git is not on the PATH, and says so", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const folder = await makeRepository(join(scratch.path, "repository"), {
    ".monitorrc.yml": configText({ A: site.url }),
  });
  for (const onGitHub of ["false", "true"]) {
    const env = { PATH: scratch.path, GITHUB_ACTIONS: onGitHub };
    const { code, stdout, stderr } = await runTask("update", { folder, env });
    assertEquals(code, 0, stderr);
    assertStringIncludes(stdout + stderr, "git is not on the PATH");
  }
  assertEquals((await rowsIn(folder)).length, 2);
  assertEquals(await git(folder, "rev-list", "--count", "HEAD"), "1");
});

Deno.test("update refuses bare repositories and the inside of .git, and writes nothing there", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const bare = join(scratch.path, "bare.git");
  await git(scratch.path, "init", "--quiet", "--bare", bare);
  const inside = join(await makeRepository(join(scratch.path, "work"), { "readme": "" }), ".git");
  const cases = {
    [bare]: "this repository is bare, it has no work tree; clone it and work in the clone",
    [inside]: "this is the inside of a .git folder; work in the folder it belongs to",
  };
  for (const [folder, why] of Object.entries(cases)) {
    await Deno.writeTextFile(join(folder, ".monitorrc.yml"), configText({ A: site.url }));
    const names = async () =>
      (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
    const before = await names();
    for (const github of ["false", "true"]) {
      const env = { GITHUB_ACTIONS: github };
      const { code, stdout, stderr } = await runTask("update", { folder, env });
      assertEquals(code, 1);
      assertStringIncludes(stdout + stderr, `Cannot record anything: ${why}`);
      assertEquals(await names(), before);
    }
  }
});

Deno.test("runs that take in the same files at the same moment lose no row", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const folder = join(scratch.path, "alone");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), configText({ A: site.url }));
  await runTask("update", { folder });
  await git(folder, "init", "--quiet");
  const runs = Array.from({ length: 2 }, () => runProcess("update", { folder }));
  for (const { code, stderr } of await Promise.all(runs)) assertEquals(code, 0, stderr);
  assertEquals((await rowsAt(folder)).length, 3);
});

Deno.test("every commit of update keeps workflows from starting and carries the author asked for", async () => {
  await using scratch = await makeScratch();
  let code = 200;
  await using site = httpServer(() => new Response("", { status: code }));
  const { remote, folder: clone } = await remoteAndClone(scratch, configText({ A: site.url }));
  for (code of [200, 503, 200]) await succeed("update", clone);
  await commitFile(
    clone,
    ".monitorrc.yml",
    configText(
      { A: site.url },
      "commitMessages: { statusChange: $SITE_NAME $STATUS, commitAuthorName: Jö <Bot>, commitAuthorEmail: bot@example.com, signoff: true }\n",
    ),
  );
  await git(clone, "push", "--quiet");
  code = 503;
  await succeed("update", clone);
  const log = await git(clone, "log", "--reverse", "--skip=0", "--format=%an|%ae|%cn|%ce|%s");
  const action = "Monitor Action|41898282+github-actions[bot]@users.noreply.github.com";
  assertEquals(log.replace(/\(503\)|\(200(?: in \d+ ms)?\)/g, "(…)").split("\n"), [
    "Jo|jo@example.com|Jo|jo@example.com|Begin",
    `${action}|${action}|Check 1 site: 1 up [skip ci]`,
    `${action}|${action}|🟥 A is down (…) [skip ci]`,
    `${action}|${action}|🟩 A is up (…) [skip ci]`,
    "Jo|jo@example.com|Jo|jo@example.com|Write .monitorrc.yml",
    "Jö Bot|bot@example.com|Jö Bot|bot@example.com|A down [skip ci]",
  ]);
  const body = await git(clone, "log", "-1", "--format=%(trailers:only)");
  assertEquals(body.trim(), "Signed-off-by: Jö Bot <bot@example.com>");
  assertEquals(await tip(clone), await tip(remote, "main"));
  assertEquals(await status(clone), "");
});

Deno.test("while the branch rejects commits, an outage and its end are notified once, and are committed later", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  let code = 200;
  await using site = httpServer(() => new Response(null, { status: code }));
  const notified: string[] = [];
  await using receiver = httpServer(async (request) => {
    notified.push((await request.json()).type);
    return new Response("ok");
  });
  const channel = `notifications: [{ type: webhook, url: "${receiver.url}" }]\n`;
  const config = configText({ Shop: site.url }, channel);
  const { remote, folder } = await remoteAndClone(scratch, config);
  await writeHook(remote, "update", 'test "$1" != refs/heads/main');
  const update = () => runTask("update", { folder, env: github.env });

  for (const seen of [200, 503, 503, 200, 200]) {
    code = seen;
    const run = await update();
    assertEquals(run.code, 1, run.stdout);
    assertMatch(
      run.stderr,
      /Cannot push to main at origin: .*; they wait in refs\/monitor\/pending/,
    );
  }
  assertEquals(notified, ["down", "up"]);
  const [issue, ...others] = await github.issues();
  assertEquals([issue?.state, issue?.comments.length, others], ["closed", 1, []]);
  assertEquals(github.dispatched.filter((event) => event === "summary").length, 2);
  assertEquals((await pathsAt(remote, "main")).filter((path) => path.startsWith("history/")), []);

  await Deno.remove(join(remote, "hooks", "update"));
  const { code: last, stderr } = await update();
  assertEquals([last, stderr], [0, ""]);
  assertEquals((await rowsAt(remote, "main")).length, 6);
  const [incident] = await incidentsAt(remote, "main");
  assertEquals([incident?.issue, incident?.end !== undefined], [1, true]);
  assertEquals([(await runStateAt(remote))?.files, await status(folder)], [undefined, ""]);
});

Deno.test("update names a lock that a killed git has left, and records all the same", async () => {
  await using scratch = await makeScratch();
  await using rig = await makeRig(scratch, {});
  const lock = join(rig.folder, ".git/packed-refs.lock");
  await Deno.writeTextFile(lock, "");
  for (let run = 1; run <= 2; run++) {
    const { code, stderr } = await rig.update();
    assertEquals(code, 0);
    assertStringIncludes(
      stderr.replace(/\s+/g, " "),
      `if no other git is running here: rm ${lock}`,
    );
  }
  assertEquals(await allRowsAt(rig.remote).then((rows) => rows.length), 2);
  await Deno.remove(lock);
  assertEquals((await rig.update()).stderr, "");
});
