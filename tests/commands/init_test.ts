import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "node:path";
import { init } from "../../commands/init.ts";
import { COMMANDS } from "../../commands/mod.ts";
import { recordedIo, runTask } from "../helpers/program.ts";
import { makeRepository } from "../helpers/repositories.ts";
import { git, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";
import { AddressError, firstSite, withDistinctNames } from "../../lib/config/first_site.ts";
import { EXAMPLE_SITE } from "../../lib/config/load.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import { ANNOUNCE, WORKFLOWS } from "../../lib/config/workflows.ts";
import { systemClock } from "../../lib/io/clock.ts";
import { readEnvironment } from "../../lib/io/environment.ts";
import { Log } from "../../lib/io/log.ts";
import { Secrets } from "../../lib/io/secrets/secrets.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { parseArguments } from "../../lib/text/arguments.ts";
import { SCHEMA_ADDRESS } from "../../lib/version.ts";
import { exampleConfig, firstConfig } from "../../templates/first_config.ts";

function read(folder: string): Promise<string> {
  return Deno.readTextFile(join(folder, ".monitorrc.yml"));
}

async function sitesOf(text: string) {
  const { config, problems } = await parseConfig(text);
  assertEquals(problems.filter(({ severity }) => severity !== "notice"), []);
  return config!.sites.map(({ name, url, check }) => [name, url, check]);
}

Deno.test("init writes a configuration with the given addresses, without questions", async () => {
  await using scratch = await makeScratch();
  const args = ["www.example.com", "https://example.com/health", "db.example.com:5432", "$ADDRESS"]
    .flatMap((address) => ["--url", address]);
  const { code, stdout, stderr } = await runTask("init", { folder: scratch.path, args });
  assertEquals([code, stderr], [0, ""]);
  assertStringIncludes(stdout, "\n  monitor check example.com ");
  const text = await read(scratch.path);
  assertEquals(text.split("\n")[0], `# yaml-language-server: $schema=${SCHEMA_ADDRESS}`);
  assertEquals(await sitesOf(text), [
    ["example.com", "https://www.example.com", "http"],
    ["example.com/health", "https://example.com/health", "http"],
    ["db.example.com:5432", "db.example.com", "tcp-ping"],
    ["ADDRESS", "$ADDRESS", "http"],
  ]);
  const validated = await runTask("validate", { folder: scratch.path });
  assertEquals(validated.code, 0);
});

Deno.test("the commented examples are valid when uncommented", async () => {
  const text = firstConfig({ sites: [{ name: "A", url: "https://example.com" }] });
  const examples = text.split("\n").filter((line) => /^ *#(?=[^ ])/.test(line));
  assert(examples.length > 4);
  const { config, problems } = await parseConfig(
    text.replaceAll(/^( *)#(?=[^ ]| {2,}[-\w])/gm, "$1"),
  );
  assertEquals(problems.filter(({ severity }) => severity !== "notice"), []);
  assertEquals(config!.sites[0]!.maxResponseTime, 2000);
  assertEquals(config!.notifications.length, 1);
  assertEquals(config!.workflowSchedule.uptime, "*/15 * * * *");
});

Deno.test("init also writes workflows, README and .gitattributes, and changes nothing if repeated", async () => {
  await using scratch = await makeScratch();
  const args = ["--url", "https://example.com"];
  const first = await runTask("init", { folder: scratch.path, args });
  assertStringIncludes(
    first.stdout,
    "Wrote .monitorrc.yml, README.md, .gitattributes, 7 workflows and 2 issue forms.\n",
  );
  const before = await contents(scratch.path);
  assertEquals([...before.keys()], [
    ".gitattributes",
    ...[ANNOUNCE.maintenanceForm, ANNOUNCE.incidentForm, ANNOUNCE.path],
    ...Object.values(WORKFLOWS).map(({ file }) => `.github/workflows/${file}`).sort(),
    ".monitorrc.yml",
    "README.md",
  ]);
  const again = await runTask("init", { folder: scratch.path, args });
  const note = "There is a .monitorrc.yml already: addresses and options change nothing in it";
  assertEquals([again.code, again.stderr], [0, `warning: ${note}\n`]);
  const planned = await runTask("init", { folder: scratch.path, args: ["--dry-run"] });
  assertEquals(planned.stdout, "Nothing is missing.\n");
  const updated = await runTask("update-template", { folder: scratch.path });
  assertEquals([updated.code, updated.stderr], [0, ""]);
  assertEquals(await contents(scratch.path), before);
});

Deno.test("init keeps every existing file, and adds only what is missing", async () => {
  await using scratch = await makeScratch();
  const config = "status-website: { name: Größe }\nsites:\n  - { name: A, url: a.example }\n";
  await scratch.write(".monitorrc.yml", config);
  await scratch.write("readme.md", "# Mine\r\n\r\nAs it was");
  await scratch.write(".gitattributes", "*.png filter=lfs");
  await folderWorkspace(scratch.path).write(".github/workflows/uptime.yml", "mine");
  const { code, stdout } = await runTask("init", { folder: scratch.path });
  assertEquals(code, 0);
  assertStringIncludes(stdout, "Added what was missing to readme.md and .gitattributes.\n");
  const after = await contents(scratch.path);
  assertEquals(after.get(".monitorrc.yml"), config);
  assertEquals(after.get(".github/workflows/uptime.yml"), "mine");
  assert(after.get("readme.md")!.startsWith("# Mine\r\n\r\nAs it was\r\n\r\n"));
  assertStringIncludes(after.get("readme.md")!, "<!-- monitor: summary -->\r\n");
  assert(after.get(".gitattributes")!.startsWith("*.png filter=lfs\n#"));
});

Deno.test("init skips a README that is a symbolic link, and writes the rest", async () => {
  await using scratch = await makeScratch();
  await Deno.symlink("elsewhere.md", join(scratch.path, "README.md"));
  const args = ["--url", "https://example.com"];
  const { code, stdout } = await runTask("init", { folder: scratch.path, args });
  assertEquals(code, 0);
  assertStringIncludes(stdout, "7 workflows and 2 issue forms.\nLeft README.md as it is.\n");
  assertEquals(await Deno.readLink(join(scratch.path, "README.md")), "elsewhere.md");
});

Deno.test("below a repository's root, init writes no workflows and announces none", async () => {
  await using scratch = await makeScratch();
  const folder = join(await makeRepository(scratch.path, { "a.txt": "" }), "inner");
  await Deno.mkdir(folder);
  const { code, stdout } = await runTask("init", { folder, args: ["--url", "a.example"] });
  assertEquals(code, 0);
  assertStringIncludes(stdout, "Wrote .monitorrc.yml, README.md and .gitattributes.\n");
  assert(!stdout.includes("Setup CI"));
});

Deno.test("init names the obstacle to a file", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".github", "");
  const args = ["--url", "https://example.com"];
  const { code, stderr } = await runTask("init", { folder: scratch.path, args });
  assertEquals([code, stderr], [
    1,
    "error: Cannot write .github/workflows/uptime.yml: .github is a file; move it away\n",
  ]);
});

Deno.test("init reports an unusable configuration, and writes nothing", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", "mine");
  const { code, stderr } = await runTask("init", { folder: scratch.path });
  assertEquals(code, 2);
  assertStringIncludes(stderr, ".monitorrc.yml:1:1");
  assertEquals([...await contents(scratch.path)], [[".monitorrc.yml", "mine"]]);
});

