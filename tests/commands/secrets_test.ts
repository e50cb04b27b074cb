import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parse as parseCsv } from "@std/csv/parse";
import { parse as parseYaml } from "@std/yaml";
import { join } from "node:path";
import { makeRig } from "../helpers/rig.ts";
import { githubServer } from "../helpers/github_server.ts";
import { mailServer, refusalOf } from "../helpers/mail_server.ts";
import { runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  configText,
  makeRepository,
  pathsAt,
  pendingAt,
  status,
  tip,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import {
  everything,
  repository,
  SECRET,
  SPELLINGS,
  tellingSite,
  VALUE,
} from "../helpers/secrets_rig.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import { passedSecrets } from "../../lib/setup/workflow_settings.ts";

Deno.test("no secret appears in the output, files, commits or step outputs of a run", async () => {
  for (const onGitHub of ["true", "false"]) {
    await using scratch = await makeScratch();
    const { server, asked } = tellingSite();
    await using _ = server;
    const folder = await repository(scratch, server.url);
    const result = await runTask("update", {
      folder,
      args: ["--verbose"],
      env: { SECRETS_CONTEXT: JSON.stringify({ KEY: SECRET }), GITHUB_ACTIONS: onGitHub },
    });
    assertEquals(result.code, 0, result.stderr);
    assertEquals(asked[0], `/${SECRET}`);
    const masks = result.stdout.split("\n").filter((line) => line.startsWith("::add-mask::"));
    assertEquals(masks, onGitHub === "true" ? [`::add-mask::${SECRET}`] : []);
    const left = (await everything(result, folder)).replaceAll(`::add-mask::${SECRET}`, "");
    assertStringIncludes(left, "***");
    assertStringIncludes(left, "/$KEY");
    for (const spelling of SPELLINGS) assert(!left.includes(spelling), `${spelling}\n${left}`);
  }
});

Deno.test("--secrets reads .env lines or JSON, and its values override the environment's", async () => {
  await using scratch = await makeScratch();
  const { server, asked } = tellingSite();
  await using _ = server;
  const folder = await repository(scratch, server.url);
  const files = {
    ".env": `# mine\nOTHER=x\nKEY="${SECRET}"\n`,
    "secrets.json": JSON.stringify({ KEY: SECRET }),
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(folder, name), text);
    asked.length = 0;
    const result = await runTask("update", {
      folder,
      args: ["--secrets", name],
      env: { SECRETS_CONTEXT: JSON.stringify({ KEY: "another" }) },
    });
    assertEquals(result.code, 0, result.stderr);
    assertEquals(asked[0], `/${SECRET}`);
    assert(!(await everything(result, folder)).includes(SECRET));
  }
});

Deno.test("a literal credential in the configuration appears nowhere else", async () => {
  await using scratch = await makeScratch();
  let asked = 0;
  await using vendor = httpServer(async (request) => {
    asked++;
    const { headers } = request;
    const text = `${request.url} ${headers.get("dd-api-key")} ${await request.text()}`;
    return new Response(text.slice(0, 150), { status: 404 });
  });
  await using mail = await mailServer({
    hideSTARTTLS: true,
    onAuth: (_login, _session, done) => done(refusalOf("535 5.7.8 canary-word is wrong")),
  });
  const { url, port } = { url: vendor.url, port: String(mail.port) };
  await using rig = await makeRig(scratch, {
    notifications: [
      { type: "slack", "webhook-url": `${url}/services/T0/canary01234567` },
      { type: "telegram", url, "bot-token": "1:canary-token", "chat-id": "1" },
      { type: "pagerduty", url, "integration-key": "canary-integration" },
      { type: "datadog", url, "api-key": "canary-api-key" },
      {
        type: "email",
        "smtp-host": "127.0.0.1",
        "smtp-port": port,
        "smtp-username": "jo",
        "smtp-password": "canary-word",
        from: "jo@acme.example",
        to: ["jo@acme.example"],
      },
    ],
  });
  rig.turn(503);
  const { code, stdout, stderr } = await rig.update({ env: { GITHUB_ACTIONS: "true" } });
  assertEquals([code, asked], [1, 4]);
  const dry = await rig.update({ args: ["--dry-run", "--json"] });
  const job = await Deno.readTextFile(join(rig.folder, ".git/monitor/summary.md"));
  const memory = JSON.stringify([...await pendingAt(rig.remote)]);
  const state = await rig.run("state", { args: ["--json"] });
  const text = [stdout, stderr, dry.stdout, dry.stderr, job, memory, state.stdout].join("\n");
  assert(!text.includes("canary"), text.slice(text.indexOf("canary") - 300));
});

