import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../helpers/program.ts";
import { configText, makeRepository } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";
import { PLATFORM, repository, update, updateOf } from "../helpers/update_rig.ts";
import { GLOBAL_OPTIONS } from "../../lib/text/arguments.ts";

Deno.test("without a configuration, update says how to create one, also in the summary of a job", async () => {
  const { code, stdout, stderr, grown } = await update({});
  assertEquals([code, stdout, grown], [2, "", []]);
  assertEquals(
    stderr.trimEnd(),
    'error: Cannot find .monitorrc.yml in FOLDER: "monitor init" writes it',
  );
  const named = await update({ args: ["--config", "other.yml"] });
  assertEquals([named.code, named.grown], [2, []]);
  assertStringIncludes(named.stderr, "Cannot find other.yml: the file does not exist");

  await using scratch = await makeScratch();
  const folder = await makeRepository(join(scratch.path, "repository"), { "readme": "" });
  assertEquals((await runTask("update", { folder, env: PLATFORM })).code, 2);
  const summary = await Deno.readTextFile(join(folder, ".git", "monitor", "summary.md"));
  assertMatch(summary, /### Nothing was checked\n\n- Cannot find .*"monitor init" writes it/);
});

Deno.test("a configuration of no sites is a warning and no failure", async () => {
  for (const config of ["sites:\n", "sites: []\n", "sites: null\nowner: 7\n"]) {
    const { code, stderr, grown } = await update({ config });
    assertEquals([code, grown], [0, []], config);
    assertMatch(
      stderr,
      /^warning: \.monitorrc\.yml:1:1 sites: the list is empty: there is nothing to monitor$/m,
    );
  }
});

Deno.test("update reports every problem and fails if no site has a usable url", async () => {
  const config = "sites:\n  - name: A\n  - url: htps://example.com\n  - name: C\n    url: 7\n";
  const { code, stderr, grown } = await update({ config });
  assertEquals([code, grown], [2, []]);
  assertEquals(stderr.trimEnd().split("\n"), [
    "error: .monitorrc.yml:2:5 sites[0].url: is missing",
    'error: .monitorrc.yml:3:5 sites[1].url: expected an address, found "htps://example.com", did you mean "https://example.com"?',
    'error: .monitorrc.yml:3:5 sites[1].name: is missing: the site is named "Site 2"',
    "error: .monitorrc.yml:5:5 sites[2].url: expected an address, found 7",
  ]);
});

Deno.test("an invalid value and an invalid url are reported with their places; only the url disables its site", async () => {
  await using site = httpServer(() => new Response("ok"));
  const good = configText({ A: site.url, B: site.url });
  const config =
    `${good}  - name: C\n    url: ${site.url}\n    expectedStatusCodes: many\n  - name: D\n    url: htps://d\n`;
  const shown = await update({ config, args: ["--json"] });
  assertEquals(shown.code, 0, shown.stderr);
  assertMatch(
    shown.stderr,
    /^error: \.monitorrc\.yml:11:5 sites\[2\]\.expectedStatusCodes\[0\]: expected/,
  );
  assertEquals(JSON.parse(shown.stdout).sites.map(({ name }: { name: string }) => name), [
    "A",
    "B",
    "C",
  ]);
  assertMatch(shown.stderr, /^error: \.monitorrc\.yml:13:5 sites\[3\]\.url: expected/m);
  const annotated = await update({ config, env: { GITHUB_ACTIONS: "true" } });
  assertEquals(annotated.code, 0);
  assertMatch(
    annotated.stdout,
    /^::error file=\.monitorrc\.yml,line=11,col=5,title=Configuration::sites\[2\]\.expectedStatusCodes\[0\]: expected/m,
  );
});

Deno.test("an unknown command or option is a usage error", async () => {
  const cases: [readonly string[], RegExp][] = [
    [["updaet"], /^error: Cannot run "update updaet": update takes options only/],
    [["--unknown"], /^error: Cannot understand --unknown: --help lists the options$/m],
    [["--dryrun"], /^error: Cannot understand --dryrun: did you mean "--dry-run"\? --help lists/m],
    [["--config"], /^error: Cannot use --config: it needs a value$/m],
    [
      ["--secrets", "none"],
      /^error: Cannot read secrets from FOLDER\/none: the file does not exist$/m,
    ],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr, grown } = await update({ config: "sites: []\n", args });
    assertEquals([code, stdout, grown], [2, "", []], args.join(" "));
    assertMatch(stderr, message);
  }
});

Deno.test("--help describes update and lists its options", async () => {
  const { code, stdout, stderr, grown } = await update({ args: ["--help"] });
  assertEquals([code, stderr, grown], [0, "", []]);
  assertStringIncludes(stdout, "check all sites");
  for (const option of Object.keys({ ...GLOBAL_OPTIONS, "--fresh": "", "--dry-run": "" })) {
    assertStringIncludes(stdout, `  ${option}`);
  }
});