/** Texts of all files of a folder, by path. */
async function contents(folder: string): Promise<Map<string, string>> {
  const files = await folderWorkspace(folder).readAll(".", () => true);
  const texts = [...files].map(([path, bytes]): [string, string] => [
    path.replace("./", ""),
    new TextDecoder().decode(bytes),
  ]);
  return new Map(texts.sort(([one], [other]) => one < other ? -1 : 1));
}

function alreadyThere(name: string): string {
  return `Cannot begin anew: there is a ${name} already, and it stays as it is`;
}

async function refusal({ path }: Scratch): Promise<string> {
  const args = ["--url", "https://example.com"];
  const { code, stdout, stderr } = await runTask("init", { folder: path, args });
  assertEquals([code, stdout], [2, ""]);
  return stderr;
}

Deno.test("init overwrites nothing that has the configuration's name", async () => {
  await using folder = await makeScratch();
  await Deno.mkdir(join(folder.path, ".monitorrc.yml"));
  assertEquals(await refusal(folder), `error: ${alreadyThere(".monitorrc.yml")}\n`);
  await using link = await makeScratch();
  await Deno.symlink("elsewhere.yml", join(link.path, ".monitorrc.yml"));
  assertEquals(await refusal(link), `error: ${alreadyThere(".monitorrc.yml")}\n`);
  assertEquals((await Array.fromAsync(Deno.readDir(link.path))).length, 1);
});

