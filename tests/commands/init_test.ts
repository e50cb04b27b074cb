import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { parseConfig } from "../../lib/config/parse.ts";
import { SCHEMA_ADDRESS } from "../../lib/version.ts";
import { firstConfig } from "../../templates/first_config.ts";
import { cleanEnvironment, PROJECT, runTask } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";

function read(folder: string): Promise<string> {
  return Deno.readTextFile(join(folder, ".monitorrc.yml"));
}

async function sitesOf(text: string) {
  const { config, problems } = await parseConfig(text);
  assertEquals(problems.filter(({ severity }) => severity !== "notice"), []);
  return config!.sites.map(({ name, url, check }) => [name, url, check]);
}

Deno.test("init writes a configuration of the addresses given, without asking", async () => {
  await using scratch = await makeScratch();
  const args = ["www.example.com", "https://example.com/health", "db.example.com:5432", "$ADDRESS"]
    .flatMap((address) => ["--url", address]);
  const { code, stdout, stderr } = await runTask("init", { folder: scratch.path, args });
  assertEquals([code, stderr], [0, ""]);
  assertStringIncludes(stdout, 'Wrote .monitorrc.yml. Next:\n  check "example.com"');
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

Deno.test("the examples in comments are right when their # is taken away", async () => {
  const text = firstConfig([{ name: "A", url: "https://example.com" }]);
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

Deno.test("init never writes over a configuration, ours or Upptime's", async () => {
  for (const name of [".monitorrc.yml", ".upptimerc.yml"]) {
    await using scratch = await makeScratch();
    await scratch.write(name, "mine");
    const { code, stderr } = await runTask("init", {
      folder: scratch.path,
      args: ["--url", "https://example.com"],
    });
    assertEquals([code, stderr], [
      2,
      `error: Cannot begin anew: there is a ${name} already, and it stays as it is\n`,
    ]);
    assertEquals(await Deno.readTextFile(join(scratch.path, name)), "mine");
    assertEquals((await Array.fromAsync(Deno.readDir(scratch.path))).length, 1);
  }
});

Deno.test("init says what to give it where there is no terminal, and what an address is", async () => {
  await using scratch = await makeScratch();
  const cases: [args: string[], message: string][] = [
    [
      [],
      "Cannot ask what to monitor, there is no terminal: say it as in init --url https://example.com",
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
  assertEquals(await sitesOf(stdout), [["example.com", "https://example.com", "http"]]);
  assertEquals(await Array.fromAsync(Deno.readDir(scratch.path)), []);
});

Deno.test("names and addresses of any kind make a configuration that says just them", async () => {
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
  const { config } = await parseConfig(firstConfig(sites));
  assertEquals(config!.sites.map(({ url }) => url), sites.map(({ url }) => url.trim()));
  assertEquals(config!.sites[0]!.name, "a: b");
  assertEquals(config!.sites[12]!.name, "007");
});

const SCRIPT = "/usr/bin/script";
const missing = await Deno.stat(SCRIPT).then(() => false, () => true);
if (missing) {
  await Deno.stderr.write(new TextEncoder().encode(`SKIPPED: there is no ${SCRIPT}\n`));
}

Deno.test({
  name: "on a terminal, init asks for addresses and names until an answer is empty",
  ignore: missing,
  async fn() {
    await using scratch = await makeScratch();
    const task = `'${Deno.execPath()}' task --quiet --config '${join(PROJECT, "deno.json")}' init`;
    const child = new Deno.Command(SCRIPT, {
      args: ["-qec", task, "/dev/null"],
      cwd: scratch.path,
      clearEnv: true,
      env: { ...cleanEnvironment(), INIT_CWD: scratch.path, SHELL: "/bin/sh", TERM: "xterm" },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
      signal: AbortSignal.timeout(30_000),
    }).spawn();
    const answers = ["not an address", "example.com", "Shop", "https://example.org", "", ""];
    const writer = child.stdin.getWriter();
    let said = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += chunk;
      // Each question is answered once it is drawn.
      if (!chunk.endsWith("\x1b[?2026l")) continue;
      await writer.write(new TextEncoder().encode(`${answers.shift() ?? ""}\n`));
    }
    await writer.close();
    const { code } = await child.status;
    assertEquals(code, 0, said);
    assertStringIncludes(said, 'Cannot tell what to monitor from "not an address"');
    assertEquals(await sitesOf(await read(scratch.path)), [
      ["Shop", "https://example.com", "http"],
      ["example.org", "https://example.org", "http"],
    ]);
  },
});
