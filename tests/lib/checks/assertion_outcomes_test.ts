import { assert, assertEquals } from "@std/assert";
import { excerpt } from "../../../lib/checks/assertions/apply.ts";
import { type Answer, evaluate, type Tools } from "../../../lib/checks/assertions/evaluate.ts";
import { parseAssertion } from "../../../lib/config/checks/assertions/parse.ts";
import fc, { anyText } from "../../helpers/property.ts";

const DAY = 86_400_000;

const PLAIN: Tools = {
  show: (text) => text,
  match: (source, flags, text) => new RegExp(source, flags).exec(text)?.[0],
  quotes: true,
};

const ANSWER: Answer = {
  status: 200,
  responseTime: 912,
  headers: {
    "content-type": "application/json",
    "x-queue": "17",
    "set-cookie": ["a=1; Secure", "b=2"],
    "x-empty": "",
  },
  body: `{"status": "red", "count": 5, "version": "1.10", "ok": true, "none": null, "empty": "",
    "tags": ["prod", "eu", 7], "at": {"x y": 1},
    "checks": [{"status": "ok", "ms": 3}, {"status": "slow", "ms": "40"}]}`,
  isCut: false,
  certificate: 9.5 * DAY,
};

function find(text: string, answer: Partial<Answer> = {}): [holds: boolean, found: string] {
  const { holds, found } = evaluate(parseAssertion(text), { ...ANSWER, ...answer }, PLAIN);
  return [holds, found()];
}

Deno.test("each comparison reports if it holds and the value it found", () => {
  const cases: [text: string, holds: boolean, found: string][] = [
    ["status == 200", true, "found 200"],
    ["status not == 200", false, "found 200"],
    ["status != 200", false, "found 200"],
    ["status in 200..299", true, "found 200"],
    ["status in 404, 500..599", false, "found 200"],
    ["status not in 400..599", true, "found 200"],
    ["status < 200", false, "found 200"],
    ["status <= 200", true, "found 200"],
    ["status > 200", false, "found 200"],
    ["status >= 200", true, "found 200"],
    ["responseTime < 800", false, "found 912 ms"],
    ["responseTime in 900ms..1s", true, "found 912 ms"],
    ["certificate expires in > 14d", false, "found 9 days"],
    ["certificate expires in > 9d", true, "found 9 days"],
    ["header content-type contains json", true, 'found "application/json"'],
    ["header Content-Type == application/json", true, 'found "application/json"'],
    ["header x-queue < 100", true, 'found "17"'],
    ["header x-queue == 17.0", true, 'found "17"'],
    ["header x-queue in 18..20", false, 'found "17"'],
    ["header content-type < 5", false, 'found "application/json", which is not a number'],
    ["header content-type not < 5", false, 'found "application/json", which is not a number'],
    ["header set-cookie matches /secure.*b=2$/i", true, 'found "a=1; Secure, b=2"'],
    ["header x-empty exists", true, 'found ""'],
    ["header constructor exists", false, "the header is missing"],
    ["header x-none exists", false, "the header is missing"],
    ["header x-none not exists", true, "the header is missing"],
    ["header x-none not contains a", false, "the header is missing"],
    ['json $.status == "green"', false, 'found "red"'],
    ["json $.status == red", true, 'found "red"'],
    ["json $.status in green, red", true, 'found "red"'],
    ["json $.status not contains e", false, 'found "red"'],
    ["json $.status matches /^r/", true, 'found "red"'],
    ["json $.count == 5", true, "found 5"],
    ["json $.count == 5.0", true, "found 5"],
    ['json $.count == "5"', false, "found 5"],
    ["json $.count in 4..6", true, "found 5"],
    ["json $.version == 1.1", true, 'found "1.10"'],
    ['json $.version == "1.1"', false, 'found "1.10"'],
    ["json $.ok == true", true, "found true"],
    ['json $.ok == "true"', false, "found true"],
    ["json $.ok < 5", false, "found true, which is not a number"],
    ["json $.none == null", true, "found null"],
    ["json $.none exists", true, "found null"],
    ['json $.empty == ""', true, 'found ""'],
    ["json $.tags contains prod", true, 'found ["prod","eu",7]'],
    ["json $.tags contains 7", true, 'found ["prod","eu",7]'],
    ["json $.tags contains pro", false, 'found ["prod","eu",7]'],
    ["json $.tags == prod", false, 'found ["prod","eu",7]'],
    ["json $.tags[-1] == 7", true, "found 7"],
    ["json $.tags[3] exists", false, "the value is missing"],
    ["json $.tags.length exists", false, "the value is missing"],
    ["json $.at['x y'] == 1", true, "found 1"],
    ["json $.constructor exists", false, "the value is missing"],
    ["json $.checks[*].status == ok", false, 'found "slow" at $.checks[1].status'],
    ["json $.checks[*].status not == red", true, 'found "ok" at $.checks[0].status'],
    ["json $.checks[*].ms < 50", true, "found 3 at $.checks[0].ms"],
    ["json $.checks[*].missing == 1", false, "the value is missing"],
    ["json $.at.* == 2", false, 'found 1 at $.at["x y"]'],
  ];
  for (const [text, holds, found] of cases) assertEquals(find(text), [holds, found], text);
});

