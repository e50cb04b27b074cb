import { Ajv } from "ajv";
import { parse } from "@std/yaml";
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { normalize } from "../lib/config/yaml/parse_yaml.ts";
import { parseConfig } from "../lib/config/parse.ts";
import { SCHEMA_NAMES, schemaFile, schemaText } from "../schema/generate.ts";
import { blocksOf, readDocs } from "./helpers/docs.ts";
import { PROJECT } from "./helpers/program.ts";

const SCHEMA = JSON.parse(await Deno.readTextFile(schemaFile("monitorrc")));
const validate = new Ajv({ allowUnionTypes: true, strict: false }).compile(SCHEMA);

/** Violations of the schema by a configuration, with their places. */
function complaints(text: string): string[] {
  const document = parse(text, { schema: "core" });
  validate(text.includes("<<:") ? normalize(document) : document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

async function filesIn(folder: string): Promise<[name: string, text: string][]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  return await Promise.all(
    entries.map(async ({ name }): Promise<[string, string]> => [
      name,
      await Deno.readTextFile(join(folder, name)),
    ]),
  );
}

Deno.test("the JSON Schemas are those that the program's tables make (deno task schema)", async () => {
  for (const name of SCHEMA_NAMES) {
    assertEquals(await Deno.readTextFile(schemaFile(name)), schemaText(name), name);
  }
});

Deno.test("every key of the JSON Schema has a title and a description", () => {
  const visit = ({ properties = {}, items = {} }: typeof SCHEMA, path: string) => {
    for (const [key, value] of Object.entries<typeof SCHEMA>(properties)) {
      assert(value.title && value.description, `${path}.${key}`);
      visit(value, `${path}.${key}`);
    }
    if (Object.keys(items).length > 0) visit(items, `${path}[]`);
  };
  visit(SCHEMA, "");
});

/** Mistakes that only the program finds: conflicting keys, or texts in a wrong format. */
const BEYOND_THE_SCHEMA = [
  "announce-without-issues.yml",
  "foreign-references.yml",
  "key-of-another-check.yml",
  "long-name.yml",
  "run-deadline-too-short.yml",
  "same-name.yml",
  "schedule-backwards.yml",
  "sites-is-null.yml",
  "token-in-the-file.yml",
  "url-misspelt-scheme.yml",
  "wrong-tcp-host.yml",
];

Deno.test("the JSON Schema reports what the parser reports", async () => {
  const silent: string[] = [];
  for (const [name, text] of await filesIn(join(PROJECT, "tests", "testdata", "config"))) {
    const { config, problems } = await parseConfig(text);
    const isYaml = config !== undefined ||
      problems.every(({ message }) => /^expected|sites: is/.test(message));
    if (!isYaml || name === "unknown-tag.yml") continue;
    if (complaints(text).length === 0) silent.push(name);
  }
  assertEquals(silent.sort(), BEYOND_THE_SCHEMA);
});

Deno.test("the JSON Schema accepts what the parser accepts without a warning", async () => {
  const docs = [...(await readDocs()).values()];
  const texts = docs.flatMap((text) => blocksOf(text, "yaml"))
    .filter((text) => text.includes("sites:"));
  texts.push(`x-base: &base { method: HEAD, retry: { delays: [1m] } }
assignees:
sites:
  - <<: *base
    name: 7
    url: https://example.com
    slug:
    port: $PORT
    check: tcp-ping
`);
  for (const text of texts) assertEquals(complaints(text), []);
  const corpus = join(PROJECT, "..", "shared", "corpus", "configs");
  const strangers = await filesIn(corpus).catch(() => []);
  for (const [name, text] of strangers) {
    const { problems } = await parseConfig(text);
    if (problems.every(({ severity }) => severity === "notice")) {
      assertEquals(complaints(text), [], name);
    }
  }
});
