import { assertEquals, assertMatch } from "@std/assert";
import { IncidentLife } from "../../helpers/incident_life.ts";
import { type GitHubServer, githubServer } from "../../helpers/github_server.ts";

/** A site that is down, and has issue 1. */
async function outage(
  github: GitHubServer,
  keys: Readonly<Record<string, unknown>> = {},
): Promise<IncidentLife> {
  const life = await IncidentLife.begin(github, keys);
  await life.run(5, "up");
  await life.run(5, "down");
  assertEquals((await github.issues()).map(({ number }) => number), [1]);
  return life;
}

/** The issues: number, title and state. */
async function standing(github: GitHubServer) {
  return (await github.issues()).map(({ number, title, state }) => [number, title, state]);
}

Deno.test("a title changed by a person stays through every transition", async () => {
  await using github = await githubServer();
  const life = await outage(github);
  await github.person("acme").retitle(1, "Checkout is down, we are on it");
  for (const state of ["degraded", "down", "up"] as const) await life.run(5, state);
  assertEquals(await standing(github), [[1, "Checkout is down, we are on it", "closed"]]);
  assertEquals((await github.issue(1)).comments.length, 3);
});

Deno.test("labels that a person has removed or added stay so, and the issue is still closed", async () => {
  await using github = await githubServer();
  const life = await outage(github);
  await github.person("acme").label(1, "mine");
  await life.run(5, "up");
  await life.run(5, "down");
  const { labels, state } = await github.issue(1);
  assertEquals([labels, state], [["mine"], "open"]);
});

Deno.test("an issue closed by a person stays closed while the site is down, and gets the comment at the end", async () => {
  await using github = await githubServer();
  const life = await outage(github);
  await github.person("acme").close(1);
  await life.run(5, "down");
  await life.run(5, "degraded");
  assertEquals(await standing(github), [[1, "⚠️ Shop has degraded performance", "closed"]]);
  await life.run(5, "up");
  const { state, comments } = await github.issue(1);
  assertEquals([state, comments.length], ["closed", 2]);
  assertMatch(comments[1]!.body, /^\*\*Resolved:\*\*/);
  assertEquals((await standing(github)).length, 1);
});

Deno.test("an issue deleted by a person is opened again only for a later outage", async () => {
  await using github = await githubServer();
  const life = await outage(github);
  github.person("acme").delete(1);
  for (const state of ["degraded", "down", "up"] as const) {
    const executed = await life.run(5, state);
    assertEquals(executed.filter((one) => !("receipt" in one)), [], state);
  }
  assertEquals(await standing(github), []);
  await life.run(5, "down");
  assertEquals(await standing(github), [[2, "🛑 Shop is down", "open"]]);
  await life.run(5, "up");
  assertEquals(await standing(github), [[2, "🛑 Shop is down", "closed"]]);
  assertEquals((await life.incidents()).map(({ issue, reopened }) => [issue, reopened.length]), [
    [2, 1],
  ]);
});

Deno.test("an issue that a person has moved to another repository is left alone there", async () => {
  await using github = await githubServer();
  const life = await outage(github);
  await github.person("acme").transfer(1);
  const { length } = github.requests;
  await life.run(5, "degraded");
  await life.run(5, "up");
  const writes = github.requests.slice(length).filter(({ method, path }) =>
    method !== "GET" && path.includes("/issues")
  );
  assertEquals([writes, await standing(github)], [[], []]);
});

Deno.test("an issue that a person has unlocked stays unlocked", async () => {
  await using github = await githubServer();
  const life = await outage(github);
  await github.person("acme").unlock(1);
  for (const state of ["degraded", "up", "down", "up"] as const) await life.run(5, state);
  assertEquals((await github.issue(1)).isLocked, false);
});

Deno.test("an issue rewritten by a person still belongs to its incident", async () => {
  await using github = await githubServer();
  const life = await outage(github);
  await github.person("acme").edit(1, "We know, and are on it.");
  await life.run(5, "up");
  const { state, body } = await github.issue(1);
  assertEquals([state, body], ["closed", "We know, and are on it."]);
});

Deno.test("an unrelated issue with a stored number is left alone, as after copying a history", async () => {
  await using github = await githubServer();
  await github.person("acme").open({ title: "A wish", body: "More colors" });
  const life = await IncidentLife.begin(github);
  await life.run(5, "up");
  await life.run(5, "down", { hasToken: false });
  await life.run(60, "down", { hasToken: false });
  const [path] = (await (await life.store.read()).list("history/incidents"))
    .map((name) => `history/incidents/${name}`);
  const text = life.store.files!.get(path!)!;
  await life.store.publish(() =>
    Promise.resolve({
      run: "ffffffff",
      time: life.now,
      files: new Map([[path!, `${text}issue: 1\n`]]),
      message: "From another repository",
      author: { name: "Jo", email: "jo@example.com" },
    })
  );
  const executed = await life.run(5, "up");
  assertEquals(executed.map((one) => "receipt" in one), [true, true, true]);
  const { state, comments, isLocked } = await github.issue(1);
  assertEquals([state, comments, isLocked], ["open", [], false]);
});

Deno.test("a stranger's issue with our marker, labels and title is ignored", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github);
  await life.run(5, "up");
  const next = life.now.add({ minutes: 5 }).toString().slice(0, 10);
  const body = `Look:\n\n<!-- monitor-incident: ${next}-shop -->`;
  const number = await github.person("stranger").open({ title: "🛑 Shop is down", body });
  await github.person("acme").label(number, "status", "shop");
  await life.run(5, "down");
  assertEquals(await standing(github), [
    [1, "🛑 Shop is down", "open"],
    [2, "🛑 Shop is down", "open"],
  ]);
  for (const state of ["degraded", "up"] as const) await life.run(5, state);
  assertEquals(await standing(github), [
    [1, "🛑 Shop is down", "open"],
    [2, "⚠️ Shop has degraded performance", "closed"],
  ]);
  assertEquals((await github.issue(1)).comments, []);
});

Deno.test("a stranger's comment with our marker suppresses no comment of ours", async () => {
  await using github = await githubServer();
  const life = await outage(github, { lockIssues: false });
  const [incident] = await life.incidents();
  const id = `${incident!.start.toString().slice(0, 10)}-shop`;
  await github.person("stranger").comment(1, `<!-- monitor-comment: ${id}/close -->`);
  await life.run(5, "up");
  assertMatch((await github.issue(1)).comments.at(-1)!.body, /^\*\*Resolved:\*\*/);
});
