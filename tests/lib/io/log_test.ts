import { assertEquals, assertMatch } from "@std/assert";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";
import { Log, type LogOptions } from "../../../lib/io/log.ts";
import { recordedIo } from "../../helpers/program.ts";

/** Output of a log. */
function printed(options: Partial<LogOptions>, calls: (log: Log) => void) {
  const io = recordedIo();
  const secrets = new Secrets({ KEY: "s3cret/value", TWO: "first line\nsecond line" });
  const defaults = { onGitHub: false, terminal: false, level: "normal", dataOnly: false } as const;
  calls(new Log({ ...io, secrets, ...defaults, ...options }));
  return { stdout: io.stdout.text, stderr: io.stderr.text };
}

Deno.test("the log masks secrets in every spelling, also in data", () => {
  const text = "s3cret/value s3cret%2Fvalue czNjcmV0L3ZhbHVl second line";
  const { stdout, stderr } = printed(
    {},
    (log) => {
      log.line(text);
      log.warn(text);
      log.data({ a: text });
    },
  );
  assertEquals(stdout, '*** *** *** ***\n{\n  "a": "*** *** *** ***"\n}\n');
  assertEquals(stderr, "warning: *** *** *** ***\n");
});

Deno.test("the log masks each secret on GitHub Actions line by line, and prints no mask elsewhere", () => {
  const { stdout } = printed({ onGitHub: true }, () => {});
  assertEquals(stdout.split("\n").sort(), [
    "",
    "::add-mask::first line",
    "::add-mask::first line%0Asecond line",
    "::add-mask::s3cret/value",
    "::add-mask::second line",
  ]);
  assertEquals(printed({}, () => {}).stdout, "");
});

Deno.test("no log line is a workflow command of GitHub unless it is ours", () => {
  const calls = (log: Log) => {
    log.line("::error::x\n  ::set-output name=a::b ##[add-mask]c");
    log.warn("a\n::error::%0A");
  };
  const { stdout } = printed({ onGitHub: true }, calls);
  const lines = stdout.trimEnd().split("\n").filter((line) => !line.startsWith("::add-mask::"));
  assertEquals(lines, [
    ": :error::x",
    "  : :set-output name=a::b ## [add-mask]c",
    "::warning::a%0A::error::%250A",
  ]);
});

Deno.test("on GitHub, a problem of the configuration annotates its line", () => {
  const problem = { path: ["sites", 0, "url"], message: "wrong: a,b", line: 3, column: 5 };
  const { stdout } = printed(
    { onGitHub: true },
    (log) => log.problem({ severity: "error", ...problem }, "a,b.yml"),
  );
  assertMatch(
    stdout,
    /^::error file=a%2Cb\.yml,line=3,col=5,title=Configuration::sites\[0\]\.url: wrong: a,b$/m,
  );
});

Deno.test("a quiet log prints warnings and errors alone, a verbose one also details", () => {
  const calls = (log: Log) => {
    log.line("line");
    log.detail("detail");
    log.warn("warning");
    log.error("error");
  };
  assertEquals(lines({ level: "quiet" }, calls), ["warning: warning", "error: error"]);
  assertEquals(lines({ level: "verbose" }, calls), [
    "line",
    "detail",
    "warning: warning",
    "error: error",
  ]);
});

function lines(options: Partial<LogOptions>, calls: (log: Log) => void): string[] {
  const { stdout, stderr } = printed(options, calls);
  return (stdout + stderr).trimEnd().split("\n");
}

Deno.test("in rounds the log prints a warning again only after a round without it", () => {
  const { stderr } = printed({}, (log) => {
    for (const warnings of [["A: 1 run", "x in 1 run"], ["x in 2 runs"], [], ["x in 1 run"]]) {
      log.startRound();
      for (const text of [...warnings, ...warnings]) log.warn(text);
    }
  });
  assertEquals(stderr, "warning: A: 1 run\nwarning: x in 1 run\nwarning: x in 1 run\n");
});
