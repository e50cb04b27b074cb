import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { COMMANDS } from "../../commands/mod.ts";
import { GLOBAL_OPTIONS } from "../../lib/text/arguments.ts";
import { VERSION } from "../../lib/version.ts";
import { run } from "../../main.ts";
import { keptFiles } from "../helpers/kept_files.ts";
import { recordedIo, runProcess, runTask } from "../helpers/program.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

/** Runs the program without the wrapper of a task. */
async function type(...args: string[]) {
  const io = recordedIo();
  const code = await run(args, io);
  return { code, stdout: io.stdout.text, stderr: io.stderr.text };
}

function assertFits(text: string): void {
  for (const line of text.split("\n")) assert(line.length <= 80, line);
}

Deno.test("without a command, the overview of all commands fits a screen of 80 by 24", async () => {
  const { code, stdout } = await type();
  assertEquals(code, 2);
  assertFits(stdout);
  const lines = stdout.trimEnd().split("\n");
  assert(lines.length <= 24, stdout);
  for (const name of [...Object.keys(COMMANDS), "demo"]) {
    assertMatch(stdout, new RegExp(`\\b${name}\\b`));
  }
  for (const words of [["--help"], ["help"], ["-h"]]) {
    assertEquals(await type(...words), { code: 0, stdout, stderr: "" });
  }
});

Deno.test("-v prints the version, as --version does", async () => {
  const printed = { code: 0, stdout: `${VERSION}\n`, stderr: "" };
  for (const words of [["-v"], ["--version"], ["update", "-v"]]) {
    assertEquals(await type(...words), printed);
  }
});

Deno.test("the help of a command shows its options, and an example that parses", async () => {
  for (const [name, { options = {}, example, takes }] of Object.entries(COMMANDS)) {
    const { code, stdout } = await type(name, "--help");
    assertEquals(code, 0);
    assertFits(stdout);
    assertStringIncludes(stdout, `\n  monitor ${`${name} ${example}`.trim()}\n`);
    for (const option of Object.keys(options)) assertStringIncludes(stdout, `\n  ${option}`);
    const used = example.match(/--[a-z-]+/g) ?? [];
    for (const option of used) assertMatch(stdout, new RegExp(`^ {2}${option}\\b`, "m"));
    assertEquals((await type("help", name)).stdout, stdout);
    if (example !== "" && !example.startsWith("--")) assert(takes !== undefined, name);
  }
});

Deno.test("a misspelled command or option is answered with the nearest one", async () => {
  const wrong = await type("vaildate");
  assertEquals([wrong.code, wrong.stdout], [2, ""]);
  assertMatch(
    wrong.stderr,
    /^error: "vaildate" is not a command: did you mean "validate"\?\n$/,
  );
  assertMatch(
    (await type("frobnicate")).stderr,
    /^error: "frobnicate" is not a command: "monitor help" lists them\n$/,
  );
  for (
    const [word, meant] of [["dmeo", "demo"], ["maint", "maintenance"], ["version", "--version"]]
  ) {
    assertStringIncludes((await type(word!)).stderr, `did you mean "${meant}"?`);
  }
  assertStringIncludes((await type("update", "--dry")).stderr, 'did you mean "--dry-run"?');
  assertMatch((await type("demo")).stderr, /^error: The demo is only in the npm package and in a /);
  const option = await type("update", "--dryrun=yes");
  assertEquals(option.stderr, `error: ${OPTION}\n`);
  for (
    const [command, suggestion] of [["check", ""], ["init", 'did you mean "--name"? ']] as const
  ) {
    const { code, stderr } = await type(command, "--nmae", "x");
    const expected = `error: Cannot understand --nmae: ${suggestion}--help lists the options\n`;
    assertEquals([code, stderr], [2, expected]);
  }
});

const OPTION = 'Cannot understand --dryrun: did you mean "--dry-run"? --help lists the options';

