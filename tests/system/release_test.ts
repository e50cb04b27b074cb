import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parse } from "@std/yaml";
import { createEmulator } from "emulate";
import { cp } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { VERSION } from "../../lib/version.ts";
import { cleanEnvironment, registryVariables } from "../helpers/clean_environment.ts";
import { PROJECT } from "../helpers/program.ts";
import { runAction } from "../helpers/runner/action.ts";
import { type Job, type OtherActions, runJob } from "../helpers/runner/job.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

const WORKFLOW = await Deno.readTextFile(join(PROJECT, ".github", "workflows", "release.yml"));
const { jobs } = parse(WORKFLOW) as { jobs: Record<string, Job> };

/** Copies the files of the project, as they are here, into a repository. */
async function copyProject(folder: string): Promise<void> {
  const listed = await git(PROJECT, "ls-files", "--cached", "--others", "--exclude-standard");
  for (const path of listed.split("\n")) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.copyFile(join(PROJECT, path), join(folder, path)).catch(() => {});
  }
  await git(folder, "init", "--quiet");
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Sources");
}

const DONE = { code: 0, outputs: {}, summary: "", stdout: "" };

/** Stand-ins for third-party actions, with artifacts in a folder, and the remote of the template. */
function otherActions(folder: string, template: string): OtherActions {
  const nothing = () => Promise.resolve(DONE);
  return {
    async "actions/checkout"({ path }, workspace) {
      if (path !== undefined) await git(workspace, "clone", "--quiet", template, path);
      return DONE;
    },
    "denoland/setup-deno": nothing,
    // Signing needs GitHub's own identity of a job.
    "actions/attest-build-provenance": nothing,
    async "actions/upload-artifact"({ name, path }, workspace) {
      const paths = path!.trim().split("\n");
      for (const one of paths) {
        const inside = paths.length === 1 ? "" : basename(one);
        await cp(join(workspace, one), join(folder, name!, inside), { recursive: true });
      }
      return DONE;
    },
    async "actions/download-artifact"({ name, pattern, path }, workspace) {
      for await (const { name: one } of Deno.readDir(folder)) {
        if (one !== name && !(pattern && one.startsWith(pattern.replace("*", "")))) continue;
        await cp(join(folder, one), join(workspace, path!), { recursive: true });
      }
      return DONE;
    },
  };
}

/** Steps that can't run here: a runtime from dl.deno.land is missing. */
const BEYOND = "Try the program of one file";

Deno.test("the release workflow builds, tries, tags and publishes, as far as it can here", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const emulator = await createEmulator({
    service: "github",
    port: 0,
    seed: {
      tokens: { secret: { login: "octo", scopes: ["repo"] } },
      github: { users: [{ login: "octo" }], repos: [{ owner: "octo", name: "monitor-action" }] },
    },
  });
  const [sources, remote] = [join(scratch.path, "sources"), join(scratch.path, "remote.git")];
  const template = join(scratch.path, "template.git");
  await git(scratch.path, "init", "--quiet", "--bare", "--initial-branch", "main", template);
  const [artifacts, tools] = [join(scratch.path, "artifacts"), join(scratch.path, "tools")];
  for (const folder of [sources, artifacts, tools]) await Deno.mkdir(folder);
  await copyProject(sources);
  await git(scratch.path, "clone", "--quiet", "--bare", sources, remote);
  await Deno.symlink(Deno.execPath(), join(tools, "deno"));

  // The tools of a runner, and the Deno and npm of these tests.
  const PATH = `${tools}:${Deno.env.get("PATH")}:/usr/local/bin:/usr/bin:/bin`;

  const run = async (name: string, contexts: Record<string, unknown> = {}) => {
    const workspace = join(scratch.path, name);
    await git(scratch.path, "clone", "--quiet", remote, workspace);
    const github = { token: "secret", ref_name: `release-v${VERSION}` };
    const env = {
      ...cleanEnvironment(),
      ...registryVariables(),
      PATH,
      DENORT_BIN: Deno.execPath(),
      GITHUB_API_URL: emulator.url,
      GITHUB_REPOSITORY: "octo/monitor-action",
      RUNNER_OS: "Linux",
      SMOKE_URL: site.url,
    };
    const actions = otherActions(artifacts, template);
    const { steps } = await runJob(jobs[name]!, {
      workspace,
      contexts: { github, matrix: {}, needs: {}, ...contexts },
      env,
      actions,
    });
    const failed = steps.filter(({ code }) => code !== 0);
    assertEquals(
      failed.map(({ name }) => name).filter((name) => name !== BEYOND),
      [],
      steps.at(-1)!.stdout + failed[0]?.stdout,
    );
    return { workspace, steps };
  };

  const { steps } = await run("bundle");
  const outputs = steps.find(({ name }) => name === "Check the version")!.outputs;
  assertEquals(outputs, { version: VERSION });
  const needs = { bundle: { outputs } };
  const target = "x86_64-unknown-linux-gnu";
  const program = await run("program", { needs, matrix: { target, runner: "ubuntu-latest" } });
  assertEquals(program.steps.filter(({ isSkipped }) => isSkipped).length, 1);
  await cp(join(program.workspace, "dist", "bin"), join(artifacts, `program-${target}`), {
    recursive: true,
  });
  await run("publish", { needs });
  for (let time = 0; time < 2; time++) {
    const rewritten = await run("template", { needs, vars: {}, secrets: {} });
    await Deno.remove(rewritten.workspace, { recursive: true });
  }
  assertEquals(await git(template, "log", "--format=%s", "main"), `Monitor Action v${VERSION}`);
  assertStringIncludes(
    await git(template, "show", "main:.github/workflows/uptime.yml"),
    `monitor-action/monitor-action@v${VERSION}`,
  );

  // The published release.
  const headers = { Authorization: "Bearer secret" };
  const address = `${emulator.url}/repos/octo/monitor-action/releases/tags/v${VERSION}`;
  const { draft, assets } = await (await fetch(address, { headers })).json();
  const names = assets.map(({ name }: { name: string }) => name).sort();
  assertEquals([draft, names], [false, [
    "SHA256SUMS",
    `monitor-${VERSION}-linux-x64`,
    `monitor-action-${VERSION}-source.tar.gz`,
    `monitor-action-${VERSION}.tgz`,
  ]]);
  await emulator.close();

  // The versions that jobs and people get by the tags.
  const tagged = await git(remote, "rev-parse", `v${VERSION}`);
  assertEquals(await git(remote, "rev-parse", "v1"), tagged);
  assertEquals(
    await git(remote, "rev-parse", "main"),
    await git(remote, "rev-parse", `${tagged}~1`),
  );
  assertStringIncludes(await git(remote, "ls-tree", "--name-only", tagged), "commands");
  const archive = join(scratch.path, "action.tar.gz");
  await git(remote, "archive", "--format=tar.gz", `--output=${archive}`, "v1");
  const { size } = await Deno.stat(archive);
  assert(size < 2.4e6, `${size} bytes`);
  const action = join(scratch.path, "action");
  await Deno.mkdir(action);
  const unpack = { args: ["xf", archive, "-C", action], env: { PATH } };
  await new Deno.Command("/usr/bin/tar", unpack).output();
  const entries = (await Array.fromAsync(Deno.readDir(action))).map(({ name }) => name).sort();
  assertEquals(entries, ["LICENSE", "README.md", "action.yml", "dist"]);
  const workspace = join(scratch.path, "workspace");
  await git(scratch.path, "init", "--quiet", workspace);
  const config = JSON.stringify({ canaries: [], sites: [{ name: "Site", url: site.url }] });
  await Deno.writeTextFile(join(workspace, ".monitorrc.yml"), config);
  // The bundle needs no package: nothing beyond loopback is reached, and the cache is empty.
  const [HTTP_PROXY, DENO_DIR] = ["http://127.0.0.1:9", join(scratch.path, "empty")];
  const alone = { HTTP_PROXY, HTTPS_PROXY: HTTP_PROXY, NO_PROXY: "127.0.0.1", DENO_DIR };
  const { code, outputs: published, stdout } = await runAction({
    inputs: { command: "update" },
    workspace,
    env: { ...cleanEnvironment(), ...alone, PATH },
    path: action,
  });
  assertEquals([code, published["down"]], [0, "[]"], stdout);
});

