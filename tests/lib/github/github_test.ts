import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { GitHubError, type Issue } from "../../../lib/github/github.ts";
import { openedGitHub } from "../../helpers/opened_github.ts";
import { FAULTS, githubServer, refusalOf } from "../../helpers/github_server.ts";
import { PROJECT } from "../../helpers/program.ts";
import { httpServer } from "../../helpers/servers.ts";

const RECORDED = JSON.parse(
  await Deno.readTextFile(join(PROJECT, "tests/testdata/github/recorded.json")),
);
const ISSUE = { title: "Shop is down", body: "", labels: [], assignees: [] };
const ISSUES = "/repos/acme/status/issues";
const ALWAYS = Temporal.Instant.fromEpochMilliseconds(0);

Deno.test("an issue is created, changed and read back with the requests that GitHub documents", async () => {
  await using server = await githubServer({ prefix: "/api/v3" });
  const github = openedGitHub(server);
  const start = Temporal.Now.instant();
  const { number } = await github.createIssue({
    title: "🛑 Shop is down",
    body: "It does not answer.",
    labels: ["status", "shop"],
    assignees: ["acme"],
  });
  await github.lockIssue(number);
  await github.comment(number, "**Resolved:** it is back.");
  await github.changeIssue(number, { title: "Shop was down", isOpen: false });
  assertEquals(await server.issues(), [{
    number,
    title: "Shop was down",
    body: "It does not answer.",
    state: "closed",
    reason: "completed",
    labels: ["status", "shop"],
    assignees: ["acme"],
    isLocked: true,
    author: "monitor-bot",
    comments: [{ author: "monitor-bot", body: "**Resolved:** it is back." }],
  }]);
  const issue = {
    number,
    title: "Shop was down",
    body: "It does not answer.",
    isOpen: false,
    author: "monitor-bot",
    ...{ association: "COLLABORATOR", isTrusted: true },
    labels: ["status", "shop"],
    closedBy: "monitor-bot",
    assignees: ["acme"],
    eyes: 0,
    comments: 1,
  };
  const [{ created, updated, closed, ...listed }] = await github.issuesSince(start) as [Issue];
  assertEquals(listed, issue);
  for (const moment of [created, updated, closed!]) {
    assert(Math.abs(moment.since(start).total("seconds")) < 60, moment.toString());
  }
  assertEquals(await github.issue(number), { ...issue, created, updated, closed });
  assertEquals(
    (await github.comments(number, start)).map(({ created: _, ...comment }) => comment),
    [{
      ...{ author: "monitor-bot", association: "COLLABORATOR", isTrusted: true },
      body: "**Resolved:** it is back.",
    }],
  );
  await github.dispatch("graphs");
  assertEquals(server.dispatched, ["graphs"]);
  assertEquals(server.violations, []);
  const asked = server.requests[0]!.headers;
  assertEquals(asked["authorization"], `token ${server.token}`);
  assert(asked["user-agent"]!.startsWith("monitor-action/test "));
});

Deno.test("an issue is closed, reopened, retitled or marked as a duplicate", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const { number } = await github.createIssue(ISSUE);
  await github.changeIssue(number, { isOpen: false, isDuplicate: true });
  assertEquals((await server.issue(number)).reason, "duplicate");
  await github.changeIssue(number, { isOpen: true });
  assertEquals((await server.issue(number)).state, "open");
  server.fault("PATCH *", refusalOf(422, "Validation Failed"));
  await github.changeIssue(number, { isOpen: false, isDuplicate: true });
  await github.changeIssue(number, { title: "Shop" });
  const { title, state, reason } = await server.issue(number);
  assertEquals([title, state, reason], ["Shop", "closed", "not_planned"]);
  assertEquals(server.requests.slice(1).map(({ body }) => body), [
    { state: "closed", state_reason: "duplicate" },
    { state: "open", state_reason: "reopened" },
    { state: "closed", state_reason: "duplicate" },
    { state: "closed", state_reason: "not_planned" },
    { title: "Shop" },
  ]);
  assertEquals(server.violations, []);
});

