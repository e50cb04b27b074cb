import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type Condition,
  EVERY,
  type Subject,
  type Test,
} from "../../../lib/config/checks/assertions/assertion.ts";

import { parseAssertion } from "../../../lib/config/checks/assertions/parse.ts";
import { AssertionError } from "../../../lib/config/checks/assertions/scanner.ts";
import fc from "../../helpers/property.ts";

const DAY = 86_400_000;

Deno.test("an assertion has a subject, a comparison and what it is compared with", () => {
  const cases: [text: string, subject: Subject, test: Test, not?: true][] = [
    ["status == 200", { of: "status" }, {
      operator: "==",
      word: { text: "200", quoted: false, number: 200 },
    }],
    ["status!=500", { of: "status" }, {
      operator: "!=",
      word: { text: "500", quoted: false, number: 500 },
    }],
    ["status < 400", { of: "status" }, { operator: "<", limit: 400 }],
    ["status<=399", { of: "status" }, { operator: "<=", limit: 399 }],
    ["  status \t> 199 ", { of: "status" }, { operator: ">", limit: 199 }],
    ["status >= 200", { of: "status" }, { operator: ">=", limit: 200 }],
    ["status in 200..299", { of: "status" }, { operator: "in", among: [{ from: 200, to: 299 }] }],
    ["status not in 400..499,503", { of: "status" }, {
      operator: "in",
      among: [{ from: 400, to: 499 }, { text: "503", quoted: false, number: 503 }],
    }, true],
    ['body contains "ok"', { of: "body" }, {
      operator: "contains",
      word: { text: "ok", quoted: true },
    }],
    ["body contains ok", { of: "body" }, {
      operator: "contains",
      word: { text: "ok", quoted: false },
    }],
    [`body not contains 'a "b" \\'c\\' \\d \\\\ \\n'`, { of: "body" }, {
      operator: "contains",
      word: { text: `a "b" 'c' \\d \\ \n`, quoted: true },
    }, true],
    ['body == ""', { of: "body" }, { operator: "==", word: { text: "", quoted: true } }],
    ["body matches /a\\/b[/]c/is", { of: "body" }, {
      operator: "matches",
      source: "a\\/b[/]c",
      flags: "is",
    }],
    ["json $ not exists", { of: "json", path: [] }, { operator: "exists" }, true],
    [`json $.a-b[0]['x y']["]"][-1].*[*].é == -1.5`, {
      of: "json",
      path: ["a-b", 0, "x y", "]", -1, EVERY, EVERY, "é"],
    }, { operator: "==", word: { text: "-1.5", quoted: false, number: -1.5 } }],
    ["json $.ok == true", { of: "json", path: ["ok"] }, {
      operator: "==",
      word: { text: "true", quoted: false },
    }],
    ['json $.status in green, "dark green", 1..3', { of: "json", path: ["status"] }, {
      operator: "in",
      among: [{ text: "green", quoted: false }, { text: "dark green", quoted: true }, {
        from: 1,
        to: 3,
      }],
    }],
    ["header Content-Type contains json", { of: "header", name: "content-type" }, {
      operator: "contains",
      word: { text: "json", quoted: false },
    }],
    ["header x-queue < 1e3", { of: "header", name: "x-queue" }, { operator: "<", limit: 1000 }],
    ["header server exists", { of: "header", name: "server" }, { operator: "exists" }],
    ["responseTime < 800", { of: "responseTime" }, { operator: "<", limit: 800 }],
    ["responseTime <= 1.5s", { of: "responseTime" }, { operator: "<=", limit: 1500 }],
    ["responseTime in 10ms..2s", { of: "responseTime" }, {
      operator: "in",
      among: [{ from: 10, to: 2000 }],
    }],
    ["certificate expires in > 14d", { of: "certificate" }, { operator: ">", limit: 14 * DAY }],
    ["certificate expires in in 1d..90d", { of: "certificate" }, {
      operator: "in",
      among: [{ from: DAY, to: 90 * DAY }],
    }],
  ];
  for (const [text, subject, test, not = false] of cases) {
    assertEquals<Condition>(parseAssertion(text), { subject, not, test }, text);
  }
});

