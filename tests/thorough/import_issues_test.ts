import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { parseIncident } from "../../lib/history/incident.ts";
import { parseDays } from "../../lib/history/daily_log.ts";
import { parseMaintenance } from "../../lib/history/maintenance.ts";
import { FAULTS, type GitHubRequest, githubServer } from "../helpers/github_server.ts";
import { keepMidnightOut } from "../helpers/midnight.ts";
import { runTask } from "../helpers/program.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { makeUpptimeRepository, upptimeRecord } from "../helpers/upptime_repository.ts";

const SHOP = "https://shop.example.com";
const CONFIG = `owner: acme\nrepo: status\nsites:\n  - name: Shop\n    url: ${SHOP}\n`;

/** A repository with one outage that has ended. */
async function makeOutage(folder: string): Promise<string> {
  const version = (at: string, rest = {}) => ({
    at,
    files: { "history/shop.yml": upptimeRecord({ url: SHOP, at, ...rest }) },
  });
  await makeUpptimeRepository(folder, [
    { at: "2026-05-01T00:00:00Z", files: { ".upptimerc.yml": CONFIG } },
    version("2026-05-01T10:00:00.000Z"),
    version("2026-05-01T11:00:00.000Z", { status: "down", code: 0, ms: 0 }),
    version("2026-05-01T11:30:00.000Z"),
    version("2026-05-02T11:30:00.000Z"),
  ]);
  return await git(folder, "rev-parse", "HEAD~2");
}

async function readIncident(folder: string, id: string) {
  return parseIncident(await Deno.readTextFile(join(folder, `history/incidents/${id}.yml`)))!;
}

Deno.test("issues are joined by their commit; one without a check is an incident, and a stranger's is ignored", async () => {
  await keepMidnightOut();
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const folder = join(scratch.path, "status");
  const commit = await makeOutage(folder);
  const acme = github.person("acme");
  const body = `In [\`${commit.slice(0, 7)}\`](https://github.com/acme/status/commit/${commit})`;
  const joined = await acme.open({ title: "🛑 Shop is down", body, labels: ["status", "shop"] });
  const alone = await acme.open({
    title: "⚠️ Shop has degraded performance",
    labels: ["status", "shop"],
  });
  for (const number of [joined, alone]) await acme.close(number);
  await acme.open({ title: "Unrelated", labels: ["bug"] });
  await github.person("stranger").open({ title: "🛑 Shop is down", body });
  const args = ["upptime", "--json"];
  const { code, stdout, stderr } = await runTask("import", { folder, args, env: github.env });
  assertEquals(code, 0, stderr);
  assertEquals(JSON.parse(stdout).issues, {
    ...{ joined: [joined], alone: [alone], further: [], left: [], open: [] },
  });
  const outage = await readIncident(folder, "2026-05-01-shop");
  assertEquals([outage.issue, outage.kind], [joined, "down"]);
  const slow = await readIncident(folder, `${new Date().toISOString().slice(0, 10)}-shop`);
  assertEquals([slow.issue, slow.kind], [alone, "degraded"]);
  assertEquals(github.violations, []);
});

Deno.test("an import without a token gets the numbers of issues when it is repeated with one", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const folder = join(scratch.path, "status");
  const commit = await makeOutage(folder);
  const offline = await runTask("import", { folder, args: ["upptime"] });
  assertStringIncludes(offline.stdout, "not all issues were read: no token");
  assertEquals((await readIncident(folder, "2026-05-01-shop")).issue, undefined);
  const number = await github.person("acme").open({
    title: "🛑 Shop is down",
    body: `https://github.com/acme/status/commit/${commit}`,
    labels: ["status", "shop"],
  });
  const { stdout } = await runTask("import", {
    folder,
    args: ["upptime", "--json"],
    env: github.env,
  });
  assertEquals(JSON.parse(stdout).written, ["history/incidents/2026-05-01-shop.yml"]);
  assertEquals((await readIncident(folder, "2026-05-01-shop")).issue, number);
});

Deno.test("a rate limit interrupts the reading of issues, and the next import continues with the missing page", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const folder = join(scratch.path, "status");
  await makeOutage(folder);
  const acme = github.person("acme");
  for (let index = 0; index < 101; index++) {
    await acme.open({ title: `🛑 Shop is down ${index}`, labels: ["status", "shop"] });
  }
  const isList = ({ path, query }: GitHubRequest) =>
    path.endsWith("/issues") && query.get("labels") === "status";
  const listed = () => github.requests.filter(isList).map(({ query }) => query.get("page"));
  const isPage = (request: GitHubRequest) => isList(request) && request.query.get("page") === "2";
  github.fault(isPage, FAULTS.primaryLimit(3600), { times: Infinity });
  const first = await runTask("import", { folder, args: ["upptime"], env: github.env });
  assertEquals(first.code, 0, first.stderr);
  assertStringIncludes(first.stdout, "not all issues were read: Cannot read page 2 of the issues");
  github.forgetFaults();
  const before = listed().length;
  const again = await runTask("import", { folder, args: ["upptime", "--json"], env: github.env });
  assertEquals(listed().slice(before), ["2"]);
  const { notes, issues } = JSON.parse(again.stdout);
  assertEquals([notes.length, issues.open.length], [1, 101]);
});

