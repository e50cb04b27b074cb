import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parse } from "@std/yaml";
import { join } from "node:path";
import { ANNOUNCE } from "../../lib/config/workflows.ts";
import { splitWorkflow } from "../../lib/setup/workflow_files.ts";
import { githubServer } from "../helpers/github_server.ts";
import { commitFile } from "../helpers/repositories.ts";
import { cloned, CONFIG, UPTIME } from "../helpers/repository_rig.ts";
import { git, makeScratch, type Scratch } from "../helpers/scratch.ts";

const GRAPHS = ".github/workflows/graphs.yml";
const SCHEDULE = "workflowSchedule: { uptime: '*/10 * * * *' }\n";
const USUAL = "    runs-on: ubuntu-latest\n";

/** A clone with workflows of which some are edited by hand and pushed, and with another schedule. */
async function edited(
  scratch: Scratch,
  edits: Readonly<Record<string, (text: string) => string>>,
  { config = CONFIG, name = ".monitorrc.yml" } = {},
) {
  const rig = await cloned(scratch, config, name);
  const { folder, run } = rig;
  const first = await run();
  assertEquals(first.code, 0, first.stderr);
  for (const [path, edit] of Object.entries(edits)) {
    const before = await Deno.readTextFile(join(folder, path));
    assert(edit(before) !== before, path);
    await commitFile(folder, path, edit(before));
  }
  await commitFile(folder, name, config + SCHEDULE);
  await git(folder, "push", "--quiet");
  return rig;
}

function toRunner(value: string) {
  return (text: string) => text.replaceAll(USUAL, `    runs-on:${value}\n`);
}

/** Values of `runs-on` as people write them, and what the configuration says then. */
const VALUES: readonly [value: string, written: string, labels: unknown][] = [
  [" self-hosted", "self-hosted", "self-hosted"],
  [' "self-hosted" # my machine', "self-hosted", "self-hosted"],
  [" [self-hosted, linux]", "[self-hosted, linux]", ["self-hosted", "linux"]],
  ["\n      - self-hosted\n      - ARM64 # board", "[self-hosted, ARM64]", [
    "self-hosted",
    "ARM64",
  ]],
];

for (const [value, written, labels] of VALUES) {
  Deno.test(`a runner set by hand in a workflow moves to the configuration: runs-on:${value}`, async () => {
    await using scratch = await makeScratch();
    const { at, run, folder } = await edited(scratch, { [UPTIME]: toRunner(value) });
    const dry = await run(["--dry-run"]);
    assertStringIncludes(dry.stdout, `runner: { uptime: ${written} }`);
    assertMatch(dry.stdout, /^\.monitorrc\.yml would get runner\.uptime: self-hosted/m);
    assertEquals(await at(".monitorrc.yml"), (CONFIG + SCHEDULE).trimEnd());
    const { code, stdout, stderr } = await run();
    assertEquals([code, stderr], [0, ""]);
    assertMatch(stdout, /^\.monitorrc\.yml now has runner\.uptime: self-hosted.*, as set by hand/m);
    assertEquals(
      `${await at(".monitorrc.yml")}\n`,
      `${CONFIG}${SCHEDULE}runner: { uptime: ${written} }\n`,
    );
    assertEquals(
      await Deno.readTextFile(join(folder, ".monitorrc.yml")),
      `${await at(".monitorrc.yml")}\n`,
    );
    const text = `${await at(UPTIME)}\n`;
    assertEquals(splitWorkflow(text).state, "as made");
    const { jobs, on } = parse(text, { schema: "core" }) as Record<string, Record<string, unknown>>;
    assertEquals((jobs!["uptime"] as Record<string, unknown>)["runs-on"], labels);
    assertEquals(on!["schedule"], [{ cron: "*/10 * * * *" }]);
    // One commit, which starts no job.
    const log = await git(folder, "log", "-1", "--format=%s", "--name-only", "origin/main");
    assertMatch(log, /\[skip ci\]\n\n\.github\/workflows\/uptime\.yml\n\.monitorrc\.yml$/);
    assertMatch((await run()).stdout, /nothing new\./);
  });
}

Deno.test("runners of several workflows move at once, beside what the configuration has", async () => {
  await using scratch = await makeScratch();
  const config = `runner: [self-hosted, x64] # ours\n${CONFIG}`;
  const toHosted = (text: string) => text.replace("[self-hosted, x64]", "ubuntu-24.04");
  const { at, run } = await edited(
    scratch,
    { [UPTIME]: toHosted, [GRAPHS]: (text) => toHosted(text).replaceAll("\n", "\r\n") },
    { config, name: ".upptimerc.yml" },
  );
  const { code, stderr } = await run();
  assertEquals([code, stderr], [0, ""]);
  assertMatch(
    await at(".upptimerc.yml"),
    /^runner: \{ default: \[self-hosted, x64\], uptime: ubuntu-24\.04, graphs: ubuntu-24\.04 \} # ours\n/,
  );
  for (const path of [UPTIME, GRAPHS]) {
    assertMatch(await at(path), /^ {4}runs-on: "?ubuntu-24\.04"?$/m);
  }
});

