import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse as parseCsv } from "@std/csv/parse";
import { parse as parseYaml } from "@std/yaml";
import { join } from "node:path";
import { runTask } from "../helpers/program.ts";
import { cloneRemote, pathsAt, status, tip } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";

/** Names that are text and nothing else, with the names of their files. */
const NAMES: Readonly<Record<string, string>> = {
  "../../etc": "-..-etc",
  "a|b": "a-b",
  "<script>alert(1)</script>": "script-alert-1-script",
  "$(touch x)": "$-touch-x",
  "`id`": "`id`",
  "--help": "--help",
  "::set-output name=a::b": "--set-output-name=a--b",
  "##[add-mask]x": "add-mask-x",
  "  ::error::y": "--error--y",
  "%0A::error::x": "-0a--error--x",
  "🚀 Rocket 👩‍🚀": "🚀-rocket-👩-🚀",
  "موقع الاختبار": "موقع-الاختبار",
  "safe\u202eexe.gpj": "safe-exe.gpj",
  "two\nlines::warning::z": "two-lines--warning--z",
  "=1+1": "=1+1",
  "$1 $& $SITE_NAME": "$1-$--$site_name",
  '\'"quoted": [yaml]': "'-quoted-yaml",
  "null": "null",
  "2026-11-21": "2026-11-21",
  "same": "same",
  "SAME ": "same-2",
};

/** Names that give no name for files, or one that is too long; the host of their address names them instead. */
const WITHOUT_SLUG = ["x".repeat(300), "   ", ".", "..", "...", "\u200f \u202e"];
const HOST = "127.0.0.1";
const INSTEAD = ["x".repeat(100), HOST, ...[2, 3, 4, 5].map((number) => `${HOST}-${number}`)];

/** Commands of GitHub that the program gives. */
const OURS = /^::(?:add-mask|group|endgroup|warning|error|notice)(?: [^:]*)?::/;

const SLUGS = [...Object.values(NAMES), ...INSTEAD];
const SCRATCH = await makeScratch();
const CLONE = join(SCRATCH.path, "clone");
const BEFORE: string[] = [];
let lines: string[] = [];

/** One run on GitHub checks sites of all these names. Every second one is down. */
Deno.test.beforeAll(async () => {
  await using good = httpServer(() => new Response("ok"));
  const down = `http://127.0.0.1:${closedPort()}`;
  const names = [...Object.keys(NAMES), ...WITHOUT_SLUG];
  const sites = names.map((name, index) => ({ name, url: index % 2 === 0 ? good.url : down }));
  const config = JSON.stringify({ retry: { delays: [] }, canaries: [], sites }, null, 1);
  await cloneRemote(await makeRemote(SCRATCH.path, { ".monitorrc.yml": config }), CLONE);
  BEFORE.push(...await everything(SCRATCH.path));
  const env = { GITHUB_ACTIONS: "true" };
  const { code, stdout, stderr } = await runTask("update", { folder: CLONE, env });
  assertEquals(code, 0, stdout + stderr);
  lines = `${stdout}${stderr}`.split(/\r\n|\r|\n/);
});

Deno.test.afterAll(async () => await SCRATCH[Symbol.asyncDispose]());

function inHistory(extension: string): Promise<string[]> {
  return pathsAt(CLONE).then((paths) => paths.filter((path) => path.endsWith(extension)));
}

function read(path: string): Promise<string> {
  return SCRATCH.read(join("clone", path));
}

Deno.test("no name is a command to GitHub or steers a terminal", () => {
  const commands = lines.filter((line) => /^\s*::/.test(line));
  assert(commands.length > SLUGS.length / 2, lines.join("\n"));
  assertEquals(commands.filter((line) => !OURS.test(line)), []);
  assertEquals(lines.filter((line) => line.includes("##[")), []);
  // deno-lint-ignore no-control-regex
  assertEquals(lines.filter((line) => /[\x00-\x1f\x7f\u202a-\u202e]/.test(line)), []);
});

Deno.test("each name that gives no name for files is an error at its place, and its site is monitored all the same", async () => {
  const errors = lines.filter((line) => line.startsWith("::error"));
  assertEquals(errors.length, WITHOUT_SLUG.length, errors.join("\n"));
  for (const error of errors) {
    assertMatch(
      error,
      /^::error file=\.monitorrc\.yml,line=\d+,col=\d+,title=Configuration::sites/,
    );
    assertMatch(error, /add a short slug: to this site|expected a name/);
  }
  const records = (await inHistory(".yml")).filter((path) => /^history\/[^/]+$/.test(path));
  assertEquals(records.sort(), SLUGS.map((slug) => `history/${slug}.yml`).sort());
});

Deno.test("no name leads out of our folders or runs anything", async () => {
  const changed = await git(CLONE, "diff", "-z", "--name-only", "HEAD~1", "HEAD");
  const paths = changed.split("\0").filter((path) => path !== "");
  const badges = paths.filter((path) => !path.startsWith("history/"));
  assertEquals(badges.sort(), SLUGS.map((slug) => `api/${slug}/badge-status.svg`).sort());
  assertEquals([await status(CLONE), await tip(CLONE)], ["", await tip(CLONE, "origin/main")]);
  const ours = /^(?:remote\.git\/(?:objects|refs)\/|clone\/(?:\.git|history|api)\/)/;
  const grown = (await everything(SCRATCH.path)).filter((path) => !BEFORE.includes(path));
  assertEquals(grown.filter((path) => !ours.test(path)), []);
});

Deno.test("every file of the history can be read, whatever the names", async () => {
  for (const path of await inHistory(".yml")) {
    assert(typeof parseYaml(await read(path)) === "object", path);
  }
  const incidents = (await inHistory(".yml")).filter((path) => path.includes("/incidents/"));
  assertEquals(incidents.length, Math.floor(SLUGS.length / 2));
});

Deno.test("the log is CSV whatever the names, and nothing in it is a formula", async () => {
  const [log] = await inHistory(".csv");
  const [header, ...rows] = parseCsv(await read(log!));
  const slug = header!.indexOf("slug");
  assertEquals(rows.map((cells) => cells[slug]!.replace(/^'(?='*[=+@-])/, "")), SLUGS);
  for (const cells of rows) {
    assertEquals(cells.length, header!.length);
    assertEquals(cells.filter((cell) => /^[=+@\t\r-]/.test(cell)), []);
  }
});

Deno.test("what a job is handed is one line each, and its table has one row a site", async () => {
  const outputs = (await read(".git/monitor/outputs")).trimEnd().split("\n");
  assertEquals(outputs.map((line) => line.split("=")[0]), ["down", "degraded", "changed"]);
  const down = JSON.parse(outputs[0]!.slice("down=".length));
  assertEquals(down, SLUGS.filter((_, index) => index % 2 === 1));
  const summary = await read(".git/monitor/summary.md");
  const rows = summary.split("\n").filter((line) => line.startsWith("| "));
  assertEquals(rows.length, SLUGS.length + 2);
  assert(!/(?<!\\)<script>/.test(summary));
});

Deno.test("the commit's subject is one line that starts no workflow", async () => {
  const subject = await git(CLONE, "log", "-1", "--format=%s");
  assertMatch(subject, /^🟥 .* is down \(.*\) and 12 more \[skip ci\]$/u);
});

/** The paths of all files in a folder. */
async function everything(folder: string, prefix = ""): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(folder, prefix))) {
    if (isDirectory) paths.push(...await everything(folder, `${prefix}${name}/`));
    else paths.push(prefix + name);
  }
  return paths;
}
