import { ENGLISH } from "./english.ts";

/** Name of a text. */
export type MessageKey = keyof typeof ENGLISH;

/** Every text in some language. */
export type Messages = Readonly<Record<MessageKey, string>>;

/** English, but for what a configuration words otherwise. */
export function messagesOf(i18n: Readonly<Record<string, string>> = {}): Messages {
  return { ...ENGLISH, ...i18n };
}

/** The parts of a text, in their order: words, and names of what is to be put in between. */
export type MessagePart = { text: string } | { name: string };

/**
 * Takes a text apart at its `$NAMES`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const parts = partsOf("Resolved in $MINUTES minutes");
 * assertEquals(parts, [{ text: "Resolved in " }, { name: "MINUTES" }, { text: " minutes" }]);
 * ```
 */
export function partsOf(message: string): MessagePart[] {
  return message.split(/(\$[A-Z]+)/).filter((part) => part !== "").map((part) =>
    /^\$[A-Z]+$/.test(part) ? { name: part.slice(1) } : { text: part }
  );
}

/** The names that stand in a text for what is put in. */
export function namesIn(message: string): string[] {
  return partsOf(message).flatMap((part) => "name" in part ? [part.name] : []);
}

/** A text with values put in for its `$NAMES`; those without a value stay. */
export function fill(message: string, values: Readonly<Record<string, string>>): string {
  return message.replace(/\$([A-Z]+)/g, (all, name: string) => values[name] ?? all);
}