Deno.test("--dry-run prints what a run would write, and writes nothing", async () => {
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

Deno.test("a paused site is not checked, and nothing is written for it", async () => {
  const asked: string[] = [];
  await using server = httpServer(({ url }) => {
    asked.push(new URL(url).pathname);
    return new Response();
  });
  const { code, stdout, records } = await updateOf({
    sites: [
      { name: "A", url: `${server.url}/a` },
      { name: "B", url: `${server.url}/b`, paused: true },
    ],
  });
  assertEquals([code, asked, records], [0, ["/a"], ["a.yml"]]);
  assertStringIncludes(stdout, "Checking 1 site (1 paused)");
  const none = await updateOf({ sites: [{ name: "B", url: `${server.url}/b`, paused: true }] });
  assertEquals([none.code, none.stdout, none.records], [
    0,
    "Every site is paused: nothing is checked.\n",
    [],
  ]);
});

Deno.test("the User-Agent of a request names the program and the monitoring repository", async () => {
  let agent: string | null = null;
  await using server = httpServer(({ headers }) => {
    agent = headers.get("user-agent");
    return new Response();
  });
  const sites = [{ name: "A", url: server.url }];
  await updateOf({ sites, owner: "acme", repo: "status" });
  assertEquals(agent, "monitor-action/1.41.0 (+https://github.com/acme/status)");
  await updateOf({ sites }, {
    GITHUB_REPOSITORY: "me/uptime",
    GITHUB_SERVER_URL: "https://git.example.com",
  });
  assertEquals(agent, "monitor-action/1.41.0 (+https://git.example.com/me/uptime)");
  await updateOf({ sites });
  assertEquals(agent, "monitor-action/1.41.0");
});

Deno.test("the heartbeat is sent at the end of a run, also when sites are down", async () => {
  const beats: string[] = [];
  await using switchServer = httpServer(({ url, method }) => {
    beats.push(`${method} ${new URL(url).pathname}`);
    return new Response();
  });
  await using site = httpServer(() => new Response(null, { status: 500 }));
  const config = {
    "heartbeat-url": `${switchServer.url}/$BEAT`,
    retry: { delays: [] },
    canaries: [],
    sites: [{ name: "A", url: site.url }],
  };
  const secrets = { SECRETS_CONTEXT: '{"BEAT":"7f3a-91c2"}' };
  const { code, stdout, stderr } = await updateOf(config, secrets);
  assertEquals([code, beats], [0, ["GET /7f3a-91c2"]]);
  assert(!`${stdout}${stderr}`.includes("7f3a-91c2"));
  await updateOf(config, secrets, ["--dry-run"]);
  assertEquals(beats.length, 1);
});

Deno.test("a hidden address appears neither in the output nor in a commit message", async () => {
  await using server = httpServer(() => new Response());
  const { stdout } = await updateOf(
    {
      sites: [
        { name: "A", url: server.url, hideUrl: true },
        { name: "B", url: server.url, link: "https://example.com" },
        { name: "C", url: "$ADDRESS" },
      ],
    },
    { SECRETS_CONTEXT: JSON.stringify({ ADDRESS: server.url }) },
    ["--json"],
  );
  const { sites } = JSON.parse(stdout);
  assertEquals(sites.map(({ url }: { url: string }) => url), [null, "https://example.com", null]);
});

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

const DOWN = `http://127.0.0.1:${closedPort()}`;

Deno.test("an unreachable site is unknown while the canaries fail, and down once they are distrusted", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const canary = `127.0.0.1:${closedPort()}`;
  await scratch.write(
    ".monitorrc.yml",
    JSON.stringify({
      canaries: [canary],
      retry: { delays: [0.05] },
      sites: [{ name: "Good", url: site.url }, { name: "Gone", url: DOWN }],
    }),
  );
  const run = async () => {
    const { code, stdout, stderr } = await runTask("update", {
      folder: scratch.path,
      args: ["--json"],
    });
    assertEquals(code, 0, stderr);
    const { sites } = JSON.parse(stdout);
    return { states: sites.map(({ state }: { state: string }) => state), stderr };
  };
  for (let number = 1; number <= 3; number++) {
    const { states, stderr } = await run();
    assertEquals(states, ["up", "unknown"]);
    assertStringIncludes(
      stderr,
      `the monitor's own network seems to be at fault: most canaries (${canary}) can't be reached, so sites that can't be reached either are unknown and not down`,
    );
  }
  const validated = await runTask("validate", { folder: scratch.path });
  assertEquals([validated.code, validated.stderr], [0, ""]);
  assertStringIncludes(validated.stdout, `▲ the canaries (${canary}) can't be reached from here`);
  const { states, stderr } = await run();
  assertEquals(states, ["up", "down"]);
  assertStringIncludes(
    stderr,
    `the canaries (${canary}) can't be reached from here though sites can, so they are not believed; name places that this runner reaches in canaries:, or none with []`,
  );
});
