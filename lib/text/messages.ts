import { ENGLISH } from "./english.ts";

/** A key of a table; those of plural forms end with a category of CLDR: `serviceCount.one`. */
export type TableKey = keyof typeof ENGLISH;

type PluralOf<Key> = Key extends `${infer Base}.other` ? Base : never;

/** A text with a plural form for each category of its language. */
export type PluralKey = PluralOf<TableKey>;

/** Name of a sentence in the program, which is one for all its plural forms. */
export type MessageKey = Exclude<TableKey, `${PluralKey}.${string}`> | PluralKey;

/** The texts of a language, one's own in place of ours; further plural forms stand beside those of English. */
export type Messages = Readonly<Record<TableKey, string>>;

/** Puts one's own texts in place of those of a language; what a language lacks is English. */
export function mergeMessages(
  own: Readonly<Record<string, string>> = {},
  table: Readonly<Record<string, string>> = ENGLISH,
): Messages {
  if (table === ENGLISH && Object.keys(own).length === 0) return ENGLISH;
  // Copies of hundreds of keys are ten times as slow in a literal.
  return Object.assign(Object.create(null), ENGLISH, table, own);
}

/** Texts by their keys. */
export type Texts = Readonly<Record<string, string>>;

export type MessagePart = { text: string } | { name: string };

/** Splits a text at its `$NAMES`. */
export function parseMessage(message: string): MessagePart[] {
  return message.split(/(\$[A-Z]+)/).filter((part) => part !== "").map((part) =>
    /^\$[A-Z]+$/.test(part) ? { name: part.slice(1) } : { text: part }
  );
}

export function listPlaceholders(message: string): string[] {
  return parseMessage(message).flatMap((part) => "name" in part ? [part.name] : []);
}

/** Fills in the `$NAMES` that have a value. */
export function fillMessage(message: string, values: Readonly<Record<string, string>>): string {
  return message.replace(/\$([A-Z]+)/g, (all, name: string) => values[name] ?? all);
}
