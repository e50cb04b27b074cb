import { ENGLISH } from "./english.ts";

export type MessageKey = keyof typeof ENGLISH;

export type Messages = Readonly<Record<MessageKey, string>>;

export function mergeMessages(i18n: Readonly<Record<string, string>> = {}): Messages {
  return { ...ENGLISH, ...i18n };
}

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
