import { assertEquals, assertStringIncludes } from "@std/assert";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { watching } from "../helpers/watching.ts";

const CONFIG = `canaries: []
issues: false
sites:
  - { name: Backup, check: heartbeat, every: 1h, variable: HEARTBEAT_BACKUP, interval: 10 }
`;

const LIST = "GET /repos/acme/status/actions/variables";

Deno.test("watch requests the variables of heartbeats once a minute, with rounds every 10 seconds", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await scratch.write(".monitorrc.yml", CONFIG);
  const now = Temporal.Now.instant().round("second");
  const { variables } = github.settings;
  variables.set("HEARTBEAT_BACKUP", `ok ${now}`);
  const ended = await watching(scratch.path, ({ runs, stop }) => {
    if (runs === 2) variables.set("HEARTBEAT_BACKUP", `3 ${now.add({ seconds: 1 })}`);
    if (runs === 12) stop();
  }, { env: github.env });
  assertEquals([ended.code, ended.stderr], [0, ""]);
  assertStringIncludes(ended.stdout, "Backup is down (the job ended with exit code 3");
  assertEquals(github.asked.filter((one) => one === LIST).length, 2);
  assertEquals(github.violations, []);
});

Deno.test("update reads variables that no workflow passes, and says what it needs for that", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await scratch.write(".monitorrc.yml", CONFIG);
  const update = async (env: Record<string, string>) => {
    const { stdout } = await runTask("update", { folder: scratch.path, env });
    return stdout;
  };
  assertStringIncludes(await update({}), "HEARTBEAT_BACKUP can't be read: no token is set");
  assertStringIncludes(await update(github.env), "pending: no beat has come yet");
  github.settings.variables.set("HEARTBEAT_BACKUP", `ok ${Temporal.Now.instant()}`);
  assertStringIncludes(await update(github.env), "Backup up");
  // In a job, only what its workflow passes counts.
  const job = await update({ ...github.env, GITHUB_ACTIONS: "true" });
  assertStringIncludes(job, "HEARTBEAT_BACKUP is not set here");
});
