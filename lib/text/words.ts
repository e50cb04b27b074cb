/** Joins the first `max` items and appends "and N more". */
export function joinFirst<T>(
  things: readonly T[],
  most: number,
  show: (thing: T) => string = String,
): string {
  const rest = things.length - most;
  const shown = things.slice(0, most).map((thing) => show(thing)).join(", ");
  return shown + (rest > 0 ? ` and ${rest} more` : "");
}

/** Joins names for a sentence: `Shop`, `Shop and API`, `Shop, API and Blog`. */
export function joinNames(names: readonly string[]): string {
  const [last = "", ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.reverse().join(", ")} and ${last}`;
}

const PRIME = 0x100000001b3n;
const BASIS = 0xcbf29ce484222325n;

/**
 * A short name for a text, 16 hexadecimal digits (FNV-1a of 64 bits): the same on every machine, and no
 * secret of the text can be read from it, but not made against people who look for two texts of one name.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(shortHash("foobar"), "85944171f73967e8");
 * ```
 */
export function shortHash(text: string): string {
  let hash = BASIS;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME);
  }
  return hash.toString(16).padStart(16, "0");
}
