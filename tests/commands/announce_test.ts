import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { systemClock } from "../../lib/io/clock.ts";
import { type GitHubServer, githubServer } from "../helpers/github_server.ts";
import { elementsOf, wordsOf } from "../helpers/html.ts";
import { makeRig, type Rig } from "../helpers/rig.ts";
import { makeScratch, type Scratch } from "../helpers/scratch.ts";

const JOB = "github-actions[bot]";
const DISPATCHED = ["static_site", "summary"];

/** A folder with three sites, and an account that announces there. */
async function announcing(
  scratch: Scratch,
  github: GitHubServer,
  login = "monitor-bot",
  top: Readonly<Record<string, unknown>> = {},
) {
  const sites = { Cards: {}, Checkout: {}, "Shop, EU": {}, Vault: { public: false } };
  const rig = await makeRig(scratch, { sites, github, git: false, top });
  const env = { HOST_PAT: github.account(login).token };
  const announce = (...args: string[]) => rig.run("announce", { args, env });
  return { rig, env, announce };
}

Deno.test("what a job announces is people's word on the page, from its title to its end", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { rig, env, announce } = await announcing(scratch, github, JOB);
  await using _sites: Rig = rig;
  assertEquals((await rig.update({ env })).code, 0);
  const page = async () => {
    const { code, stderr } = await rig.run("site", { env });
    assertEquals([code, stderr], [0, ""]);
    const html = await scratch.read("site/status-page/export/index.html");
    return wordsOf(elementsOf(html, "main")[0]!);
  };
  const opened = await announce(
    ...["Payments are slow", "--sites", "checkout, Shop, EU", "--impact", "major"],
    ...["--text", "We **look** into it."],
  );
  assertEquals(opened, {
    code: 0,
    stdout: "Opened incident #1: https://github.com/acme/status/issues/1\n" +
      "Static Site CI and Summary CI are started, and show it in a few minutes.\n" +
      'monitor announce --update 1 "…" writes an update, and monitor announce --resolve 1 ends the incident.\n',
    stderr: "",
  });
  const labels = ["incident", "impact: major", "checkout", "shop,-eu"];
  const [issue] = await github.issues();
  assertEquals([issue!.title, issue!.author, issue!.labels], ["Payments are slow", JOB, labels]);
  assertMatch(issue!.body, /^We \*\*look\*\* into it\.\n\n<!-- monitor-announcement: \w+ -->$/);
  assertEquals(
    (await announce("--update", "1", "--phase", "identified", "A cable is cut.")).code,
    0,
  );
  const during = await page();
  for (const shown of ["Payments are slow", "Identified", "A cable is cut.", "We look into it."]) {
    assertStringIncludes(during, shown);
  }
  assertMatch(during, /^Major outage/);
  assertEquals((await announce("--resolve", "#1")).stdout.split("\n").slice(0, -1), [
    "Resolved incident #1: https://github.com/acme/status/issues/1",
    "Static Site CI and Summary CI are started, and show it in a few minutes.",
  ]);
  assertMatch(await page(), /^All systems operational/);
  assertEquals(github.dispatched, [...DISPATCHED, ...DISPATCHED, ...DISPATCHED]);
  assertEquals((await github.issue(1)).state, "closed");
  assertEquals(github.violations, []);
});

Deno.test("issues and announcements are in the configured language, and their phases are read", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const i18n = { identified: "Erkannt", resolved: "Behoben", isDown: "$NAME steht" };
  const { rig, env, announce } = await announcing(scratch, github, JOB, { language: "de", i18n });
  await using _sites: Rig = rig;
  assertEquals((await rig.update({ env })).code, 0);
  await announce("Payments are slow");
  await announce("--update", "1", "--phase", "identified", "A cable is cut.");
  await announce("--resolve", "1");
  const { comments } = await github.issue(1);
  assertEquals(comments.map(({ body }) => body.split("\n")[0]), [
    "**Erkannt:** A cable is cut.",
    "**Behoben:**",
  ]);
  const { incidents } = JSON.parse((await rig.run("incidents", { args: ["--json"], env })).stdout);
  const [{ updates }] = incidents;
  rig.turn(503, "Cards");
  assertEquals((await rig.update({ env })).code, 0);
  const { title, body } = await github.issue(2);
  assertEquals(title, "🛑 Cards steht");
  assertStringIncludes(body, "`Erkannt:`");
  assertEquals(updates.map(({ phase, text }: { phase: string; text: string }) => [phase, text]), [
    ["identified", "A cable is cut."],
    ["resolved", ""],
  ]);
});

const NO_TITLE =
  "Cannot announce: the title is missing; give one, or the issue of an incident to update or resolve";

const NO_OBJECT = "Cannot announce: the inputs are no JSON object of texts and numbers";

