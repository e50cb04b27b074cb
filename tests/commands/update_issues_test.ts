import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import { cloneRemote, configText, pendingAt } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

/** A clone that monitors one site, which is turned up and down, with GitHub for its issues. */
async function rig(scratch: Scratch, top = "") {
  let code = 200;
  const site = httpServer(() => new Response(null, { status: code }));
  const github = await githubServer();
  const config = configText({ Shop: site.url }, top);
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  return {
    github,
    remote,
    folder,
    turn: (to: number) => code = to,
    update: (env: Record<string, string> = {}, ...args: string[]) =>
      runTask("update", { folder, args, env: { ...github.env, ...env } }),
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await github[Symbol.asyncDispose]();
    },
  };
}

Deno.test("update opens an issue for an outage and closes it; while all is well, and while nothing changes, it asks GitHub for announced maintenance alone", async () => {
  await using scratch = await makeScratch();
  await using scene = await rig(scratch);
  const { github, update, turn } = scene;
  for (let run = 1; run <= 2; run++) {
    const { code, stdout, stderr } = await update();
    const asked = Array(run).fill("GET /repos/acme/status/issues");
    assertEquals([code, stderr, github.asked], [0, "", asked]);
    assertMatch(stdout, /Incidents: issues of acme\/status\.$/m);
  }
  turn(503);
  const down = await update();
  assertEquals([down.code, down.stderr], [0, ""]);
  assertMatch(
    down.stdout,
    /^Done: open an issue for Shop \([\d-]+-shop\) → https:\/\/github\.com\/acme\/status\/issues\/1$/m,
  );
  const { length } = github.requests;
  assertEquals((await update()).code, 0);
  assertEquals(github.requests.length, length + 1);
  turn(200);
  const up = await update({}, "--json");
  assertEquals(up.code, 0);
  const [closed, ...others] = JSON.parse(up.stdout).carried;
  assertEquals([closed.state, closed.receipt], ["done", { issue: 1 }]);
  assertEquals(others.map(({ state }: { state: string }) => state), ["done"]);
  const [issue] = await github.issues();
  assertEquals([issue?.title, issue?.state, issue?.isLocked], ["🛑 Shop is down", "closed", true]);
  assertMatch(
    issue!.body,
    /^Shop has been \*\*down\*\* since .* UTC: answered 503 Service Unavail/,
  );
  assertMatch(
    issue!.comments[0]!.body,
    /^\*\*Resolved:\*\* Shop is up again(?: after \d+ seconds?)?\./,
  );
  assertEquals([github.violations, github.dispatched], [[], [
    "static_site",
    "summary",
    "summary",
  ]]);
});

thoroughly(
  "what a person has to change is an error of the run, which records all the same; the next run opens the issue",
  async () => {
    await using scratch = await makeScratch();
    await using scene = await rig(scratch);
    const { github, update, turn } = scene;
    await update();
    turn(503);
    github.state.hasIssues = false;
    const { code, stdout, stderr } = await update({ GITHUB_ACTIONS: "true" });
    assertEquals([code, stderr], [1, ""]);
    const told =
      "Cannot read the issues in acme/status: its issues are switched off; switch Issues on in Settings > General > Features, or set issues: false. The next run tries again: open an issue for Shop";
    assertStringIncludes(stdout, `::error::${told}`);
    assertMatch(stdout, /^1 down\. Recorded in [\da-f]{7}: commits on main at origin\.$/m);
    const summary = await Deno.readTextFile(join(scene.folder, ".git/monitor/summary.md"));
    assertStringIncludes(summary, "its issues are switched off");
    const again = await update();
    assertEquals(again.code, 1);
    github.state.hasIssues = true;
    assertEquals((await update()).code, 0);
    assertEquals((await github.issues()).map(({ title }) => title), ["🛑 Shop is down"]);
  },
);

thoroughly("a connection that breaks once costs nothing but a moment", async () => {
  await using scratch = await makeScratch();
  await using scene = await rig(scratch);
  const { github, update, turn } = scene;
  await update();
  turn(503);
  github.fault("POST /repos/acme/status/issues", "reset", { isDone: true });
  const { code, stderr } = await update();
  assertEquals([code, stderr], [0, ""]);
  assertEquals((await github.issues()).map(({ isLocked }) => isLocked), [true]);
});

thoroughly(
  "a dry run shows the words of the issue that it would open, and asks for announced maintenance alone",
  async () => {
    await using scratch = await makeScratch();
    await using scene = await rig(scratch);
    const { github, update, turn } = scene;
    await update();
    turn(503);
    const { code, stdout } = await update({}, "--dry-run");
    const asked = Array(2).fill("GET /repos/acme/status/issues");
    assertEquals([code, github.asked], [0, asked]);
    assertMatch(stdout, /^It would\n {2}open an issue for Shop/m);
    assertMatch(stdout, /^ {6}🛑 Shop is down$/m);
    assertMatch(stdout, /^ {6}\| Code \| 503 Service Unavailable \|$/m);
    assertMatch(stdout, /^ {2}start the workflow for static_site$/m);
    await update();
    turn(200);
    const end = await update({ HOST_PAT: "" }, "--dry-run");
    assertMatch(end.stdout, /^It would leave to later runs to\n {2}close the issue for Shop/m);
  },
);

thoroughly(
  "links lead to the repository that has the issue, also where the configuration was copied from another",
  async () => {
    await using scratch = await makeScratch();
    await using scene = await rig(scratch, "owner: upptime\nrepo: upptime\n");
    const { github, update, turn } = scene;
    turn(503);
    const { stdout } = await update();
    assertMatch(
      stdout,
      /^Done: open an issue .* → https:\/\/github\.com\/acme\/status\/issues\/1$/m,
    );
    assertStringIncludes((await github.issue(1)).body, "https://github.com/acme/status/blob/");
  },
);

thoroughly("no token is ever shown or kept, whichever of them is used", async () => {
  await using scratch = await makeScratch();
  await using scene = await rig(scratch);
  const { github, update, turn, remote } = scene;
  const { token } = github;
  let all = "";
  const tokens: Record<string, string>[] = [{ HOST_PAT: "", GITHUB_TOKEN: token }, {
    HOST_PAT: "",
    GH_PAT: token,
  }];
  for (const [index, env] of [tokens[0]!, tokens[0]!, tokens[1]!].entries()) {
    turn(index === 1 ? 503 : 200);
    const { code, stdout, stderr } = await update(env, "--verbose");
    assertEquals(code, 0, stderr);
    all += stdout + stderr;
  }
  const [issue] = await github.issues();
  assertEquals([issue?.state, issue?.comments.length], ["closed", 1]);
  all += JSON.stringify(issue) + JSON.stringify([...await pendingAt(remote)]);
  all += await git(remote, "log", "--patch", "main");
  for (const spelling of [token, btoa(token), encodeURIComponent(token)]) {
    assert(!all.includes(spelling), "the token is shown");
  }
});

thoroughly("without a token incidents stay in files, which is said", async () => {
  await using scratch = await makeScratch();
  await using scene = await rig(scratch);
  scene.turn(503);
  const { code, stdout } = await scene.update({ HOST_PAT: "" });
  assertEquals([code, scene.github.asked], [0, []]);
  assertMatch(
    stdout,
    /Incidents: files in history\/incidents\/ \(no HOST_PAT or GITHUB_TOKEN\)\.$/m,
  );
});
