import { assert, assertEquals, assertRejects } from "@std/assert";
import { type GitHubServer, githubServer } from "../../../helpers/github_server.ts";
import { openedGitHub } from "../../../helpers/opened_github.ts";
import {
  closeAnnouncement,
  createAnnouncementHandler,
} from "../../../../lib/incidents/maintenance/close_announcement.ts";
import { systemClock } from "../../../../lib/io/clock.ts";
import { EffectError, findObstacle, type Receipt } from "../../../../lib/outbox/effect.ts";
import { createHandlers } from "../../../../lib/pipeline/execute_effects.ts";
import {
  announceEnded,
  bodyUntil,
  commentOf,
  executeEffect,
  issueState,
  minutesAway,
} from "../../../helpers/announcement_rig.ts";

Deno.test("an announcement whose window is over is told so and closed, however often that is carried out", async () => {
  await using server = await githubServer();
  const effect = await announceEnded(server);
  const closed = { state: "closed" as const, reason: "completed", comments: [commentOf(effect)] };
  const receipts: Receipt[] = [{ issue: 1 }, { issue: 1, isLeft: true }];
  for (const receipt of receipts) {
    assertEquals(await executeEffect(server, effect), receipt);
    assertEquals(await issueState(server), closed);
  }
  assertEquals(server.violations, []);
});

Deno.test("an announcement that is reopened with another end is closed again after that", async () => {
  await using server = await githubServer();
  const first = await announceEnded(server);
  await executeEffect(server, first);
  const acme = server.person("acme");
  await acme.reopen(1);
  await acme.edit(1, bodyUntil(minutesAway(60)));
  assertEquals(await executeEffect(server, first), { issue: 1, isLeft: true });
  assertEquals((await issueState(server)).state, "open");
  const until = minutesAway(-1);
  await acme.edit(1, bodyUntil(until));
  const second = closeAnnouncement({ name: "Router", until, issue: 1 }, "UTC");
  assert(second.id !== first.id && second.queue === first.queue);
  assertEquals(await executeEffect(server, second), { issue: 1 });
  const { state, comments } = await issueState(server);
  assertEquals([state, comments], ["closed", [commentOf(first), commentOf(second)]]);
});

Deno.test("an announcement that somebody closed, or took the label from, is left as it is", async () => {
  const changes = {
    closed: (server: GitHubServer) => server.person("acme").close(1),
    unlabelled: (server: GitHubServer) => server.person("acme").label(1, "shop"),
  };
  for (const [name, change] of Object.entries(changes)) {
    await using server = await githubServer();
    const effect = await announceEnded(server);
    await change(server);
    assertEquals(await executeEffect(server, effect), { issue: 1, isLeft: true }, name);
    const { state, comments } = await issueState(server);
    assertEquals([state, comments], [name === "closed" ? "closed" : "open", []], name);
  }
});

Deno.test("an announcement that was deleted or moved is done", async () => {
  for (const fate of ["deleted", "moved"]) {
    await using server = await githubServer();
    const effect = await announceEnded(server);
    const acme = server.person("acme");
    if (fate === "deleted") acme.delete(1);
    else await acme.transfer(1);
    assertEquals(await executeEffect(server, effect), { isGone: true }, fate);
  }
});

Deno.test("a comment of another's that holds our marker does not keep ours away", async () => {
  await using server = await githubServer();
  const effect = await announceEnded(server);
  await server.person("stranger").comment(1, commentOf(effect).body);
  await executeEffect(server, effect);
  const { state, comments } = await issueState(server);
  assertEquals([state, comments.length, comments[1]], ["closed", 2, commentOf(effect)]);
});

Deno.test("a right that is missing is named, and what was planned waits for it", async () => {
  await using server = await githubServer();
  const effect = await announceEnded(server);
  const account = server.account("github-actions[bot]");
  account.permissions = { contents: "write", issues: "read" };
  const { url, repository } = server;
  const github = openedGitHub({ url, repository, token: account.token });
  const handler = createAnnouncementHandler(github, { clock: systemClock });
  const planned = { ...effect, planned: Temporal.Now.instant() };
  const error = await assertRejects(
    async () => void await handler.execute(planned, []),
    EffectError,
  );
  assertEquals([error.message, error.kind], [
    `Cannot comment on issue #1 in acme/status: the job's own token may not do that; add "issues: write" under permissions: in the workflow, or save a token of your own with the scope repo as the secret HOST_PAT`,
    "misconfigured",
  ]);
  account.permissions = { issues: "write" };
  assertEquals(await handler.execute(planned, []), { issue: 1 });
  const [comment, ...more] = (await issueState(server)).comments;
  assertEquals([comment?.author, more], ["github-actions[bot]", []]);
});

Deno.test("without a token an announcement waits, and what another version planned is given up", async () => {
  await using server = await githubServer();
  const effect = await announceEnded(server);
  assertEquals(
    findObstacle(effect, createHandlers({ clock: systemClock })),
    "a token (HOST_PAT or GITHUB_TOKEN) and a repository of GitHub",
  );
  assertEquals(
    findObstacle(effect, createHandlers({ github: openedGitHub(server), clock: systemClock })),
    undefined,
  );
  const error = await assertRejects(
    async () => void await executeEffect(server, { ...effect, data: {} }),
    EffectError,
  );
  assertEquals(error.kind, "permanent");
});
