import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { delay } from "@std/async/delay";
import { parseIncident } from "../../../lib/history/incident.ts";
import {
  readResponses,
  type TrackedIncident,
} from "../../../lib/incidents/acknowledgement/read_responses.ts";
import { applyAllResponses } from "../../../lib/pipeline/respond.ts";
import { githubServer } from "../../helpers/github_server.ts";
import { IncidentLife, type Observed } from "../../helpers/incident_life.ts";
import { openedGitHub } from "../../helpers/opened_github.ts";

/** Sites of two groups, by their number: every third one is a printer. */
function makeSites(count: number): { name: string; url: string; group: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `Site ${index}`,
    url: `https://site-${index}.example/`,
    group: index % 3 === 0 ? "Printers" : "Shops",
  }));
}

function observe(count: number, isDown: (index: number) => boolean): Observed {
  const states = Array.from(
    { length: count },
    (_, index) => [`site-${index}`, isDown(index) ? "down" : "up"],
  );
  return Object.fromEntries(states);
}

Deno.test("incidents of a mass outage share an issue per group, which is updated once an hour and closes with the last", async () => {
  await using github = await githubServer();
  const count = 120;
  const life = await IncidentLife.begin(github, { sites: makeSites(count) });
  await life.run(5, observe(count, () => true));
  const issues = await github.issues();
  assertEquals(issues.map(({ title, labels }) => [title, labels]).sort(), [
    ["🛑 Many sites of Printers are failing", ["status"]],
    ["🛑 Many sites of Shops are failing", ["status"]],
  ]);
  const [printers] = issues.filter(({ title }) => title.includes("Printers"));
  assertMatch(
    printers!.body,
    /^\*\*40 sites\*\* of Printers have been failing since .* UTC:\n\n- Site 0 is down/,
  );
  assertStringIncludes(printers!.body, "\n- Site 117 is down");
  assert(!printers!.body.includes("- Site 1:"));

  await life.run(5, observe(count, (index) => index >= 30));
  await life.run(5, observe(count, (index) => index >= 60));
  const incidents = await life.incidents();
  assertEquals(incidents.filter(({ issue, end }) => end === undefined && issue === undefined), []);
  const comments = async () =>
    (await github.issues()).flatMap(({ comments }) =>
      comments.map(({ body }) => body.split("\n")[0])
    ).sort();
  assertEquals(await comments(), [
    "**Now failing:** 30 sites of Printers.",
    "**Now failing:** 60 sites of Shops.",
  ]);
  await life.run(5, observe(count, () => false));
  assertEquals((await comments()).slice(2), [
    "**Resolved:** all sites of Printers are up again.",
    "**Resolved:** all sites of Shops are up again.",
  ]);
  assertEquals((await github.issues()).map(({ state }) => state), ["closed", "closed"]);
  await life.run(5, observe(count, (index) => index < 9));
  const reopened = await github.issues();
  assertEquals(reopened.map(({ state }) => state), ["open", "open"]);
  assertEquals((await comments()).filter((one) => one?.includes("again:")), [
    "**Failing again:** 3 sites of Printers.",
    "**Failing again:** 6 sites of Shops.",
  ]);
  assertEquals(github.violations, []);
  assertEquals(await life.waiting(), []);
});

Deno.test("a shared issue that a person closes stays closed until another site joins", async () => {
  await using github = await githubServer();
  const count = 120;
  const sites = makeSites(count).map((site) => ({ ...site, group: "Shops" }));
  const life = await IncidentLife.begin(github, { sites });
  const fail = (failing: number, up = 0) =>
    life.run(5, observe(count, (index) => index >= up && index < failing), {
      readsResponses: true,
    });
  const issue = async () => (await github.issues())[0]!;
  const headlines = async () => (await issue()).comments.map(({ body }) => body.split("\n")[0]);
  await fail(105);
  const { number } = await issue();
  await github.person("ann").close(number);
  await fail(105);
  await fail(105, 5);
  const before = ["**Now failing:** 100 sites of Shops."];
  assertEquals([(await issue()).state, await headlines()], ["closed", before]);
  const ways = (await life.incidents()).filter(({ end }) => end === undefined)
    .flatMap(({ acknowledgements }) => acknowledgements.map(({ way, by }) => `${way} ${by}`));
  assertEquals(ways, Array.from({ length: 100 }, () => "closing ann"));

  await fail(110, 5);
  assertEquals((await issue()).state, "open");
  assertEquals((await headlines()).slice(1), ["**Now failing:** 105 sites of Shops."]);
  await fail(112, 5);
  assertEquals((await headlines()).length, 2);

  // GitHub knows the second in which somebody closes an issue.
  const closed = Math.floor(Date.now() / 1000);
  while (Math.floor(Date.now() / 1000) === closed) await delay(20);
  await github.person("ann").close(number);
  await fail(112, 5);
  assertEquals((await issue()).state, "closed");
  await fail(113, 5);
  assertEquals((await issue()).state, "open");
  assertEquals((await headlines()).slice(2), ["**Now failing:** 108 sites of Shops."]);
  await fail(0);
  assertEquals((await issue()).state, "closed");
  assertEquals(github.violations, []);
});

