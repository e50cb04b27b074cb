import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { workflowPath } from "../../lib/config/workflows.ts";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import { remoteAndClone } from "../helpers/repositories.ts";
import { runWorkflow, type WorkflowEvent } from "../helpers/runner/workflow.ts";
import { withTools } from "../helpers/runner/with_tools.ts";
import { git, makeScratch } from "../helpers/scratch.ts";

const CONFIG = `canaries: []
sites:
  - name: Backup
    check: heartbeat
    every: 1d
    grace: 1h
    variable: HEARTBEAT_BACKUP
  - { name: Import, check: heartbeat, every: 1d, dispatch: import }
`;

withTools(
  "Uptime CI passes a job's variable, an issue opens at its deadline, and a beat closes it",
  async () => {
    await using scratch = await makeScratch();
    await using github = await githubServer();
    const { remote, folder: clone } = await remoteAndClone(scratch, CONFIG);
    const { code, stderr } = await runTask("update-template", { folder: clone, env: github.env });
    assertEquals(code, 0, stderr);
    const text = await git(remote, "show", `main:${workflowPath("uptime")}`);
    const tools = join(scratch.path, "tools");
    await Deno.mkdir(tools);
    await Deno.symlink(Deno.execPath(), join(tools, "deno"));
    const env = { PATH: `${tools}:/usr/local/bin:/usr/bin:/bin` };
    const run = async (beat: string | undefined, event: WorkflowEvent = { name: "schedule" }) => {
      const vars = { OTHER: "not for us", ...beat === undefined ? {} : { HEARTBEAT_BACKUP: beat } };
      const secrets = { HOST_PAT: github.token };
      const { status, steps } = await runWorkflow({
        ...{ text, event, remote, secrets, vars, github, env },
      });
      const output = steps.map(({ stdout }) => stdout).join("\n");
      assertEquals(status, "success", output);
      return output;
    };

    const first = await run(undefined);
    assertEquals(first.match(/pending: no beat has come yet/g)?.length, 2, first);
    const last = Temporal.Now.instant().subtract({ hours: 30 }).round("second");
    await run(`ok ${last}`);
    const [issue, ...others] = await github.issues();
    assertEquals([issue!.title, others], ["🛑 Backup is down", []]);
    const deadline = `${last.add({ hours: 25 })}`.replace("T", " ").replace("Z", " UTC");
    assertStringIncludes(issue!.body, `| Since | ${deadline} |`);
    assert(issue!.body.includes("every day"), issue!.body);

    const payload = { action: "uptime", client_payload: { import: "ok 3s" } };
    const output = await run(`ok ${Temporal.Now.instant()}`, {
      name: "repository_dispatch",
      payload,
    });
    assertStringIncludes(output, "all up");
    assertEquals((await github.issues()).map(({ state }) => state), ["closed"]);
    assert(!output.includes("not for us"));
    assertEquals(github.violations, []);
  },
);
