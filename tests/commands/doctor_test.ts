import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { appendRows, checksPath } from "../../lib/history/checks_log.ts";
import { WORKFLOW_KEYS, WORKFLOWS } from "../../lib/config/workflows.ts";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import { git, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { thoroughly } from "../helpers/thorough.ts";

// A version that is held is not asked for.
const CONFIG = `actionVersion: v1.41.0
sites:
  - name: Shop
    url: https://shop.example.com/?key=$SHOP_KEY
`;

/** A repository with the configuration, its workflows, and checks every five minutes since yesterday. */
async function setUp(scratch: Scratch, text = CONFIG): Promise<string> {
  const folder = scratch.path;
  await git(folder, "init", "--quiet");
  await scratch.write(".monitorrc.yml", text);
  const now = Temporal.Now.instant();
  const logs = new Map<string, string>();
  for (let minutes = 24 * 60; minutes >= 0; minutes -= 5) {
    const time = now.subtract({ minutes });
    const path = checksPath(time);
    const run = minutes.toString(16).padStart(8, "0");
    const row = { time, run, slug: "shop", state: "up", code: 200, ms: 9, attempts: 1 } as const;
    logs.set(path, appendRows(logs.get(path), [row]));
  }
  await Deno.mkdir(`${folder}/history/checks`, { recursive: true });
  for (const [path, text] of logs) await scratch.write(path, text);
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Begin");
  return folder;
}

Deno.test("doctor looks at the folder, the history and GitHub, and finds nothing to change in a good set-up", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const folder = await setUp(scratch);
  const { settings } = github;
  settings.workflows = WORKFLOW_KEYS.map((key) => ({ ...WORKFLOWS[key], state: "active" }));
  settings.pages = { branch: "gh-pages", path: "/", cname: null, isHttps: true };
  settings.pushed = Temporal.Now.instant();
  for (const name of ["SHOP_KEY", "HOST_PAT"]) settings.sealed.set(name, "");
  github.account("monitor-bot").scopes = ["repo", "workflow"];
  const secret = "s3cret-of-the-shop";
  const env = { ...github.env, SECRETS_CONTEXT: JSON.stringify({ SHOP_KEY: secret }) };
  await runTask("update-template", { folder, env });
  const before = await git(folder, "status", "--porcelain");
  const { code, stdout, stderr } = await runTask("doctor", { folder, env });
  assertEquals([code, stderr], [0, ""], stdout);
  assertStringIncludes(stdout, "acme/status\n\n✔ Configuration   .monitorrc.yml can be used");
  assertStringIncludes(stdout, "in the last week there were 289, usually 5\n");
  assertStringIncludes(stdout, "\n✔ Nothing has to be changed.\n");
  assert(!stdout.includes("? "), stdout);
  assert(!stdout.includes(secret));
  assertEquals(await git(folder, "status", "--porcelain"), before);
  assert(github.requests.every(({ method }) => method === "GET"));
  assertEquals(github.violations, []);
});

Deno.test("doctor needs no token, says what it could not look at, and ends with 1 where something is to be changed", async () => {
  await using scratch = await makeScratch();
  const folder = await setUp(scratch);
  const { code, stdout } = await runTask("doctor", { folder, args: ["--json"] });
  assertEquals(code, 1);
  const { repository, well, findings } = JSON.parse(stdout);
  assertEquals([repository, well], [null, false]);
  const verdictOf = (name: string) =>
    findings.find(({ examination }: { examination: string }) => examination === name).verdict;
  assertEquals(["Configuration", "Workflow files", "Schedule", "Token"].map(verdictOf), [
    ...["well", "change", "well", "unexamined"],
  ]);
});

thoroughly("doctor goes on where there is no configuration and no repository", async () => {
  await using scratch = await makeScratch();
  const { code, stdout } = await runTask("doctor", { folder: scratch.path });
  assertEquals(code, 1);
  assertStringIncludes(stdout, "✘ Configuration   there is no .monitorrc.yml here");
  assertStringIncludes(stdout, "One thing has to be changed, as far as could be seen.");
});
