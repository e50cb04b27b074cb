import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { githubServer } from "../../helpers/github_server.ts";
import { IncidentLife } from "../../helpers/incident_life.ts";

Deno.test("an incident that changes, ends, reopens and ends again has one issue with every change", async () => {
  await using github = await githubServer();
  const site = { name: "Shop", url: "https://shop.example/", tags: ["eu"], assignees: ["acme"] };
  const life = await IncidentLife.begin(github, { sites: [site] });
  for (const state of ["up", "degraded", "down", "degraded", "up", "down"] as const) {
    const executed = await life.run(5, state);
    assertEquals(executed.filter((one) => !("receipt" in one)), []);
  }
  const [issue, ...others] = await github.issues();
  assertEquals(others, []);
  const { title, state, labels, assignees, isLocked, author, comments, body } = issue!;
  assertEquals([title, state, isLocked, author], ["🛑 Shop is down", "open", true, "monitor-bot"]);
  assertEquals([labels.sort(), assignees], [["eu", "shop", "status"], ["acme"]]);
  assertMatch(body, /\n<!-- monitor-incident: \d{4}-\d\d-\d\d-shop -->$/);
  assertEquals(comments.map(({ body }) => /^\*\*(.*?)\*\*/.exec(body)?.[1]), [
    "Now down",
    "Answers again, but degraded",
    "Resolved:",
    "Down again",
  ]);
  assertStringIncludes(comments[2]!.body, "Shop is up again after 15 minutes");

  await life.run(5, "up");
  const { title: last, state: end, reason, comments: all } = (await github.issues())[0]!;
  assertEquals([last, end, reason], ["🛑 Shop is down", "closed", "completed"]);
  assertMatch(all.at(-1)!.body, /^\*\*Resolved:\*\*/);
  assertEquals(github.violations, []);
  assertEquals(await life.waiting(), []);
});

Deno.test("a reason that changes is a comment with its own hint once two runs have seen it, at most one in ten minutes", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github);
  await life.run(5, "up");
  const fail = (minutes: number, code: number, words: string) =>
    life.run(minutes, "down", { seen: { code, error: `answered ${code} ${words}` } });
  const comments = async () => {
    const [issue] = await github.issues();
    return issue!.comments.map(({ body }) => body);
  };
  await fail(5, 503, "Service Unavailable");
  await fail(5, 401, "Unauthorized");
  assertEquals(await comments(), []);
  await fail(5, 401, "Unauthorized");
  const [first = "", ...others] = await comments();
  assertEquals(others, []);
  assertMatch(first, /^\*\*The reason has changed\*\* since .* UTC: answered 401 Unauthorized\./);
  assertStringIncludes(first, "**Hint:** It was up until");

  for (let run = 1; run <= 3; run++) await fail(3, 403, "Forbidden");
  assertEquals((await comments()).length, 1);
  await fail(3, 403, "Forbidden");
  assertMatch(
    (await comments())[1]!,
    /^\*\*The reason has changed\*\* since .*: answered 403 Forbidden\./,
  );
  await fail(15, 403, "Forbidden");
  await fail(15, 500, "Internal Server Error");
  await fail(15, 403, "Forbidden");
  assertEquals((await comments()).length, 2);

  const [incident] = await life.incidents();
  assertEquals([incident!.code, incident!.reasons.map(({ code }) => code)], [503, [401, 403]]);
  await life.run(5, "up");
  assertMatch((await comments())[2]!, /^\*\*Resolved:\*\*/);
  assertEquals((await github.issues()).length, 1);
  assertEquals([github.violations, await life.waiting()], [[], []]);
});

Deno.test("an error that differs in its figures alone is no new reason, and another kind of failure is one", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github);
  await life.run(5, "up");
  const fail = (error: string) => life.run(15, "down", { seen: { code: 0, error } });
  await fail("connection refused (203.0.113.7:443)");
  await fail("connection refused (203.0.113.8:443)");
  await fail("connection refused (203.0.113.9:443)");
  assertEquals((await github.issues())[0]!.comments, []);
  await fail("timed out after 10 s connecting");
  await fail("timed out after 9.8 s connecting");
  assertEquals((await github.issues())[0]!.comments.length, 1);
});