Deno.test("all pages are read", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const acme = server.person("acme");
  const numbers = Array.from({ length: 101 }, (_, index) => index + 1);
  await Promise.all(numbers.map((one) => acme.open({ title: "x", labels: [`label-${one}`] })));
  await Promise.all(numbers.map((one) => acme.comment(7, String(one))));
  const found = await github.issuesSince(ALWAYS);
  assertEquals(found.map(({ number }) => number).sort((a, b) => a - b), numbers);
  assertEquals((await github.comments(7, ALWAYS)).length, 101);
  const asked = server.requests.map(({ path, query }) => `${path} ${query.get("page") ?? 1}`);
  const comments = `${ISSUES}/7/comments`;
  assertEquals(asked, [
    ...[`${ISSUES} 1`, `${ISSUES} 2`],
    ...[`${comments} 1`, `${comments} 2`],
  ]);
  assertEquals(server.violations, []);
});

Deno.test("only changes since a given time are requested", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const number = await server.person("stranger").open({ title: "Hello" });
  await server.person("stranger").comment(number, "Mine");
  const later = Temporal.Now.instant().add({ seconds: 2 });
  assertEquals((await github.issuesSince(later)).length, 0);
  assertEquals((await github.comments(number, later)).length, 0);
  const past = Temporal.Instant.from("2020-11-21T10:00:05.999Z");
  await github.issuesSince(past);
  assertEquals(server.requests.at(-1)!.query.get("since"), "2020-11-21T10:00:05Z");
  const [comment] = await github.comments(number, past);
  assertEquals([comment?.author, comment?.body, comment?.isTrusted], ["stranger", "Mine", false]);
});

Deno.test("the GitHub client parses recorded answers of GitHub", async () => {
  const { pages, created, lock, refusedLabel } = RECORDED;
  const asked: string[] = [];
  await using server = httpServer(async (request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(`${request.method} ${pathname} ${await request.text()}`);
    const url = `http://127.0.0.1:${server.port}`;
    if (request.method === "PUT") return new Response(null, { status: lock.status });
    if (request.method === "PATCH") {
      return Response.json(refusedLabel.response, { status: refusedLabel.status });
    }
    if (request.method === "POST") return Response.json(created.response, { status: 201 });
    const page = pages.find(({ path }: { path: string }) => path === pathname + search) ?? pages[0];
    const link = page.link.replaceAll("https://api.github.com", url);
    return Response.json(page.response, { headers: { link } });
  });
  const github = openedGitHub({
    url: server.url,
    repository: "octokit-fixture-org/paginate-issues",
    token: "0000000000000000000000000000000000000001",
  });
  const found = await github.issuesSince(ALWAYS);
  const numbers = pages.flatMap(({ response }: { response: { number: number }[] }) =>
    response.map(({ number }) => number)
  );
  assertEquals(found.map(({ number }) => number), numbers);
  assertEquals((await github.createIssue(ISSUE)).author, created.response.user.login);
  await github.lockIssue(1);
  assertEquals(asked.at(-1)!.split(" ")[2], lock.body);
  const { message } = await assertRejects(() => github.changeIssue(1, { title: "" }), GitHubError);
  assertEquals(
    message,
    "Cannot change issue #1 in octokit-fixture-org/paginate-issues: GitHub does not take it (color is invalid)",
  );
});

Deno.test("pull requests are not issues", async () => {
  await using server = await githubServer();
  const [issue] = RECORDED.pages[0].response;
  const pull = { ...issue, pull_request: { url: "https://example.com" } };
  server.fault(`GET ${ISSUES}`, {
    status: 200,
    body: [{ ...issue, body: null, user: null }, pull],
  });
  const [found, ...more] = await openedGitHub(server).issuesSince(ALWAYS);
  assertEquals([found!.body, found!.author, more], ["", "ghost", []]);
});

