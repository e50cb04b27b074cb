import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  AssertionError,
  bareWord,
  EVERY,
  parseAssertion,
  type Subject,
  type Test,
} from "../../../lib/config/checks/assertions/parse.ts";
import fc from "../../helpers/property.ts";

const DAY = 86_400_000;
const STATUS = { of: "status" } as const;
const BODY = { of: "body" } as const;
const TIME = { of: "responseTime" } as const;
const CERTIFICATE = { of: "certificate" } as const;
const json = (...path: (string | number | typeof EVERY)[]): Subject => ({ of: "json", path });
const quoted = (text: string) => ({ text, quoted: true });

Deno.test("an assertion is parsed to subject, operator and operand", () => {
  const cases: [text: string, subject: Subject, test: Test, not?: true][] = [
    ["status == 200", STATUS, { operator: "==", word: bareWord("200") }],
    ["status!=500", STATUS, { operator: "!=", word: bareWord("500") }],
    ["status<=399", STATUS, { operator: "<=", limit: 399 }],
    ["  status \t> 199 ", STATUS, { operator: ">", limit: 199 }],
    ["status not in 400..499,503", STATUS, {
      operator: "in",
      among: [{ from: 400, to: 499 }, bareWord("503")],
    }, true],
    ['body contains "ok"', BODY, { operator: "contains", word: quoted("ok") }],
    ["body contains ok", BODY, { operator: "contains", word: bareWord("ok") }],
    [`body not contains 'a "b" \\'c\\' \\d \\\\ \\n'`, BODY, {
      operator: "contains",
      word: quoted(`a "b" 'c' \\d \\ \n`),
    }, true],
    ['body == ""', BODY, { operator: "==", word: quoted("") }],
    ["body matches /a\\/b[/]c/is", BODY, { operator: "matches", source: "a\\/b[/]c", flags: "is" }],
    ["json $ not exists", json(), { operator: "exists" }, true],
    [
      `json $.a-b[0]['x y']["]"][-1].*[*].é == -1.5`,
      json("a-b", 0, "x y", "]", -1, EVERY, EVERY, "é"),
      { operator: "==", word: bareWord("-1.5") },
    ],
    ['json $.status in green, "dark green", 1..3, a..b', json("status"), {
      operator: "in",
      among: [bareWord("green"), quoted("dark green"), { from: 1, to: 3 }, bareWord("a..b")],
    }],
    ["header Content-Type contains json", { of: "header", name: "content-type" }, {
      operator: "contains",
      word: bareWord("json"),
    }],
    ["header x-queue < 1e3", { of: "header", name: "x-queue" }, { operator: "<", limit: 1000 }],
    ["header server exists", { of: "header", name: "server" }, { operator: "exists" }],
    ["responseTime <= 1.5s", TIME, { operator: "<=", limit: 1500 }],
    ["responseTime in 10ms..2s", TIME, { operator: "in", among: [{ from: 10, to: 2000 }] }],
    ["certificate expires in > 14d", CERTIFICATE, { operator: ">", limit: 14 * DAY }],
    ["certificate expires in in 1d..90d", CERTIFICATE, {
      operator: "in",
      among: [{ from: DAY, to: 90 * DAY }],
    }],
  ];
  for (const [text, subject, test, not = false] of cases) {
    assertEquals(parseAssertion(text), { subject, not, test }, text);
  }
});

Deno.test("an error in an assertion has the expected and the found text, and the place", () => {
  const subjects = "one of status, body, json, header, responseTime, certificate";
  const ofNumbers = "one of ==, !=, <, <=, >, >=, in";
  const ofTexts = `${ofNumbers}, contains, matches`;
  const status = "a status from 100 to 999";
  const end = "the end, or quotes around a text with blanks or commas";
  const value = "a number, a word or a text in quotes";
  const pattern = "a regular expression such as /ok/, with flags of i, m, s, u and v";
  const path = "a path such as $.items[0]['disk space'].*";
  const cases: [text: string, expected: string, found: string][] = [
    ["", subjects, "nothing at character 1"],
    ["stauts == 200", subjects, '"stauts" at character 1, did you mean "status"?'],
    ["temperature == 20", subjects, '"temperature" at character 1'],
    ["status", ofNumbers, "nothing at character 7"],
    ["status = 200", ofNumbers, '"=" at character 8, did you mean "=="?'],
    ["status contains 2", ofNumbers, '"contains" at character 8'],
    ["status not", ofNumbers, "nothing at character 11"],
    ["body contians ok", ofTexts, '"contians" at character 6, did you mean "contains"?'],
    ["status == ", status, "nothing at character 11"],
    ["status == 2xx", status, '"2xx" at character 11'],
    ["status < 1000", status, '"1000" at character 10'],
    [
      "status in 299..200",
      `${status}, or a range from the smaller to the larger`,
      '"299..200" at character 11',
    ],
    ["status in 200,", status, "nothing at character 15"],
    ["status in 200 201", end, '"201" at character 15'],
    ["responseTime < fast", "a length of time such as 800 or 2s", '"fast" at character 16'],
    ["certificate expires in > 14", "a length of time such as 14d", '"14" at character 26'],
    ["certificate > 14d", 'the words "expires in"', '">" at character 13'],
    ["body contains", value, "nothing at character 14"],
    ['body contains "ok', value, '""ok" at character 15'],
    ["body < ok", "a number", '"ok" at character 8'],
    ["body matches ok", pattern, '"ok" at character 14'],
    ["body matches /ok/g", pattern, '"/ok/g" at character 14'],
    ["body matches /(/", pattern, '"/(/" at character 14: Unterminated group'],
    ["json status == 5", path, '"status" at character 6'],
    ["json $..a == 5", path, '"$..a" at character 6'],
    ["json $[a] == 5", path, '"$[a]" at character 6'],
    ["header == 5", "the name of a header", '"==" at character 8'],
    ["body contains 👍 👎", end, '"👎" at character 17'],
  ];
  for (const [text, expected, found] of cases) {
    const { message } = assertThrows(() => parseAssertion(text), AssertionError);
    assertEquals(message, `expected ${expected}, found ${found}`, text);
  }
});

/** Texts in quotes, as somebody would write them. */
const QUOTED = fc.string({ unit: "grapheme" }).map((text) => ({
  text,
  written: `"${text.replace(/[\\"]/g, "\\$&")}"`,
}));

Deno.test("any quoted text is parsed to exactly that text", () => {
  fc.assert(
    fc.property(QUOTED, fc.boolean(), ({ text, written }, not) => {
      assertEquals(parseAssertion(`json $.a ${not ? "not " : ""}in ${written}, 7`), {
        subject: { of: "json", path: ["a"] },
        not,
        test: {
          operator: "in",
          among: [{ text, quoted: true }, { text: "7", quoted: false, number: 7 }],
        },
      });
    }),
  );
});

const PIECES =
  "status,body,json,header,responseTime,certificate,expires in,not,==,<,in,contains,matches,exists,$.a[0],$[,['x'],/a/,/(,/i,\",',\\,200,2..1,14d,$KEY,👍,.., ,\n"
    .split(",");

Deno.test("any text is parsed to an assertion or to a fault within it", () => {
  const text = fc.array(
    fc.oneof(fc.constantFrom(...PIECES, " ", " ", ","), fc.string({ maxLength: 3 })),
    { maxLength: 9 },
  ).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (text) => {
      try {
        parseAssertion(text);
      } catch (error) {
        assert(error instanceof AssertionError, String(error));
        assert(!error.message.includes("\n"), error.message);
      }
    }),
  );
});