Deno.test("a body is compared without the white space around it", () => {
  assertEquals(find("body == ok", { body: "ok\n" }), [true, 'found "ok\n"']);
  assertEquals(find('body == ""', { body: " \n" }), [true, "found an empty body"]);
  assertEquals(find("body < 20", { body: "17\n" })[0], true);
  assertEquals(find("body contains ok", { body: "" }), [false, "found an empty body"]);
});

Deno.test("missing values are reported", () => {
  assertEquals(find("certificate expires in > 1d", { certificate: undefined }), [
    false,
    "no certificate was presented",
  ]);
  assertEquals(find("certificate expires in > 0d", { certificate: -2.5 * DAY }), [
    false,
    "it expired 2 days ago",
  ]);
  assertEquals(find("json $ exists", { body: "<html>" }), [false, "the body is not JSON"]);
  assertEquals(find("json $ not exists", { body: "<html>" }), [false, "the body is not JSON"]);
  assertEquals(find("json $ exists", { body: " " }), [false, "the body is empty"]);
  assertEquals(find("json $ exists", { body: '{"a": ', isCut: true }), [
    false,
    "the body is longer than the 1 MiB that is read",
  ]);
});

const TEXTS = [
  "status < 300",
  "body contains a",
  "body not matches /a+/",
  "body == 5",
  "json $ == 1",
  "json $.*.a not in 1..2, x",
  "json $[*][0] < 3",
  "json $.a exists",
  "json $.* contains a",
  "header x-a matches /b/",
  "header x-a != c",
  "responseTime > 3",
  "certificate expires in < 3d",
]
  .map(parseAssertion);

Deno.test("any assertion has an outcome for any answer", () => {
  const answer = fc.record<Answer>({
    status: fc.integer(),
    responseTime: fc.nat(),
    headers: fc.dictionary(fc.constantFrom("x-a", "__proto__"), fc.string()),
    body: fc.oneof(fc.json(), anyText(), fc.constant("[".repeat(50_000) + "]".repeat(50_000))),
    isCut: fc.boolean(),
    certificate: fc.option(fc.integer(), { nil: undefined }),
  });
  fc.assert(
    fc.property(answer, fc.constantFrom(...TEXTS), (answer, condition) => {
      const { holds, found } = evaluate(condition, answer, PLAIN);
      assert(typeof holds === "boolean" && found() !== "");
    }),
  );
});

Deno.test("only the vicinity of an excerpt is redacted, however long the answer is", () => {
  const key = "k3y-0123456789";
  const redact = (text: string) => text.replaceAll(key, "***");
  const long = `${" ".repeat(99_999)}${"a ".repeat(300_000)}`;
  const bodies: [body: string, place?: string][] = [
    [`${long} before ${key} needle ${key} after ${long}`, "needle"],
    [`${long}needle`, "needle"],
    [`needle${long}`, "needle"],
    [`${long}${key}`],
    [`${key} ${long}`, "absent"],
    ["short", "or"],
    [""],
  ];
  for (const [body, place] of bodies) {
    const shown = excerpt(body, place, (text) => {
      assert(text.length <= 70_000, `${text.length}`);
      return redact(text);
    });
    assertEquals(shown, excerpt(redact(body), place, (text) => text));
  }
});
