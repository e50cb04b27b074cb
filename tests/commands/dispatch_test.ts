import { assertEquals, assertMatch } from "@std/assert";
import { DISPATCH_EVENTS } from "../../lib/incidents/dispatches.ts";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { thoroughly } from "../helpers/thorough.ts";

Deno.test("dispatch starts a workflow by each of the six events, without a configuration", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const folder = scratch.path;
  for (const event of DISPATCH_EVENTS) {
    const { code, stdout, stderr } = await runTask("dispatch", {
      folder,
      args: [event],
      env: github.env,
    });
    assertEquals([code, stdout, stderr], [
      0,
      `Started the workflow for ${event} in acme/status.\n`,
      "",
    ]);
  }
  assertEquals(github.dispatched, [...DISPATCH_EVENTS]);
  const args = ["static-site", "--json"];
  const { stdout } = await runTask("dispatch", { folder, args, env: github.env });
  assertEquals(JSON.parse(stdout), {
    event: "static_site",
    repository: "acme/status",
    sent: true,
  });
  assertEquals(github.violations, []);
});

thoroughly(
  "dispatch finds its repository in the configuration, else in the git remote",
  async () => {
    await using scratch = await makeScratch();
    await using github = await githubServer();
    const folder = scratch.path;
    const env = { ...github.env, GITHUB_REPOSITORY: "" };
    const dispatch = () => runTask("dispatch", { folder, args: ["summary", "--dry-run"], env });
    const nowhere = await dispatch();
    assertEquals(nowhere.code, 2);
    assertMatch(nowhere.stderr, /nothing tells which repository it is; set GITHUB_REPOSITORY/);
    await git(folder, "init", "--quiet");
    await git(folder, "remote", "add", "origin", "git@github.com:acme/ofremote.git");
    assertMatch((await dispatch()).stdout, /^Nothing was sent; .* summary in acme\/ofremote\.$/m);
    await scratch.write(".monitorrc.yml", "owner: acme\nrepo: configured\nsites: []\n");
    assertMatch((await dispatch()).stdout, /summary in acme\/configured\.$/m);
    assertEquals(github.asked, []);
  },
);

thoroughly(
  "dispatch says what is missing, and what to change where GitHub refuses",
  async () => {
    await using scratch = await makeScratch();
    await using github = await githubServer();
    const folder = scratch.path;
    const dispatch = (args: string[], env: Record<string, string> = {}) =>
      runTask("dispatch", { folder, args, env: { ...github.env, ...env } });
    const refusals: [args: string[], env: Record<string, string>, message: RegExp][] = [
      [[], {}, /an event is missing \(the events are uptime, response_time, graphs, static_site,/],
      [["sumary"], {}, /"sumary" is no event, did you mean "summary"\? \(the events are/],
      [["up", "time"], {}, /"up time" is no event, did you mean "uptime"\?/],
      [["summary"], { HOST_PAT: "" }, /there is no token; set HOST_PAT or GITHUB_TOKEN/],
    ];
    for (const [args, env, message] of refusals) {
      const { code, stderr } = await dispatch(args, env);
      assertEquals(code, 2);
      assertMatch(stderr, message);
    }
    github.account("monitor-bot").permissions = { issues: "write" };
    const { code, stderr } = await dispatch(["summary"]);
    assertEquals(code, 1);
    assertMatch(
      stderr,
      /^error: Cannot start the workflows for "summary" in acme\/status: .*"contents: write" under permissions:/,
    );
  },
);
