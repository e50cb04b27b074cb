import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type ProgramResult, runTask } from "../helpers/program.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { thoroughly } from "../helpers/thorough.ts";

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

Deno.test("validate says what would be monitored, how often, with which secrets and what that costs", async () => {
  const { code, stdout, stderr, changed, summary } = await validate({ config: CONFIG });
  assertEquals([code, stderr, changed, summary], [0, "", "?? .monitorrc.yml", ""]);
  assertEquals(
    stdout,
    `✔ .monitorrc.yml: nothing is wrong

3 sites would be monitored every 5 minutes, 1 paused:
  Website       http      https://example.com
  API           http      POST https://$USER:$PASS@api.example.com/health
  Secret place  http      (hidden)
  Old shop      paused    https://old.example.com

Secrets it refers to: $ADDRESS, $BEAT, $PASS, $USER.

In a private repository about 8,760 minutes a month are billed, 2,000 of them free; in a public one none.
  Uptime CI         every 5 minutes      8,640 min
  Response Time CI  daily at 23:00 UTC      30 min
  Graphs CI         daily at 00:00 UTC      30 min
  Static Site CI    daily at 01:00 UTC      30 min
  Summary CI        daily at 00:00 UTC      30 min
For less:
  workflowSchedule: { uptime: "*/30 * * * *" }
  runner: self-hosted
`,
  );
});

Deno.test("validate fails on an error and only then, and says how many sites it costs", async () => {
  const lost = CONFIG.replace("https://$USER", "htps://$USER");
  const wrong = await validate({ config: `${lost}concurrencies: 7\n` });
  assertEquals(wrong.code, 2);
  assertStringIncludes(wrong.stdout, "✘ .monitorrc.yml: 1 error, 1 warning");
  assertStringIncludes(
    wrong.stdout,
    "2 sites would be monitored every 5 minutes, 1 paused, 1 left out because of errors:",
  );
  assertEquals(wrong.stderr.trimEnd().split("\n"), [
    'error: .monitorrc.yml:5:5 sites[1].url: expected an address that starts with https:// or http://, found "htps://$USER:$PASS@api.example.com/health"',
    'warning: .monitorrc.yml:13:1 concurrencies: unknown key, did you mean "concurrency"?',
  ]);
  const ignored = await validate({ config: CONFIG.replace("POST", "[POST]") });
  assertEquals(ignored.code, 2);
  assertStringIncludes(ignored.stdout, "3 sites would be monitored every 5 minutes, 1 paused:");
  const doubtful = await validate({ config: `${CONFIG}concurrencies: 7\n` });
  assertEquals(doubtful.code, 0);
  assertStringIncludes(doubtful.stdout, "▲ .monitorrc.yml: 1 warning");
});

Deno.test("validate --json gives the same as data, and nothing else on standard output", async () => {
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
    message: "expected a list of sites, found a map",
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
  assertStringIncludes(summary, "| error | 13 | concurrency | expected a whole number");
  assertStringIncludes(summary, "| Secret place | http | (hidden) |");
});

Deno.test("where secrets are given, validate names those that are missing and shows none", async () => {
  const { stdout } = await validate({
    config: CONFIG,
    env: { SECRETS_CONTEXT: '{"USER":"its-value","PASS":"other-value"}' },
  });
  assertStringIncludes(
    stdout,
    "Secrets it refers to: $ADDRESS, $BEAT, $PASS, $USER; not given here: $ADDRESS, $BEAT.",
  );
  assert(!/its-value|other-value/.test(stdout));
});

thoroughly("validate tells a file that is not YAML, not UTF-8 or not there", async () => {
  const latin = new Uint8Array([...new TextEncoder().encode("sites:\n  - name: Caf"), 0xe9, 0x0a]);
  for (
    const [config, message] of [
      ["sites:\n  - name: 'A\n", "2:11: the quote that opens here is never closed"],
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

Deno.test("validate reads .upptimerc.yml where there is no configuration of ours", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".upptimerc.yml", "sites:\n  - { name: A, url: https://example.com }\n");
  const { code, stdout } = await runTask("validate", { folder: scratch.path });
  assertEquals(code, 0);
  assertStringIncludes(stdout, "✔ .upptimerc.yml: nothing is wrong");
});
