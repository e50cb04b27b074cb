import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { wrapGit } from "../helpers/git_wrapper.ts";
import { rowsIn } from "../helpers/repositories.ts";
import { killGroup, output, runTask, spawnTask } from "../helpers/program.ts";
import { repetitions } from "../helpers/repetitions.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import {
  importStream,
  makeUpptimeRepository,
  upptimeRecord,
} from "../helpers/upptime_repository.ts";

const SITES = 50;
const COMMITS = repetitions(10_000, 100_000);
/** Seconds of the processors that all commits may take. */
const LIMIT = repetitions(12, 30);
const KILLS = repetitions(4, 20);

/** A repository with one version in each commit, of 50 sites in turn, 25 minutes apart. */
async function makeLarge(folder: string, commits: number): Promise<void> {
  const encoder = new TextEncoder();
  const data = (text: string) => `data ${encoder.encode(text).length}\n${text}\n`;
  const sites = Array.from(
    { length: SITES },
    (_, index) => `  - name: Site ${index}\n    url: https://s${index}.example.com\n`,
  );
  const first = Date.parse("2021-01-01T00:00:00Z");
  const parts = function* () {
    yield encoder.encode(
      `commit refs/heads/main\ncommitter U <u@x> ${first / 1000} +0000\n${data("Initial")}` +
        `M 100644 inline .upptimerc.yml\n${
          data(`owner: acme\nrepo: status\nsites:\n${sites.join("")}`)
        }`,
    );
    for (let index = 1; index < commits; index++) {
      const time = first + index * 1_500_000;
      const dice = (index * 2_654_435_761) % 1000;
      const status = dice < 12 ? "down" : dice < 20 ? "degraded" : "up";
      const [code, ms] = status === "down" ? [0, 0] : [200, 100 + dice];
      const site = index % SITES;
      const record = upptimeRecord({
        url: `https://s${site}.example.com`,
        ...{ status, code, ms, at: new Date(time).toISOString() },
      });
      yield encoder.encode(
        `commit refs/heads/main\ncommitter U <u@x> ${time / 1000 + 2} +0000\n` +
          data(`Site ${site} is ${status} (${code} in ${ms} ms) [skip ci] [upptime]`) +
          `M 100644 inline history/site-${site}.yml\n${data(record)}`,
      );
    }
  };
  await Deno.mkdir(folder);
  await git(folder, "init", "--quiet", "--initial-branch", "main");
  await importStream(folder, ReadableStream.from(parts()));
  await git(folder, "reset", "--quiet", "--hard");
}

/** The files of a folder but git's, in one text. */
async function contents(folder: string): Promise<string> {
  const paths = (await git(folder, "ls-files", "-z", "--cached", "--others")).split("\0").sort();
  const texts = await Promise.all(
    [...new Set(paths)].map(async (path) =>
      `${path}\n${await Deno.readTextFile(join(folder, path)).catch(() => "")}`
    ),
  );
  return texts.join("\0");
}

Deno.test(`${COMMITS} commits of 50 sites are imported in less than ${LIMIT} s and 500 MB`, async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "large");
  await makeLarge(folder, COMMITS);
  // The time of the processors: other tests may run meanwhile.
  const shell = 'TIMEFORMAT="%U %S"; time "$0" "$@"';
  const child = spawnTask("import", { folder, args: ["upptime", "--json"], shell });
  let peak = 0;
  let isRunning = true;
  const watched = (async () => {
    while (isRunning) {
      peak = Math.max(peak, await peakOf(folder));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  const { code, stdout, stderr } = await output(child);
  isRunning = false;
  await watched;
  assertEquals(code, 0, stderr);
  const { versions, outcomes } = JSON.parse(stdout);
  assertEquals([versions, outcomes.check], [COMMITS - 1, COMMITS - 1]);
  const [user, system] = /^([\d.]+) ([\d.]+)$/m.exec(stderr)!.slice(1).map(Number);
  assert(user! + system! < LIMIT, `${user} s and ${system} s`);
  assert(peak > 0 && peak < 500e6, `${peak} bytes`);
});

/** Peak memory in bytes of a process of this program in a folder. */
async function peakOf(folder: string): Promise<number> {
  let peak = 0;
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const words = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    if (!words.includes(`--root=${folder}`) || words.includes("bash")) continue;
    const status = await Deno.readTextFile(`/proc/${name}/status`).catch(() => "");
    peak = Math.max(peak, 1024 * Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0));
  }
  return peak;
}

