import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { output, PROJECT } from "../../helpers/program.ts";

/** What a log prints in a process of its own. */
async function printed(
  options: object,
  calls: string,
): Promise<{ stdout: string; stderr: string }> {
  const script = `
    import { Log } from ${JSON.stringify(join(PROJECT, "lib/io/log.ts"))};
    import { Secrets } from ${JSON.stringify(join(PROJECT, "lib/io/secrets/secrets.ts"))};
    const secrets = new Secrets({ KEY: "s3cret/value", TWO: "first line\\nsecond line" });
    const log = new Log({ secrets, onGitHub: false, terminal: false, level: "normal", dataOnly: false, ...${
    JSON.stringify(options)
  } });
    ${calls}`;
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "eval",
      "--quiet",
      "--frozen",
      "--cached-only",
      "--config",
      join(PROJECT, "deno.json"),
      script,
    ],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return await output(child);
}

Deno.test("the log masks secrets in every spelling, also in data", async () => {
  const text = "s3cret/value s3cret%2Fvalue czNjcmV0L3ZhbHVl second line";
  const { stdout, stderr } = await printed(
    {},
    `log.line("${text}"); log.warn("${text}"); log.data({ a: "${text}" });`,
  );
  assertEquals(stdout, '*** *** *** ***\n{\n  "a": "*** *** *** ***"\n}\n');
  assertEquals(stderr, "warning: *** *** *** ***\n");
});

Deno.test("the log tells GitHub to mask each secret, line by line, and nobody else", async () => {
  const { stdout } = await printed({ onGitHub: true }, "");
  assertEquals(stdout.split("\n").sort(), [
    "",
    "::add-mask::first line",
    "::add-mask::first line%0Asecond line",
    "::add-mask::s3cret/value",
    "::add-mask::second line",
  ]);
  assertEquals((await printed({}, "")).stdout, "");
});

Deno.test("no line of the log is a command to GitHub unless it is ours", async () => {
  const calls =
    `log.line("::error::x\\n  ::set-output name=a::b ##[add-mask]c"); log.warn("a\\n::error::%0A");`;
  const { stdout } = await printed({ onGitHub: true }, calls);
  const lines = stdout.trimEnd().split("\n").filter((line) => !line.startsWith("::add-mask::"));
  assertEquals(lines, [
    ": :error::x",
    "  : :set-output name=a::b ## [add-mask]c",
    "::warning::a%0A::error::%250A",
  ]);
});

Deno.test("the log puts a problem of the configuration beside its line on GitHub", async () => {
  const call =
    `log.problem({ severity: "error", path: ["sites", 0, "url"], message: "wrong: a,b", line: 3, column: 5 }, "a,b.yml");`;
  const { stdout } = await printed({ onGitHub: true }, call);
  assertMatch(
    stdout,
    /^::error file=a%2Cb\.yml,line=3,col=5,title=Configuration::sites\[0\]\.url: wrong: a,b$/m,
  );
});

Deno.test("a quiet log prints warnings and errors alone, a verbose one also details", async () => {
  const calls = `log.line("line"); log.detail("detail"); log.warn("warning"); log.error("error");`;
  assertEquals(await lines({ level: "quiet" }, calls), ["warning: warning", "error: error"]);
  assertEquals(await lines({ level: "verbose" }, calls), [
    "line",
    "detail",
    "warning: warning",
    "error: error",
  ]);
});

async function lines(options: object, calls: string): Promise<string[]> {
  const { stdout, stderr } = await printed(options, calls);
  return (stdout + stderr).trimEnd().split("\n");
}
