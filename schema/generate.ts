import { SITE_STATISTICS, STATISTICS_SCHEMA } from "../lib/statistics/api/statistics_file.ts";
import { SUMMARY, SUMMARY_SCHEMA } from "../lib/statistics/summary.ts";
import { configSchema, publishedSchema } from "./json_schema.ts";
import { ALL_SHARED_KEYS } from "../lib/config/keys/key_tables.ts";
import { COMMANDS } from "../commands/mod.ts";
import { commandReference, keyReference, languageReference } from "./reference.ts";
import manifest from "../deno.json" with { type: "json" };
import { permissionReference } from "./permissions.ts";

/** Codecs of the JSON Schemas, by name. */
const SCHEMAS = {
  monitorrc: configSchema,
  [STATISTICS_SCHEMA]: () =>
    publishedSchema(STATISTICS_SCHEMA, {
      source: SITE_STATISTICS,
      title: "Statistics of a site",
      description:
        "The file api/{slug}/statistics.json of Monitor Action. What is not known is absent. Shares are from 0 to 1.",
    }),
  [SUMMARY_SCHEMA]: () =>
    publishedSchema(SUMMARY_SCHEMA, {
      source: SUMMARY,
      title: "All sites as they are",
      description:
        "The file history/summary.json of Monitor Action: the keys of Upptime's, then further ones.",
    }),
};

/** Names of the JSON Schemas. */
export const SCHEMA_NAMES = Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[];

/** File of a JSON Schema. */
export function schemaFile(name: keyof typeof SCHEMAS): URL {
  return new URL(`./${name}.schema.json`, import.meta.url);
}

/** Blocks of the docs that are generated: file, name of the comments around the block, and text. */
const BLOCKS = [
  {
    file: "configuration.md",
    name: "keys",
    text: () => keyReference(configSchema(), Object.keys(ALL_SHARED_KEYS)),
  },
  { file: "languages.md", name: "languages", text: languageReference },
  { file: "reference/commands.md", name: "commands", text: () => commandReference(COMMANDS) },
  {
    file: "reference/permissions.md",
    name: "permissions",
    text: () => permissionReference(manifest),
  },
] as const;

/** The text of a JSON Schema's file. */
export function schemaText(name: keyof typeof SCHEMAS): string {
  return JSON.stringify(SCHEMAS[name](), null, 2) + "\n";
}

/** The docs with generated blocks: each file before and after they are written anew, unformatted. */
export async function generatedDocs(): Promise<{ file: URL; before: string; after: string }[]> {
  return await Promise.all(BLOCKS.map(async ({ file: path, name, text }) => {
    const file = new URL(`../docs/${path}`, import.meta.url);
    const before = await Deno.readTextFile(file);
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const parts = before.split(new RegExp(`(?<=${start}\\n)[^]*(?=${end})`));
    if (parts.length !== 2) {
      throw new Error(`Cannot write docs/${path}: ${start} or ${end} is missing`);
    }
    return { file, before, after: parts.join(`\n${await text()}\n`) };
  }));
}

if (import.meta.main) {
  for (const name of SCHEMA_NAMES) await Deno.writeTextFile(schemaFile(name), schemaText(name));
  for (const { file, after } of await generatedDocs()) await Deno.writeTextFile(file, after);
}