Deno.test("open issues with a label are read in one request, the oldest first, whatever else has changed", async () => {
  await using server = await githubServer();
  const [github, acme] = [openedGitHub(server), server.person("acme")];
  assertEquals(await github.openIssuesLabeled("maintenance"), []);
  const labels = ["maintenance", "shop"];
  const numbers: number[] = [];
  for (const title of ["Router", "Switch", "Cable", "Roof"]) {
    numbers.push(await acme.open({ title, body: title, labels }));
  }
  const [router, switched, cable, roof] = numbers as [number, number, number, number];
  await acme.open({ title: "Shop", labels: ["shop"] });
  await acme.close(switched);
  await acme.label(cable, "shop");
  await acme.edit(router, "New");
  server.requests.length = 0;
  const found = await github.openIssuesLabeled("maintenance");
  assertEquals(
    found.map(({ number, title, body, isTrusted, isOpen }) => [
      ...[number, title, body, isTrusted, isOpen],
    ]),
    [[router, "Router", "New", true, true], [roof, "Roof", "Roof", true, true]],
  );
  assertEquals(found.map((issue) => issue.labels), [labels, labels]);
  assertEquals(server.asked, [`GET ${ISSUES}`]);
  assertEquals(server.violations, []);
});

Deno.test("a hundred and one open issues with a label come in two pages, without pull requests", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const acme = server.person("acme");
  for (let number = 1; number <= 101; number++) {
    await acme.open({ title: `No. ${number}`, labels: ["maintenance"] });
  }
  const found = await github.openIssuesLabeled("maintenance");
  assertEquals(found.map(({ number }) => number), Array.from({ length: 101 }, (_, i) => i + 1));
  assertEquals(server.requests.map(({ query }) => query.get("page") ?? "1"), ["1", "2"]);
  const [issue] = RECORDED.pages[0].response;
  const pull = { ...issue, pull_request: { url: "https://example.com" } };
  server.fault(`GET ${ISSUES}`, { status: 200, body: [issue, pull] });
  assertEquals((await github.openIssuesLabeled("maintenance")).length, 1);
  assertEquals(server.violations, []);
});

Deno.test("reading labeled issues gives up after its own short budget, which costs other requests nothing", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server, { pace: { aside: 100, budget: 30_000 } });
  server.fault(`GET ${ISSUES}`, "hang", { times: 9 });
  for (const again of [false, true]) {
    const { length } = server.requests;
    const { message, kind } = await assertRejects(
      () => github.openIssuesLabeled("maintenance"),
      GitHubError,
    );
    assertEquals([message, kind], [
      'Cannot read the issues labeled "maintenance" in acme/status: all requests to GitHub together took longer than 0.1 s',
      "transient",
    ]);
    if (again) assertEquals(server.requests.length, length);
  }
  assertEquals(await github.repositoryComments(ALWAYS), []);
});

Deno.test("an assignee who can't be assigned is left out and reported", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const assignees = ["acme", "nobody", "stranger", "monitor-bot"];
  const { number } = await github.createIssue({ ...ISSUE, assignees });
  assertEquals((await server.issue(number)).assignees, ["acme", "monitor-bot"]);
  server.fault(
    `POST ${ISSUES}`,
    refusalOf(422, "Validation Failed", {
      errors: [{ resource: "Issue", field: "assignees", code: "invalid" }],
    }),
  );
  const second = await github.createIssue({ ...ISSUE, assignees: ["acme"] });
  assertEquals((await server.issue(second.number)).assignees, []);
  const crowd = Array.from({ length: 10 }, () => "acme");
  await github.createIssue({ ...ISSUE, assignees: [...crowd, "monitor-bot"] });
  const why = "an issue takes 10 people who have access to acme/status";
  assertEquals(github.warnings, [
    `Cannot assign issue #1 to nobody, stranger: ${why}`,
    `Cannot assign issue #2 to acme: ${why}`,
    `Cannot assign issue #3 to monitor-bot: ${why}`,
  ]);
  assertEquals((await server.issues()).length, 3);
  assertEquals(server.violations, []);
});

Deno.test("a label that GitHub refuses is left out with a warning", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const wish = { ...ISSUE, labels: ["status", "🛒"], assignees: ["nobody", "acme"] };
  const { number } = await github.createIssue(wish);
  const { labels, assignees } = await server.issue(number);
  assertEquals([labels, assignees], [["status"], ["acme"]]);
  assertEquals(github.warnings, [
    "Cannot assign issue #1 to nobody: an issue takes 10 people who have access to acme/status",
    'Cannot label issue #1 with "🛒": GitHub refuses that name',
  ]);
  assertEquals(server.violations, []);
});