Deno.test("--dry-run is refused by all but five commands, also with each other option, and nothing is written", async () => {
  const takers = ["init", "import", "notify-test", "update", "update-template"];
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", "sites: [{ name: Shop, url: http://127.0.0.1:9 }]\n");
  const before = await keptFiles(scratch.path);
  for (const [name, { options = {}, takes }] of Object.entries(COMMANDS)) {
    if (takers.includes(name)) continue;
    const others = Object.keys({ ...GLOBAL_OPTIONS, ...options })
      .filter((option) => option !== "--help" && option !== "--version")
      .map((option) => option.replace(/ .*/, "=1"));
    for (const given of [[], ...others.map((option) => [option]), others]) {
      const args = [...takes === undefined ? [] : ["Shop"], ...given, "--dry-run"];
      const { code, stdout, stderr } = await runTask(name, { folder: scratch.path, args });
      assertEquals([code, stdout], [2, ""]);
      const message = `Cannot use --dry-run with ${name}: it is for ${takers.join(", ")}\n`;
      assertStringIncludes(stderr, message);
    }
  }
  assertEquals(await keptFiles(scratch.path), before);
});

Deno.test("a --root that is no folder is refused, and never means the repository around it", async () => {
  await using scratch = await makeScratch();
  const config = "sites: [{ name: A, url: https://your-website.example }]\n";
  for (const path of ["mine/.git", "mine/sites"]) {
    await Deno.mkdir(join(scratch.path, path), { recursive: true });
  }
  await scratch.write("mine/.monitorrc.yml", config);
  await scratch.write("mine/notes.md", "");
  const folder = join(scratch.path, "mine");
  const refused: [root: string, message: string][] = [
    ["nowhere", "Cannot find nowhere: the folder does not exist"],
    ["stes", 'Cannot find stes: the folder does not exist, did you mean "sites"?'],
    ["./Sites/", 'Cannot find ./Sites/: the folder does not exist, did you mean "sites"?'],
    ["../mien", 'Cannot find ../mien: the folder does not exist, did you mean "../mine"?'],
    ["a/b/c", "Cannot find a/b/c: the folder does not exist"],
    ["notes.md", "Cannot work in notes.md: it is a file, not a folder"],
  ];
  for (const [root, message] of refused) {
    for (
      const args of [["--root", root], [`--root=${root}`], ["--root", root, "--config", "x.yml"]]
    ) {
      const result = await runTask("status", { folder, args });
      assertEquals(result, { code: 2, stdout: "", stderr: `error: ${message}\n` });
    }
  }
  const names = Object.entries(COMMANDS).filter(([, { makesFolder }]) => makesFolder !== true);
  for (const [name] of names) {
    const { code, stderr } = await runTask(name, { folder, args: ["--root", "nowhere"] });
    assertEquals([name, code, stderr], [name, 2, `error: ${refused[0]![1]}\n`]);
  }
  // A task may not look outside of its folder, and a launcher's command only beside what was named.
  const { code, stderr } = await runProcess("status", { folder, args: ["--root", "stes"] });
  assertEquals([code, stderr], [2, `error: ${refused[1]![1]}\n`]);
  const made = await runTask("init", {
    folder,
    args: ["--root", "sites/new", "--yes", "--url", "https://example.com"],
  });
  assertEquals(made.code, 0, made.stderr);
  assertMatch(await scratch.read("mine/sites/new/.monitorrc.yml"), /example\.com/);
});

Deno.test("without a configuration, every command that needs one names init", async () => {
  await using scratch = await makeScratch();
  const free = ["init", "import", "check", "doctor", "dispatch", "set-secret"];
  for (const name of Object.keys(COMMANDS).filter((one) => !free.includes(one))) {
    const { code, stderr } = await runTask(name, { folder: scratch.path });
    assertEquals(code, ["incidents", "state"].includes(name) ? 0 : 2, name);
    assertStringIncludes(stderr, `"monitor init" writes it`, name);
  }
  const { stdout } = await runTask("doctor", { folder: scratch.path });
  assertStringIncludes(stdout, 'run "monitor init"');
});

Deno.test("the doctor tells a repository without a remote to add one, before it asks for a token", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", "sites: [{ name: A, url: https://a.example }]\n");
  await git(scratch.path, "init", "--quiet");
  const env = { GITHUB_REPOSITORY: "" };
  const { stdout } = await runTask("doctor", { folder: scratch.path, env });
  assertStringIncludes(
    stdout,
    '"git remote add origin https://github.com/OWNER/REPOSITORY.git" names it',
  );
  assert(!/token is set|gh run list/.test(stdout), stdout);
});

Deno.test("the configuration is found in parent folders, up to the repository's root", async () => {
  await using scratch = await makeScratch();
  const inner = join(scratch.path, "docs", "inner");
  await Deno.mkdir(join(inner, "other", ".git"), { recursive: true });
  await scratch.write(".monitorrc.yml", "sites:\n  - { name: A, url: a.example }\n");
  const found = await runTask("validate", { folder: inner });
  assertStringIncludes(found.stdout, ".monitorrc.yml: no problems");
  const other = await runTask("validate", { folder: join(inner, "other") });
  assertEquals(other.code, 2);
  assertStringIncludes(other.stderr, `Cannot find .monitorrc.yml in ${join(inner, "other")}`);
});

Deno.test("check accepts any address, with or without a configuration, and writes nothing", async () => {
  await using site = httpServer(({ url }) => new Response(url));
  await using scratch = await makeScratch();
  const check = (...args: string[]) => runTask("check", { folder: scratch.path, args });
  const { host } = new URL(site.url);
  const alone = await check(`${site.url}/health?deep=1`);
  assertEquals([alone.code, alone.stderr], [0, ""]);
  assertStringIncludes(alone.stdout, `${host}/health  http\n\n  GET ${site.url}/health?deep=1\n`);
  assert(alone.stdout.endsWith("✔ up\n"), alone.stdout);
  const port = await check(host);
  assertStringIncludes(port.stdout, `${host}  tcp-ping\n`);
  const password = await check(site.url.replace("//", "//me:hunter22@"));
  assert(!password.stdout.includes("hunter22"));
  assertStringIncludes(password.stdout, "✔ up");
  assertEquals(await Array.fromAsync(Deno.readDir(scratch.path)), []);
  await scratch.write(".monitorrc.yml", `sites:\n  - { name: "${host}", url: "${site.url}" }\n`);
  assertStringIncludes((await check(`${site.url}/other`)).stdout, `GET ${site.url}/other\n`);
  const similar = await check(site.url);
  assertStringIncludes(similar.stdout, `GET ${site.url}\n`, similar.stderr);
  await scratch.write(".monitorrc.yml", `sites:\n  - { name: Shop, url: "${site.url}" }\n`);
  const near = await check("shp");
  assertStringIncludes(near.stderr, 'Cannot find a site "shp": did you mean "Shop"?');
});

Deno.test("check says what it needs if an argument is not an address", async () => {
  await using scratch = await makeScratch();
  const check = (...args: string[]) => runTask("check", { folder: scratch.path, args });
  assertEquals(
    (await check()).stderr,
    'error: Cannot check without an address: try "monitor check https://example.com"\n',
  );
  assertStringIncludes((await check("Shop")).stderr, 'Cannot check "Shop": it is not an address');
});