/** Problems with the references of one site, given these secrets. */
async function warnings(site: Record<string, unknown>, known: readonly string[]) {
  const text = JSON.stringify({ sites: [{ name: "A", url: "https://a.example", ...site }] });
  const { problems, config } = await parseConfig(text, known);
  return [problems.map(({ message }) => message), config?.sites[0]?.nearMisses.length];
}

Deno.test("jobs also get secrets whose references differ in case, but no variables of query languages", async () => {
  const site = {
    name: "A",
    url: "https://a.example/?$filter=x",
    headers: ["X-Key: $api_token", "X-Other: $OTHER_KEY"],
    body: "query($user_id: ID!) { user(id: $user_id) { name } }",
  };
  const { config } = await parseConfig(JSON.stringify({ secrets: "auto", sites: [site] }));
  const handed = [...passedSecrets(config!)].filter((name) => !name.startsWith("NOTIFICATION_"));
  assertEquals(handed, ["OTHER_KEY", "API_TOKEN"]);
});

Deno.test("jobs get the token of Globalping if a location uses it", async () => {
  const names = async (locations: unknown) => {
    const sites = [{ name: "A", url: "https://a.example" }];
    const { config } = await parseConfig(JSON.stringify({ secrets: "auto", locations, sites }));
    return passedSecrets(config!);
  };
  const [here, oslo] = [{ name: "Here", runner: "x" }, { name: "Oslo", globalping: "Oslo" }];
  assert(!(await names([here])).includes("GLOBALPING_TOKEN"));
  assert((await names([here, oslo])).includes("GLOBALPING_TOKEN"));
});

Deno.test("near misses are names in other case or one edit away, but no variables of query languages", async () => {
  const other = (written: string, secret: string) =>
    `$${written} is not replaced: names are case-sensitive, and the secret is $${secret}`;
  const near = (written: string, secret: string) =>
    `$${written} is not among the secrets, did you mean $${secret}?`;
  const cases: [Record<string, unknown>, string[], string[]][] = [
    [{ url: "https://a.example/?k=$api_token" }, ["API_TOKEN"], [other("api_token", "API_TOKEN")]],
    [{ url: "https://$Api_Token@a.example/" }, ["API_TOKEN"], [other("Api_Token", "API_TOKEN")]],
    [{ headers: ["X-Key: $apiToken"] }, ["API_TOKEN"], [other("apiToken", "API_TOKEN")]],
    [{ headers: ["X-Key: $API_TOKN"] }, ["API_TOKEN"], [near("API_TOKN", "API_TOKEN")]],
    [{ headers: ["X-Key: $API_TOKEN"] }, ["API_TOKEN", "api_token"], []],
    [{ headers: ["X-A: $api_token", "X-B: $API_TOKEN"] }, [], [other("api_token", "API_TOKEN")]],
    [{ url: "https://a.example/?$filter=x&$top=1" }, ["FILTER", "TOP"], []],
    [{ url: "https://a.example/$metadata" }, ["METADATA_KEY", "FILTERS"], []],
    [{ body: '{"$ref": "#/a", "$eq": 1}' }, ["REF", "EQ"], []],
    [{ body: "query($token: String!) { a(token: $token) }" }, ["TOKEN"], []],
    [{ body: "costs $us_dollar" }, ["API_TOKEN"], []],
    [{ name: "Cash $api_token" }, ["API_TOKEN"], []],
    [{ assert: ["body matches /^ok$/", "json $.api_token == 1"] }, ["OK", "API_TOKEN"], []],
  ];
  for (const [site, known, expected] of cases) {
    const count = known.length === 0 ? 0 : expected.length;
    assertEquals(await warnings(site, known), [expected, count], JSON.stringify(site));
  }
});

Deno.test("a site whose secret is misspelled by one letter is unknown, and the reason names the secret", async () => {
  const { config } = await parseConfig(
    JSON.stringify({ sites: [{ name: "A", url: "https://a.example/?k=$API_TOKN" }] }),
  );
  const { probe } = await import("../../lib/checks/mod.ts");
  const { Secrets } = await import("../../lib/io/secrets/secrets.ts");
  const { failure } = await probe(config!.sites[0]!.target, {
    secrets: new Secrets({ API_TOKEN: "s3cret" }),
    signal: new AbortController().signal,
    now: Temporal.Now.instant(),
    root: "/",
    userAgent: "test",
  });
  assertEquals(failure, {
    kind: "configuration",
    reason: "secret API_TOKN is missing: did you mean $API_TOKEN?",
  });
});

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
  BEFORE.push(...await allFiles(SCRATCH.path));
  const env = { GITHUB_ACTIONS: "true" };
  const { code, stdout, stderr } = await runTask("update", { folder: CLONE, env });
  assertEquals(code, 0, stdout + stderr);
  lines = `${stdout}${stderr}`.split(/\r\n|\r|\n/);
});

