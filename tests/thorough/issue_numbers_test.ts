import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { githubServer } from "../helpers/github_server.ts";
import { makeRig } from "../helpers/rig.ts";
import { incidentsAt, tip } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";

Deno.test("every output links the issue of an outage at once, although no commit has its number yet", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await using scene = await makeRig(scratch, { github, top: { i18n: { timezone: "UTC" } } });
  const { remote, folder, update, turn } = scene;
  const run = async (task: string, ...args: string[]) => {
    const { code, stdout, stderr } = await scene.run(task, { args });
    assertEquals(code, 0, stdout + stderr);
    return stdout;
  };
  await update();
  turn(503);
  await update();
  assertEquals((await github.issues()).length, 1);
  const [{ issue, id }] = (await incidentsAt(folder)).map((one) => ({
    issue: one.issue,
    id: `${one.start}`.slice(0, 10) + "-shop",
  })) as [{ issue?: number; id: string }];
  const commit = await tip(remote, "main");
  assertEquals(issue, undefined);

  await run("readme", "--add-markers");
  const readme = await git(remote, "show", "main:README.md");
  assertMatch(readme, /Down\]\((?:\.\.\/)+issues\/1\)/);
  await git(remote, "update-ref", "refs/heads/main", commit);
  await git(folder, "reset", "--quiet", "--hard", commit);
  const status = JSON.parse(await run("status", "--json"));
  assertEquals(status.sites[0].incident.issue, 1);
  assertMatch(await run("status", "Shop"), /#1/);
  assertEquals(JSON.parse(await run("incidents", "--json")).incidents[0].issue, 1);
  assertMatch(await run("incidents", id), /issues\/1/);
  const month = id.slice(0, 7);
  assertStringIncludes(await run("report", "--month", month), "/issues/1)");
  const report = JSON.parse(await run("report", "--month", month, "--json"));
  assertEquals(report.incidents[0].issue, 1);
  await run("site");
  for (const page of [`incident/${id}/index.html`, "incident/1/index.html", "summary.json"]) {
    const file = await Deno.readTextFile(join(folder, "site/status-page/export", page));
    assert(/issues\/1\b|"issue": ?1\b|#1\b/.test(file), page);
  }
  await run("response-time");
  const summary = JSON.parse(await git(remote, "show", "main:history/summary.json"));
  assertEquals(summary[0].issue, 1);
});