Deno.test("init writes the file given by --config, and prints it as data with --json", async () => {
  await using scratch = await makeScratch();
  const args = ["--config", "sub/my own.yml", "--json", "--url", "example.com"];
  const { code, stdout } = await runTask("init", { folder: scratch.path, args });
  const { file, written, sites, text } = JSON.parse(stdout);
  assertEquals([code, file, written], [0, "sub/my own.yml", true]);
  assertEquals(sites, [{ name: "example.com", url: "https://example.com" }]);
  assertEquals(await scratch.read("sub/my own.yml"), text);
  assertEquals((await Array.fromAsync(Deno.readDir(scratch.path))).length, 1);
  const again = await runTask("init", { folder: scratch.path, args });
  assertEquals([again.code, again.stdout], [2, ""]);
});

Deno.test("init infers the check type from any address, and gives each site its own name", async () => {
  const long = "x".repeat(120);
  const cases: [address: string, name: string, url: string, check: string][] = [
    ["müller.de", "müller.de", "https://müller.de", "http"],
    ["localhost", "localhost", "https://localhost", "http"],
    ["db:5432", "db:5432", "db", "tcp-ping"],
    ["tcp://web:443", "web:443", "web", "tcp-ping"],
    ["[::1]:6379", "[::1]:6379", "::1", "tcp-ping"],
    ["example.com:8080", "example.com:8080", "http://example.com:8080", "http"],
    ["example.com:8443/x", "example.com:8443/x", "https://example.com:8443/x", "http"],
    ["example.com/5432", "example.com/5432", "https://example.com/5432", "http"],
    ["example.com:5432", "example.com:5432 (2)", "example.com", "tcp-ping"],
    [`example.org/${long}`, "example.org", `https://example.org/${long}`, "http"],
    [`example.org/${long}?2`, "example.org (2)", `https://example.org/${long}?2`, "http"],
    ["ssh://box.example:2222", "box.example:2222", "ssh://box.example:2222", "ssh"],
    ["smtps://mail.example", "mail.example", "smtps://mail.example", "smtp"],
    ["imap://mail.example", "mail.example (2)", "imap://mail.example", "imap"],
    ["grpcs://api.example", "api.example", "grpcs://api.example", "grpc"],
    ["wss://live.example", "live.example", "wss://live.example", "ws"],
    ["https://$USER:$PASS@a.example/", "a.example", "https://$USER:$PASS@a.example/", "http"],
  ];
  const sites = withDistinctNames(cases.map(([address]) => firstSite(address)));
  assertEquals(await sitesOf(firstConfig({ sites })), cases.map(([, ...site]) => site));
  for (
    const address of [
      "",
      "website",
      "ftp://a.example",
      "tcp://a.example",
      "a.example:0",
      "https://",
      "me@a.b",
      "sshs://a",
    ]
  ) {
    assertThrows(() => firstSite(address), AddressError, "Cannot tell what to monitor from");
  }
});

Deno.test("init writes no password, and does not repeat the one it was given", async () => {
  await using scratch = await makeScratch();
  for (const address of ["https://me:hunter22@example.com/", "https://hunter22@example.com"]) {
    const { code, stdout, stderr } = await runTask("init", {
      folder: scratch.path,
      args: ["--url", address],
    });
    assertEquals([code, stdout], [2, ""]);
    assertEquals(
      stderr,
      "error: Cannot write a password into the repository: give https://$USER:$PASS@example.com and keep both as secrets\n",
    );
  }
  const { stderr } = await runTask("init", { folder: scratch.path, args: ["me:hunter22@a.b"] });
  assertStringIncludes(stderr, 'Cannot tell what to monitor from "***@a.b"');
  assertEquals(await Array.fromAsync(Deno.readDir(scratch.path)), []);
});