Deno.test(`an import that is killed at any of ${KILLS} instants is completed by the next one, to the same bytes`, async () => {
  await using scratch = await makeScratch();
  const origin = join(scratch.path, "origin");
  await makeLarge(origin, 1_500);
  const clone = async (name: string) => {
    await git(scratch.path, "clone", "--quiet", origin, name);
    return join(scratch.path, name);
  };
  const run = (folder: string) => spawnTask("import", { folder, args: ["upptime", "--quiet"] });
  const whole = await clone("whole");
  const started = performance.now();
  assertEquals((await output(run(whole))).code, 0);
  const length = performance.now() - started;
  const expected = await contents(whole);
  let begun = 0;
  for (let instant = 1; instant <= KILLS; instant++) {
    const folder = await clone(`killed-${instant}`);
    const before = await contents(folder);
    const child = run(folder);
    // Every second one is killed as soon as it has written some files.
    using written = Deno.watchFs(join(folder, "history"));
    const kill = () => killGroup(child.pid);
    const killWriting = async () => {
      let events = 0;
      for await (const _ of written) if (++events === 10) return kill();
    };
    const timer = instant % 2 === 1
      ? setTimeout(kill, length * (0.5 + instant / (2 * KILLS)))
      : void killWriting();
    await output(child);
    clearTimeout(timer);
    if (await contents(folder) !== before) begun++;
    const { code, stderr } = await output(run(folder));
    assertEquals(code, 0, stderr);
    assertEquals(await contents(folder) === expected, true, `killed at instant ${instant}`);
    await Deno.remove(folder, { recursive: true });
  }
  assert(begun > 0, "no import was killed while it wrote");
});

Deno.test("what Upptime pushes while Import CI runs is imported too, and stays", async () => {
  await using scratch = await makeScratch();
  const at = (hour: number) => `2026-05-01T${hour}:00:00.000Z`;
  const url = "https://shop.example.com";
  const path = "history/shop.yml";
  const config = `sites:\n  - name: Shop\n    url: ${url}\n`;
  const own = join(scratch.path, "own");
  await makeUpptimeRepository(own, [
    { at: at(10), files: { ".upptimerc.yml": config } },
    { at: at(11), files: { [path]: upptimeRecord({ url, at: at(11) }) } },
  ]);
  await git(scratch.path, "clone", "--quiet", "--bare", own, "remote.git");
  const clone = async (name: string, ...options: string[]) => {
    const remote = `file://${join(scratch.path, "remote.git")}`;
    await git(scratch.path, "clone", "--quiet", ...options, remote, name);
    return join(scratch.path, name);
  };
  await git(join(scratch.path, "remote.git"), "config", "uploadpack.allowFilter", "true");
  const runner = await clone("runner", "--filter=blob:none");
  const theirs = await clone("theirs");
  const failed = (hour: number) =>
    upptimeRecord({ url, at: at(hour), status: "down", code: 0, ms: 0 });
  const last = join(scratch.path, "last.yml");
  await Deno.writeTextFile(last, failed(14));
  const commit = async (hour: number) => {
    await Deno.writeTextFile(join(theirs, path), failed(hour));
    await git(theirs, "commit", "--quiet", "--all", "--message", `Shop is down (0 in 0 ms)`);
  };
  const remote = join(scratch.path, "remote.git");
  const refusal = join(remote, "hooks", "pre-receive");
  await Deno.writeTextFile(
    refusal,
    `#!/bin/sh
while read before after name; do
  case "$(git diff --name-only $before $after)" in *.github/workflows/*)
    echo "refusing to allow a GitHub App to create or update workflow without workflows permission"
    exit 1
  esac
done
`,
    { mode: 0o755 },
  );
  const run = (env: Readonly<Record<string, string>> = {}) =>
    runTask("import", {
      folder: runner,
      args: ["upptime", "--json"],
      env: { ...env, GITHUB_ACTIONS: "true" },
    });
  // A token that may not write workflows ends nothing.
  const refused = await run();
  assertStringIncludes(refused.stdout, "so Upptime continues to monitor");
  assertStringIncludes(await git(remote, "show", "main:.upptimerc.yml"), url);
  await Deno.remove(refusal);
  await git(theirs, "pull", "--quiet");

  // One is pushed before the import starts, the others just before it pushes.
  await commit(12);
  await git(theirs, "push", "--quiet");
  await commit(13);
  const wrapper = await wrapGit(scratch.path);
  await wrapper.before(`if [ "$command" = push ] && [ "$(grep -cx push "$calls")" = 1 ]; then
  git -C '${theirs}' push --quiet
fi
if [ "$command" = push ] && [ "$(grep -cx push "$calls")" = 3 ]; then
  git -C '${theirs}' pull --quiet
  cp '${last}' '${theirs}/${path}'
  git -C '${theirs}' commit --quiet --all --message 'Shop is down (0 in 0 ms)'
  git -C '${theirs}' push --quiet
fi`);
  const { code, stdout, stderr } = await run(wrapper.env);
  assertEquals(code, 0, stderr);
  assertEquals((await wrapper.calls()).filter((name) => name === "push").length, 4);
  const { versions, outcomes } = JSON.parse(stdout.slice(stdout.indexOf("{")));
  assertEquals([versions, outcomes.check, outcomes.ours], [4, 3, 1]);
  const after = await clone("after");
  await git(after, "merge-base", "--is-ancestor", await git(theirs, "rev-parse", "HEAD"), "HEAD");
  const rows = await rowsIn(after);
  const hours = rows.map(({ time }) => time.toString().slice(11, 13));
  assertEquals(hours.sort(), ["11", "12", "13", "14"]);
  assertEquals(await git(after, "ls-files", ".upptimerc.yml"), "");
});
