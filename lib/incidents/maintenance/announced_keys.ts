import { nearest } from "../../config/keys/unknown_key.ts";
import type { Line } from "../../text/hidden_part.ts";
import { plainText, shorten } from "../../text/plain_text.ts";

/** What an announcement says of a window, as Upptime spells it. */
export const KEYS = ["start", "end", "expectedDown", "expectedDegraded"] as const;
/** One of {@linkcode KEYS}. */
export type Key = typeof KEYS[number];

/** What stands behind a key. */
export interface Value {
  text: string;
  /** The number of its line. */
  line: number;
}

/** The keys of an announcement. */
export interface Keys {
  values: ReadonlyMap<Key, Value>;
  /** Lines that are probably meant to have a key that is missing, with what to do about them. */
  mistakes: ReadonlyMap<Key, { line: number; cure: string }>;
}

/** What is read as the colon after a key; the wide one is that of Chinese and Japanese keyboards. */
const COLON = /[:：]/;

/** More lines than these are not searched for mistakes. */
const MOST_LINES = 50;
/** Longer words are none of a key. */
const LONGEST_WORD = 30;
const LONGEST_QUOTE = 40;

/** Reads the keys of an announcement, in any capitals; of a key that comes twice the last counts. */
export function readKeys(lines: readonly Line[]): Keys {
  const values = new Map<Key, Value>();
  for (const { number, text } of lines) {
    const colon = text.search(COLON);
    const key = colon === -1 ? undefined : keyOf(text.slice(0, colon));
    if (key === undefined) continue;
    const value = text.slice(colon + 1).trim().replaceAll(/^["'`]|["'`]$/g, "");
    values.set(key, { text: value, line: number });
  }
  const searched = lines.filter(({ text }) => text.trim() !== "").slice(0, MOST_LINES);
  const mistakes = new Map<Key, { line: number; cure: string }>();
  for (const { number, text } of searched) {
    const [word = ""] = /[\p{L}_-]+/u.exec(text) ?? [];
    if (word.length > LONGEST_WORD) continue;
    const own = keyOf(word);
    const key = own ?? keyOf(nearest(word, KEYS) ?? "");
    if (key === undefined || values.has(key) || mistakes.has(key)) continue;
    const cure = own === undefined
      ? `"${word}" is no key, write ${key}:`
      : `"${shorten(plainText(text), LONGEST_QUOTE)}" has no colon after ${key}, write ${key}:`;
    mistakes.set(key, { line: number, cure });
  }
  return { values, mistakes };
}

/** The key that some words are; signs of lists and of bold type around it are none of it. */
function keyOf(words: string): Key | undefined {
  const letters = words.toLowerCase().replaceAll(/[\s*_~`>"'-]/g, "");
  return KEYS.find((key) => key.toLowerCase() === letters);
}