const QUESTIONS = {
  sites: "What do you want to monitor? Addresses such as example.com or db:5432 []",
  name: "Name of the status page? [Status]",
  alerts: "Webhook for alerts, of Slack, Discord, Teams or others? [none]",
  domain: "Domain of the status page, such as status.example.com? [none]",
  visibility: "Is the repository public or private? [public]",
};

Deno.test("init asks again after an unusable answer, and writes any name", async () => {
  await using scratch = await makeScratch();
  const answers = ["nothing", "https://", "b.example, a.example:5432", "#1: 'B' \x1b[31m"];
  answers.push("mail", "PagerDuty", "not a domain", "status.b.example", "secret", "private");
  const { asked, code } = await initAnswered(scratch, answers);
  assertEquals(code, 0);
  const { sites, name, alerts, domain, visibility } = QUESTIONS;
  assertEquals(asked, [
    ...[sites, sites, sites, name, alerts, alerts, domain, domain, visibility, visibility],
  ]);
  const text = await read(scratch.path);
  assertEquals(await sitesOf(text), [
    ["b.example", "https://b.example", "http"],
    ["a.example:5432", "a.example", "tcp-ping"],
  ]);
  const { config } = await parseConfig(text);
  const { name: title, cname } = config!["status-website"]!;
  assertEquals([title, cname], ["#1: 'B' [31m", "status.b.example"]);
  assertEquals(config!.notifications.map(({ type, on }) => [type, on]), [
    ["pagerduty", ["down", "up", "certificate"]],
  ]);
  assertStringIncludes(text, "integration-key: $PAGERDUTY_INTEGRATION_KEY\n");
  // A private repository has 2,000 free minutes a month.
  assertEquals(config!.workflowSchedule.uptime, "*/30 * * * *");
});

Deno.test("with empty answers init writes an example that is not checked, and --yes asks nothing", async () => {
  await using scratch = await makeScratch();
  const { asked, code } = await initAnswered(scratch, ["", "", "", "", ""]);
  assertEquals([code, asked], [0, Object.values(QUESTIONS)]);
  assertEquals(await read(scratch.path), firstConfig({ sites: [EXAMPLE_SITE] }));
  const checked = await runTask("update", { folder: scratch.path });
  assertEquals(checked, {
    code: 0,
    stdout: "Nothing is checked yet: edit .monitorrc.yml\n",
    stderr: "",
  });
  await using other = await makeScratch();
  const quiet = await initAnswered(other, [], ["--yes", "a.example"]);
  assertEquals([quiet.code, quiet.asked], [0, []]);
});

Deno.test("init fills in an unedited copy of the template", async () => {
  await using scratch = await makeScratch();
  const [schema, ...lines] = exampleConfig().split("\n");
  const older = schema!.replace(/v[\d.]+/, "v1.0.0");
  await scratch.write(".monitorrc.yml", [older, ...lines].join("\r\n"));
  const { code, stdout } = await runTask("init", { folder: scratch.path, args: ["a.example"] });
  assertEquals(code, 0);
  assertStringIncludes(stdout, "Added what was missing to .monitorrc.yml.\n");
  const text = await read(scratch.path);
  assertEquals(await sitesOf(text), [["a.example", "https://a.example", "http"]]);
  assertStringIncludes(text, "\nsecrets: all\n");
});

Deno.test("init tests the webhook for alerts, and writes its address nowhere", async () => {
  await using scratch = await makeScratch();
  let status = 404;
  const bodies: { event?: string }[] = [];
  await using hook = httpServer(async (request) => {
    bodies.push(await request.json());
    return new Response(null, { status });
  });
  const init = () =>
    runTask("init", {
      folder: scratch.path,
      args: ["a.example", "--alerts", `${hook.url}/s3cret-path`],
    });
  const wrong = await init();
  assertEquals([wrong.code, wrong.stdout], [2, "Sending a test message…\n"]);
  assertMatch(wrong.stderr, /^error: The test message was not delivered: .*answered 404/);
  assertEquals(await Array.fromAsync(Deno.readDir(scratch.path)), []);
  status = 200;
  const { code, stdout, stderr } = await init();
  assertEquals([code, stderr, bodies.length], [0, "", 2]);
  assertMatch(stdout, /\nSent a test message: .*answered 200.*\.\n/);
  assertStringIncludes(stdout, "\n  monitor set-secret WEBHOOK_URL\n");
  assertStringIncludes(await read(scratch.path), "  - type: webhook\n    url: $WEBHOOK_URL\n");
  for (const text of [stdout, wrong.stderr, ...(await contents(scratch.path)).values()]) {
    assert(!text.includes("s3cret-path"), text);
  }
});

