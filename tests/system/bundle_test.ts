import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { COMMANDS } from "../../commands/mod.ts";
import manifest from "../../deno.json" with { type: "json" };
import { run } from "../../main.ts";
import { taskPermissions } from "../../schema/permissions.ts";
import { programName } from "../../tools/compile.ts";
import { copyBundle } from "../helpers/built_bundle.ts";
import { keptFiles, textsOf } from "../helpers/kept_files.ts";
import type { BundledRun } from "../helpers/bundle_program.ts";
import { offline } from "../helpers/offline.ts";
import { cleanEnvironment, output, PROJECT, recordedIo, TESTS_CONFIG } from "../helpers/program.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { StillClock } from "../helpers/still_clock.ts";
import { writeHistory } from "../helpers/written_history.ts";

const scratch = await makeScratch();
globalThis.addEventListener("unload", () => Deno.removeSync(scratch.path, { recursive: true }));
const DIST = join(scratch.path, "dist");
await copyBundle(DIST);

async function commitAll(folder: string): Promise<void> {
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "By hand");
}

/** Variables with which nothing beyond loopback is reached. */
const NOWHERE = {
  HTTPS_PROXY: "http://127.0.0.1:9",
  HTTP_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1",
};

const NOW = "2026-11-21T10:00:00Z";

Deno.test("at one moment the bundle writes and prints the same bytes as the sources", async () => {
  const bundled: { run: typeof run } = await import(`file://${join(DIST, "monitor", "main.js")}`);
  const names = { "website": "Website", "cafe": "Café", "ellada": "Ελλάδα", "privet": "Привет" };
  const start = join(scratch.path, "start");
  await Deno.mkdir(start);
  const sites = Object.entries(names).map(([slug, name]) => ({ slug, name, url: "http://[::1]" }));
  // A table of texts is loaded as well.
  const top = { owner: "acme", repo: "status", language: "de", canaries: [] };
  const config = JSON.stringify({ ...top, sites });
  await Deno.writeTextFile(join(start, ".monitorrc.yml"), config);
  const to = Temporal.Instant.from(NOW);
  const from = to.subtract({ hours: 24 * 40 });
  const outages = [{ from: to.subtract({ hours: 30 }), to: to.subtract({ hours: 29 }) }];
  await writeHistory(start, sites.map(({ slug }) => ({ slug, outages })), { from, to });
  await git(start, "init", "--quiet");
  await commitAll(start);

  const commands = [
    ["init"],
    ["response-time"],
    ["graphs"],
    ["site"],
    ["readme"],
    ["update-template"],
    ["report", "--format", "csv"],
    ["status", "--json"],
  ];
  const seen = [];
  for (const [place, program] of [["sources", run], ["bundle", bundled.run]] as const) {
    const folder = join(scratch.path, place);
    await cp(start, folder, { recursive: true });
    const printed = [];
    for (const args of commands) {
      const io = recordedIo({ env: cleanEnvironment() });
      const clock = new StillClock(NOW);
      const code = await program([...args, `--root=${folder}`], { ...io, clock });
      // Files of a person, which jobs find committed.
      if (args[0] === "init") await commitAll(folder);
      const stdout = io.stdout.text.replaceAll(/(?<= in )[0-9a-f]{7}\b/g, "COMMIT");
      printed.push({ args, code, stdout, stderr: io.stderr.text });
    }
    const files = textsOf(await keptFiles(folder)).filter(([path]) => !path.startsWith(".git/"));
    seen.push({ printed, files });
  }
  const [sources, bundle] = seen;
  assertEquals(sources!.printed.map(({ code }) => code), commands.map(() => 0));
  assertEquals(bundle!.printed, sources!.printed);
  assertEquals(bundle!.files.map(([path]) => path), sources!.files.map(([path]) => path));
  for (const [index, [path, text]] of sources!.files.entries()) {
    assert(bundle!.files[index]![1] === text, path);
  }
  const kinds = new Set(sources!.files.map(([path]) => path.replace(/.*\./, "")));
  for (const kind of ["html", "png", "yml", "csv", "json", "svg"]) assert(kinds.has(kind), kind);
});

Deno.test("every command runs from the bundle with an empty cache and no network", async () => {
  const project = join(scratch.path, "project");
  await cp(join(PROJECT, "bin"), join(project, "bin"), { recursive: true });
  await Deno.symlink(DIST, join(project, "dist"));
  const folder = join(scratch.path, "away");
  await Deno.mkdir(folder);
  const flags = [
    "--config",
    TESTS_CONFIG,
    "--no-prompt",
    "--frozen",
    "--cached-only",
    "--allow-all",
  ];
  const { command, args, env } = await offline([
    Deno.execPath(),
    "run",
    ...flags,
    join(PROJECT, "tests", "helpers", "bundle_program.ts"),
    JSON.stringify([join(project, "bin", "monitor"), folder]),
  ]);
  const { code, stdout, stderr } = await output(
    new Deno.Command(command, {
      args,
      clearEnv: true,
      env: { ...cleanEnvironment(), ...env },
      stdout: "piped",
      stderr: "piped",
    }).spawn(),
  );
  assertEquals(code, 0, stderr);
  const runs: BundledRun[] = JSON.parse(stdout);
  assertEquals(
    runs.map(({ command }) => command).sort(),
    [...Object.keys(COMMANDS), "demo"].sort(),
  );
  const others: Record<string, [code: number, stderr: string]> = {
    ack: [2, "error: Nothing to acknowledge: no incident is open\n"],
    beat: [2, "error: Cannot save a beat: name a site, as in: beat Backup ok\n"],
    // In a new repository something is always to be set up.
    doctor: [1, ""],
    import: [
      2,
      "error: Nothing of Upptime here: the log of this branch has neither .upptimerc.yml nor its records; " +
      "run the import in a clone of the repository that Upptime monitors from\n",
    ],
  };
  for (const { command, code, stdout, stderr } of runs) {
    assertEquals([code, stderr], others[command] ?? [0, ""], `${command}\n${stdout}`);
  }
  const printed = (command: string) => runs.find((one) => one.command === command)!;
  const files = Number(/(\d+) files/.exec(printed("serve").stdout)?.[1]);
  assert(files > 40, printed("serve").stdout);
  assertStringIncludes(printed("serve").page!, "Site 2");
  assertMatch(printed("graphs").stdout, /^Drew 24 graphs/m);
  assertDemo(printed("demo"));
});

