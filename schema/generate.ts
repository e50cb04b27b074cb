import { configSchema } from "../lib/config/keys/json_schema.ts";
import { ALL_SHARED_KEYS } from "../lib/config/keys/key_tables.ts";
import { keyReference, laterKeys } from "../templates/key_reference.ts";

/** Where the parts are kept that are made from the tables of keys. */
export const SCHEMA_FILE = new URL("./monitorrc.schema.json", import.meta.url);
const README = new URL("../README.md", import.meta.url);

/** Comments around what is made anew in the README. */
export const MARKERS = ["<!-- keys -->", "<!-- /keys -->"] as const;

/** The text of the JSON Schema's file. */
export function schemaText(): string {
  return JSON.stringify(configSchema(), null, 2) + "\n";
}

/** The key reference of the README. */
export function referenceText(): string {
  const schema = configSchema();
  const later = laterKeys(schema).map((key) => `\`${key}\``).join(", ");
  return `${
    keyReference(schema, Object.keys(ALL_SHARED_KEYS))
  }\nKnown, and not yet used by this version: ${later}.\n`;
}

if (import.meta.main) {
  await Deno.writeTextFile(SCHEMA_FILE, schemaText());
  const [begin, end] = MARKERS;
  const text = await Deno.readTextFile(README);
  const parts = text.split(new RegExp(`(?<=${begin}\\n)[^]*(?=${end})`));
  if (parts.length !== 2) throw new Error(`Cannot write the keys: ${begin} and ${end} are missing`);
  await Deno.writeTextFile(README, parts.join(`\n${referenceText()}\n`));
}
