import { assertEquals } from "@std/assert";
import { IncidentLife, type Observed } from "../../helpers/incident_life.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";
import { FAULTS, githubServer, refusalOf } from "../../helpers/github_server.ts";

/** The issue of one incident, if the run state is lost in between. */
async function issuesAfterLoss(before: Observed[], after: Observed[]) {
  await using github = await githubServer();
  const store = new MemoryStore();
  const life = await IncidentLife.begin(github, {}, store);
  for (const observed of before) await life.run(5, observed);
  store.pending = new Map();
  for (const observed of after) await life.run(5, observed);
  const issues = await github.issues();
  assertEquals([github.violations, await life.waiting()], [[], []]);
  return issues.map(({ title, state, comments }) => [
    title,
    state,
    comments.map(({ body }) => /^\*\*(.*?)\*\*/.exec(body)?.[1]).join(),
  ]);
}

Deno.test("after the run state is lost, an incident's issue is found by its marker and updated by any transition", async () => {
  const down = "🛑 Shop is down";
  assertEquals(await issuesAfterLoss(["up", "down"], ["up"]), [[down, "closed", "Resolved:"]]);
  assertEquals(await issuesAfterLoss(["up", "down"], ["down", "up"]), [[
    down,
    "closed",
    "Resolved:",
  ]]);
  assertEquals(await issuesAfterLoss(["up", "degraded"], ["down"]), [[down, "open", "Now down"]]);
  assertEquals(await issuesAfterLoss(["up", "down"], ["up", "down"]), [[
    down,
    "open",
    "Resolved:,Down again",
  ]]);
  assertEquals(await issuesAfterLoss(["up"], ["down"]), [[down, "open", ""]]);
});

Deno.test("an incident whose issue was never opened ends without one, and the run says so", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github);
  await life.run(5, "up");
  await life.run(5, "down", { hasToken: false });
  const executed = await life.run(5, "up");
  const receipts = executed.flatMap((one) => "receipt" in one ? [one.receipt] : []);
  assertEquals([await github.issues(), receipts[0]], [[], { isGone: true }]);
});

Deno.test("a failed lock of an issue is reported, and the issue is closed as usual", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github);
  const refusal = refusalOf(403, "Must have admin rights to Repository.");
  github.fault("PUT /repos/acme/status/issues/1/lock", refusal, { times: 9 });
  for (const observed of ["up", "down", "up"] as const) await life.run(5, observed);
  const issues = await github.issues();
  assertEquals(issues.map(({ state, isLocked }) => [state, isLocked]), [["closed", false]]);
  assertEquals(life.warnings, [
    "Cannot lock issue #1 in acme/status: the account of the token may not write there; give it the role Write or more in Settings > Collaborators, or use a token of another account as HOST_PAT",
  ]);
});

Deno.test("two folders of a repository with a site of the same name have an issue each", async () => {
  await using github = await githubServer();
  const [one, other] = [await IncidentLife.begin(github), await IncidentLife.begin(github)];
  other.folder = "Über & --> uns/";
  for (const observed of ["up", "down"] as const) {
    await one.run(5, observed);
    await other.run(5, observed);
  }
  await other.run(5, "up");
  const issues = await github.issues();
  assertEquals(issues.map(({ state }) => state), ["open", "closed"]);
  const markers = issues.map(({ body }) =>
    /<!-- .* -->$/.exec(body)?.[0].replace(/\d{4}[\d-]*/, "")
  );
  assertEquals(markers, [
    "<!-- monitor-incident: shop -->",
    "<!-- monitor-incident: %C3%9Cber%20&%20--%3E%20uns/shop -->",
  ]);
});

Deno.test("clocks of runner and GitHub that are hours apart make no second issue and no second comment", async () => {
  for (const hours of [-5, 5]) {
    await using github = await githubServer();
    const life = await IncidentLife.begin(github);
    life.now = life.now.add({ hours });
    await life.run(5, "up");
    github.fault("POST /repos/acme/status/issues", "reset", { isDone: true });
    await life.run(5, "down");
    github.fault("POST /repos/acme/status/issues/1/comments", FAULTS.badGateway, { isDone: true });
    await life.run(5, "up");
    const issues = await github.issues();
    assertEquals(issues.map(({ state, comments }) => [state, comments.length]), [["closed", 1]]);
  }
});

Deno.test("a site whose name is one emoji gets an issue, without the label that GitHub rejects", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github, {
    sites: [{ name: "🛒", url: "https://shop.example/" }],
  });
  for (const observed of ["up", "down", "up"] as const) await life.run(5, { "🛒": observed });
  const issues = await github.issues();
  assertEquals(issues.map(({ title, state, labels }) => [title, state, labels]), [[
    "🛑 🛒 is down",
    "closed",
    ["status"],
  ]]);
});

Deno.test("incidents of sites with the same name are all reopened if they fail again, also without issues", async () => {
  await using github = await githubServer();
  const sites = Array.from({ length: 7 }, () => ({ name: "API", url: "https://shop.example/" }));
  const life = await IncidentLife.begin(github, { sites });
  for (const observed of ["up", "down", "up", "down"] as const) {
    const states = Object.fromEntries(life.config.sites.map(({ slug }) => [slug, observed]));
    await life.run(5, states, { hasToken: false });
  }
  const times = (await life.incidents()).map(({ reopened }) => reopened.length);
  assertEquals(times, Array(7).fill(1));
});

Deno.test("a workflow started under a clock that was a day ahead is started again", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github);
  await life.run(5, "up");
  await life.run(24 * 60, "down");
  life.now = life.now.subtract({ hours: 24 });
  await life.run(20, "up");
  await life.run(10, "up");
  assertEquals(github.dispatched, ["static_site", "summary", "summary", "static_site"]);
});
