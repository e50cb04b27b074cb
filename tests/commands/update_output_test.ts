import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { output, runProcess, runTask, spawnTask } from "../helpers/program.ts";
import {
  cloneRemote,
  configText,
  makeRepository,
  rowsAt,
  rowsIn,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

const PLATFORM = { GITHUB_ACTIONS: "true", SECRETS_CONTEXT: '{"KEY": "s3cr&t"}' };

function repository(scratch: Scratch, config: string): Promise<string> {
  return makeRepository(join(scratch.path, "repository"), { ".monitorrc.yml": config });
}

Deno.test("--json prints one document on stdout and nothing else, also on GitHub", async () => {
  await using site = httpServer(() => new Response(null, { status: 503 }));
  const sites = configText({ A: site.url });
  const cases: [config: string, code: number, states: string[]][] = [
    [sites, 0, ["down"]],
    [`${sites}  - name: B\n`, 0, ["down"]],
    ["sites: []\n", 0, []],
    ["sites:\n  - name: B\n", 2, []],
    ["sites: [\n", 2, []],
  ];
  for (const [config, code, states] of cases) {
    await using scratch = await makeScratch();
    const folder = await repository(scratch, config);
    const args = ["--json"];
    const ran = await runTask("update", { folder, args, env: PLATFORM });
    assertEquals(ran.code, code, ran.stderr);
    const { sites, failure } = JSON.parse(ran.stdout);
    assertEquals(sites.map(({ state }: { state: string }) => state), states);
    assertEquals(failure === null, code === 0, ran.stdout);
    assertMatch(ran.stderr, /^::add-mask::s3cr&t$/m);
  }
});

thoroughly("--json tells where a run was kept", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const config = { ".monitorrc.yml": configText({ A: site.url }) };
  const remote = await makeRemote(scratch.path, config);
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
  const alone = await makeRepository(join(scratch.path, "alone"), config);
  const kept = async (folder: string) => {
    const { stdout } = await runTask("update", { folder, args: ["--json"] });
    const { place, commit } = JSON.parse(stdout);
    assertEquals(commit, await git(folder, "rev-parse", "HEAD"));
    return place;
  };
  assertEquals(await kept(clone), "commits on main at origin");
  await git(clone, "checkout", "--quiet", "-b", "other");
  assertEquals(await kept(clone), "commits on other, which origin does not have yet");
  assertEquals(await kept(alone), "commits on main, there is no remote");
});

thoroughly(
  "where there is no site, a job is handed that nothing is down, and a summary that says so",
  async () => {
    const cases: [config: string, outputs: string, summary: RegExp][] = [
      [
        "sites: []\n",
        "down=[]\ndegraded=[]\nchanged=false\n",
        /- \\?\.monitorrc\.yml.* the list is empty/,
      ],
      ["sites:\n  - name: B\n", "", /- .*sites\\\[0\\\]\.url.* is missing/],
      ["sites: [\n", "", /- .*monitorrc\.yml/],
    ];
    for (const [config, outputs, summary] of cases) {
      await using scratch = await makeScratch();
      const folder = await repository(scratch, config);
      await runTask("update", { folder, env: PLATFORM });
      const read = (name: string) => Deno.readTextFile(join(folder, ".git", "monitor", name));
      assertEquals(await read("outputs"), outputs, config);
      assert((await read("summary.md")).startsWith("### Nothing was checked\n\n- "), config);
      assertMatch(await read("summary.md"), summary);
    }
  },
);

Deno.test("where there is no configuration, the summary of the job says how to begin one", async () => {
  await using scratch = await makeScratch();
  const folder = await makeRepository(join(scratch.path, "repository"), { "readme": "" });
  const { code } = await runTask("update", { folder, env: PLATFORM });
  assertEquals(code, 2);
  const summary = await Deno.readTextFile(join(folder, ".git", "monitor", "summary.md"));
  assertStringIncludes(summary, "### Nothing was checked\n\n- Cannot find .monitorrc.yml in ");
  assertStringIncludes(summary, "\n\n        sites:\n          - name: Example\n");
});

thoroughly(
  "where a job can't be handed anything, update records all the same and says why",
  async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    const config = configText({ A: site.url });
    const top = await repository(scratch, config);
    const sub = join(top, "sub");
    const worktree = join(scratch.path, "worktree");
    const plain = join(scratch.path, "plain");
    await git(top, "worktree", "add", "--quiet", "-b", "other", worktree);
    for (const folder of [sub, plain]) {
      await Deno.mkdir(folder);
      await Deno.writeTextFile(join(folder, ".monitorrc.yml"), config);
    }
    const outside =
      "the repository's own folder lies outside of the one that this program may write";
    const cases = { [sub]: outside, [worktree]: outside, [plain]: "this is no work tree" };
    for (const [folder, why] of Object.entries(cases)) {
      const { code, stdout } = await runProcess("update", { folder, env: PLATFORM });
      const said = "::warning::later steps get no outputs, and the job no summary: ";
      assertStringIncludes(stdout, `${said}${why}`);
      assertEquals([code, (await rowsIn(folder)).length], [0, 1]);
    }
  },
);

Deno.test({
  name: "output that can't be written costs no run: it is recorded, and the exit code is 1",
  // Elsewhere there is no device that is always full.
  ignore: Deno.build.os !== "linux",
  fn: unwritableOutput,
});

async function unwritableOutput() {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const folder = await repository(scratch, configText({ A: site.url }));
  const run = (where: string, args: readonly string[]) => redirected(folder, where, args);
  const full = "error: Cannot write the output: No space left on device (os error 28)\n";
  assertEquals(await run("> /dev/full", []), [1, full]);
  assertEquals(await run("> /dev/full", ["--json"]), [1, full]);
  assertEquals(await run("> /dev/full 2> /dev/full", []), [1, ""]);
  assertEquals(await run("| true", []), [0, ""]);
  assertEquals((await rowsAt(folder)).length, 4);
}

/** Exit code and stderr of a run whose output goes where a shell sends it. */
async function redirected(
  folder: string,
  where: string,
  args: readonly string[],
): Promise<[code: number, stderr: string]> {
  const script = `set -o pipefail; "$0" "$@" ${where}`;
  const child = spawnTask("update", { folder, args, shell: script });
  const { code, stderr } = await output(child);
  return [code, stderr];
}
