import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { alertRig } from "../helpers/alert_rig.ts";
import { runTask } from "../helpers/program.ts";
import { pendingAt } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { everything } from "../helpers/secrets_rig.ts";
import { httpServer } from "../helpers/servers.ts";

/** Sites of which each assertion fails, or is inverted. */
const ASSERTIONS = {
  Contains: { contains: "nothing" },
  Matches: { assert: ["body not matches /fresh-.*/"] },
  Json: { assert: ["json $.access_token == 5"] },
  Map: { assert: ["json $.* == 5"] },
  Degraded: { assert: [{ that: "json $.ok == no", severity: "degraded" }], degradedRuns: [1, 1] },
  Steps: { steps: [{ url: "/", contains: "nothing" }] },
  Inverted: { contains: "nothing", inverted: true },
};

Deno.test("no run, record, incident or page repeats what an assertion found, unless the site has keepBody", async () => {
  await using scratch = await makeScratch();
  await using server = httpServer(() =>
    Response.json({ access_token: "fresh-token-1", ok: "fresh-token-2", count: 3 })
  );
  for (const keepBody of [false, true]) {
    const folder = join(scratch.path, String(keepBody));
    await Deno.mkdir(folder);
    const sites = Object.entries(ASSERTIONS)
      .map(([name, keys]) => [name, { url: server.url, ...keys, keepBody }]);
    const top = { history: { commitEvery: 0 } };
    await using rig = await alertRig({ ...scratch, path: folder }, {
      sites: Object.fromEntries(sites),
      top,
    });
    const run = await rig.update({ args: ["--verbose"] });
    const page = await rig.run("site");
    const shown = [
      await everything(run, rig.folder),
      JSON.stringify([...await pendingAt(rig.remote)]),
      page.stdout,
      await Deno.readTextFile(join(rig.folder, "site/status-page/export", "index.html")),
      await Deno.readTextFile(
        join(rig.folder, "site/status-page/export", "history", "contains", "index.html"),
      ),
    ].join("\n");
    assertStringIncludes(shown, 'body contains "nothing"');
    assertEquals(shown.includes("fresh-token"), keepBody, shown);
    if (!keepBody) assertStringIncludes(shown, "found a body of");
  }
});

Deno.test("check shows what assertions found on a terminal, and not in the log of a job", async () => {
  await using scratch = await makeScratch();
  await using server = httpServer(() => new Response("fresh-token-1"));
  const config = { sites: [{ name: "Shop", url: server.url, contains: "nothing" }] };
  await scratch.write(".monitorrc.yml", JSON.stringify(config));
  for (const onGitHub of ["true", "false"]) {
    const { stdout, stderr } = await runTask("check", {
      folder: scratch.path,
      args: ["Shop", "--json"],
      env: { GITHUB_ACTIONS: onGitHub },
    });
    const found = onGitHub === "true" ? "found a body of 13 characters" : "fresh-token-1";
    assertStringIncludes(stdout, found);
    assert((stdout + stderr).includes("fresh-token-1") === (onGitHub === "false"));
  }
});