Deno.test("init --action names a mirror in configuration and workflows", async () => {
  await using scratch = await makeScratch();
  const init = (action: string) =>
    runTask("init", { folder: scratch.path, args: ["a.example", "--action", action] });
  const wrong = await init("mirror");
  assertEquals(wrong.code, 2);
  assertMatch(wrong.stderr, /^error: Cannot use that: expected owner\/name@ref of an action/);
  assertEquals((await init("acme/mirror@v1")).code, 0);
  assertStringIncludes(await read(scratch.path), "\naction: acme/mirror@v1\n");
  const uptime = await scratch.read(".github/workflows/uptime.yml");
  assertStringIncludes(uptime, "uses: acme/mirror@v1\n");
});

Deno.test("in an Upptime repository, init writes the import workflow and says what to run next", async () => {
  await using scratch = await makeScratch();
  await git(scratch.path, "init", "--quiet");
  await scratch.write(".upptimerc.yml", "sites: [{ name: A, url: a.example }]\n");
  const workflows = folderWorkspace(join(scratch.path, ".github/workflows"));
  await workflows.write("uptime.yml", "steps:\n  - uses: upptime/uptime-monitor@v1\n");
  const { code, stdout } = await runTask("init", { folder: scratch.path });
  assertEquals(code, 0);
  assertStringIncludes(stdout, "This is an Upptime repository; .github/workflows/import.yml was");
  assertStringIncludes(stdout, "\n  monitor import upptime --dry-run\n");
  assertEquals(await workflows.list(""), ["import.yml", "uptime.yml"]);
  const before = await contents(scratch.path);
  const again = await runTask("init", { folder: scratch.path });
  assertStringIncludes(again.stdout, "nothing was written");
  assertEquals(await contents(scratch.path), before);
});

Deno.test("init writes nothing and returns 130 if one of its questions is ended instead of answered", async () => {
  await using scratch = await makeScratch();
  for (const answers of [[], ["a.example", "", "", ""]]) {
    const { code, printed } = await initAnswered(scratch, answers);
    assertEquals([code, printed], [130, "Nothing was written.\n"]);
  }
  assertEquals(await Array.fromAsync(Deno.readDir(scratch.path)), []);
});

Deno.test("init tries a webhook once, names the host that was typed, and is stopped while it waits", async () => {
  await using scratch = await makeScratch();
  const webhook = `http://127.0.0.1:${closedPort()}/s3cret-path`;
  const args = ["a.example", "--alerts", webhook];
  const refused = await runTask("init", { folder: scratch.path, args });
  assertEquals([refused.code, refused.stdout], [2, "Sending a test message…\n"]);
  const { host } = new URL(webhook);
  assertStringIncludes(refused.stderr, `can't be reached: connection refused (${host})`);

  const stop = new AbortController();
  let asked = 0;
  const never = Promise.withResolvers<Response>();
  await using hook = httpServer(() => {
    asked++;
    stop.abort();
    return never.promise;
  });
  const stopped = await runTask("init", {
    folder: scratch.path,
    args: ["a.example", "--alerts", `${hook.url}/s3cret-path`],
    signal: stop.signal,
  });
  never.resolve(new Response());
  const lines = "Sending a test message…\nNothing was written.\n";
  assertEquals([stopped.code, stopped.stdout, asked], [130, lines, 1]);
  assertEquals(await Array.fromAsync(Deno.readDir(scratch.path)), []);
});

Deno.test("outside of a repository, the next steps of init start with git init and the remote", async () => {
  await using scratch = await makeScratch();
  const init = () => runTask("init", { folder: scratch.path, args: ["a.example"] });
  assertMatch(
    (await init()).stdout,
    /\nNext:\n {2}git init +makes .*\n {2}git remote add origin https:\/\/github.com\/OWNER\/\S+\n.*\n {2}monitor check /,
  );
  await git(scratch.path, "init", "--quiet");
  assertMatch((await init()).stdout, /\nNext:\n {2}monitor check /);
});

