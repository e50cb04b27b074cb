import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { IncidentLife } from "../helpers/incident_life.ts";
import { incidentProcess, killGroup } from "../helpers/incident_program.ts";
import { type GitHubServer, githubServer } from "../helpers/github_server.ts";
import { cloneRemote, remoteAndClone } from "../helpers/repositories.ts";
import { repetitions } from "../helpers/repetitions.ts";
import { makeRemote, makeScratch } from "../helpers/scratch.ts";

/** From one request to the next at which a run is killed. */
const STEP = repetitions(8, 1);

/** How many requests a run makes that opens an issue, and one that closes it, with those that start workflows. */
const OPENING = 7;
const CLOSING = 5;

/** The expected issue with its comments, after so many ends and reopenings. */
async function assertOneIssue(github: GitHubServer, state: "open" | "closed", what: string) {
  const issues = await github.issues();
  assertEquals(issues.map((issue) => issue.state), [state], what);
  assertEquals(issues[0]!.isLocked, true, what);
  assertEquals(issues[0]!.comments.length, state === "open" ? 0 : 1, what);
}

for (const stage of ["came", "done"] as const) {
  const when = stage === "came" ? "before its execution" : "after its execution";
  Deno.test(`a run killed at any request, ${when}, leaves one issue that a later run brings to its end`, async () => {
    const first = stage === "came" ? 1 : Math.ceil(STEP / 2);
    for (let nth = first; nth <= OPENING + CLOSING; nth += STEP) {
      await using scratch = await makeScratch();
      await using github = await githubServer();
      const { folder } = await remoteAndClone(scratch, "");
      const life = await IncidentLife.inClone(github, folder);
      await life.run(0, "up");
      const isClosing = nth > OPENING;
      if (isClosing) await life.run(5, "down");
      const observed = isClosing ? "up" : "down";
      let pid = 0;
      let count = isClosing ? OPENING : 0;
      let killed = "";
      github.onRequest = ({ method, path }, at) => {
        if (at !== stage || killed !== "" || ++count !== nth) return;
        killed = `${method} ${path}`;
        killGroup(pid);
        return false;
      };
      life.now = life.now.add({ minutes: 5 });
      const time = life.now.toString();
      const run = incidentProcess({ github, folder, time, observed }, (id) => pid = id);
      const { code, stderr } = await run;
      const what = `killed at request ${nth}, ${killed}`;
      assertEquals(code, 137, `${what}: ${stderr}`);
      github.onRequest = () => {};

      // While the claim may be valid nobody takes it over; then the next run does.
      const { length } = github.requests;
      await life.run(5, observed);
      const asked = github.requests.slice(length).map(({ path }) => path);
      assertEquals(asked.filter((path) => path.includes("issues")), [], what);
      await life.run(6, observed);
      assertEquals((await life.waiting()).map(({ id }) => id), [], what);
      await assertOneIssue(github, isClosing ? "closed" : "open", what);
      await life.run(5, "up");
      await assertOneIssue(github, "closed", what);
      assertEquals(github.violations, [], what);
    }
  });
}

Deno.test("a run killed before it notes an executed effect repeats nothing", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { folder } = await remoteAndClone(scratch, "");
  const life = await IncidentLife.inClone(github, folder);
  await life.run(0, "up");
  for (const [observed, state] of [["down", "open"], ["up", "closed"]] as const) {
    life.now = life.now.add({ minutes: 5 });
    const time = life.now.toString();
    const run = { github, folder, time, observed, isKilledBeforeNoting: true };
    const { code } = await incidentProcess(run, () => {});
    assertEquals(code, 137);
    await assertOneIssue(github, state, observed);
    await life.run(11, observed);
    await assertOneIssue(github, state, observed);
    assertEquals((await life.waiting()).map(({ id }) => id), []);
  }
});

Deno.test("three runs at the same moment open one issue, and close it with one comment", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": "" });
  const lives = await Promise.all(Array.from({ length: 3 }, async (_, index) => {
    const folder = await cloneRemote(remote, join(scratch.path, `clone${index}`));
    return await IncidentLife.inClone(github, folder);
  }));
  const [{ now }] = lives as [IncidentLife];
  for (const life of lives) life.now = now;
  await lives[0]!.run(0, "up");
  for (const observed of ["down", "up"] as const) {
    await Promise.all(lives.map((life) => life.run(5, observed)));
    assertEquals(await lives[0]!.waiting(), []);
    await assertOneIssue(github, observed === "down" ? "open" : "closed", observed);
  }
  assertEquals(github.dispatched.filter((event) => event === "summary").length, 2);
});

Deno.test("three runs at the same moment that can publish nothing leave one open issue: those too many are closed as duplicates", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": "" });
  const folders = await Promise.all(
    Array.from({ length: 3 }, (_, index) => cloneRemote(remote, join(scratch.path, `c${index}`))),
  );
  const lives = await Promise.all(folders.map((one) => IncidentLife.inClone(github, one)));
  for (const life of lives) life.now = lives[0]!.now;
  await lives[0]!.run(0, "up");
  await Deno.rename(remote, `${remote}.gone`);
  await Promise.all(lives.map((life) => life.run(5, "down").catch(() => [])));
  const issues = await github.issues();
  const [kept, ...others] = issues.filter(({ state }) => state === "open");
  assertEquals([kept?.number, others], [1, []]);
  const closed = issues.filter(({ state }) => state === "closed");
  for (const { reason, comments } of closed) {
    assertEquals(reason, "duplicate");
    assert(comments.every(({ body }) => body.startsWith("Duplicate of #1")), comments[0]?.body);
  }
});
