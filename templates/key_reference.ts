import type { EditorSchema } from "../lib/config/keys/json_schema.ts";
import { markdownTable } from "./markdown.ts";

/** A key of the configuration, as the reference tells it. */
interface KeyRow {
  key: string;
  schema: EditorSchema;
}

/** A part of the reference: the keys of one map. */
interface Part {
  title: string;
  rows: KeyRow[];
}

/**
 * The reference of all keys that this version uses, as Markdown, from the JSON Schema of the
 * configuration. `shared` are the keys that the top level sets for all sites.
 */
export function keyReference(schema: EditorSchema, shared: readonly string[]): string {
  const top = keysOf(schema);
  const site = keysOf(itemsOf(schema, "sites"));
  const channel = keysOf(itemsOf(schema, "notifications"));
  const isShared = ({ key }: KeyRow) => shared.includes(key.split(".")[0]!);
  const parts: Part[] = [
    { title: "At the top", rows: top.filter((row) => !isShared(row)) },
    { title: "Of a site", rows: site.filter((row) => !isShared(row)) },
    { title: "Of all sites, at the top, or of one", rows: site.filter(isShared) },
    { title: "Of a notification", rows: channel },
  ];
  return parts.map(({ title, rows }) => `#### ${title}\n\n${table(rows)}`).join("\n");
}

function isHidden(schema: EditorSchema): boolean {
  return schema.deprecated === true;
}

function table(rows: readonly KeyRow[]): string {
  const header = ["key", "takes", "default", "meaning"];
  return markdownTable(
    header,
    rows.map(({ key, schema }) => [
      `\`${key}\``,
      takes(schema),
      schema.default === undefined ? "" : `\`${JSON.stringify(schema.default)}\``,
      (schema.description ?? "").replaceAll("|", "\\|"),
    ]),
  );
}

/** Keys that are used, those within a map under its name. */
function keysOf(schema: EditorSchema, prefix = ""): KeyRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]): KeyRow[] => {
    if (typeof value === "boolean" || isHidden(value)) return [];
    const key = prefix + name;
    const inner = keysOf(value, `${key}.`);
    const isMap = [value.type].flat().includes("object") && inner.length > 0;
    return isMap && name !== "defaults" ? inner : [{ key, schema: value }];
  });
}

function itemsOf(schema: EditorSchema, key: string): EditorSchema {
  const list = schema.properties?.[key];
  const items = typeof list === "object" ? list.items : undefined;
  return typeof items === "object" && !Array.isArray(items) ? items : {};
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "number",
  integer: "whole number",
  boolean: "true or false",
  array: "list",
  object: "map",
};

/** What a key takes, in words. */
function takes(schema: EditorSchema): string {
  if (schema.enum !== undefined) {
    return schema.enum.filter((word) => word !== null).map((word) => `\`${word}\``).join(", ");
  }
  const options = schema.anyOf ?? [schema];
  const types = options.flatMap((option) => typeof option === "object" ? option.type ?? [] : []);
  const isTime = options.some((option) =>
    typeof option === "object" && option.pattern?.includes("ms|s|m|h|d")
  );
  const words = types.filter((type) => type !== "null" && (!isTime || type === "array"))
    .map((type) => TYPES[type] ?? type);
  return [...new Set(isTime ? [...words, "time"] : words)].join(" or ");
}
