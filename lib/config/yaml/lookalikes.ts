/** Characters that look like those that YAML needs: their names, what to write instead, and that in words. */
const LOOKALIKES: readonly [characters: string, name: string, instead: string, cure: string][] = [
  ["\u2010\u2011", "a typographic hyphen", "-", "write a plain hyphen"],
  ["\u2012\u2013", "an en dash", "-", "write a hyphen"],
  ["\u2014\u2015", "an em dash", "-", "write a hyphen"],
  ["\u2212", "a minus sign", "-", "write a hyphen"],
  ["\u2022\u00b7\u2023\u25cf", "a bullet", "-", "write a hyphen"],
  ["\u00a0\u202f", "a no-break space", " ", "write an ordinary space"],
  ["\u2000-\u200a\u205f\u3000", "a space of another width", " ", "write an ordinary space"],
  ["\u00ad\u200b-\u200f\u2060", "an invisible character", "", "remove it"],
  ["\ufeff", "a byte order mark", "", "remove it"],
  ["\uff1a\ufe55\ua789\u2236", "a colon of another script", ": ", "write an ordinary colon"],
  ["\u201c-\u201f\u00ab\u00bb\uff02", "a curly quote", '"', 'write a straight one (")'],
  ["\u2018-\u201b\uff07\u00b4", "a curly quote", "'", "write a straight one (')"],
];

const ANY = LOOKALIKES.map(([characters]) => characters).join("");
const FIRST = new RegExp(`[${ANY}]`);
/** Blanks that can't be told apart, characters that can't be seen, and quotes around a whole text. */
const HIDDEN =
  /[\u00a0\u00ad\u2000-\u200c\u200e\u200f\u202f\u205f\u2060\u3000\ufeff]|^[\u2018-\u201f]|[\u201c-\u201f]$/;

/**
 * Names the first lookalike of a text, with its index and its cure.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(findLookalike("\u2013 name"), { index: 0, message: "this is an en dash (U+2013): write a hyphen" });
 * assertEquals(findLookalike("- name"), undefined);
 * ```
 */
export function findLookalike(text: string): { index: number; message: string } | undefined {
  const index = text.search(FIRST);
  if (index < 0) return undefined;
  const { name, cure } = describe(text[index]!);
  return { index, message: `this is ${name}: ${cure}` };
}

/** The name of a lookalike with its code, and its cure. */
function describe(lookalike: string): { name: string; cure: string } {
  const [, name, , cure] = LOOKALIKES.find(([characters]) =>
    new RegExp(`[${characters}]`).test(lookalike)
  )!;
  const code = lookalike.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return { name: `${name} (U+${code})`, cure };
}

export function replaceLookalikes(text: string): string {
  return LOOKALIKES.reduce(
    (rest, [characters, , instead]) => rest.replaceAll(new RegExp(`[${characters}]`, "g"), instead),
    text,
  );
}

/** Names a character of a value that its reader can't see, or quotes that are none; empty if there are none. */
export function hiddenHint(value: string): string {
  const [hidden] = HIDDEN.exec(value) ?? [];
  if (hidden === undefined) return "";
  return ` with ${describe(hidden).name}`;
}
