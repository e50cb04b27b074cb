import type { EditorSchema } from "./json_schema.ts";
import { markdownTable } from "../templates/markdown/markdown.ts";
import { LANGUAGE_CODES } from "../lib/text/languages/mod.ts";
import { GLOBAL_OPTIONS } from "../lib/text/arguments.ts";
import type { CommandHelp } from "../templates/terminal/help.ts";

/** A key of the configuration with its part of the JSON Schema. */
interface KeyRow {
  key: string;
  schema: EditorSchema;
  isRequired: boolean;
}

/** Longest text of a table cell; sentences after that go below the table. */
const LONGEST_CELL = 100;

/** Keys of the top level that the reference lists under "Status page". */
const PAGE_KEYS = ["status-website", "i18n", "pages", "skipGeneratingWebsite"];

/** Renders the reference of all effective keys; `shared` are site keys that the top level sets for all sites. */
export function keyReference(schema: EditorSchema, shared: readonly string[]): string {
  const top = listKeys(schema);
  const site = listKeys(findItems(schema, "sites"));
  const isShared = ({ key }: KeyRow) => shared.includes(key.split(".")[0]!);
  const isOfPage = ({ key }: KeyRow) => PAGE_KEYS.includes(key.split(".")[0]!);
  const own = top.filter((row) => !isShared(row));
  const parts: [title: string, rows: KeyRow[]][] = [
    ["Top level", own.filter((row) => !isOfPage(row))],
    ["Site", site.filter((row) => !isShared(row))],
    ["Site, or top level for all sites", site.filter(isShared)],
    ["Location", listKeys(findItems(schema, "locations"))],
    ["Group", listKeys(findItems(schema, "groups"))],
    ["Maintenance window", listKeys(findItems(schema, "maintenance"))],
    ["Notification channel", listKeys(findItems(schema, "notifications"))],
    ["Status page", own.filter(isOfPage)],
  ];
  const links = parts.map(([title]) => `[${title}](#${toAnchor(title)})`);
  return [
    `${links.join(" · ")}\n`,
    ...parts.map(([title, rows]) => `### ${title}\n\n${table(rows)}${notes(rows)}`),
  ].join("\n");
}

/** The anchor that GitHub gives to a heading. */
function toAnchor(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9 -]/g, "").replaceAll(" ", "-");
}

/** The tables of commands and options, as Markdown, from the tables that the help is made of. */
export function commandReference(commands: Readonly<Record<string, CommandHelp>>): string {
  const rows = Object.entries(commands).map(([name, { help, takes = "" }]) => [
    `\`${`${name} ${takes}`.trim()}\``.replaceAll("|", "\\|"),
    help,
  ]);
  const uses = Map.groupBy(
    Object.entries(commands).flatMap(([name, { options = {} }]) =>
      Object.entries(options).map(([option, help]) => ({ name: `\`${name}\``, option, help }))
    ),
    ({ option }) => option,
  );
  const ownRows = [...uses].map(([option, users]) => ({
    option,
    names: users.map(({ name }) => name).join(", "),
    cell: `${users.length} commands`,
    help: users[0]!.help,
  }));
  const isLong = ({ names }: { names: string }) => names.length > LONGEST_CELL;
  const ownTable = markdownTable(
    ["option", "commands", "meaning"],
    ownRows.map((row) => [`\`${row.option}\``, isLong(row) ? row.cell : row.names, row.help]),
  );
  const ownNotes = ownRows.filter(isLong).map(({ option, names }) =>
    `- \`${option}\`: ${names}.\n`
  );
  const globalRows = Object.entries(GLOBAL_OPTIONS).map((
    [option, help],
  ) => [`\`${option}\``, help]);
  return [
    `## Commands\n\n${markdownTable(["command", "effect"], rows)}`,
    `## Options of some commands\n\n${ownTable}\n${ownNotes.join("")}`,
    `## Options of every command\n\n${markdownTable(["option", "meaning"], globalRows)}`,
  ].join("\n");
}

/** The table of languages that have texts, as Markdown. */
export function languageReference(): string {
  const nameIn = (reader: string, code: string) =>
    new Intl.DisplayNames(reader, { type: "language" }).of(code)!;
  const rows = LANGUAGE_CODES.map((
    code,
  ) => [`\`${code}\``, nameIn("en", code), nameIn(code, code)]);
  return markdownTable(["code", "language", "its own name"], rows);
}

function table(rows: readonly KeyRow[]): string {
  return markdownTable(
    ["key", "takes", "default", "meaning"],
    rows.map(({ key, schema, isRequired }) => [
      `\`${key}\``,
      takes(schema),
      schema.default === undefined
        ? isRequired ? "required" : ""
        : `\`${JSON.stringify(schema.default)}\``,
      meaning(schema)[0].replaceAll("|", "\\|"),
    ]),
  );
}

/** Words and sentences that the table has no room for, as a list. */
function notes(rows: readonly KeyRow[]): string {
  const lines = rows.flatMap(({ key, schema }) => {
    const [, rest] = meaning(schema);
    const words = listWords(schema);
    const choice = words.length > LONGEST_CELL ? `${words}.` : "";
    const note = [choice, rest].filter((part) => part !== "").join(" ");
    return note === "" ? [] : [`- \`${key}\`: ${note}\n`];
  });
  return lines.length === 0 ? "" : `\n${lines.join("")}`;
}

/** The first sentences of a description, as many as a cell holds, and the others. */
function meaning({ description = "" }: EditorSchema): [cell: string, rest: string] {
  const sentences = description.split(/(?<=\.) (?=[A-Z`])/);
  let count = 1;
  const cell = () => sentences.slice(0, count + 1).join(" ");
  while (count < sentences.length && cell().length <= LONGEST_CELL) count++;
  return [sentences.slice(0, count).join(" "), sentences.slice(count).join(" ")];
}

/** Keys that have an effect; keys of a map are prefixed with its name. */
function listKeys(schema: EditorSchema, prefix = ""): KeyRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]): KeyRow[] => {
    if (typeof value === "boolean" || (value as EditorSchema).deprecated === true) return [];
    const key = prefix + name;
    const inner = listKeys(value, `${key}.`);
    const isMap = [value.type].flat().includes("object") && inner.length > 0;
    return isMap && name !== "defaults"
      ? inner
      : [{ key, schema: value, isRequired: schema.required?.includes(name) ?? false }];
  });
}

function findItems(schema: EditorSchema, key: string): EditorSchema {
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

function listWords({ enum: words = [] }: EditorSchema): string {
  return words.filter((word) => word !== null).map((word) => `\`${word}\``).join(", ");
}

function takes(schema: EditorSchema): string {
  const choice = listWords(schema);
  if (choice !== "") return choice.length > LONGEST_CELL ? "a word, see below" : choice;
  const options = (schema.anyOf ?? [schema]).flatMap((option) =>
    typeof option === "object" ? option.anyOf ?? option : option
  );
  const types = options.flatMap((option) => typeof option === "object" ? option.type ?? [] : []);
  const isTime = options.some((option) =>
    typeof option === "object" && option.pattern?.includes("ms|s|m|h|d")
  );
  const words = types.filter((type) =>
    type !== "null" && (!isTime || type === "array" || type === "boolean")
  )
    .map((type) => TYPES[type] ?? type);
  return [...new Set(isTime ? [...words, "duration"] : words)].join(" or ");
}