Deno.test("an issue about a certificate says how long it is still valid, in its title and its text", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github);
  await life.run(5, "up");
  const expiring = (days: number) => {
    const expiry = `certificate expires in ${days} days`;
    return { seen: { code: 200, error: `${expiry} (2026-11-26)`, expiry } };
  };
  await life.run(5, "degraded", expiring(4));
  await life.run(1440, "degraded", expiring(3));
  const [issue] = await github.issues();
  assertEquals([issue!.title, issue!.comments], ["⚠️ Shop: certificate expires in 4 days", []]);
  assertMatch(
    issue!.body,
    /^Shop has been \*\*degraded\*\* since .*: certificate expires in 4 days /,
  );
  assertEquals((await life.incidents())[0]!.expiry, "certificate expires in 4 days");
  await life.run(5, "down");
  assertEquals((await github.issues())[0]!.title, "🛑 Shop is down");
  await life.run(5, "degraded", expiring(3));
  assertEquals((await github.issues())[0]!.title, "⚠️ Shop: certificate expires in 4 days");
});

Deno.test("an issue's number is stored in the incident file with the next commit, even if the incident has ended", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github);
  await life.run(5, "up");
  await life.run(5, "down");
  assertEquals((await life.incidents()).map(({ issue }) => issue), [undefined]);
  await life.run(5, "up");
  assertEquals((await life.incidents()).map(({ issue }) => issue), [1]);

  await life.run(20, "down", { hasToken: false });
  await life.run(5, "up", { hasToken: false });
  await life.run(20, "down");
  await life.run(60, "down");
  const issues = (await life.incidents()).map(({ issue, end }) => [issue, end !== undefined]);
  assertEquals(issues, [[1, true], [undefined, true], [2, false]]);
});

Deno.test("a run in which nothing changes, and the first one of sites that are up, ask GitHub for nothing", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github);
  for (let run = 1; run <= 3; run++) assertEquals(await life.run(5, "up"), []);
  assertEquals(github.asked, []);
  await life.run(5, "down");
  const { length } = github.asked;
  await life.run(5, "down");
  await life.run(5, "down");
  assertEquals(github.asked.length, length);
});

Deno.test("an incident that began without a token gets its issue from the first run that has one, and is closed by it later", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github);
  await life.run(5, "up", { hasToken: false });
  await life.run(5, "down", { hasToken: false });
  assertEquals([await life.waiting(), github.asked], [[], []]);
  await life.run(5, "down");
  assertEquals((await github.issues()).map(({ state }) => state), ["open"]);
  await life.run(5, "up", { hasToken: false });
  assertEquals((await life.waiting()).map(({ id }) => id.replace(/.*\//, "")), ["close"]);
  await life.run(5, "up");
  assertEquals((await github.issues()).map(({ state }) => state), ["closed"]);
  assertEquals(await life.waiting(), []);
});

Deno.test("issues: false opens no issue, and leaves open ones to people", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github, { issues: false });
  for (const state of ["up", "down", "up"] as const) await life.run(5, state);
  assertEquals(await github.issues(), []);
  assertEquals(github.dispatched, ["static_site", "summary", "summary"]);
});

Deno.test("lockIssues: false leaves the conversation open to all", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github, { lockIssues: false, assignees: ["acme"] });
  await life.run(5, "up");
  await life.run(5, "down");
  const [issue] = await github.issues();
  assertEquals([issue?.isLocked, issue?.assignees], [false, ["acme"]]);
});

Deno.test("an issue is opened even if an assignee can't be assigned", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github, { assignees: ["nobody-knows", "acme"] });
  await life.run(5, "up");
  await life.run(5, "down");
  assertEquals((await github.issues()).map(({ title }) => title), ["🛑 Shop is down"]);
  assertMatch(life.warnings.join(), /Cannot assign issue #1 to .*nobody-knows/);
});

Deno.test("display workflows start with each change, that of the page at most every ten minutes", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github);
  await life.run(5, "up");
  await life.run(5, "down");
  assertEquals(github.dispatched, ["static_site", "summary"]);
  await life.run(5, "up");
  await life.run(1, "down");
  assertEquals(github.dispatched, ["static_site", "summary", "summary", "summary"]);
  await life.run(3, "down");
  assertEquals(github.dispatched.length, 4);
  await life.run(1, "down");
  assertEquals(github.dispatched.slice(4), ["static_site"]);
  await life.run(30, "down");
  assertEquals(github.dispatched.length, 5);
});

Deno.test("a site that is no longer configured has its issue closed with the reason", async () => {
  await using github = await githubServer();
  const sites = [{ name: "Shop", url: "https://shop.example/" }, {
    name: "B",
    url: "https://b.example/",
  }];
  const life = await IncidentLife.begin(github, { sites });
  await life.run(5, { shop: "up", b: "up" });
  await life.run(5, { shop: "down", b: "up" });
  life.config.sites = life.config.sites.filter(({ slug }) => slug !== "shop");
  await life.run(5, { b: "up" });
  const [issue] = await github.issues();
  assertEquals(issue?.state, "closed");
  assertMatch(issue!.comments.at(-1)!.body, /no longer monitored/);
});
