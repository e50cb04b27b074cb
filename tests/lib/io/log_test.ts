import { assertEquals, assertMatch } from "@std/assert";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";
import { Log, type LogOptions } from "../../../lib/io/log.ts";
import { paint, withPaint } from "../../../lib/text/paint.ts";
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

Deno.test("data has moments as text to the millisecond, and maps as objects", () => {
  const time = Temporal.Instant.from("2026-11-21T10:00:00Z");
  const { stdout } = printed({}, (log) => log.data({ time, of: new Map([["a", { time }]]) }));
  const text = "2026-11-21T10:00:00.000Z";
  assertEquals(JSON.parse(stdout), { time: text, of: { a: { time: text } } });
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

Deno.test("in periods the log prints a warning again only after a period without it", () => {
  const { stderr } = printed({}, (log) => {
    for (const warnings of [["A: 1 run", "x in 1 run"], ["x in 2 runs"], [], ["x in 1 run"]]) {
      log.startPeriod();
      for (const text of [...warnings, ...warnings]) log.warn(text);
    }
  });
  assertEquals(stderr, "warning: A: 1 run\nwarning: x in 1 run\nwarning: x in 1 run\n");
});

/** Texts with all that could steer a terminal or the order of reading. */
const HOSTILE =
  "a\x1b[31mb\x1b]8;;https://evil.example\x07c\x1b]8;;\x07\x9b2J\rd\u202ee\u2066f\x07\0g";

Deno.test("nothing that is printed steers the terminal, in a pipe, on a terminal or in a job", () => {
  const calls = (log: Log) => {
    const problem = { severity: "warning", path: [HOSTILE], message: HOSTILE } as const;
    log.line(HOSTILE);
    log.detail(HOSTILE);
    log.warn(HOSTILE);
    log.problem({ ...problem, line: 1 }, HOSTILE);
    log.group(HOSTILE);
    log.endGroup();
  };
  for (const options of [{}, { columns: () => 80 }, { onGitHub: true }]) {
    for (const colors of [true, false]) {
      const { stdout, stderr } = withPaint(
        colors,
        () => printed({ level: "verbose", ...options }, calls),
      );
      // deno-lint-ignore no-control-regex
      const shown = (stdout + stderr).replaceAll(/\x1b\[(?:2|22|33|39)m/g, "");
      // deno-lint-ignore no-control-regex
      assertEquals(shown.match(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/), null);
      assertMatch(shown, /a\[31mb/);
    }
  }
});

Deno.test("a key of the configuration can't write lines of its own", () => {
  const problem = { severity: "error", path: ["a\n\u001b[31mb\r\nok"], message: "c" } as const;
  const { stderr } = printed({}, (log) => log.problem({ ...problem, line: 1 }, "x.yml"));
  assertEquals(stderr, "error: x.yml:1:1 a [31mb ok: c\n");
});

Deno.test("a document is cleaned on a terminal, and stays data in a pipe; JSON escapes control characters", () => {
  const document = (columns: number | undefined) =>
    printed({ columns: () => columns }, (log) => log.document(HOSTILE)).stdout;
  assertEquals(document(undefined), HOSTILE);
  assertMatch(document(80), /^a\[31mb\]8;;https:\/\/evil\.examplec\]8;;2J\ndefg$/);
  const { stdout } = printed({}, (log) => log.data([HOSTILE]));
  assertMatch(stdout, /a\\u001b\[31mb.*\\u009b2J.*d\\u202ee\\u2066f/);
  assertEquals(JSON.parse(stdout), [HOSTILE]);
});

Deno.test("a secret stays hidden if control characters stand between its letters", () => {
  const { stdout } = printed({}, (log) => log.line("is s3cr\0et\u202e/value"));
  assertEquals(stdout, "is ***\n");
});

Deno.test("names in any script and joined emoji are printed as they are", () => {
  const names = "مرحبا עברית 日本語 👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪 ✘️ e\u0301";
  assertEquals(printed({}, (log) => log.line(names)).stdout, `${names}\n`);
});

Deno.test("on a terminal lines are wrapped, colors without columns; in a pipe or job they stay whole", () => {
  const text = "warned ".repeat(30).trim();
  const shown = (options: Partial<LogOptions>) =>
    withPaint(true, () => printed(options, (log) => log.line(paint.red(text)))).stdout;
  assertEquals(shown({}), `${text}\n`);
  assertEquals(shown({ onGitHub: true }).split("\n").at(-2), text);
  for (const columns of [1, 60, 80, 120]) {
    const lines = shown({ columns: () => columns }).trimEnd().split("\n");
    // deno-lint-ignore no-control-regex
    const widths = lines.map((line) => line.replaceAll(/\x1b\[\d+m/g, "").length);
    const width = Math.max(60, columns);
    assertEquals(
      widths.every((one) => one <= width && one > width - 10 || one === widths.at(-1)),
      true,
    );
    assertEquals(lines.length > 1 && lines.slice(1).every((line) => /^ {2}w/.test(line)), true);
    assertEquals([lines[0]!.slice(0, 5), lines.at(-1)!.slice(-5)], ["\x1b[31m", "\x1b[39m"]);
  }
});

Deno.test("a stream that is no terminal gets whole lines without colors beside one that is", () => {
  const columns = (stream: "stdout" | "stderr") => stream === "stdout" ? 60 : undefined;
  const { stderr } = withPaint(
    true,
    () => printed({ columns }, (log) => log.warn("x ".repeat(60))),
  );
  assertEquals(stderr, `warning: ${"x ".repeat(60)}\n`);
});

Deno.test("a status stays below all that several logs print, also in a narrower window, and leaves nothing behind", () => {
  let width = 80;
  const io = { ...recordedIo(), columns: () => width };
  const secrets = new Secrets({ KEY: "s3cret/value" });
  const options = { ...io, secrets, onGitHub: false, terminal: true, dataOnly: false };
  const log = new Log({ ...options, level: "changes", stamp: () => "10:05" });
  const later = new Log({ ...options, level: "changes", live: log.live });
  const printed = (call: () => void) => {
    const before = io.stdout.text.length;
    call();
    return io.stdout.text.slice(before);
  };
  const text = "s3cret/value ".repeat(10);
  assertEquals(printed(() => log.status(() => text)), "*** ".repeat(10));
  log.progress("not shown");
  log.endProgress();
  assertEquals(printed(() => later.change("A")), `\r\x1b[2KA\n${"*** ".repeat(10)}`);
  assertEquals(printed(() => later.line("B")), "");
  assertEquals(printed(() => log.firstRow("C")), `\r\x1b[2KC\n${"*** ".repeat(10)}`);
  assertEquals(printed(() => later.status((columns) => `${columns}`)), "\r\x1b[2K79");
  later.status(() => "x".repeat(100));
  width = 30;
  assertEquals(printed(() => log.change("D")), `\r\x1b[2A\x1b[J10:05 D\n${"x".repeat(28)}…`);
  assertEquals(printed(() => log.endStatus()), "\r\x1b[2K");
  assertEquals(printed(() => log.change("E")), "10:05 E\n");
});

Deno.test("there is no status in a pipe, in a job, or in a quiet log", () => {
  const calls = (log: Log) => {
    log.status(() => "status");
    log.firstRow("row");
    log.endStatus();
  };
  const options = { terminal: true, columns: () => 80, level: "changes" } as const;
  for (
    const other of [{ columns: () => undefined }, { onGitHub: true }, { level: "quiet" }] as const
  ) {
    const { stdout } = printed({ ...options, ...other }, calls);
    assertEquals(stdout.replaceAll(/^::add-mask.*\n/gm, ""), "");
  }
  assertEquals(printed(options, calls).stdout, "status\r\x1b[2Krow\nstatus\r\x1b[2K");
});
