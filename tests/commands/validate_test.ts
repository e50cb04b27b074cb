import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { machineClock } from "../helpers/calendar.ts";
import { makeAuthority, makeCertificate } from "../helpers/certificates.ts";
import { blocksOf, readDoc } from "../helpers/docs.ts";
import { githubServer } from "../helpers/github_server.ts";
import { type ProgramResult, runTask } from "../helpers/program.ts";
import { git, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";
import { WORKFLOW_KEYS, WORKFLOWS } from "../../lib/config/workflows.ts";
import { appendRows, checksPath } from "../../lib/history/checks_log.ts";
import { DISPATCH_EVENTS } from "../../lib/incidents/github_effects.ts";

interface Asked {
  config?: string | Uint8Array<ArrayBuffer>;
  args?: readonly string[];
  env?: Record<string, string>;
}

/** Runs `validate` in a new repository; `summary` is what a job would show. */
async function validate(
  { config, args = [], env = {} }: Asked,
): Promise<ProgramResult & { summary: string; changed: string }> {
  await using scratch = await makeScratch();
  await git(scratch.path, "init", "-q");
  const path = `${scratch.path}/.monitorrc.yml`;
  if (typeof config === "string") await Deno.writeTextFile(path, config);
  else if (config !== undefined) await Deno.writeFile(path, config);
  const result = await runTask("validate", { folder: scratch.path, args, env });
  const changed = await git(scratch.path, "status", "--porcelain");
  const summary = await Deno.readTextFile(`${scratch.path}/.git/monitor/summary.md`).catch(() =>
    ""
  );
  return { ...result, summary, changed };
}

const CONFIG = `sites:
  - name: Website
    url: https://example.com
  - name: API
    url: https://$USER:$PASS@api.example.com/health
    method: POST
  - name: Secret place
    url: $ADDRESS
  - name: Old shop
    url: https://old.example.com
    paused: true
heartbeat-url: https://hc.example.com/$BEAT
`;

Deno.test("validate shows what would be monitored, how often, with which secrets and at what cost", async () => {
  const { code, stdout, stderr, changed, summary } = await validate({ config: CONFIG });
  assertEquals([code, stderr, changed, summary], [0, "", "?? .monitorrc.yml", ""]);
  assertEquals(
    stdout,
    `✔ .monitorrc.yml: no problems

3 sites would be monitored every 5 minutes, 1 paused:
  Website       http    https://example.com
  API           http    POST https://$USER:$PASS@api.example.com/health
  Secret place  http    (hidden)
  Old shop      paused  https://old.example.com

Secrets used: $ADDRESS, $BEAT, $PASS, $USER.

In a private repository, about 8,760 minutes a month are billed, 2,000 of them free.
For less, set workflowSchedule: { uptime: "*/30 * * * *" }, or runner: self-hosted.
`,
  );
  const given = await validate({
    config: CONFIG,
    env: { SECRETS_CONTEXT: '{"USER":"its-value","PASS":"other-value"}' },
  });
  const missing = "Secrets used: $ADDRESS, $BEAT, $PASS, $USER; not given here: $ADDRESS, $BEAT.";
  assertStringIncludes(given.stdout, missing);
  assert(!/its-value|other-value/.test(given.stdout));
});

Deno.test("validate names the addresses of the page, once that of the repository is known", async () => {
  const config = `owner: acme\nrepo: status\n${CONFIG}`;
  const page = "https://acme.github.io/status";
  assertStringIncludes(
    (await validate({ config })).stdout,
    `
Addresses, once published:
  page       ${page}/
  subscribe  ${page}/subscribe/
  feed       ${page}/feed.xml
  strip      ${page}/embed/
  banner     ${page}/embed.js
`,
  );
  const { stdout } = await validate({
    config: `pages: { subscribe: false }\nstatus-website: { cname: up.example.com }\n${config}`,
    args: ["--json"],
  });
  assertEquals(JSON.parse(stdout).addresses, {
    page: "https://up.example.com/",
    feed: "https://up.example.com/feed.xml",
    strip: "https://up.example.com/embed/",
    banner: "https://up.example.com/embed.js",
  });
  const none = await validate({ config: `skipGeneratingWebsite: true\n${config}` });
  assert(!none.stdout.includes("Addresses"));
});

Deno.test("validate computes what Globalping is asked, and if that is within its limits", async () => {
  const config = (sites: number) =>
    `locations:
  - { name: Berlin, globalping: Berlin+DE }
  - { name: Tokyo, globalping: Tokyo }
  - { name: Here, runner: ubuntu-latest }
sites:
${
      Array.from(
        { length: sites },
        (_, index) =>
          `  - { name: Site ${index}, url: https://example.com, locations: [Berlin, Tokyo, Here] }`,
      ).join("\n")
    }
`;
  const few = await validate({ config: config(10) });
  assertEquals([few.code, few.stderr], [0, ""]);
  assertStringIncludes(
    few.stdout,
    "\nGlobalping: 20 locations of sites, 12 runs an hour, so 240 tests an hour, of 500 with a GLOBALPING_TOKEN (250 without, which all users of an address share).\n",
  );
  const many = await validate({ config: config(21), args: ["--json"] });
  assertEquals(JSON.parse(many.stdout).globalping, {
    siteLocations: 42,
    runsPerHour: 12,
    testsPerHour: 504,
    limits: { withToken: 500, withoutToken: 250 },
    mostWithToken: 41,
  });
  const uneven = await validate({
    config: `workflowSchedule: { uptime: "*/7 * * * *" }\n${config(20)}`,
    args: ["--json"],
  });
  assertEquals(JSON.parse(uneven.stdout).globalping.testsPerHour, 9 * 40);
  const { stdout } = await validate({ config: config(21) });
  assertStringIncludes(
    stdout,
    "▲ Globalping: 42 locations of sites, 12 runs an hour, so 504 tests an hour, more than the 500 of a GLOBALPING_TOKEN, so some have no result: choose at most 41, or fewer runs.\n",
  );
});

Deno.test("validate fails only on errors, and counts the sites that they disable", async () => {
  const lost = CONFIG.replace("https://$USER", "htps://$USER");
  const wrong = await validate({ config: `${lost}concurrencies: 7\n` });
  assertEquals(wrong.code, 2);
  assertStringIncludes(wrong.stdout, "✘ .monitorrc.yml: 1 error, 1 warning");
  assertStringIncludes(
    wrong.stdout,
    "2 sites would be monitored every 5 minutes, 1 paused, 1 left out because of errors:",
  );
  assertEquals(wrong.stderr.trimEnd().split("\n"), [
    'error: .monitorrc.yml:5:5 sites[1].url: expected an address, found "htps://$USER:$PASS@api.example.com/health", did you mean "https://$USER:$PASS@api.example.com/health"?',
    'warning: .monitorrc.yml:13:1 concurrencies: unknown key, did you mean "concurrency"?',
  ]);
  const ignored = await validate({ config: CONFIG.replace("POST", "[POST]") });
  assertEquals(ignored.code, 2);
  assertStringIncludes(ignored.stdout, "3 sites would be monitored every 5 minutes, 1 paused:");
  const doubtful = await validate({ config: `${CONFIG}concurrencies: 7\n` });
  assertEquals(doubtful.code, 0);
  assertStringIncludes(doubtful.stdout, "▲ .monitorrc.yml: 1 warning");
});

Deno.test("validate --json prints the same as JSON, and nothing else on standard output", async () => {
  const { code, stdout } = await validate({ config: CONFIG, args: ["--json"] });
  const { file, valid, problems, sites, secrets, billedMinutes, freeMinutes } = JSON.parse(stdout);
  assertEquals([code, file, valid, problems], [0, ".monitorrc.yml", true, []]);
  assertEquals(sites[1], {
    name: "API",
    slug: "api",
    check: "http",
    address: "https://$USER:$PASS@api.example.com/health",
    paused: false,
    secrets: ["PASS", "USER"],
    dependsOn: [],
  });
  assertEquals(sites[2].address, null);
  assertEquals(secrets, ["ADDRESS", "BEAT", "PASS", "USER"]);
  assertEquals([billedMinutes, freeMinutes], [8760, 2000]);
  const broken = await validate({ config: "sites: {}\n", args: ["--json"] });
  assertEquals([broken.code, JSON.parse(broken.stdout).problems], [2, [{
    severity: "error",
    line: 1,
    column: 1,
    path: "sites",
    message:
      'expected a list of sites, found a map: start each site with a hyphen and a space, such as "- name:"',
  }]]);
});

Deno.test("in a job, validate annotates the file and leaves a summary, without any secret", async () => {
  const env = { GITHUB_ACTIONS: "true" };
  const { code, stdout, summary } = await validate({
    config: `${CONFIG}concurrency: many\nx: <b>|\n`,
    env,
  });
  assertEquals(code, 2);
  const commands = stdout.split("\n").filter((line) => line.startsWith("::"));
  assertEquals(commands, [
    '::error file=.monitorrc.yml,line=13,col=1,title=Configuration::concurrency: expected a whole number from 1 to 1000, found "many"',
    "::warning file=.monitorrc.yml,line=14,col=1,title=Configuration::x: unknown key, it has no effect",
  ]);
  assertStringIncludes(summary, "1 error, 1 warning");
  assertStringIncludes(summary, ":13:1 concurrency: expected a whole number");
  assertStringIncludes(summary, "Secret place  http    (hidden)");
});

Deno.test("validate reports a missing file, and one that is not YAML or not UTF-8", async () => {
  const latin = new Uint8Array([...new TextEncoder().encode("sites:\n  - name: Caf"), 0xe9, 0x0a]);
  for (
    const [config, message] of [
      ["sites:\n  - name: 'A\n", "2:11: the ' that opens here is never closed"],
      [latin, "2:14: is not UTF-8 from here on: save it as UTF-8"],
    ] as const
  ) {
    const { code, stderr, stdout } = await validate({ config });
    assertEquals([code, stderr], [2, `error: .monitorrc.yml:${message}\n`]);
    assertEquals(stdout, "✘ .monitorrc.yml: 1 error\n");
  }
  const missing = await validate({});
  assertEquals(missing.code, 2);
  assertStringIncludes(missing.stderr, "Cannot find .monitorrc.yml");
});

Deno.test("validate reads .upptimerc.yml if our own configuration is missing", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".upptimerc.yml", "sites:\n  - { name: A, url: https://example.com }\n");
  const { code, stdout } = await runTask("validate", { folder: scratch.path });
  assertEquals(code, 0);
  assertStringIncludes(stdout, "✔ .upptimerc.yml: no problems");
});

const SLACK = { type: "slack", "webhook-url": "https://hooks.slack.com/services/T0/B0/canary" };

const PAGER = { type: "pagerduty", "integration-key": "$PAGER", on: ["down"] };

const SITES = [
  { name: "Shop", url: "https://shop.example", notifications: [{ ...PAGER, on: ["down", "up"] }] },
  { name: "Po|st", url: "https://post.example" },
];

/** Runs `validateChannels` in a new repository; `summary` is what a job would show. */
async function validateChannels(
  { config, args, secrets = {} }: {
    config: unknown;
    args?: readonly string[];
    secrets?: Record<string, string>;
  },
) {
  await using scratch = await makeScratch();
  await git(scratch.path, "init", "--quiet");
  await scratch.write(".monitorrc.yml", JSON.stringify(config));
  const env = { SECRETS_CONTEXT: JSON.stringify(secrets), GITHUB_ACTIONS: "true" };
  const { code, stdout } = await runTask("validate", { folder: scratch.path, args, env });
  const job = join(scratch.path, ".git/monitor/summary.md");
  const summary = await Deno.readTextFile(job).catch(() => "");
  return { code, summary, stdout: stdout.replace(/^::add-mask::.*\n/gm, "") };
}

Deno.test("validate shows who would be notified of what: in the terminal, as JSON and in the job summary", async () => {
  const telegram = { type: "telegram", "bot-token": "$BOT", "chat-id": "$CHAT", on: [] };
  const config = { sites: SITES, notifications: [SLACK, PAGER, telegram] };
  const { code, stdout, summary } = await validateChannels({ config });
  assertEquals(code, 0);
  const [, lines] = /Notifications:\n((?: {2}.*\n)+)/.exec(stdout)!;
  assertEquals(lines!.trimEnd().split("\n").map((line) => line.trim().replaceAll(/ {2,}/g, "  ")), [
    "slack (hooks.slack.com)  down, degraded, up, certificate of all sites  (has no on:, so it is notified of down, up, degraded and certificate)",
    "pagerduty ($PAGER)  down, up of Shop",
    "pagerduty ($PAGER)  down of Po|st",
    "telegram (chat $CHAT)  nothing of all sites",
  ]);
  assertStringIncludes(summary, "pagerduty ($PAGER)       down of Po|st\n");
  const json = await validateChannels({ config, args: ["--json"] });
  assertEquals(JSON.parse(json.stdout).channels[1], {
    channel: "pagerduty ($PAGER)",
    events: ["down", "up"],
    sites: ["Shop"],
    note: null,
  });
  for (const text of [stdout, summary, json.stdout]) assert(!text.includes("canary"), text);
});

Deno.test("validate counts the channels that secrets alone set up, and shows nothing of these", async () => {
  const secrets = {
    NOTIFICATION_EMAIL_SMTP: "true",
    NOTIFICATION_EMAIL_SMTP_HOST: "mail.canary.example",
    NOTIFICATION_EMAIL: "jo@canary.example",
    NOTIFICATION_DISCORD_WEBHOOK_URL: "https://discord.com/api/webhooks/1/canary",
    NOTIFICATION_TELEGRAM: "true",
    NOTIFICATION_TELEGRAM_BOT_KEY: "1:canary",
    NOTIFICATION_TELEGRAM_CHAT_ID: "-1001234567890",
    NOTIFICATION_SLACK: "false",
    NOTIFICATION_SLACK_WEBHOOK_URL: "https://hooks.slack.com/canary",
  };
  const config = { sites: SITES };
  const { code, stdout } = await validateChannels({ config, secrets, args: ["--json"] });
  const { channels } = JSON.parse(stdout);
  assertEquals([code, channels.map(({ channel }: { channel: string }) => channel)], [0, [
    "email ($NOTIFICATION_EMAIL)",
    "discord ($NOTIFICATION_DISCORD_WEBHOOK_URL)",
    "telegram (chat $NOTIFICATION_TELEGRAM_CHAT_ID)",
    "pagerduty ($PAGER)",
  ]]);
  const text = (await validateChannels({ config, secrets })).stdout;
  assertStringIncludes(text, "  email ($NOTIFICATION_EMAIL)  ");
  assert(!/slack|canary|-1001234/.test(stdout + text), text);
});

// A pinned version causes no request.
const DOCTORED = `actionVersion: v1.41.0
sites:
  - name: Shop
    url: https://shop.example.com/?key=$SHOP_KEY
`;

/** A repository with the configuration, its workflows, and checks every five minutes since yesterday. */
async function setUp(scratch: Scratch, text = DOCTORED): Promise<string> {
  const folder = scratch.path;
  await git(folder, "init", "--quiet");
  await scratch.write(".monitorrc.yml", text);
  const now = Temporal.Now.instant();
  const logs = new Map<string, string>();
  for (let minutes = 24 * 60; minutes >= 0; minutes -= 5) {
    const time = now.subtract({ minutes });
    const path = checksPath(time);
    const run = minutes.toString(16).padStart(8, "0");
    const row = { time, run, slug: "shop", state: "up", code: 200, ms: 9, attempts: 1 } as const;
    logs.set(path, appendRows(logs.get(path), [row]));
  }
  await Deno.mkdir(`${folder}/history/checks`, { recursive: true });
  for (const [path, text] of logs) await scratch.write(path, text);
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Begin");
  return folder;
}

Deno.test("doctor examines folder, history and GitHub, and has no findings in a correct setup", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const folder = await setUp(scratch);
  const { settings } = github;
  settings.workflows = WORKFLOW_KEYS.map((key) => ({ ...WORKFLOWS[key], state: "active" }));
  settings.pages = { branch: "gh-pages", path: "/", cname: null, isHttps: true };
  settings.pushed = Temporal.Now.instant();
  for (const name of ["SHOP_KEY", "HOST_PAT"]) settings.sealed.set(name, "");
  github.account("monitor-bot").scopes = ["repo", "workflow"];
  const secret = "s3cret-of-the-shop";
  const env = { ...github.env, SECRETS_CONTEXT: JSON.stringify({ SHOP_KEY: secret }) };
  await runTask("update-template", { folder, env });
  const before = await git(folder, "status", "--porcelain");
  const { code, stdout, stderr } = await runTask("doctor", { folder, env });
  assertEquals([code, stderr], [0, ""], stdout);
  assertStringIncludes(stdout, "acme/status\n\n✔ Configuration: .monitorrc.yml is valid\n");
  assertStringIncludes(stdout, "the last week had 289, usually 5 minutes");
  assertStringIncludes(stdout, "\n✔ Nothing needs to be changed.\n");
  assert(!stdout.includes("? "), stdout);
  assert(!stdout.includes(secret));
  assertEquals(await git(folder, "status", "--porcelain"), before);
  assert(github.requests.every(({ method }) => method === "GET"));
  assertEquals(github.violations, []);
});

Deno.test("doctor works without a token, says what it could not examine, and exits with 1 if something must change", async () => {
  await using scratch = await makeScratch();
  const folder = await setUp(scratch);
  const { code, stdout } = await runTask("doctor", { folder, args: ["--json"] });
  assertEquals(code, 1);
  const { repository, well, findings } = JSON.parse(stdout);
  assertEquals([repository, well], [null, false]);
  const verdictOf = (name: string) =>
    findings.find(({ examination }: { examination: string }) => examination === name).verdict;
  assertEquals(["Configuration", "Workflow files", "Schedule", "Token"].map(verdictOf), [
    ...["well", "change", "well", "unexamined"],
  ]);
});

Deno.test("doctor works without a configuration and without a repository", async () => {
  await using scratch = await makeScratch();
  const { code, stdout } = await runTask("doctor", { folder: scratch.path });
  assertEquals(code, 1);
  assertStringIncludes(stdout, "✘ Configuration: .monitorrc.yml is missing here");
  assertStringIncludes(stdout, "1 change needed, as far as could be examined.");
});

Deno.test("dispatch starts a workflow by each of the six events, without a configuration", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const folder = scratch.path;
  for (const event of DISPATCH_EVENTS) {
    const { code, stdout, stderr } = await runTask("dispatch", {
      folder,
      args: [event],
      env: github.env,
    });
    assertEquals([code, stdout, stderr], [
      0,
      `Started the workflow for ${event} in acme/status.\n`,
      "",
    ]);
  }
  assertEquals(github.dispatched, [...DISPATCH_EVENTS]);
  const args = ["static-site", "--json"];
  const { stdout } = await runTask("dispatch", { folder, args, env: github.env });
  assertEquals(JSON.parse(stdout), { event: "static_site", repository: "acme/status", sent: true });
  assertEquals(github.violations, []);
});

const AUTHORITY = makeAuthority("Own Authority");

async function folderOf(sites: unknown, others: Record<string, string> = {}): Promise<Scratch> {
  const scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", JSON.stringify({ sites }));
  for (const [name, text] of Object.entries(others)) await scratch.write(name, text);
  return scratch;
}

async function filesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}

Deno.test("check shows redirects, address, headers, phases and result of one site, and writes nothing", async () => {
  await using server = httpServer(({ url }) =>
    url.endsWith("/old")
      ? new Response(null, { status: 301, headers: { Location: "/new" } })
      : new Response("hello", { headers: { "Content-Type": "text/x-hello" } })
  );
  await using scratch = await folderOf([
    { name: "Shop", url: `${server.url}/old`, description: "Where people buy" },
    { name: "Other", url: "http://127.0.0.1:1" },
  ]);
  for (const name of ["Shop", "shop", "SHOP"]) {
    const { code, stdout, stderr } = await runTask("check", { folder: scratch.path, args: [name] });
    assertEquals([code, stderr], [0, ""]);
    assertStringIncludes(stdout, "Shop  http  Where people buy\n");
    assertStringIncludes(
      stdout,
      "    Accept: */*\n    Accept-Encoding: identity\n" +
        `    → 301 Moved Permanently\n  GET ${server.url}/new\n    → 200 OK\n`,
    );
    assertMatch(stdout, /^ {2}address +127\.0\.0\.1:\d+$/m);
    assertMatch(stdout, /^ {2}content-type +text\/x-hello$/m);
    assertMatch(stdout, /^ {2}body +5 bytes$/m);
    assertMatch(stdout, /^ {2}first byte +[\d.]+ ms/m);
    assertMatch(stdout, /^ {2}total +[\d.]+ ms$/m);
    assert(stdout.endsWith("\n✔ up\n"), stdout);
  }
  assertEquals(await filesIn(scratch.path), [".monitorrc.yml"]);
});

Deno.test("check shows the certificate, whether it is accepted or not", async () => {
  await using good = httpServer(() => new Response(), {
    certificate: makeCertificate({ issuer: AUTHORITY, to: 20.5 }),
  });
  await using old = httpServer(() => new Response(), {
    certificate: makeCertificate({ issuer: AUTHORITY, from: -30, to: -2.5 }),
  });
  await using scratch = await folderOf([
    { name: "Good", url: good.url, ca: "ca.pem" },
    { name: "Old", url: old.url, ca: "ca.pem" },
  ], { "ca.pem": AUTHORITY.cert });
  const clock = machineClock;
  const fine = await runTask("check", { folder: scratch.path, args: ["Good"], clock });
  assertMatch(fine.stdout, /^ {2}TLS +TLSv1\.[23]$/m);
  assertMatch(fine.stdout, /^ {2}certificate +.*, issued by Own Authority$/m);
  assertMatch(fine.stdout, /valid +from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \(20 days left\)/);
  const bad = await runTask("check", { folder: scratch.path, args: ["Old"], clock });
  assertEquals(bad.code, 0);
  assertStringIncludes(bad.stdout, "(expired 2 days ago)");
  assertStringIncludes(bad.stdout, "✘ down: certificate expired 2 days ago");
});

Deno.test("check shows no secret, neither its own nor one that a server returns or alters", async () => {
  await using server = httpServer(({ url }) => {
    const key = new URL(url).searchParams.get("key");
    return key === null
      ? new Response("ok", { headers: { Server: "echo s3cr3t-value" } })
      : new Response(null, {
        status: 302,
        headers: { Location: `/${key}-${key.toUpperCase()}` },
      });
  });
  await using scratch = await folderOf([{ name: "A", url: `${server.url}/?key=$KEY` }], {
    ".env": "KEY=s3cr3t-value\n",
  });
  for (const args of [["A", "--secrets", ".env"], ["A", "--json", "--secrets", ".env"]]) {
    const { code, stdout, stderr } = await runTask("check", { folder: scratch.path, args });
    assertEquals(code, 0);
    assert(!/s3cr3t/i.test(stdout + stderr), stdout);
    assertStringIncludes(stdout, "?key=$KEY");
  }
});

Deno.test("check --json prints the same as JSON", async () => {
  await using server = httpServer(() => new Response("ok", { status: 503 }));
  await using scratch = await folderOf([{ name: "A", url: server.url }]);
  const { code, stdout } = await runTask("check", { folder: scratch.path, args: ["A", "--json"] });
  const { name, state, code: status, error, details } = JSON.parse(stdout);
  assertEquals([code, name, state, status, error], [
    0,
    "A",
    "down",
    503,
    "answered 503 Service Unavailable",
  ]);
  assertEquals(details.hops, [{
    method: "GET",
    url: server.url,
    status: 503,
    words: "Service Unavailable",
  }]);
});

Deno.test("check lists every assertion with the found value, and masks secrets in it", async () => {
  await using server = httpServer(() => new Response(`${"-".repeat(90)}s3cr3t-value`));
  await using scratch = await folderOf([{
    name: "A",
    url: server.url,
    assert: [
      "status == 200",
      "body contains $KEY",
      { that: "header x-cache exists", severity: "degraded" },
      "body contains ok",
    ],
  }], { ".env": "KEY=s3cr3t-value\n" });
  const { code, stdout } = await runTask("check", {
    folder: scratch.path,
    args: ["A", "--secrets", ".env"],
  });
  assertEquals(code, 0);
  const found = `found "${"-".repeat(90)}***"`;
  assertStringIncludes(
    stdout,
    `
  ✔ status == 200
    found 200
  ✔ body contains $KEY
    ${found}
  ✘ header x-cache exists (degraded)
    the header is missing
  ✘ body contains ok
    ${found}

✘ down: body contains ok: ${found}
`,
  );
});

Deno.test("check tries a TCP port, and checks a site once, without confirmation", async () => {
  await using server = httpServer(() => new Response());
  await using scratch = await folderOf([
    { name: "Open", check: "tcp-ping", url: new URL(server.url).host },
    { name: "Closed", check: "tcp-ping", url: `127.0.0.1:${closedPort()}` },
  ]);
  const open = await runTask("check", { folder: scratch.path, args: ["Open"] });
  assertMatch(open.stdout, /^ {2}CONNECT 127\.0\.0\.1:\d+\n {4}→ connected$/m);
  assertMatch(open.stdout, /address +127\.0\.0\.1:\d+/);
  const closed = await runTask("check", { folder: scratch.path, args: ["Closed"] });
  assertStringIncludes(closed.stdout, "→ no answer\n\n✘ down: connection refused (127.0.0.1:");
});

Deno.test("check lists the existing sites if the requested one is unknown", async () => {
  await using scratch = await folderOf([
    { name: "Website", url: "https://example.com" },
    { name: "Broken", url: "hhttps://nowhere" },
  ]);
  const cases: [args: string[], message: string][] = [
    [[], "Cannot check a site without its name: the sites are Website"],
    [["Websit"], 'Cannot find a site "Websit": did you mean "Website"? the sites are Website'],
    [["Elsewhere"], 'Cannot find a site "Elsewhere": the sites are Website'],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runTask("check", { folder: scratch.path, args });
    assertEquals(code, 2);
    assertStringIncludes(stderr, `error: ${message}\n`);
    assertStringIncludes(stderr, "sites[1].url: expected an address");
  }
});

Deno.test("check shows a request as configured, with secrets by name", async () => {
  await using server = httpServer(() => new Response("ok"));
  const { host } = new URL(server.url);
  await using scratch = await folderOf([{
    name: "A",
    url: `http://me:$KEY@${host}/?key=$KEY`,
    headers: ["X-Key: $KEY", "X-Plan: gold", "x-key: twice"],
    body: "token=$KEY",
  }], { ".env": "KEY=s3cr3t-value\n" });
  const { code, stdout } = await runTask("check", {
    folder: scratch.path,
    args: ["A", "--secrets", ".env"],
  });
  assertEquals(code, 0);
  assertStringIncludes(
    stdout,
    `  POST http://me:$KEY@${host}/?key=$KEY\n    X-Key: $KEY\n    X-Plan: gold\n    x-key: twice\n`,
  );
  assertStringIncludes(stdout, "\n    Authorization: ***\n");
  assert(!/s3cr3t|content-length/i.test(stdout.split("→")[0]!), stdout);
});