for (const command of ["npx monitor-action", "../clone/bin/monitor"]) {
  Deno.test(`started as ${command}, init, doctor and errors name commands so`, async () => {
    await using scratch = await makeScratch();
    const env = { MONITOR_COMMAND: command };
    const run = (task: string, ...args: string[]) =>
      runTask(task, { folder: scratch.path, args, env });
    assertStringIncludes((await run("update")).stderr, `"${command} init" writes it`);
    const { stdout } = await run("init", "a.example");
    const steps = stdout.split("\n").filter((line) => /^ {2}(?! |git )/.test(line));
    assertEquals(steps.filter((line) => !line.startsWith(`  ${command} `)), []);
    assertStringIncludes(stdout, `  ${command} doctor`);
    await Deno.remove(`${scratch.path}/.github`, { recursive: true });
    assertStringIncludes((await run("doctor")).stdout, `→ run "${command} update-template", and`);
    assertStringIncludes((await run("update", "--help")).stdout, `\n  ${command} update `);
  });
}

/** Runs `init` with a person who gives these answers, and records the questions. */
async function initAnswered({ path }: Scratch, answers: string[], args: string[] = []) {
  const asked: string[] = [];
  const secrets = new Secrets();
  const io = recordedIo();
  const quiet = {
    ...io,
    secrets,
    onGitHub: false,
    terminal: false,
    level: "normal" as const,
    dataOnly: false,
  };
  const code = await init({
    root: path,
    ...parseArguments(args, [COMMANDS["init"]!.options!]),
    dryRun: false,
    json: false,
    environment: { ...readEnvironment(io), interactive: true },
    secrets,
    clock: systemClock,
    stdin: io.stdin,
    ask(question, fallback) {
      asked.push(fallback === undefined ? question : `${question} [${fallback}]`);
      return answers.length === 0 ? undefined : answers.shift() || fallback;
    },
    log: new Log(quiet),
    renew: () => Promise.reject(new Error("init reads its environment once")),
  });
  return { asked, code, printed: io.stdout.text };
}

Deno.test("init says which arguments it needs without a terminal, and what an address looks like", async () => {
  await using scratch = await makeScratch();
  const cases: [args: string[], message: string][] = [
    [
      [],
      `Cannot ask what to monitor, because there is no terminal: give an address, as in "monitor init example.com"`,
    ],
    [
      ["--url", "two words"],
      'Cannot tell what to monitor from "two words": expected an address such as https://example.com or db.example.com:5432',
    ],
    [["--url="], "Cannot use --url: it needs a value"],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runTask("init", { folder: scratch.path, args });
    assertEquals([code, stderr], [2, `error: ${message}\n`]);
  }
  assertEquals(await Array.fromAsync(Deno.readDir(scratch.path)), []);
});

Deno.test("init --dry-run shows the file and writes nothing", async () => {
  await using scratch = await makeScratch();
  const { code, stdout } = await runTask("init", {
    folder: scratch.path,
    args: ["--dry-run", "--url", "https://example.com"],
  });
  assertEquals(code, 0);
  const shown = stdout.split(/^--- (.+)\n/m);
  assertEquals(await sitesOf(shown[2]!), [["example.com", "https://example.com", "http"]]);
  assertEquals(shown.filter((_, index) => index % 2 === 1).length, 12);
  assertEquals(await Array.fromAsync(Deno.readDir(scratch.path)), []);
});

Deno.test("any names and addresses make a configuration with exactly these", async () => {
  const sites = [
    "a: b",
    "#x",
    "- y",
    "'",
    '"',
    "{z}",
    "*a",
    "&b",
    "!c",
    "| d",
    "@e",
    "null",
    "007",
    "é\u2028",
  ]
    .map((text) => ({
      name: text,
      url: `https://example.com/?q=${encodeURIComponent(text)}#${text}`,
    }));
  const { config } = await parseConfig(firstConfig({ sites }));
  assertEquals(config!.sites.map(({ url }) => url), sites.map(({ url }) => url.trim()));
  assertEquals(config!.sites[0]!.name, "a: b");
  assertEquals(config!.sites[12]!.name, "007");
});