Deno.test("the account of a token is requested once, also that of a job", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  assertEquals([await github.account(), await github.account()], ["monitor-bot", "monitor-bot"]);
  assertEquals(server.asked, ["GET /user"]);
  const { token } = server.account("github-actions[bot]");
  const ofJob = () => openedGitHub({ url: server.url, repository: server.repository, token });
  assertEquals(await ofJob().account(), "github-actions[bot]");
  server.account("github-actions[bot]").login = "our-app[bot]";
  assertEquals(await ofJob().account(), "our-app[bot]");
  for (
    const fault of [refusalOf(403, "No"), { status: 200, body: { errors: [{ message: "No" }] } }]
  ) {
    server.fault("POST /graphql", fault);
    assertEquals(await ofJob().account(), "github-actions[bot]");
  }
  server.fault("POST /graphql", FAULTS.serverError, { times: 4 });
  await assertRejects(() => ofJob().account(), GitHubError, "find out whose token it is");
  server.fault("GET /user", FAULTS.secondaryLimit(600));
  await assertRejects(() => openedGitHub(server).account(), GitHubError, "to wait for 10 min");
  const limited = { errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }] };
  server.fault("POST /graphql", { status: 200, body: limited }, { times: 4 });
  await assertRejects(() => ofJob().account(), GitHubError, "find out whose token it is");
  assertEquals(server.violations, []);
});

Deno.test("a job on an enterprise server finds its account and repository, with a trailing slash too", async () => {
  await using server = await githubServer({ prefix: "/api/v3" });
  const { token } = server.account("github-actions[bot]");
  const github = openedGitHub({ url: `${server.url}/`, repository: server.repository, token });
  const { number } = await github.createIssue(ISSUE);
  assertEquals((await github.issue(number))?.author, "github-actions[bot]");
  const other = openedGitHub({ url: `${server.url}/`, repository: server.repository, token });
  assertEquals(await other.account(), "github-actions[bot]");
  assertEquals(server.asked.slice(-2), ["GET /user", "POST /graphql"]);
  assertEquals(server.violations, []);
});

Deno.test("a write follows a renamed repository, and keeps its method", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const to = (status: number, location: string) => ({
    status,
    headers: { location },
    body: { message: "Moved" },
  });
  server.fault(`POST ${ISSUES}`, to(307, `${server.url}/repos/acme/status/issues`));
  assertEquals((await github.createIssue(ISSUE)).number, 1);
  const elsewhere: string[] = [];
  await using other = httpServer((request) => {
    elsewhere.push(request.url);
    return Response.json({});
  });
  for (const [status, place] of [[301, server.url], [302, server.url], [307, other.url]] as const) {
    server.fault(`POST ${ISSUES}`, to(status, `${place}/repos/acme/status/issues`));
    await assertRejects(
      () => github.createIssue(ISSUE),
      GitHubError,
      "the repository was moved or renamed; set owner and repo to where it is now",
    );
  }
  assertEquals([server.asked.length, elsewhere], [5, []]);
});

Deno.test("an issue of a repository that was renamed is not one that was moved", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const number = await server.person("acme").open({ title: "One" });
  const renamed = (path: string) => `${server.url}/repos/acme/monitor${path}`;
  const user = { login: "acme" };
  const times = { created_at: "2026-11-21T10:00:00Z", updated_at: "2026-11-21T10:00:00Z" };
  const of = { labels: [], ...times, repository_url: renamed("") };
  const issue = { number, title: "One", state: "open", user, ...of };
  const path = "GET /repos/acme/status";
  server.fault(`${path}/issues/${number}`, { status: 200, body: issue });
  server.fault(path, { status: 200, body: { full_name: "acme/monitor", private: false } });
  assertEquals((await github.issue(number))?.title, "One");
  assertEquals(server.asked, [`${path}/issues/${number}`, path]);
});
