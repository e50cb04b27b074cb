import { SITE_STATISTICS, STATISTICS_SCHEMA } from "../lib/statistics/api/site_statistics.ts";
import { configSchema } from "../lib/config/keys/json_schema.ts";
import { ALL_SHARED_KEYS } from "../lib/config/keys/key_tables.ts";
import { SUMMARY, SUMMARY_SCHEMA } from "../lib/statistics/summary/summary.ts";
import { publishedSchema } from "../lib/config/schema_address.ts";
import { keyReference } from "../templates/key_reference.ts";

/** What the JSON Schemas describe, by their names. */
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

/** Where a JSON Schema is kept. */
export function schemaFile(name: keyof typeof SCHEMAS): URL {
  return new URL(`./${name}.schema.json`, import.meta.url);
}

const README = new URL("../README.md", import.meta.url);

/** Comments around what is made anew in the README. */
export const MARKERS = ["<!-- keys -->", "<!-- /keys -->"] as const;

/** The text of a JSON Schema's file. */
export function schemaText(name: keyof typeof SCHEMAS): string {
  return JSON.stringify(SCHEMAS[name](), null, 2) + "\n";
}

/** The key reference of the README. */
export function referenceText(): string {
  return keyReference(configSchema(), Object.keys(ALL_SHARED_KEYS));
}

if (import.meta.main) {
  for (const name of SCHEMA_NAMES) await Deno.writeTextFile(schemaFile(name), schemaText(name));
  const [begin, end] = MARKERS;
  const text = await Deno.readTextFile(README);
  const parts = text.split(new RegExp(`(?<=${begin}\\n)[^]*(?=${end})`));
  if (parts.length !== 2) throw new Error(`Cannot write the keys: ${begin} and ${end} are missing`);
  await Deno.writeTextFile(README, parts.join(`\n${referenceText()}\n`));
}