Deno.test.afterAll(async () => await SCRATCH[Symbol.asyncDispose]());

function inHistory(extension: string): Promise<string[]> {
  return pathsAt(CLONE).then((paths) => paths.filter((path) => path.endsWith(extension)));
}

function readFile(path: string): Promise<string> {
  return SCRATCH.read(join("clone", path));
}

Deno.test("no name is printed as a workflow command or a terminal control sequence", () => {
  const commands = lines.filter((line) => /^\s*::/.test(line));
  assert(commands.length > SLUGS.length / 2, lines.join("\n"));
  assertEquals(commands.filter((line) => !OURS.test(line)), []);
  assertEquals(lines.filter((line) => line.includes("##[")), []);
  // deno-lint-ignore no-control-regex
  assertEquals(lines.filter((line) => /[\x00-\x1f\x7f\u202a-\u202e]/.test(line)), []);
});

Deno.test("a name without a usable slug is an error with its place, and its site is still monitored", async () => {
  const errors = lines.filter((line) => line.startsWith("::error"));
  assertEquals(errors.length, WITHOUT_SLUG.length, errors.join("\n"));
  for (const error of errors) {
    assertMatch(
      error,
      /^::error file=\.monitorrc\.yml,line=\d+,col=\d+,title=Configuration::sites/,
    );
    assertMatch(error, /add a slug: of at most|expected a name/);
  }
  const records = (await inHistory(".yml")).filter((path) => /^history\/[^/]+$/.test(path));
  assertEquals(records.sort(), SLUGS.map((slug) => `history/${slug}.yml`).sort());
});

Deno.test("no name escapes our folders or runs a command", async () => {
  // The set-up is one commit; a slow machine records the sites in several.
  const [first] = (await git(CLONE, "rev-list", "--reverse", "HEAD")).split("\n");
  const changed = await git(CLONE, "diff", "-z", "--name-only", first!, "HEAD");
  const paths = changed.split("\0").filter((path) => path !== "");
  const badges = paths.filter((path) => !path.startsWith("history/"));
  const expected = SLUGS.flatMap((slug) =>
    ["badge-status", "badge-status-named"].map((name) => `api/${slug}/${name}.svg`)
  );
  assertEquals(badges.sort(), ["api/badge-status.svg", ...expected].sort());
  assertEquals([await status(CLONE), await tip(CLONE)], ["", await tip(CLONE, "origin/main")]);
  const ours = /^(?:remote\.git\/(?:objects|refs)\/|clone\/(?:\.git|history|api)\/)/;
  const grown = (await allFiles(SCRATCH.path)).filter((path) => !BEFORE.includes(path));
  assertEquals(grown.filter((path) => !ours.test(path)), []);
});

Deno.test("every file of the history is readable, whatever the names", async () => {
  for (const path of await inHistory(".yml")) {
    assert(typeof parseYaml(await readFile(path)) === "object", path);
  }
  const incidents = (await inHistory(".yml")).filter((path) => path.includes("/incidents/"));
  assertEquals(incidents.length, Math.floor(SLUGS.length / 2));
});

Deno.test("the log is CSV whatever the names, and nothing in it is a formula", async () => {
  const [log] = await inHistory(".csv");
  const [header, ...rows] = parseCsv(await readFile(log!));
  const slug = header!.indexOf("slug");
  assertEquals(rows.map((cells) => cells[slug]!.replace(/^'(?='*[=+@-])/, "")), SLUGS);
  for (const cells of rows) {
    assertEquals(cells.length, header!.length);
    assertEquals(cells.filter((cell) => /^[=+@\t\r-]/.test(cell)), []);
  }
});

Deno.test("each output of a job is one line, and its summary table has one row for each site", async () => {
  const outputs = (await readFile(".git/monitor/outputs")).trimEnd().split("\n");
  assertEquals(outputs.map((line) => line.split("=")[0]), ["down", "degraded", "changed"]);
  const down = JSON.parse(outputs[0]!.slice("down=".length));
  assertEquals(down, SLUGS.filter((_, index) => index % 2 === 1));
  const summary = await readFile(".git/monitor/summary.md");
  const rows = summary.split("\n").filter((line) => line.startsWith("| "));
  assertEquals(rows.length, SLUGS.length + 2);
  assert(!/(?<!\\)<script>/.test(summary));
});

