import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type ProgramResult, runTask } from "../helpers/program.ts";
import { configText } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

interface Asked {
  config?: string;
  args?: readonly string[];
  env?: Record<string, string>;
}

/** Runs `update` in a new folder outside of git; `grown` are the files it leaves there. */
async function update(
  { config, args = [], env = {} }: Asked,
): Promise<ProgramResult & { grown: string[] }> {
  await using scratch = await makeScratch();
  if (config !== undefined) await scratch.write(".monitorrc.yml", config);
  const result = await runTask("update", { folder: scratch.path, args, env });
  const names = (await Array.fromAsync(Deno.readDir(scratch.path))).map(({ name }) => name);
  const grown = names.filter((name) => name !== ".monitorrc.yml").sort();
  return { ...result, stderr: result.stderr.replaceAll(scratch.path, "FOLDER"), grown };
}

Deno.test("without a configuration, update says how to begin one", async () => {
  const { code, stdout, stderr, grown } = await update({});
  assertEquals([code, stdout, grown], [2, "", []]);
  assertEquals(
    stderr.trimEnd(),
    "error: Cannot find .monitorrc.yml in FOLDER: begin with\n\n  sites:\n    - name: Example\n      url: https://example.com",
  );
  const named = await update({ args: ["--config", "other.yml"] });
  assertEquals([named.code, named.grown], [2, []]);
  assertStringIncludes(named.stderr, "Cannot find other.yml: there is no such file");
});

thoroughly("a configuration that is not YAML is an error with line and column", async () => {
  const config = 'sites:\n  - name: A\n    url: "https://example.com\n  - name: B\n';
  const { code, stdout, stderr, grown } = await update({ config });
  assertEquals([code, stdout, grown], [2, "", []]);
  assertMatch(stderr, /^error: \.monitorrc\.yml:\d+:\d+: [^\n]+\n$/);
});

thoroughly("a configuration of no sites is a warning and no failure", async () => {
  for (const config of ["sites:\n", "sites: []\n", "sites: null\nowner: 7\n"]) {
    const { code, stderr, grown } = await update({ config });
    assertEquals([code, grown], [0, []], config);
    assertMatch(
      stderr,
      /^warning: \.monitorrc\.yml:1:1 sites: the list is empty: there is nothing to monitor$/m,
    );
  }
});

Deno.test("if no site has a usable url, update tells all of it and fails", async () => {
  const config = "sites:\n  - name: A\n  - url: htps://example.com\n  - name: C\n    url: 7\n";
  const { code, stderr, grown } = await update({ config });
  assertEquals([code, grown], [2, []]);
  assertEquals(stderr.trimEnd().split("\n"), [
    "error: .monitorrc.yml:2:5 sites[0].url: is missing",
    'error: .monitorrc.yml:3:5 sites[1].url: expected an address that starts with https:// or http://, found "htps://example.com"',
    "error: .monitorrc.yml:3:5 sites[1].name: is missing",
    "error: .monitorrc.yml:5:5 sites[2].url: expected an address, found 7",
  ]);
});

Deno.test("a wrong value and a wrong url of three sites are reported at their places; only the url takes one out", async () => {
  await using site = httpServer(() => new Response("ok"));
  const good = configText({ A: site.url, B: site.url });
  const config =
    `${good}  - name: C\n    url: ${site.url}\n    expectedStatusCodes: many\n  - name: D\n    url: htps://d\n`;
  const told = await update({ config, args: ["--json"] });
  assertEquals(told.code, 0, told.stderr);
  assertMatch(
    told.stderr,
    /^error: \.monitorrc\.yml:10:5 sites\[2\]\.expectedStatusCodes: expected/,
  );
  assertEquals(JSON.parse(told.stdout).sites.map(({ name }: { name: string }) => name), [
    "A",
    "B",
    "C",
  ]);
  assertMatch(told.stderr, /^error: \.monitorrc\.yml:12:5 sites\[3\]\.url: expected/m);
  const annotated = await update({ config, env: { GITHUB_ACTIONS: "true" } });
  assertEquals(annotated.code, 0);
  assertMatch(
    annotated.stdout,
    /^::error file=\.monitorrc\.yml,line=10,col=5,title=Configuration::sites\[2\]\.expectedStatusCodes: expected/m,
  );
});

