import { assert, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { WORKFLOW_KEYS, workflowPath } from "../../lib/config/workflows.ts";
import { blocksOf, readDoc } from "../helpers/docs.ts";
import { cleanEnvironment, PROJECT } from "../helpers/program.ts";
import { pathsAt } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { listenTo } from "../helpers/spoken_lines.ts";
import { thoroughly } from "../helpers/thorough.ts";

/** The command lines of the first step in the docs. */
async function typed(): Promise<string> {
  const text = await readDoc("docs/getting-started.md");
  return blocksOf(text.split(/^## /m)[1]!, "sh").join("");
}

thoroughly("the first step of the docs ends with a page that is served", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = join(scratch.path, "status.git");
  await git(scratch.path, "init", "--quiet", "--bare", "--initial-branch", "main", remote);
  for (const folder of ["monitor-action", "tools"]) await Deno.mkdir(join(scratch.path, folder));
  const npx = `#!/bin/sh\nshift 2\nexec "${Deno.execPath()}" "$@"\n`;
  await Deno.writeTextFile(join(scratch.path, "tools", "npx"), npx, { mode: 0o755 });
  const lines = (await typed()).replace("clone=$PWD", `clone="${PROJECT}"`)
    .replace("https://github.com/OWNER/status.git", "../status.git")
    .replaceAll("https://example.com", site.url)
    .replace("monitor serve", "monitor serve --port 0");
  const person = { NAME: "Jo", EMAIL: "jo@example.com" };
  const identity = Object.entries(person).flatMap(([name, value]) =>
    ["AUTHOR", "COMMITTER"].map((role) => [`GIT_${role}_${name}`, value])
  );
  const child = new Deno.Command("/bin/bash", {
    args: ["-e", "-c", lines],
    cwd: join(scratch.path, "monitor-action"),
    clearEnv: true,
    env: {
      ...cleanEnvironment(),
      ...Object.fromEntries(identity),
      PATH: `${join(scratch.path, "tools")}:/usr/local/bin:/usr/bin:/bin`,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
  const printed = listenTo(child.stdout, child.stderr);
  const [, address] = await printed.heard(/^Serving it at (http:[^\s,]+\/)[.,]/m);
  const { host } = new URL(site.url);
  assertStringIncludes(await (await fetch(address!)).text(), host);
  // As a terminal does: all of the group hear of it.
  Deno.kill(-child.pid, "SIGINT");
  await printed.heard(/^Stopped\.$/m);
  await child.status;
  const paths = await pathsAt(remote, "main");
  const written = ["README.md", `history/${host.replace(":", "-")}.yml`];
  for (const path of [...WORKFLOW_KEYS.map(workflowPath), ...written]) {
    assert(paths.includes(path), `${path} in ${paths}\n${printed.all()}`);
  }
});
