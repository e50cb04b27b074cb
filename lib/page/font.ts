/** Number of the table `fvar` in WOFF 2, which numbers the tables that most fonts have. */
const FVAR = 47;
/** The number that stands for a table with a name, and the tables that are always transformed. */
const [NAMED, GLYF, LOCA] = [63, 10, 11];

/**
 * True if a font (TrueType, OpenType, WOFF or WOFF 2) has all weights in one file.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const font = (...tables: string[]) =>
 *   new TextEncoder().encode(`\0\x01\0\0\0${String.fromCharCode(tables.length)}${"\0".repeat(6)}` +
 *     tables.map((tag) => tag + "\0".repeat(12)).join(""));
 * assertEquals([font("cmap", "fvar"), font("cmap", "glyf"), new Uint8Array()].map(isVariableFont), [true, false, false]);
 * ```
 */
export function isVariableFont(bytes: Uint8Array): boolean {
  const kind = tagAt(bytes, 0);
  if (kind === "wOF2") return listNumbered(bytes).includes(FVAR);
  const [count, first, length] = kind === "wOFF"
    ? [wordAt(bytes, 12), 44, 20]
    : [wordAt(bytes, 4), 12, 16];
  return Array.from({ length: count }, (_, index) => tagAt(bytes, first + index * length))
    .includes("fvar");
}

/** The numbers of the tables of a WOFF 2 font: their list has entries of several lengths. */
function listNumbered(bytes: Uint8Array): number[] {
  let at = 48;
  const skipLength = () => {
    while (bytes[at++]! & 0x80);
  };
  return Array.from({ length: wordAt(bytes, 12) }, () => {
    const flags = bytes[at++] ?? 0;
    const [table, transform] = [flags & 63, flags >> 6];
    if (table === NAMED) at += 4;
    skipLength();
    const isTransformed = table === GLYF || table === LOCA ? transform !== 3 : transform !== 0;
    if (isTransformed) skipLength();
    return table;
  });
}

function tagAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
}