Deno.test("validate and check print no control or bidi character of a configuration", async () => {
  await using scratch = await makeScratch();
  const url = `http://127.0.0.1:${closedPort()}/\\e[31mURL\\u202E\\x9b2J`;
  const site = `name: "X\\e[31m", url: "${url}", description: "d\\e[31m\\u2066\\a"`;
  await scratch.write(
    ".monitorrc.yml",
    `canaries: []\nretry: { delays: [] }\nsites: [{ ${site}, "n\\e[0mo\\u202e": 1 }]\n`,
  );
  for (const columns of [undefined, 60]) {
    for (const args of [["validate"], ["check", "x-31m"], ["check", "x\x1b[31m\u202e"]] as const) {
      const [task, ...words] = args;
      const options = { folder: scratch.path, args: words, columns, env: { NO_COLOR: "1" } };
      const { stdout, stderr } = await runTask(task, options);
      // The line of progress is wiped.
      const shown = (stdout + stderr).replaceAll("\r\x1b[2K", "");
      // deno-lint-ignore no-control-regex
      assertEquals(shown.match(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/), null);
      assertStringIncludes(shown, "[31m");
    }
  }
});

Deno.test("check fails if an internal fault prevents the check", async () => {
  await using scratch = await folderOf([{ name: "A", url: "http://127.0.0.1/$NOPE" }]);
  const { code, stdout } = await runTask("check", { folder: scratch.path, args: ["A"] });
  assertEquals(code, 2);
  assertStringIncludes(stdout, "? unknown: secret NOPE is missing");
});