Deno.test("both jobs of a workflow with several move, but not one of them alone", async () => {
  for (const isWhole of [true, false]) {
    await using scratch = await makeScratch();
    const value = "    runs-on: self-hosted\n";
    const { at, run } = await edited(
      scratch,
      { [UPTIME]: (text) => isWhole ? text.replaceAll(USUAL, value) : text.replace(USUAL, value) },
      { config: `shards: 2\n${CONFIG}` },
    );
    assertEquals(
      (await git(scratch.path + "/clone", "grep", "-c", "^    runs-on", "--", UPTIME)).slice(-1),
      "2",
    );
    const { code, stderr } = await run();
    assertEquals(code, 0);
    if (isWhole) assertEquals(stderr, "");
    else assertStringIncludes(stderr, "uptime.yml was changed by hand");
    assertEquals((await at(".monitorrc.yml")).includes("runner"), isWhole);
    assertEquals((await at(UPTIME)).includes("*/10"), isWhole);
  }
});

Deno.test("any other change by hand leaves a workflow as it is, also beside a runner", async () => {
  const others: Record<string, (text: string) => string> = {
    "another line": (text) =>
      toRunner(" self-hosted")(text).replace("timeout-minutes: 10", "timeout-minutes: 20"),
    "a group": toRunner(" { group: big, labels: [x64] }"),
    "an expression": toRunner(" ${{ vars.RUNNER }}"),
    "a comment above": toRunner(" self-hosted\n    # mine"),
  };
  for (const [name, other] of Object.entries(others)) {
    await using scratch = await makeScratch();
    const { at, run } = await edited(scratch, { [UPTIME]: other });
    const before = await at(UPTIME);
    const { code, stderr } = await run();
    assertEquals(code, 0, name);
    assertStringIncludes(
      stderr,
      "uptime.yml was changed by hand outside of the lines that are kept",
    );
    assertStringIncludes(stderr, "\n-    runs-on:");
    assertEquals(await at(UPTIME), before);
    assertEquals(await at(".monitorrc.yml"), (CONFIG + SCHEDULE).trimEnd());
  }
});

Deno.test("a runner for which the configuration can't be extended is printed as a line to paste", async () => {
  await using scratch = await makeScratch();
  const config = `runner: &usual { default: ubuntu-24.04 }\nx-other: *usual\n${CONFIG}`;
  const { at, run, folder } = await edited(scratch, {
    [UPTIME]: (text) => text.replace(/runs-on: .*/, "runs-on: self-hosted"),
  }, { config });
  const line = "runner: { default: ubuntu-24.04, uptime: self-hosted }";
  const { code, stderr } = await run();
  assertEquals(code, 0);
  assertStringIncludes(
    stderr,
    `set this in the configuration, which keeps it, and run update-template again:\n${line}\n`,
  );
  assertEquals(await at(".monitorrc.yml"), (config + SCHEDULE).trimEnd());
  // What is not committed is not written either.
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), `${CONFIG}${SCHEDULE}slo: 99\n`);
  assertStringIncludes((await run()).stderr, "\nrunner: { uptime: self-hosted }\n");
  await commitFile(folder, ".monitorrc.yml", `${CONFIG}${SCHEDULE}${line}\n`);
  await git(folder, "push", "--quiet");
  assertEquals((await run()).stderr, "");
  assertMatch(await at(UPTIME), /\*\/10/);
});

Deno.test("announce: true adds a workflow, forms and their labels, and leaves a form of the user alone", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const config = `announce: true\n${CONFIG}`;
  const { at, run, folder } = await cloned(scratch, config);
  await Deno.mkdir(join(folder, ".github/ISSUE_TEMPLATE"), { recursive: true });
  await commitFile(folder, ANNOUNCE.incidentForm, "name: Mine\n");
  await git(folder, "push", "--quiet");
  const first = await run([], github.env);
  assertMatch(first.stdout, /: 8 files written, 1 left alone in /);
  assertStringIncludes(
    first.stderr,
    `warning: ${ANNOUNCE.incidentForm} was not generated by this program and is not changed`,
  );
  assertEquals(await at(ANNOUNCE.incidentForm), "name: Mine");
  assertStringIncludes(await at(ANNOUNCE.maintenanceForm), "labels: [maintenance]");
  assertEquals((await github.labels()).sort(), ["incident", "maintenance"]);
  const job = github.account("github-actions[bot]");
  job.permissions = { contents: "write", issues: "read" };
  const asJob = { ...github.env, HOST_PAT: job.token };
  assertMatch((await run([], asJob)).stdout, /nothing new, 1 left alone\./);

  await commitFile(folder, ".monitorrc.yml", CONFIG);
  await git(folder, "push", "--quiet");
  assertMatch((await run([], asJob)).stdout, /2 files written, 2 of them removed in /);
  assertEquals(await at(ANNOUNCE.incidentForm), "name: Mine");
  assertEquals(github.violations, []);
});

Deno.test("labels that the token may not create are named", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { run } = await cloned(scratch, `announce: true\n${CONFIG}`);
  const job = github.account("github-actions[bot]");
  job.permissions = { contents: "write", issues: "read" };
  const { code, stderr } = await run([], { ...github.env, HOST_PAT: job.token });
  assertEquals(code, 0);
  assertStringIncludes(stderr, 'Cannot create the label "incident" in acme/status');
  assertStringIncludes(stderr, "need the labels incident and maintenance: add them in Issues");
});
