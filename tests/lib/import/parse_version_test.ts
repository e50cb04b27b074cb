import { assertEquals } from "@std/assert";
import { parseMessage, parseVersion } from "../../../lib/import/parse_version.ts";

const AT = Date.parse("2026-05-01T10:00:00Z");

function record(at: string, rest = ""): string {
  return `url: https://a.example/x?y=a: b#c\nstatus: up\ncode: 200\nresponseTime: 80\nlastUpdated: ${at}\n${rest}`;
}

const [early, late] = ["2026-05-01T10:00:00.000Z", "2026-05-01T10:05:00.000Z"].map((at) =>
  record(at)
) as [string, string];

/** Texts of a record, and the minute, milliseconds and start that are read from it. */
const TEXTS: Readonly<Record<string, [text: string, expected: unknown]>> = {
  "ends of lines as on Windows": [early.replaceAll("\n", "\r\n"), [0, 80]],
  "lines with hyphens": [early.replace(/^/gm, "- "), [0, 80]],
  "JavaScript's own dates": [record("Fri May 01 2026 12:10:00 GMT+0200 (CEST)"), [10, 80]],
  "a response time that is no number": [early.replace("80", "NaN"), [0, undefined]],
  "the later side of a conflict": [
    `<<<<<<< HEAD\n${late}=======\n${early}>>>>>>> origin/main\n`,
    [5, 80],
  ],
  "a conflict that also shows the base": [
    `<<<<<<< HEAD\n${early}||||||| base\n${
      record("2026-04-30T10:00:00.000Z")
    }=======\n${late}>>>>>>> x\n`,
    [5, 80],
  ],
  "a time that can't be read": [record("yesterday"), [NaN, 80]],
  "no time": [early.replace(/lastUpdated.*\n/, ""), "foreign"],
  "no state": [early.replace("up", "unknown"), "foreign"],
  "a record of ours": [record(early, "since: 2026-05-01T10:00:00.000Z\n"), "ours"],
  "bytes that are no text": ["\0\ufffd", "foreign"],
};

for (const [name, [text, expected]] of Object.entries(TEXTS)) {
  Deno.test(`a version of a record is read: ${name}`, () => {
    const check = parseVersion(text);
    const read = typeof check === "string" ? check : [(check.time - AT) / 60_000, check.ms];
    assertEquals(read, expected);
  });
}

/** Commit messages, and the state, code and milliseconds that are read from them. */
const MESSAGES: Readonly<Record<string, unknown[] | undefined>> = {
  "🟩 Shop is up (200 in 120 ms) [skip ci] [upptime]": ["up", 200, 120],
  "🟨 Shop is degraded (200 in 9000 ms) [skip ci]": ["degraded", 200, 9000],
  " Loja é down (0 em 0 ms) [skip ci] [upptime]": ["down", 0, undefined],
  "Laden (EU) ist erreichbar (200 in 15 ms)": ["up", 200, 15],
  "🟥 Old (404 in 5 ms) is down (503 in 70 ms)": ["down", 503, undefined],
  ":card_file_box: Update status summary [skip ci] [upptime]": undefined,
};

Deno.test("the numbers in a commit message replace a missing version of a record", () => {
  for (const [message, expected] of Object.entries(MESSAGES)) {
    const check = parseMessage(message, AT);
    assertEquals(check && [check.state, check.code, check.ms], expected, message);
  }
});