Deno.test("validate shows who is notified of what in tables of 80 columns, and what notifies nobody", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `Service number ${index + 1}`);
  const config = {
    timezone: "Europe/Vienna",
    sites: [
      ...names.map((name, index) => ({ name, url: `https://${index}.example`, group: "Services" })),
      { name: "Blog", url: "https://blog.example", severity: "warning" },
      { name: "Lab", url: "https://lab.example", tags: ["lab"] },
      { name: "Rest", url: "https://rest.example", tags: ["lab"], paused: true },
    ],
    notifications: [
      { ...SLACK, tags: ["!lab"] },
      { ...PAGER, groups: ["services"], on: ["down", "up"], after: "15m" },
      {
        type: "telegram",
        "bot-token": "$BOT",
        "chat-id": "$CHAT",
        severity: "critical",
        tags: ["!lab"],
        on: ["down", "up"],
        quiet: { from: "22:00", to: "07:00", days: ["sat", "sun"], except: "critical" },
      },
      { ...SLACK, "webhook-url": `${SLACK["webhook-url"]}/2`, tags: ["!lab"], on: ["up"] },
    ],
  };
  const { code, stdout } = await validateChannels({ config });
  assertEquals(code, 0);
  const tables = /Who is notified of what:\n([^]*?)\n\n▲ (.*)/.exec(stdout)!;
  assertEquals(tables[2], "Nobody is notified if Lab fails.");
  assertEquals(tables[1]!.split("\n"), [
    "                            1. slack (hooks.sla…             pagerduty ($PAGER)",
    "  Service num… and 39 more  down, degraded, up, certificate  down, up after 15m",
    "  Blog                      down, degraded, up, certificate  -",
    "  Lab, Rest                 -                                -",
    "",
    "                            telegram (chat $CHA…  4. slack (hooks.sla…",
    "  Service num… and 39 more  down, up              up",
    "  Blog                      -                     up",
    "  Lab, Rest                 -                     -",
  ]);
  assertStringIncludes(
    stdout,
    "(quiet from 22:00 to 07:00 Europe/Vienna on sat, sun, except critical)",
  );
  const json = JSON.parse((await validateChannels({ config, args: ["--json"] })).stdout);
  assertEquals([json.unnotified, json.channels[1].after], [["Lab"], "15m"]);
  assertEquals(json.channels[1].sites, names);
});

