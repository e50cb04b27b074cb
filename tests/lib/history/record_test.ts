import { assertEquals, assertMatch } from "@std/assert";
import { parse } from "@std/yaml";
import { recordPath } from "../../../lib/config/record_path.ts";
import {
  formatRecord,
  type HistoryRecord,
  parseRecord,
  toCondition,
} from "../../../lib/history/record.ts";

const TIME = Temporal.Instant.from("2026-11-21T10:05:03.120Z");
const RECORD: HistoryRecord = {
  url: "https://example.com/?key=$KEY",
  status: "up",
  code: 200,
  responseTime: 123,
  lastUpdated: TIME,
  startTime: Temporal.Instant.from("2026-01-02T00:00:00Z"),
  generator: "monitor-action v1.41.0",
  degraded: false,
  since: TIME.subtract({ hours: 12 }),
};

Deno.test("a record with any content is read back as it was written", () => {
  const texts = [
    "https://example.com/#a: b",
    "null",
    "true",
    "1e3",
    "0x10",
    "2026-11-21",
    "~",
    "- a",
    "a\nb: c\n---\n",
    "'\"\\",
    "\u0085\u2028\u0000\u001b[31m",
    "*a &b !c %d @e `f`",
    " ünï 🚀 ",
    "x".repeat(500),
    "https://example.com/a b c ".repeat(20),
  ];
  for (const text of texts) {
    const record = { ...RECORD, url: text, generator: text };
    assertEquals(parseRecord(formatRecord(record)), record, text);
    assertEquals((parse(formatRecord(record)) as { url: string }).url, text);
  }
});

Deno.test("the incident of a record is the name of a file, and nothing that leads elsewhere", () => {
  const text = formatRecord(RECORD);
  for (const name of ["2026-11-21-shop", "2026-11-21-موقع-🚀-2", "null", "a b.c"]) {
    assertEquals(parseRecord(formatRecord({ ...RECORD, incident: name }))!.incident, name);
  }
  const wrong = ["../../README", "a/b", "a\\b", "..", ".git", "", "a\nb", "\u0000", "\u202ea"];
  for (const name of [...wrong.map((one) => JSON.stringify(one)), "7", "[a]", "{ a: b }"]) {
    assertEquals(
      parseRecord(`${text}incident: ${name}\n`),
      { ...RECORD, incident: undefined },
      name,
    );
  }
});

Deno.test("a record starts with the fields that other programs know, in their order", () => {
  const keys = formatRecord({ ...RECORD, incident: "2026-11-21-shop" }).split("\n")
    .map((line) => line.split(":")[0]);
  assertEquals(
    keys.join(" "),
    "url status code responseTime lastUpdated startTime generator degraded since incident ",
  );
  assertMatch(formatRecord(RECORD), /^startTime: 2026-01-02T00:00:00\.000Z$/m);
});

Deno.test("a record of Upptime is read, with defaults for the missing fields", () => {
  const text = `url: https://example.com
status: up
code: 200
responseTime: 214
lastUpdated: 2024-03-02T10:05:03.120Z
startTime: 2023-01-02T00:00:00.000Z
generator: Upptime <https://github.com/upptime/upptime>
`;
  const record = parseRecord(text)!;
  const updated = Temporal.Instant.from("2024-03-02T10:05:03.120Z");
  assertEquals([record.degraded, record.incident], [false, undefined]);
  assertEquals([record.since, record.lastUpdated], [updated, updated]);
  assertEquals(parseRecord(text.replace(/^startTime.*\n/m, ""))!.startTime, updated);
  const degraded = parseRecord(text.replace("status: up", "status: degraded"))!;
  assertEquals([degraded.status, toCondition(degraded)], ["up", "degraded"]);
});

Deno.test("any other text is read as no record, without an exception", () => {
  const texts = [
    "",
    "- a\n",
    "a: [\n",
    "status: sideways\nlastUpdated: 2024-03-02T10:05:03.120Z\n",
    "status: up\nlastUpdated: yesterday\n",
    "status: up\n",
    "<<<<<<< HEAD\nstatus: up\n=======\n",
    "status: up\nstatus: down\n",
    "\u0000",
  ];
  for (const text of texts) assertEquals(parseRecord(text), undefined, text);
});

Deno.test("the condition equals the status, except that an up site with a degradation is degraded", () => {
  assertEquals(toCondition({ status: "down", degraded: true }), "down");
  assertEquals(toCondition({ status: "up", degraded: true }), "degraded");
  assertEquals(toCondition({ status: "up", degraded: false }), "up");
  assertEquals(recordPath("shop"), "history/shop.yml");
});