/** Announcements that are refused, with the reason. */
const REFUSED: readonly [args: string[], message: string][] = [
  [[], NO_TITLE],
  [["\n \t"], NO_TITLE],
  [["a".repeat(257)], "Cannot announce: the title has 257 characters, and GitHub takes 256"],
  [
    ["Slow", "--sites", "Cards,Chekout"],
    'Cannot find a site "Chekout": did you mean "Checkout"? the sites are Cards, Checkout, Shop, EU, Vault',
  ],
  [
    ["Slow", "--impact", "majr"],
    'Cannot announce with the impact "majr", did you mean "major"? (use none, degraded, partial, major)',
  ],
  [
    ["Slow", "--phase", "identified"],
    "Cannot announce a new incident with phase: that is for an update",
  ],
  [
    ["--update", "1", "--resolve", "1"],
    "Cannot announce: use either update or resolve, and not both",
  ],
  [["--update", "1"], "Cannot update issue #1: its text is missing"],
  [
    ["--update", "one", "x"],
    'Cannot update "one": give the number of the incident\'s issue, such as 12',
  ],
  [
    ["--update", "1", "x", "--impact", "major"],
    "Cannot announce an update with impact: that is for a new incident",
  ],
  [
    ["--update", "1", "x", "--phase", "resolved"],
    'Cannot announce with the phase "resolved" (use investigating, identified, monitoring, post-mortem)',
  ],
  [
    ["--update", "1", "x", "--text", "y"],
    "Cannot announce: give the text once, either alone or with --text",
  ],
  [
    ["--resolve", "1", "/ack all"],
    "Cannot announce a text that starts with /ack, /mute or /unmute: begin with another word",
  ],
  [["--update", "99", "x"], "Cannot update issue #99: it does not exist in acme/status"],
  [
    ["--update", "1", "x"],
    "Cannot update issue #1: it is no incident, because it has no label incident",
  ],
  [
    ["--resolve", "2"],
    "Cannot resolve issue #2: it is no incident but maintenance, which ends when you close the issue",
  ],
  [["--resolve", "3"], "Cannot resolve issue #3: it is closed already"],
  [
    ["--update", "3", "x"],
    "Cannot update issue #3: it is closed; reopen it first, or use the phase post-mortem",
  ],
  [
    ["--update", "4", "x"],
    "Cannot update issue #4: its author stranger has no write access, so that the status page does not show it; announce the incident anew",
  ],
  [
    ["--resolve", "5"],
    "Cannot resolve issue #5: a check found this incident, and it ends when the site is up again; an update tells people more about it",
  ],
];

Deno.test("what can't be announced is refused with the reason, and nothing is written", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { rig, announce } = await announcing(scratch, github);
  await using _sites: Rig = rig;
  const owner = github.person("acme");
  await owner.open({ title: "A question" });
  await owner.open({ title: "Router", labels: ["maintenance"] });
  await owner.close(await owner.open({ title: "Old", labels: ["incident"] }));
  await owner.label(await github.person("stranger").open({ title: "Mine" }), "incident");
  rig.turn(503, "Cards");
  assertEquals((await rig.update()).code, 0);
  const before = await github.issues();
  const dispatched = [...github.dispatched];
  for (const [args, message] of REFUSED) {
    assertEquals(await announce(...args), { code: 2, stdout: "", stderr: `error: ${message}\n` });
  }
  assertEquals([await github.issues(), github.dispatched], [before, dispatched]);

  const updated = await announce("--update", "5", "--text", "We", "--text", "We know.");
  assertMatch(updated.stdout, /^Updated incident #5: \S+\nStatic Site CI and Summary CI .*\n$/);
  assertMatch((await github.issue(5)).comments.at(-1)!.body, /^We know\.\n/);
  assertEquals((await announce("--update", "3", "Never again.", "--phase", "post-mortem")).code, 0);
  assertMatch((await github.issue(3)).comments[0]!.body, /^\*\*Post-mortem:\*\* Never again\.\n/);
  assertEquals(github.violations, []);
});

/** What the workflow passes on, and the labels of the new incident, or why there is none. */
const PASSED: readonly [announcement: string, outcome: string[] | string][] = [
  [
    '{ "title": "Slow", "sites": ["Cards", "shop,-eu"], "update": "", "phase": "none", "text": null }',
    ["incident", "impact: degraded", "cards", "shop,-eu"],
  ],
  ["null", NO_TITLE],
  ['"Slow"', NO_OBJECT],
  ["{ title: Slow }", NO_OBJECT],
  ['{ "title": { "a": 1 } }', NO_OBJECT],
  [
    '{ "title": "Slow", "site": "Cards" }',
    'Cannot announce: "site" is no input, did you mean "sites"? (they are title, text, sites, impact, update, phase, resolve)',
  ],
];

Deno.test("the inputs of the workflow are read like the command line, and mistakes in them are named", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { rig } = await announcing(scratch, github);
  await using _sites: Rig = rig;
  for (const [announcement, outcome] of PASSED) {
    const env = { ANNOUNCEMENT: announcement };
    const { code, stdout, stderr } = await rig.run("announce", { env, args: [] });
    if (typeof outcome === "string") assertEquals([code, stderr], [2, `error: ${outcome}\n`]);
    else {
      assertStringIncludes(stdout, "Opened incident #1: ");
      assertEquals((await github.issue(1)).labels, outcome);
    }
  }
  assertEquals((await github.issues()).length, 1);
});