Deno.test("a commit's subject is one line that starts no workflow", async () => {
  const messages = (await git(CLONE, "log", "-z", "--format=%B", "--author=Monitor")).split("\0");
  const subjects = messages.map((message) => message.trim().split("\n")[0]!).filter(Boolean);
  for (const subject of subjects) assertMatch(subject, /^\S+ .+ \[skip ci\]$/u);
  assert(
    subjects.some((subject) => /^🟥 .* is down(?: \(.*\))?(?: and \d+ more)? \[/u.test(subject)),
  );
});

/** The paths of all files in a folder. */
async function allFiles(folder: string, prefix = ""): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(folder, prefix))) {
    if (isDirectory) paths.push(...await allFiles(folder, `${prefix}${name}/`));
    else paths.push(prefix + name);
  }
  return paths;
}

Deno.test("set-secret encrypts its standard input so that only GitHub can decrypt it", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { settings } = github;
  const run = (args: string[], more: { input?: string; env?: Record<string, string> } = {}) =>
    runTask("set-secret", {
      folder: scratch.path,
      args,
      input: more.input ?? VALUE,
      env: { ...github.env, ...more.env },
    });
  const first = await run(["api_token"], { input: `${VALUE}\n` });
  assertEquals([first.code, first.stdout, first.stderr], [
    0,
    "Saved the secret API_TOKEN of acme/status.\n",
    "",
  ]);
  assertEquals(settings.secret("API_TOKEN"), VALUE);
  const second = await run(["API_TOKEN", "--json"], { input: "another" });
  assertEquals(JSON.parse(second.stdout), {
    secret: "API_TOKEN",
    repository: "acme/status",
    sent: true,
    new: false,
  });
  assertEquals(settings.secret("API_TOKEN"), "another");
  assertEquals([...settings.sealed.keys()], ["API_TOKEN"]);
  assert(!JSON.stringify(github.requests).includes("s3cret"));
  assertEquals(github.violations, []);
});

Deno.test("set-secret says what is missing, and never repeats what may be the value", async () => {
  await using scratch = await makeScratch();
  const refusals: [args: string[], env: Record<string, string>, message: RegExp][] = [
    [["API_TOKEN", VALUE], {}, /a name only; the value is read from stdin/],
    [["API_TOKEN", `--value=${VALUE}`], {}, /Cannot understand --value: --help lists/],
    [["2FA"], {}, /doesn't begin with a digit \(set-secret NAME\)/],
    [["API_TOKEN"], {}, /no token is set; set HOST_PAT/],
  ];
  for (const [args, env, message] of refusals) {
    const { code, stdout, stderr } = await runTask("set-secret", {
      ...{ folder: scratch.path, args, input: VALUE },
      env: { GITHUB_REPOSITORY: "acme/status", ...env },
    });
    assertEquals([code, stdout], [2, ""]);
    assertMatch(stderr, message);
    assert(!stderr.includes("s3cret"));
  }
});

Deno.test("set-secret masks the value on GitHub, line by line", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { stdout } = await runTask("set-secret", {
    ...{ folder: scratch.path, args: ["A"], input: VALUE },
    env: { ...github.env, GITHUB_ACTIONS: "true" },
  });
  const masks = stdout.split("\n").filter((line) => line.startsWith("::add-mask::"));
  assertEquals(masks, ["::add-mask::s3cret väl%0Aue", "::add-mask::s3cret väl"]);
  assertEquals(stdout.replaceAll(/^::add-mask::.*\n/gm, "").includes("s3cret"), false);
});

Deno.test("a secret in a commit message or in a configuration mistake is shown nowhere", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const top =
    `commitMessages: { summaryJson: "sums s3cret_word" }\ni18n: { locale: "s3cret_word" }\n`;
  const folder = await makeRepository(join(scratch.path, "repository"), {
    ".monitorrc.yml": configText({ Shop: site.url }, top),
  });
  const env = { SECRETS_CONTEXT: JSON.stringify({ KEY: "s3cret_word" }), GITHUB_ACTIONS: "true" };
  let left = "";
  for (const task of ["validate", "update", "site"]) {
    left += await everything(await runTask(task, { folder, env }), folder);
  }
  assertStringIncludes(left, 'found "***"');
  assert(!/s3cret\\?_word/.test(left.replaceAll("::add-mask::s3cret_word", "")), left);
});