Deno.test("each step of the first release can be tried without publishing anything", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  // GitHub as it is before the first release, with all settings made.
  const answers: Readonly<Record<string, unknown>> = {
    "/repos/monitor-action/monitor-action/actions/variables/TEMPLATE_REPOSITORY": {
      value: "monitor-action/template",
    },
    "/repos/monitor-action/monitor-action/actions/secrets/TEMPLATE_TOKEN": {},
    "/repos/monitor-action/monitor-action/immutable-releases": { enabled: true },
    "/repos/monitor-action/template": { is_template: true },
    "/repos/monitor-action/template/actions/permissions": { enabled: false },
    "/repos/monitor-action/monitor-action/releases": [],
  };
  const written: string[] = [];
  await using github = httpServer(({ url, method }) => {
    if (method !== "GET") written.push(`${method} ${url}`);
    const answer = answers[new URL(url).pathname];
    return answer === undefined ? new Response("", { status: 404 }) : Response.json(answer);
  });

  const guide = await Deno.readTextFile(join(PROJECT, ".github", "CONTRIBUTING.md"));
  const [, rest] = guide.split("### The first release\n");
  const steps = rest!.split(/^- \[ \] /m).slice(1);
  const commands = steps.map((step) => /Try:\s+`([^`]+)`/.exec(step)?.[1]);
  assert(commands.length > 10);

  const [sources, remote] = [join(scratch.path, "sources"), join(scratch.path, "remote.git")];
  const tools = join(scratch.path, "tools");
  for (const folder of [sources, tools]) await Deno.mkdir(folder);
  await copyProject(sources);
  await git(scratch.path, "clone", "--quiet", "--bare", sources, remote);
  await git(sources, "remote", "add", "origin", remote);
  await Deno.symlink(Deno.execPath(), join(tools, "deno"));
  const before = await git(remote, "for-each-ref");
  for (const command of commands) {
    assert(command !== undefined, steps.join("\n"));
    // The gate runs this test.
    if (command === ".ci/run") continue;
    const { code, stdout, stderr } = await new Deno.Command("/bin/bash", {
      args: ["-e", "-c", command],
      cwd: sources,
      clearEnv: true,
      env: {
        ...cleanEnvironment(),
        ...registryVariables(),
        PATH: `${tools}:${Deno.env.get("PATH")}:/usr/local/bin:/usr/bin:/bin`,
        DENORT_BIN: Deno.execPath(),
        GITHUB_API_URL: github.url,
        GITHUB_TOKEN: "secret",
        SMOKE_URL: site.url,
      },
      stdin: "null",
    }).output();
    const text = new TextDecoder();
    assertEquals(code, 0, `${command}\n${text.decode(stdout)}${text.decode(stderr)}`);
  }
  assertEquals(written, []);
  assertEquals(await git(remote, "for-each-ref"), before);
});