Deno.test("an incident of hidden sites alone starts no workflow, and a site of the name of a label is refused", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { rig, announce } = await announcing(scratch, github);
  await using _sites: Rig = rig;
  const { code, stdout, stderr } = await announce("Broken in", "--sites", "Vault");
  assertEquals([code, stdout.split("\n")[1]!.slice(0, 25)], [0, "monitor announce --update"]);
  assertMatch(stderr, /^warning: Page and README do not show this incident, because all of its/);
  assertEquals(github.dispatched, []);
  await announce("All is slow", "--sites", "Vault", "--sites", "Cards");
  assertEquals(github.dispatched, DISPATCHED);
  await rig.configure({ sites: { Incident: {}, Maintenance: {}, Status: {} } });
  for (const label of ["incident", "maintenance"]) {
    const refused = await announce("Slow", "--sites", `Status, ${label}`);
    assertEquals([refused.code, refused.stderr], [
      2,
      `error: Cannot announce for the site ${label}: as a label of the issue, its slug means something else; leave it out, or set another slug for it\n`,
    ]);
  }
  assertEquals((await announce("Slow", "--sites", "Status")).code, 0);
  assertEquals((await github.issue(3)).labels, ["incident", "impact: degraded", "status"]);
  const listed = await rig.run("incidents", { env: { HOST_PAT: github.token }, args: ["3"] });
  assertMatch(listed.stdout, /Status/);
  assertEquals(/Incident\b|Maintenance/.test(listed.stdout), false, listed.stdout);
});

Deno.test("a missing token or right is named, and an announcement stays if no workflow can be started", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { rig, announce } = await announcing(scratch, github, JOB);
  await using _sites: Rig = rig;
  const without = await rig.run("announce", { args: ["Slow"], env: { HOST_PAT: "" } });
  assertEquals([without.code, without.stderr], [
    2,
    "error: Cannot announce: no token is set; set HOST_PAT or GITHUB_TOKEN\n",
  ]);
  const job = github.account(JOB);
  job.permissions = { contents: "write" };
  const refused = await announce("Slow");
  assertEquals(refused.code, 1);
  assertStringIncludes(refused.stderr, 'add "issues: write" under permissions: in the workflow');
  assertEquals(await github.issues(), []);
  job.permissions = { issues: "write" };
  const { code, stdout, stderr } = await announce("Slow", "--json");
  assertEquals(code, 0);
  const { issue, started, labels } = JSON.parse(stdout);
  assertEquals([issue, started, labels], [1, [], ["incident", "impact: degraded"]]);
  assertStringIncludes(stderr, 'Cannot start the workflows for "static_site" in acme/status');
  const stranger = { HOST_PAT: github.account("stranger").token };
  const unlabeled = await rig.run("announce", { args: ["Mine"], env: stranger });
  assertEquals(unlabeled.code, 1);
  assertStringIncludes(unlabeled.stderr, "Opened issue #2, but without its labels");
  await rig.configure({ top: { issues: false } });
  assertStringIncludes((await announce("Slow")).stderr, "issues: false in the configuration");
});

Deno.test("a form that names unknown sites is an incident, and a warning says which they are", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { rig, env } = await announcing(scratch, github);
  await using _sites: Rig = rig;
  const owner = github.person("acme");
  const body = "### Affected sites\n\nCards, Chekout\n\n### Impact\n\n_No response_";
  await owner.open({ title: "Slow", body, labels: ["incident"] });
  const listed = async () => await rig.run("incidents", { env, args: ["--json"] });
  const { stdout, stderr } = await listed();
  const [{ sites }] = JSON.parse(stdout).incidents;
  assertEquals(sites, ["cards"]);
  assertEquals(
    stderr,
    'warning: Cannot find what issue #1 names in line 3: "Chekout" (did you mean "checkout"?); write slugs or names of sites, with commas between them\n',
  );
  await owner.close(1);
  assertEquals((await listed()).stderr, "");
});

Deno.test("a failure without an answer announces nothing twice", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { rig } = await announcing(scratch, github);
  await using _sites: Rig = rig;
  const clock = { ...systemClock, wait: () => Promise.resolve() };
  github.fault("POST /repos/acme/status/issues", "reset", { isDone: true });
  assertEquals((await rig.run("announce", { args: ["Slow"], clock })).code, 0);
  github.fault("POST /repos/acme/status/issues/1/comments", "reset", { isDone: true });
  assertEquals((await rig.run("announce", { args: ["--resolve", "1", "Done"], clock })).code, 0);
  const issues = await github.issues();
  assertEquals(issues.map(({ state, comments }) => [state, comments.length]), [["closed", 1]]);
});
