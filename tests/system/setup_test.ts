import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { type WorkflowKey, workflowPath, WORKFLOWS } from "../../lib/config/workflows.ts";
import { runTask } from "../helpers/program.ts";
import { githubServer } from "../helpers/github_server.ts";
import { pathsAt, tip } from "../helpers/repositories.ts";
import { runWorkflow, type WorkflowEvent } from "../helpers/runner/workflow.ts";
import { withTools } from "../helpers/runner/with_tools.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

/** A repository as `init` makes it from nothing, pushed to a bare remote. */
async function newRepository(folder: string, url: string): Promise<string> {
  const remote = join(folder, "status.git");
  const own = join(folder, "status");
  await git(folder, "init", "--quiet", "--bare", "--initial-branch", "main", remote);
  await git(folder, "init", "--quiet", "--initial-branch", "main", own);
  await git(own, "remote", "add", "origin", remote);
  const { code, stderr } = await runTask("init", { folder: own, args: ["--url", url] });
  assertEquals([code, stderr], [0, ""]);
  await Deno.writeTextFile(
    join(own, ".monitorrc.yml"),
    "retry: { delays: [0.05] }\nrecheckDelay: 0.05\ncanaries: []\n",
    { append: true },
  );
  await git(own, "add", "--all");
  await git(own, "commit", "--quiet", "--message", "Begin");
  await git(own, "push", "--quiet", "--set-upstream", "origin", "main");
  return remote;
}

withTools("a new repository monitors by the workflows that it was given", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  let status = 200;
  await using site = httpServer(() => new Response("ok", { status }));
  const remote = await newRepository(scratch.path, site.url);
  const name = new URL(site.url).host;
  const slug = name.replace(":", "-");
  const at = (branch: string, path: string) => git(remote, "show", `${branch}:${path}`);
  const denoFolder = join(scratch.path, "tools");
  await Deno.mkdir(denoFolder);
  await Deno.symlink(Deno.execPath(), join(denoFolder, "deno"));
  const env = { PATH: `${denoFolder}:/usr/local/bin:/usr/bin:/bin` };
  const run = async (key: WorkflowKey, event: WorkflowEvent) => {
    const text = await at("main", workflowPath(key));
    const secrets = { HOST_PAT: github.token };
    const { status, steps } = await runWorkflow({ text, event, remote, secrets, github, env });
    const output = steps.map(({ name, stdout }) => `${name}: ${stdout}`).join("\n");
    assertEquals(status, "success", output);
    return steps;
  };
  const dispatched = (key: WorkflowKey): WorkflowEvent => ({
    name: "repository_dispatch",
    payload: { action: WORKFLOWS[key].event },
  });

  await run("uptime", { name: "schedule" });
  assertStringIncludes(await at("main", `history/${slug}.yml`), "status: up");
  status = 503;
  await run("uptime", { name: "workflow_dispatch" });
  assertStringIncludes(await at("main", `history/${slug}.yml`), "status: down");
  assertEquals((await github.issues()).map(({ title, state }) => [title, state]), [
    [`🛑 ${name} is down`, "open"],
  ]);
  status = 200;
  await run("uptime", dispatched("uptime"));
  assertEquals((await github.issues()).map(({ state }) => state), ["closed"]);

  const steps = await run("setup", { name: "push", payload: PUSH });
  assertEquals(steps.filter(({ isSkipped }) => isSkipped), []);
  assertEquals(github.requests.filter(({ body }) => /graphs/.test(JSON.stringify(body))).length, 1);
  const paths = await pathsAt(remote, "main");
  assert(paths.includes(`api/${slug}/statistics.json`), `${paths}`);
  assertStringIncludes(await at("main", "README.md"), `history/${slug}.yml`);
  assertStringIncludes(await at("gh-pages", "index.html"), "All systems operational");

  await run("graphs", dispatched("graphs"));
  assert(
    (await pathsAt(remote, "monitor-graphs")).includes(`graphs/${slug}/response-time-day.png`),
  );
  const page = await tip(remote, "gh-pages");
  const before = await tip(remote, "main");
  for (const key of ["summary", "site"] as const) await run(key, dispatched(key));
  assertEquals([await tip(remote, "gh-pages"), await tip(remote, "main")], [page, before]);
  await run("responseTime", dispatched("responseTime"));
  assertEquals(github.violations, []);
});

const PUSH = {
  head_commit: { message: "Watch one more site" },
  repository: { default_branch: "main" },
};
