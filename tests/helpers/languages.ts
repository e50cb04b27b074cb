import { ENGLISH } from "../../lib/text/english.ts";
import { createLanguage } from "../../lib/text/language.ts";
import { mergeMessages, parseMessage } from "../../lib/text/messages.ts";

export const LANGUAGE = createLanguage("en", mergeMessages());

/** Changes the words of every text between its placeholders. */
export function changeTexts(change: (words: string, key: string) => string): typeof ENGLISH {
  const texts = Object.entries(ENGLISH).map(([key, text]) => [
    key,
    parseMessage(text).map((part) => "text" in part ? change(part.text, key) : `$${part.name}`)
      .join(""),
  ]);
  return Object.fromEntries(texts);
}

/** A language with English words between signs, by which untranslated ones are found. */
export const MARKED = createLanguage(
  "de",
  mergeMessages(changeTexts((words) => words.replace(/\p{L}[\p{L}\p{N}'’ -]*/gu, "⟦$&⟧"))),
);
