import * as v from "valibot";
import type { GenericSchema } from "valibot";
import { SCHEMA_ADDRESS, schemaAddress } from "../lib/version.ts";
import { UPPTIME_ASSERTION_KEYS } from "../lib/config/checks/assertions/keys.ts";
import { SCHEDULE_ALIASES, SITE_ALIASES } from "../lib/config/upptime/spellings.ts";
import { isMap } from "../lib/config/document.ts";
import { KNOWN_TOP_KEYS } from "../lib/config/keys/key_tables.ts";
import { findEntries, findItem, unwrapped } from "../lib/config/keys/read_keys.ts";
import type { NoEffect } from "../lib/config/keys/values.ts";
import { type JsonSchema, toJsonSchema as convertSchema } from "@valibot/to-json-schema";

/** A schema for editors, draft 7 with `deprecated` of later drafts. */
export interface EditorSchema extends JsonSchema {
  deprecated?: boolean;
}

const ALIASES = [SITE_ALIASES, SCHEDULE_ALIASES, UPPTIME_ASSERTION_KEYS].flatMap(Object.keys);

/** A site that needs no address. */
const IS_HEARTBEAT: EditorSchema = {
  required: ["check"],
  properties: { check: { const: "heartbeat" } },
};

export function configSchema(): EditorSchema {
  const source = v.object(KNOWN_TOP_KEYS);
  const schema = toJsonSchema(source);
  const { $schema, ...rest } = forEditors(schema, source);
  const sites = rest.properties!["sites"] as EditorSchema;
  sites.items = { ...sites.items as EditorSchema, anyOf: [{ required: ["url"] }, IS_HEARTBEAT] };
  return {
    $schema,
    $id: SCHEMA_ADDRESS,
    title: "Configuration of Monitor Action",
    description: "What is monitored, how, and who is notified: the file .monitorrc.yml.",
    ...rest,
  };
}

/** Adds title and description of each key, allows optional ones to be null, and rejects unknown keys. */
function forEditors(schema: JsonSchema, source: v.GenericSchema): EditorSchema {
  const { properties, required = [], items, ...rest } = schema;
  const result: EditorSchema = { ...rest };
  const item = findItem(source);
  if (isMap(items) && item !== undefined) result.items = forEditors(items, item);
  const entries = findEntries(source);
  if (properties === undefined || entries === undefined) return result;
  result.properties = Object.fromEntries(
    Object.entries(entries).map(([key, entry]) => {
      const property = properties[key];
      const inner = isMap(property) ? forEditors(property, unwrapped(entry)) : {};
      const taken = withSingle(withoutMark(inner));
      const known = { title: toTitle(key), ...taken, ...toDescription(key, entry) };
      return [key, required.includes(key) && key !== "sites" ? known : orNull(known)];
    }),
  );
  return { ...result, required, patternProperties: { "^x-": {} }, additionalProperties: false };
}

/** A list of texts or numbers accepts a single one as well. */
function withSingle(schema: EditorSchema): EditorSchema {
  const { type, items, ...rest } = schema;
  if (type !== "array" || !isMap(items) || items.type === "object") return schema;
  const { anyOf = [items] } = items as EditorSchema;
  return { ...rest, anyOf: [{ type, items }, ...anyOf] };
}

function withoutMark(schema: EditorSchema): EditorSchema {
  const mark: keyof NoEffect = "severity";
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== mark));
}

function toDescription(key: string, entry: v.GenericSchema): EditorSchema {
  const schema = unwrapped(entry);
  const meaning = v.getDescription(schema) ?? "";
  if ("severity" in v.getMetadata(schema)) {
    return { description: `No effect: ${meaning}.`, deprecated: true };
  }
  return { description: meaning, ...(ALIASES.includes(key) ? { deprecated: true } : {}) };
}

function orNull(schema: EditorSchema): EditorSchema {
  const { type, anyOf } = schema;
  if (schema.enum !== undefined) {
    return { ...schema, type: undefined, enum: [...schema.enum, null] };
  }
  if (typeof type === "string") return { ...schema, type: [type, "null"] };
  return anyOf === undefined ? schema : { ...schema, anyOf: [...anyOf, { type: "null" }] };
}

/** A key as words: `maxResponseTime` is "Max response time". */
function toTitle(key: string): string {
  const words = key.replace(/(?<=[a-z])(?=[A-Z])|[-_]+/g, " ").trim().toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export type { JsonSchema };

function toJsonSchema(source: GenericSchema): JsonSchema {
  return convertSchema(source, { typeMode: "input", errorMode: "ignore" });
}

/** The JSON Schema of a file that other programs are given; `name` is that of the schema. */
export function publishedSchema(
  name: string,
  { source, ...about }: { source: GenericSchema; title: string; description: string },
): JsonSchema {
  const { $schema, ...rest } = toJsonSchema(source);
  return { $schema, $id: schemaAddress(name), ...about, ...rest };
}