thoroughly("a command or an option that is not known is wrong usage", async () => {
  const cases: [readonly string[], RegExp][] = [
    [["updaet"], /^error: Cannot run "update updaet": the commands are update/],
    [["--unknown"], /^error: Cannot understand --unknown: --help lists the options$/m],
    [["--dryrun"], /^error: Cannot understand --dryrun: --help lists the options$/m],
    [["--config"], /^error: Cannot use --config: it needs a value$/m],
    [
      ["--secrets", "none"],
      /^error: Cannot read secrets from FOLDER\/none: there is no such file$/m,
    ],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr, grown } = await update({ config: "sites: []\n", args });
    assertEquals([code, stdout, grown], [2, "", []], args.join(" "));
    assertMatch(stderr, message);
  }
});

Deno.test("--help says what update does and names every option", async () => {
  const { OPTIONS } = await import("../../lib/text/arguments.ts");
  const { code, stdout, stderr, grown } = await update({ args: ["--help"] });
  assertEquals([code, stderr, grown], [0, "", []]);
  assertStringIncludes(stdout, "check every site");
  for (const option of Object.keys(OPTIONS)) assertStringIncludes(stdout, `  ${option}`);
});

Deno.test("--dry-run shows what a run would write, and writes nothing", async () => {
  await using site = httpServer(() => new Response(null, { status: 503 }));
  const config = configText({ A: site.url });
  const { code, stdout, stderr, grown } = await update({ config, args: ["--dry-run"] });
  assertEquals([code, stderr, grown], [0, "", []]);
  assertMatch(stdout, /^--- history\/a\.yml$/m);
  assertMatch(stdout, /^--- history\/incidents\/\d{4}-\d\d-\d\d-a\.yml$/m);
  assertMatch(stdout, /^--- history\/checks\/\d{4}-\d\d-\d\d\.csv\ntime,run,slug,/m);
});

Deno.test("--dry-run leaves a repository as it was, also on GitHub", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  await git(scratch.path, "init", "--quiet");
  await scratch.write(".monitorrc.yml", configText({ A: site.url }));
  const files = async () => (await Array.fromAsync(walk(scratch.path))).sort();
  const before = await files();
  const { code } = await runTask("update", {
    folder: scratch.path,
    args: ["--dry-run"],
    env: { GITHUB_ACTIONS: "true" },
  });
  assertEquals([code, await files()], [0, before]);
});

async function* walk(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* walk(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}

Deno.test("--json prints one JSON document and nothing else", async () => {
  await using site = httpServer(() => new Response(null, { status: 503 }));
  const { code, stdout } = await update({
    config: configText({ "A \u001b[31m": site.url }),
    args: ["--json"],
  });
  assertEquals(code, 0);
  const { sites, files, commit } = JSON.parse(stdout);
  assertEquals(sites.map(({ state, code }: Record<string, unknown>) => [state, code]), [[
    "down",
    503,
  ]]);
  assertEquals([files.length, commit], [6, null]);
});

thoroughly("--quiet prints nothing where nothing is wrong", async () => {
  await using site = httpServer(() => new Response("ok"));
  const config = configText({ A: site.url });
  const { code, stdout, stderr, grown } = await update({ config, args: ["--quiet"] });
  assertEquals([code, stdout, stderr, grown], [0, "", "", ["api", "history"]]);
  const wrong = await update({ config: `${config}  - name: B\n`, args: ["--quiet"] });
  assertEquals([wrong.code, wrong.stdout], [0, ""]);
  assert(wrong.stderr.startsWith("error: .monitorrc.yml:"), wrong.stderr);
});