Deno.test("a hundred incidents in an hour have issues of their own, and later ones share one that stays", async () => {
  await using github = await githubServer();
  const count = 104;
  const life = await IncidentLife.begin(github, { sites: makeSites(count) });
  const fail = (minutes: number, failing: number, hasToken = true) =>
    life.run(minutes, observe(count, (index) => index < failing), { hasToken });
  await fail(5, 100, false);
  await fail(5, 102, false);
  await fail(5, 104, false);
  const shared = new Map(
    (await life.incidents()).map(({ slug, shared }) => [slug, shared?.split("-").at(-1)]),
  );
  const [shops, printers] = ["site-100", "site-102"].map((slug) => shared.get(slug));
  assertEquals([...shared].filter(([, name]) => name !== undefined), [
    ["site-100", shops],
    ["site-101", shops],
    ["site-102", printers],
    ["site-103", shops],
  ]);
  assert(shops !== undefined && printers !== undefined && shops !== printers);
});

Deno.test("sites of more than fifty groups share a single issue, whose list is cut to GitHub's length", async () => {
  await using github = await githubServer();
  const count = 1_500;
  const sites = makeSites(count).map((site, index) => ({ ...site, group: `Group ${index % 60}` }));
  const life = await IncidentLife.begin(github, { sites });
  const before = github.requests.length;
  await life.run(5, observe(count, () => true), { seen: { code: 0, error: "x".repeat(300) } });
  assert(github.requests.length - before < 10, "a mass outage takes few requests");
  const [issue, ...others] = await github.issues();
  assertEquals([issue!.title, others.length], ["🛑 Many sites are failing", 0]);
  assert(issue!.body.length < 65_536);
  assertMatch(issue!.body, /\nand 1,\d+ more\n/);
  assertEquals(github.violations, []);
});

Deno.test("a comment on a shared issue acknowledges each of its incidents and gets one answer", async () => {
  await using github = await githubServer();
  const number = await github.person("monitor-bot").open({ title: "🛑 Many sites are failing" });
  await github.person("ann").comment(number, "/ack");
  await github.person("ann").look(number);
  const tracked = ["shop", "blog"].map((slug): TrackedIncident => ({
    ...{ id: `2026-11-21-${slug}`, slug, issue: number, acknowledgements: [], assigned: [] },
    start: Temporal.Now.instant().subtract({ minutes: 1 }),
    isOver: false,
    isChanging: false,
  }));
  const read = await readResponses(openedGitHub(github), tracked, undefined);
  assertEquals(
    read!.commands.map(({ slug, by, command }) => `${slug} ${by} ${command.name}`),
    ["shop ann ack", "blog ann ack"],
  );
  assertEquals([...read!.incidents.values()].map(({ responses }) => responses.length), [1, 1]);
  assertEquals(github.asked.filter((one) => one.includes("reactions")).length, 1);

  const text = (slug: string) =>
    `slug: ${slug}\nkind: down\nstart: 2026-11-21T10:05:00.000Z\nconfirmed: 2026-11-21T10:05:31.000Z\nshared: 2026-11-21T10-05-shared-all\nissue: ${number}\n`;
  const incidents = new Map(tracked.map(({ id, slug }) => [id, parseIncident(text(slug))!]));
  const loadedState = {
    ...{ rows: [], onBranch: [], unreadable: [] },
    ...{ isInRef: false, isRefMissing: false },
  };
  const responded = applyAllResponses(
    { incidents, ended: new Map(), sites: [], loadedState },
    {
      outcomes: [],
      rows: [],
      abandoned: [],
      records: new Map(),
      incidents: new Map(),
      streaks: new Map(),
      causes: [],
    },
    read,
    { now: Temporal.Now.instant(), ackFor: 0 },
  );
  assertEquals(responded.effects.map(({ data }) => data["answer"]), ["+1"]);
  assertEquals(
    [...responded.findings.incidents.values()].map(({ acknowledgements }) =>
      acknowledgements[0]?.by
    ),
    ["ann", "ann"],
  );
});
