/** Signs that take a log apart, as the bytes of UTF-8. */
export const LINE_END = 10;
export const COMMA = 44;
export const SLASH = 47;
/** The digit 0. */
export const ZERO = 48;
const [QUOTE, APOSTROPHE, NINE] = [34, 39, 57];

const decoder = new TextDecoder();

/** The text of a piece of a log. */
export function textOf(log: Uint8Array, from: number, to: number): string {
  return decoder.decode(log.subarray(from, to));
}

/** Where the next sign is that has a meaning: a comma, a quote, an apostrophe, or the end of a line, which there has to be. */
export function nextSign(log: Uint8Array, from: number): number {
  for (let at = from;; at++) {
    const byte = log[at]!;
    if (byte > COMMA) continue;
    if (byte === COMMA || byte === LINE_END || byte === QUOTE || byte === APOSTROPHE) return at;
  }
}

/** Whether a byte is a digit. */
export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** Whether a cell holds some bytes and nothing else. */
export function isCell(log: Uint8Array, from: number, to: number, cell: Uint8Array): boolean {
  if (to - from !== cell.length) return false;
  for (let at = 0; at < cell.length; at++) {
    if (log[from + at] !== cell[at]) return false;
  }
  return true;
}

/** The number in a cell; `NaN` where it holds none. */
export function numberIn(log: Uint8Array, from: number, to: number): number {
  if (from >= to) return NaN;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = log[at]! - ZERO;
    if (digit < 0 || digit > 9) return Number(textOf(log, from, to));
    value = value * 10 + digit;
  }
  return value;
}

/**
 * Puts the numbers of a cell into a list, which they have to fill; `false` where it holds anything else.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const cell = (text: string) => {
 *   const numbers = [0, 0, 0];
 *   return numbersIn(new TextEncoder().encode(text), 0, text.length, numbers) ? numbers : undefined;
 * };
 * assertEquals(cell("4/18/35"), [4, 18, 35]);
 * assertEquals(["4/18", "4/18/35/6", "4//35", "4/x/35", ""].map(cell), Array(5).fill(undefined));
 * ```
 */
export function numbersIn(log: Uint8Array, from: number, to: number, numbers: number[]): boolean {
  let count = 0;
  for (let at = from; at <= to; at++) {
    let value = 0;
    const begin = at;
    for (; at < to && log[at] !== SLASH; at++) {
      const digit = log[at]! - ZERO;
      if (digit < 0 || digit > 9) return false;
      value = value * 10 + digit;
    }
    if (at === begin || count === numbers.length) return false;
    numbers[count++] = value;
  }
  return count === numbers.length;
}
