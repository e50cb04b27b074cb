import { stringify } from "@std/yaml";
import { assert, assertEquals } from "@std/assert";
import { parseContent } from "../../../lib/config/parse.ts";
import { KNOWN_SITE_KEYS, KNOWN_TOP_KEYS } from "../../../lib/config/keys/key_tables.ts";
import { NOTIFICATION_KEYS } from "../../../lib/config/channels/keys.ts";
import type { ParsedConfig } from "../../../lib/config/parse.ts";
import fc, { runs } from "../../helpers/property.ts";

const encoder = new TextEncoder();

/** Every problem has a place, and an unusable configuration has a problem. */
function assertPlaced({ config, problems }: ParsedConfig, text: string): void {
  const lines = text.split("\n").length;
  for (const { line, column, message } of problems) {
    assert(line !== undefined && line >= 1 && line <= lines, `${message} (${line})`);
    assert(column !== undefined && column >= 1 && message !== "" && !message.includes("\n"));
  }
  assert(config !== undefined || problems.some(({ severity }) => severity === "error"));
}

async function parse(text: string): Promise<ParsedConfig> {
  const parsed = await parseContent(encoder.encode(text));
  assertPlaced(parsed, text);
  return parsed;
}

/** Anything that YAML can say. */
const VALUE = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double(),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("$SECRET", "${X}", "https://example.com", "30s", "-1h", "__proto__", " ", "&a"),
  ),
  value: fc.oneof(
    { maxDepth: 3 },
    tie("leaf"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.string({ maxLength: 5 }), tie("value"), { maxKeys: 3 }),
  ),
})).value;

function keysOf(table: Readonly<Record<string, unknown>>) {
  return fc.dictionary(fc.constantFrom(...Object.keys(table), "<<", "__proto__"), VALUE, {
    maxKeys: 4,
  });
}

const CONFIGURATION = fc.tuple(
  keysOf(KNOWN_TOP_KEYS),
  fc.array(fc.oneof(keysOf(KNOWN_SITE_KEYS), VALUE), { maxLength: 3 }),
  fc.array(fc.oneof(keysOf(NOTIFICATION_KEYS), VALUE), { maxLength: 3 }),
).map(([top, sites, notifications]) => ({
  notifications,
  ...top,
  sites: [...sites, { name: "Good", url: "https://example.com", notifications }],
}));

Deno.test("any value in any place gives a configuration or errors with their place, never an exception", async () => {
  await fc.assert(
    fc.asyncProperty(CONFIGURATION, async (input) => {
      const { config } = await parse(stringify(input, { skipInvalid: true }));
      assert(config!.sites.some(({ name }) => name === "Good"), "the good site is monitored");
    }),
    { numRuns: runs(10, 80) },
  );
});

Deno.test("any text gives a configuration or errors with their place, never an exception", async () => {
  const pieces = fc.constantFrom(
    ..."sites:|- name: A|url: https://example.com|\n|  |\t|&a |*a|<<: *a|{|}|[|]|\"|'|: |# |---\n|!x |? |> |%|@|`|é|\u202e|👍"
      .split("|"),
    "|",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 30 }), async (parts) => {
      await parse(parts.join(""));
    }),
  );
});

Deno.test("any bytes give a configuration or errors with their place, never an exception", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), async (bytes) => {
      assertPlaced(await parseContent(bytes), new TextDecoder().decode(bytes));
    }),
  );
});

async function readProblems(content: Uint8Array | string): Promise<string[]> {
  const bytes = typeof content === "string" ? encoder.encode(content) : content;
  const { problems } = await parseContent(bytes);
  return problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

Deno.test("a file that is not UTF-8 is reported with the position of its first invalid byte", async () => {
  const latin = encoder.encode("sites:\n  - name: Caf?");
  latin[latin.length - 1] = 0xe9;
  assertEquals(await readProblems(latin), ["2:14 is not UTF-8 from here on: save it as UTF-8"]);
});

Deno.test("a file of 11 MB is refused before it is read", async () => {
  const text = `sites:\n  - name: A\n    url: https://example.com\n${
    "# padding\n".repeat(1_100_000)
  }`;
  assertEquals(await readProblems(text), ["1:1 has 11.0 MB; a configuration has at most 10 MB"]);
});

Deno.test("YAML that is nested too deeply is reported as such", async () => {
  assertEquals(await readProblems("[".repeat(100_000)), ["1:1 is nested too deeply to be read"]);
});

Deno.test("a YAML alias bomb is not expanded", async () => {
  const levels = Array.from(
    { length: 30 },
    (_, level) => `x-${level + 1}: &a${level + 1} [${`*a${level}, `.repeat(9)}*a${level}]`,
  );
  const bomb = `x-0: &a0 boom\n${levels.join("\n")}\nsites: *a30\n`;
  const { config, problems } = await parse(bomb);
  assertEquals(config!.sites, []);
  assertEquals(problems.length, 10);
  const maps = `x-0: &a0 { meaning: 1 }\n${
    levels.map((line) => line.replace("[", "{ <<: [").replace(/]$/, "] }")).join("\n")
  }\nsites:\n  - { <<: *a30, name: A, url: https://example.com, headers: *a3 }\n`;
  assertEquals((await parse(maps)).problems.map(({ message }) => message), [
    "unknown key, it has no effect",
  ]);
});