/** The demo shows an outage, a recovery and the repository, and serves the page until it is stopped. */
function assertDemo({ stdout, page }: BundledRun): void {
  for (const name of ["Shop", "Forum", "Members"]) assertStringIncludes(page!, name);
  const expected = [
    /Shop is down \(answered 503 Service Unavailable\) since \d\d:\d\d UTC, confirmed by 3 attempts over \d+ s → history\/incidents\/.*-shop\.yml/,
    /Shop is up again after (?:less than a second|\d+ seconds?)/,
    /connection reset/,
    /🟥 Shop is down \(503\) and 1 more \[skip ci\]/,
    /^✉ Shop is down: answered 503 Service Unavailable, since /m,
    /^✉ Shop is up again after (?:less than a second|\d+ seconds?) \(503 Service Unavailable, /m,
    /^Maintenance begins: New disks, until (?:\d{4}-\d\d-\d\d )?\d\d:\d\d UTC \(forum\)/m,
    /Forum +maintenance +– +connection reset/,
    /Members +up +200/,
    /^Status page: \d+ pages? \(\d+ files, \d+ written, 0 removed\), site\//m,
    /7 checks wait in refs\/monitor\/pending at origin|Waiting +nothing/,
    /^Stopped\.$/m,
    /^━━ Next step: init\n[^]*^ {2}monitor init https:/m,
  ];
  for (const one of expected) assertMatch(stdout, one);
}

Deno.test("a compiled program contains the bundle, and has the permissions of all commands together", async () => {
  const target = "x86_64-unknown-linux-gnu";
  const args = ["run", "--allow-all", join(PROJECT, "tools", "compile.ts"), DIST, target];
  const compile = (env: Record<string, string>) =>
    output(
      new Deno.Command(Deno.execPath(), {
        args,
        clearEnv: true,
        env: { ...cleanEnvironment(), ...NOWHERE, ...env },
        stdout: "piped",
        stderr: "piped",
      }).spawn(),
    );
  const without = await compile({ DENO_DIR: join(scratch.path, "empty") });
  assertEquals([without.code, without.stdout], [1, ""]);
  assertMatch(
    without.stderr,
    /^Cannot compile for x86_64-unknown-linux-gnu without denort-x86_64-unknown-linux-gnu\.zip, .*\n$/,
  );
  // Deno itself in place of the runtime: such a file can't start, but all else about it is real.
  assertEquals((await compile({ DENORT_BIN: Deno.execPath() })).code, 0);
  const path = join(DIST, "bin", programName(target));
  const bytes = await Deno.readFile(path);
  await Deno.remove(path);
  const text = new TextDecoder("latin1").decode(bytes.subarray(-20e6));
  assert(text.includes('"entrypoint_key":"main.js"'));
  for await (const { name } of Deno.readDir(join(DIST, "monitor"))) {
    if (name !== "demo.js") assert(text.includes(name), name);
  }
  const { permissions } = JSON.parse(
    /"permissions":(\{.*?\}),"location"/.exec(text)![0].replace(/^/, "{").replace(
      /,"location"$/,
      "}",
    ),
  );
  const { allow_net, allow_read, allow_write, allow_run, allow_ffi, prompt } = permissions;
  assertEquals(
    { allow_net, allow_read, allow_write, allow_run, allow_ffi, prompt },
    {
      allow_net: [],
      allow_read: [],
      allow_write: ["."],
      allow_run: ["git"],
      allow_ffi: null,
      prompt: false,
    },
  );
  const variables = [...taskPermissions(manifest).values()].flatMap(({ env }) => env as string[]);
  assertEquals(permissions.allow_env.toSorted(), [...new Set(variables)].sort());
});

Deno.test("the bundle with its fourteen languages is at most 2.4 MB compressed, and names nothing of the machine that built it", async () => {
  const pack = { args: ["cz", "-C", DIST, "."], env: { PATH: "/usr/bin:/bin" } };
  const packed = await new Deno.Command("/usr/bin/tar", pack).output();
  assert(packed.success);
  assert(packed.stdout.length < 2.4e6, `${packed.stdout.length} bytes`);
  for (const [path, { text }] of await keptFiles(DIST)) {
    assert(!text.includes(scratch.path), path);
    assert(!/^\s*\/\/ .*registry\.npmjs\.org/m.test(text), path);
    assert(!text.includes(`import("@resvg/resvg-js")`), path);
  }
});
