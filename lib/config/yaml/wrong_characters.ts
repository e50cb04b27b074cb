import { everywhere, type Mistake, type Place } from "./mistake.ts";

/** Characters that look like those of YAML: what to look for, what to write instead, and the words. */
const CHARACTERS: readonly [wrong: RegExp, right: string, message: (found: string) => string][] = [
  [
    /(?<=^\s*)(?:[–—−‐‑•](?=\s|$)|\*(?= +[\w-]+:(?:\s|$)))/,
    "-",
    wrongHyphen,
  ],
  [
    /(?<=^[^#"']*)[\u00a0\u2000-\u200b\u202f\u3000\ufeff]/,
    " ",
    specialSpace,
  ],
  [/(?<=^\s*(?:- +)?[\w-]+)：\s*/, ": ", () => 'a key ends with a plain colon ":", not with "："'],
  [/(?<=[:[{,-]\s*)[“”„‟«»]/, '"', curlyQuote],
  [/[“”‟«»](?=\s*(?:[,\]}]|#|$))/, '"', curlyQuote],
];

/** Searches the whole text, because an editor that inserts such characters does it in every line. */
export function wrongCharacters({ lines }: Place): Mistake[] {
  const mistakes = CHARACTERS.flatMap(([wrong, right, message]) => {
    const all = new RegExp(wrong, "gu");
    const correct = (line: string) => line.replace(all, right);
    return everywhere(lines, wrong, correct, message).map((one) => ({ one, message }));
  });
  const quotes = mistakes.filter(({ message }) => message === curlyQuote).map(({ one }) => one);
  const straight = quotes.slice(0, 1).map((first) => ({
    ...first,
    corrected: lines.map((line) => line.replaceAll(/[“”„‟«»]/g, '"')),
  }));
  const tabs = [2, 4, 8].flatMap((width) =>
    everywhere(
      lines,
      /(?<=^ *)\t/,
      (line) => line.replace(/^\s+/, (indent) => indent.replaceAll("\t", " ".repeat(width))),
      () => TAB,
    )
  );
  return [...mistakes.map(({ one }) => one), ...straight, ...tabs];
}

function curlyQuote(found: string): string {
  return `${found} is not a quote in YAML: write a straight quote`;
}

/** Describes a character that looks like a space and is not one in YAML. */
export function specialSpace(found: string): string {
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return `a non-breaking or invisible space (U+${code}) is not a space in YAML: write a plain one`;
}

/** Describes a character that looks like the hyphen of a list item. */
export function wrongHyphen(found: string): string {
  return `a list item starts with a hyphen "-", not with "${found}"`;
}

/** Message for a tab at the start of a line. */
export const TAB = "a tab does not indent in YAML: use spaces";
