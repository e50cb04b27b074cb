import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { type WorkflowKey, workflowPath, WORKFLOWS } from "../../lib/config/workflows.ts";
import { SETUP_EXAMPLE, writeTemplate } from "../../tools/template.ts";
import { githubServer } from "../helpers/github_server.ts";
import { commitFile, pathsAt, tip } from "../helpers/repositories.ts";
import { runWorkflow, type WorkflowEvent } from "../helpers/runner/workflow.ts";
import { withTools } from "../helpers/runner/with_tools.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

/** A copy of the template, pushed to a bare remote as its first commit. */
async function copyTemplate(scratch: string): Promise<{ folder: string; remote: string }> {
  const [folder, remote] = [join(scratch, "status"), join(scratch, "status.git")];
  await writeTemplate(folder);
  await git(scratch, "init", "--quiet", "--bare", "--initial-branch", "main", remote);
  await git(folder, "init", "--quiet", "--initial-branch", "main", ".");
  await git(folder, "remote", "add", "origin", remote);
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Initial commit");
  await git(folder, "push", "--quiet", "--set-upstream", "origin", "main");
  return { folder, remote };
}

withTools(
  "a copy of the template waits for its configuration, then runs without a token of its owner",
  async () => {
    await using scratch = await makeScratch();
    await using github = await githubServer();
    await using site = httpServer(() => new Response("ok"));
    github.account("github-actions[bot]").token = "ghs_TokenOfTheJob";
    const { folder, remote } = await copyTemplate(scratch.path);
    const tools = join(scratch.path, "tools");
    await Deno.mkdir(tools);
    await Deno.symlink(Deno.execPath(), join(tools, "deno"));
    const env = { PATH: `${tools}:/usr/local/bin:/usr/bin:/bin` };
    const run = async (key: WorkflowKey, event: WorkflowEvent) => {
      const text = await git(remote, "show", `main:${workflowPath(key)}`);
      const { status, steps } = await runWorkflow({ text, event, remote, github, env });
      assertEquals(status, "success", steps.map(({ stdout }) => stdout).join("\n"));
      return steps;
    };
    const push = {
      name: "push",
      payload: {
        head_commit: { message: "Initial commit" },
        repository: { default_branch: "main" },
      },
    };

    const before = await tip(remote, "main");
    const first = [...await run("setup", push), ...await run("uptime", { name: "schedule" })];
    const waiting = first.filter(({ stdout }) => stdout.includes("Nothing is checked yet: edit"));
    assertEquals(waiting.length, 5);
    assertEquals(first.find(({ name }) => name === "Publish the page")!.isSkipped, true);
    assertEquals([await tip(remote, "main"), await git(remote, "branch")], [before, "* main"]);
    const started = [WORKFLOWS.uptime.event, WORKFLOWS.graphs.event];
    assertEquals(github.dispatched, started);

    const example = await Deno.readTextFile(join(folder, ".monitorrc.yml"));
    const edited = `canaries: []\n${example.replace("https://your-website.example", site.url)}`;
    await commitFile(folder, ".monitorrc.yml", edited);
    await git(folder, "push", "--quiet", "origin", "main");
    const workflows = () => git(remote, "rev-parse", "main:.github/workflows");
    const made = await workflows();
    await run("setup", push);
    await run("uptime", { name: "repository_dispatch", payload: { action: "uptime" } });
    await run("site", { name: "repository_dispatch", payload: { action: "static_site" } });
    assertEquals(await workflows(), made);
    const at = (branch: string, path: string) => git(remote, "show", `${branch}:${path}`);
    assertStringIncludes(await at("main", "history/my-website.yml"), "status: up");
    assertStringIncludes(await at("main", "README.md"), "My website");
    assertStringIncludes(await at("gh-pages", "index.html"), "All systems operational");
    assert((await pathsAt(remote, "main")).includes("history/summary.json"));
    assertEquals(github.violations, []);
  },
);

withTools("two files make any repository a monitor, if Setup CI has a token", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await using site = httpServer(() => new Response("ok"));
  const [folder, remote] = [join(scratch.path, "own"), join(scratch.path, "own.git")];
  await git(scratch.path, "init", "--quiet", "--bare", "--initial-branch", "main", remote);
  await git(scratch.path, "init", "--quiet", "--initial-branch", "main", folder);
  await git(folder, "remote", "add", "origin", remote);
  await Deno.mkdir(join(folder, ".github/workflows"), { recursive: true });
  await Deno.copyFile(SETUP_EXAMPLE, join(folder, workflowPath("setup")));
  await Deno.writeTextFile(join(folder, "README.md"), "# Own\n");
  const config = `canaries: []\nsites: [{ name: Shop, url: "${site.url}" }]\n`;
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), config);
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Monitor");
  await git(folder, "push", "--quiet", "--set-upstream", "origin", "main");
  const tools = join(scratch.path, "tools");
  await Deno.mkdir(tools);
  await Deno.symlink(Deno.execPath(), join(tools, "deno"));
  const env = { PATH: `${tools}:/usr/local/bin:/usr/bin:/bin` };
  const text = await git(remote, "show", `main:${workflowPath("setup")}`);
  const secrets = { HOST_PAT: github.token };
  const event = { name: "workflow_dispatch" };
  const { status, steps } = await runWorkflow({ text, event, remote, secrets, github, env });
  assertEquals(status, "success", steps.map(({ stdout }) => stdout).join("\n"));
  const paths = await pathsAt(remote, "main");
  for (const key of Object.keys(WORKFLOWS) as WorkflowKey[]) {
    assert(paths.includes(workflowPath(key)), key);
  }
  assertEquals(await git(remote, "show", "main:README.md"), "# Own");
  assertEquals(github.dispatched, [WORKFLOWS.uptime.event, WORKFLOWS.graphs.event]);
  assertStringIncludes(await git(remote, "show", "gh-pages:index.html"), "Shop");
});