Deno.test("comments on a past incident become its timeline, and a second issue links to it", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const folder = join(scratch.path, "status");
  const commit = await makeOutage(folder);
  const link = `[\`${commit.slice(0, 7)}\`](https://github.com/acme/status/commit/${commit})`;
  const acme = github.person("acme");
  const issue = { title: "🛑 Shop is down", body: `In ${link}`, labels: ["status", "shop"] };
  const [first, second] = [await acme.open(issue), await acme.open(issue)];
  await acme.comment(first, "**Identified:** a cable");
  await acme.comment(first, `**Resolved:** Shop is back up in ${link} after 30 minutes.`);
  await github.person("stranger").comment(first, "Me too");
  const args = ["upptime", "--json"];
  await runTask("import", { folder, args });
  const online = await runTask("import", { folder, args, env: github.env });
  assertEquals(JSON.parse(online.stdout).issues.further, [second]);
  const incident = await readIncident(folder, "2026-05-01-shop");
  assertEquals([incident.issue, incident.furtherIssues], [first, [second]]);
  assertEquals(incident.updates.map(({ phase, text }) => [phase, text]), [[
    "identified",
    "a cable",
  ]]);
  const again = await runTask("import", { folder, args, env: github.env });
  assertEquals(JSON.parse(again.stdout).written, []);
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Move");
  await runTask("site", { folder });
  for (const number of [first, second]) {
    const page = await Deno.readTextFile(
      join(folder, `site/status-page/export/incident/${number}/index.html`),
    );
    assertStringIncludes(page, "../2026-05-01-shop/");
  }
});

Deno.test("finished maintenance is imported, and its expected failures are neither incidents nor downtime", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const folder = join(scratch.path, "status");
  await makeOutage(folder);
  const acme = github.person("acme");
  const announce = (start: string, end: string, expected: string) =>
    acme.open({
      title: "New router",
      body: `<!--\nstart: ${start}\nend: ${end}\n${expected}\n-->\nWe move.`,
      labels: ["maintenance"],
    });
  const over = await announce("2026-05-01T10:30:00Z", "2026-05-01T12:00:00Z", "expectedDown: shop");
  await announce("2099-01-01T10:00:00Z", "2099-01-01T12:00:00Z", "expectedDown: shop");
  const unreadable = await announce("some day", "2026-05-01T12:00:00Z", "expectedDown: shop");
  for (const number of [over, unreadable]) await acme.close(number);
  // A member of the organization without write access.
  Object.assign(github.account("stranger"), { association: "MEMBER", permission: "read" });
  const body = "<!--\nstart: 2026-05-01T10:00:00Z\nend: 2026-05-01T13:00:00Z\n-->";
  await acme.label(await github.person("stranger").open({ title: "Mine", body }), "maintenance");
  await runTask("import", { folder, args: ["upptime"] });
  assertEquals((await readIncident(folder, "2026-05-01-shop")).kind, "down");
  const args = ["upptime", "--json"];
  const { stdout } = await runTask("import", { folder, args, env: github.env });
  const { removed, incidents, maintenance, notes } = JSON.parse(stdout);
  assertEquals(removed, ["history/incidents/2026-05-01-shop.yml"]);
  assertEquals([incidents, maintenance], [0, 1]);
  assertStringIncludes(notes.join("\n"), `issue #${unreadable}`);
  const [name] = (await Array.fromAsync(Deno.readDir(join(folder, "history/incidents"))))
    .map(({ name }) => name);
  const window = parseMaintenance(
    await Deno.readTextFile(join(folder, "history/incidents", name!)),
  )!;
  assertEquals([window.issue, window.text], [over, "We move."]);
  assertEquals(window.end, Temporal.Instant.from("2026-05-01T12:00:00Z"));
  const days = parseDays([await Deno.readTextFile(join(folder, "history/daily/2026.csv"))]);
  const [day] = days.get("shop")!;
  assertEquals([day!.downTime, day!.maintenanceTime, day!.maintenance], [0, 90 * 60, 2]);
  for (const env of [{}, github.env]) {
    const again = await runTask("import", { folder, args, env });
    assertEquals([JSON.parse(again.stdout).written, JSON.parse(again.stdout).removed], [[], []]);
  }
});