Deno.test("what is no assertion is told with what was expected, what was found, and where", () => {
  const subjects = "expected one of status, body, json, header, responseTime, certificate";
  const ofNumbers = "expected a comparison such as ==, < or in";
  const ofTexts = "expected a comparison such as ==, contains or matches";
  const cases: [text: string, message: string][] = [
    ["", `${subjects}, found nothing at character 1`],
    ["stauts == 200", `${subjects}, found "stauts" at character 1; did you mean status?`],
    ["[STATUS] == 200", `${subjects}, found "[STATUS]" at character 1; did you mean status?`],
    ["temperature == 20", `${subjects}, found "temperature" at character 1`],
    ["== 200", `${subjects}, found "==" at character 1`],
    ["status", `${ofNumbers}, found nothing at character 7`],
    ["status equals 200", `${ofNumbers}, found "equals" at character 8; did you mean ==?`],
    ["status = 200", `${ofNumbers}, found "=" at character 8; did you mean ==?`],
    ["status => 200", `${ofNumbers}, found "=>" at character 8; did you mean >=?`],
    ["status 200", `${ofNumbers}, found "200" at character 8`],
    ["status contains 2", `${ofNumbers}, found "contains" at character 8`],
    ["status exists", `${ofNumbers}, found "exists" at character 8`],
    ["status not", `${ofNumbers}, found nothing at character 11`],
    ["body includes ok", `${ofTexts}, found "includes" at character 6; did you mean contains?`],
    ["body contians ok", `${ofTexts}, found "contians" at character 6; did you mean contains?`],
    ["body =~ /ok/", `${ofTexts}, found "=~" at character 6; did you mean matches?`],
    ["body exists", `${ofTexts}, found "exists" at character 6`],
    ["status == ", "expected a status from 100 to 999, found nothing at character 11"],
    [
      "status == 2xx",
      'expected a status from 100 to 999, found "2xx" at character 11; did you mean in 200..299?',
    ],
    [
      "status == 200..299",
      'expected a status from 100 to 999, found "200..299" at character 11; a range goes with in',
    ],
    ["status in 20..299", 'expected a status from 100 to 999, found "20..299" at character 11'],
    ["status in 200..2990", 'expected a status from 100 to 999, found "2990" at character 16'],
    [
      "status in 299..200",
      'expected a range from the smaller to the greater, found "299..200" at character 11',
    ],
    ["status in 200,", "expected a status from 100 to 999, found nothing at character 15"],
    [
      "status in 200 201",
      'expected the end, found "201" at character 15; a text with blanks or commas has to be quoted',
    ],
    [
      "responseTime < fast",
      'expected a length of time such as 800 or 2s, found "fast" at character 16',
    ],
    [
      "certificate expires in > 14",
      'expected a length of time such as 14d, found "14" at character 26; did you mean 14d?',
    ],
    ["certificate > 14d", 'expected the words "expires in", found ">" at character 13'],
    ["body contains", "expected a text or a number, found nothing at character 14"],
    ['body contains ""', 'expected a text with something in it, found """" at character 15'],
    ['body contains "ok', "the quote is not closed that begins at character 15"],
    [
      "body contains all fine",
      'expected the end, found "fine" at character 19; a text with blanks or commas has to be quoted',
    ],
    ["body < ok", 'expected a number, found "ok" at character 8'],
    [
      "body matches ok",
      'expected a regular expression such as /ok/, found "ok" at character 14; did you mean /ok/?',
    ],
    ["body matches /ok", "a regular expression is not closed that begins at character 14"],
    ["body matches /ok/g", 'expected flags of i, m, s, u and v, found "g" at character 18'],
    [
      "body matches /(/",
      'expected a regular expression, found "/(/" at character 14; unterminated group',
    ],
    [
      "body matches /a/uv",
      "expected a regular expression, found \"/a/uv\" at character 14; invalid flags supplied to regexp constructor 'uv'",
    ],
    ["json == 5", 'expected a path such as $.status, found "==" at character 6'],
    [
      "json status == 5",
      'expected a path such as $.status, found "status" at character 6; did you mean $.status?',
    ],
    [
      "json $status == 5",
      'expected a path such as $.status, found "$status" at character 6; did you mean $.status?',
    ],
    ["json $..a == 5", 'expected a name or *, found ".a" at character 8'],
    [
      "json $[a] == 5",
      'expected a number, * or a name in quotes, and a ], found "a]" at character 8',
    ],
    ["header == 5", 'expected the name of a header, found "==" at character 8'],
    [
      "body contains 👍 👎",
      'expected the end, found "👎" at character 17; a text with blanks or commas has to be quoted',
    ],
  ];
  for (const [text, message] of cases) {
    assertEquals(assertThrows(() => parseAssertion(text), AssertionError).message, message, text);
  }
});

/** Texts in quotes, as somebody would write them. */
const QUOTED = fc.string({ unit: "grapheme" }).map((text) => ({
  text,
  written: `"${text.replace(/[\\"]/g, "\\$&")}"`,
}));

Deno.test("any text in quotes is read as what it is", () => {
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

Deno.test("any text is an assertion or a fault within it, and never anything else", () => {
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
        assert(error.offset >= 0 && error.offset <= text.length, text);
        assert(!error.message.includes("\n"), error.message);
      }
    }),
  );
});