Deno.test("the docs show the table of their example as validate prints it", async () => {
  const doc = await readDoc("docs/on-call.md");
  const { stdout } = await validate({ config: blocksOf(doc, "yaml")[0] });
  const [, table] = /\n(Who is notified of what:\n[^]*?)\n\n(?! )/.exec(stdout)!;
  assertStringIncludes(doc, `\`\`\`\n${table}\n\`\`\`\n`);
});

Deno.test("validate alone prints notes, and names each file that the page lacks at its key", async () => {
  const config = `sites: [{ name: Vault, url: "https://vault.example", public: false }]
status-website:
  logoUrl: /a.svg
  logoDark: assets/b.svg
  favicon: c.png
  font: d.woff2
  themeUrl: https://styles.example/e.css
  links: [{ rel: me, href: "https://a.example" }, { rel: icon, href: f%20g.png }]
`;
  await using folder = await folderOf([], { ".monitorrc.yml": config });
  await Deno.mkdir(join(folder.path, "assets"));
  await folder.write("assets/a.svg", "<svg/>");
  const reportedBy = async (task: string) => {
    const { stderr } = await runTask(task, { folder: folder.path });
    return stderr.split("\n").filter((line) => /monitorrc/.test(line));
  };
  const places = (await reportedBy("validate"))
    .map((line) => /^(\w+): \.monitorrc\.yml:\d+:\d+ (\S+): (.{22})/.exec(line)?.slice(1));
  assertEquals(places, [
    ["note", "sites[0].public", "hides a site from ever"],
    ["warning", "status-website.logoDark", "assets/b.svg is missin"],
    ["warning", "status-website.favicon", "assets/c.png is missin"],
    ["warning", "status-website.font", "assets/d.woff2 is miss"],
    ["warning", "status-website.links", "assets/f g.png is miss"],
  ]);
  assertEquals(await reportedBy("status"), []);
});
