import { Builder, type DecodedText, decodeUtf8, SEPARATOR } from "./decoded_text.ts";

/** Lists of bytes: dumps and fingerprints in hexadecimal digits, arrays in decimal ones. */
const BYTE_LISTS: readonly (readonly [list: RegExp, byte: RegExp, base: number])[] = [
  [
    /(?<![\dA-Fa-f])(?:(?:0x|[\dA-Fa-f]{2})?[\dA-Fa-f]{2}(?:, ?|[ :-]|\r?\n)){3,}(?:0x|[\dA-Fa-f]{2})?[\dA-Fa-f]{2}/g,
    /(?!0x)[\dA-Fa-f]{2}/g,
    16,
  ],
  [/(?<!\d)(?:\d{1,3},\s{0,9}){3,}\d{1,3}/g, /\d+/g, 10],
];

/** Decodes lists of bytes and leaves out everything else; returns `undefined` if there are none. */
export function decodeByteLists(source: DecodedText): DecodedText | undefined {
  let builder: Builder | undefined;
  for (const [list, byte, base] of BYTE_LISTS) {
    for (const { 0: spelled, index } of source.text.matchAll(list)) {
      const found = [...spelled.matchAll(byte)];
      const values = found.map(([digits]) => parseInt(digits, base));
      if (values.some((value) => value > 0xff)) continue;
      builder ??= new Builder(source, 1024);
      for (const { text, from, to } of decodeUtf8(Uint8Array.from(values))) {
        const last = found[to - 1]!;
        builder.add(text, index + found[from]!.index, index + last.index + last[0].length);
      }
      builder.add(SEPARATOR, index, index + spelled.length);
    }
  }
  return builder?.decoded;
}

/** Base64: standard or URL-safe, also wrapped into lines or with each `+` turned into a blank. */
const BASE64 = /(?:[A-Za-z\d+/_-]|(?<=[A-Za-z\d+/_-]{16})(?:\r?\n[ \t]*| )(?=[A-Za-z\d+/_-]))+/g;
const HEX_DIGITS = /[\dA-Fa-f]{8,}/g;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SIX_BITS = new Int8Array(128).fill(-1);
for (const [value, letter] of [...ALPHABET].entries()) SIX_BITS[letter.charCodeAt(0)] = value;
SIX_BITS["-".charCodeAt(0)] = SIX_BITS[" ".charCodeAt(0)] = 62;
SIX_BITS["_".charCodeAt(0)] = 63;
const NIBBLES = Int8Array.from({ length: 128 }, (_, code) => {
  const value = parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? -1 : value;
});
const BLANK = 32;

/** Fewer digits can't spell the shortest text that is searched for, of {@linkcode SHORTEST} bytes. */
const SHORTEST_BASE64 = 6;
const SHORTEST = 4;

/** State that {@linkcode decodeDigits} keeps from one text to the next. */
export interface DigitOptions {
  /** True if invalid UTF-8 is read as Latin-1. */
  latin: boolean;
  /** Words that decode to nothing readable; pages repeat the same words thousands of times. */
  barren: Set<string>;
}

/** Limits of {@linkcode DigitOptions.barren}: number of words, and their length. */
const MOST_BARREN = 20_000;
const LONGEST_BARREN = 32;

/**
 * Decodes everything readable from the base64 and hexadecimal digits in a text, at every alignment. Places in
 * `seen` are skipped and new ones added to it. Returns `undefined` if nothing new is found.
 */
export function decodeDigits(
  source: DecodedText,
  seen: Set<number>,
  { latin, barren }: DigitOptions,
): DecodedText | undefined {
  const { text } = source;
  let builder: Builder | undefined;
  const isNew = (at: number, length: number, bits: number) => {
    const key = ((source.starts?.[at] ?? at) * 0x10000 + Math.min(length, 0xffff)) * 8 + bits;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  const decode = (token: string, at: number, bits: 4 | 6) => {
    if (barren.has(token) || !isNew(at, token.length, bits)) return;
    builder ??= new Builder(source, 1024);
    const { length } = builder;
    const places = new Int32Array(token.length);
    const values = new Uint8Array(token.length);
    let count = 0;
    for (let index = 0; index < token.length; index++) {
      const code = token.charCodeAt(index);
      const value = bits === 4 ? NIBBLES[code]! : SIX_BITS[code] ?? -1;
      if (value < 0 || (code === BLANK && isWrap(token, index))) continue;
      values[count] = value;
      places[count++] = at + index;
    }
    const digits = { values: values.subarray(0, count), places: places.subarray(0, count), bits };
    const padding = bits === 6 && text[at + token.length] === "="
      ? text[at + token.length + 1] === "=" ? 2 : 1
      : 0;
    const alignments = bits === 4 ? 2 : 4;
    for (let skipped = 0; skipped < alignments; skipped++) {
      addReadable(builder, digits, { skipped, padding, latin });
    }
    // Words that also contain hexadecimal digits may still decode to something by these.
    const isBarren = bits === 6 && builder.length === length && !/[\dA-Fa-f]{8}/.test(token);
    if (isBarren && token.length <= LONGEST_BARREN && barren.size < MOST_BARREN) barren.add(token);
  };
  for (const { 0: token, index } of text.matchAll(BASE64)) {
    if (token.length >= SHORTEST_BASE64) decode(token, index, 6);
  }
  for (const { 0: token, index } of text.matchAll(HEX_DIGITS)) decode(token, index, 4);
  return builder === undefined || builder.length === 0 ? undefined : builder.decoded;
}

/** True for a blank that indents a wrapped line. */
function isWrap(token: string, index: number): boolean {
  return /[\n\t ]/.test(token[index - 1] ?? "");
}

/** Digits of a token: their values, and their places in the text. */
interface Digits {
  values: Uint8Array;
  places: Int32Array;
  bits: 4 | 6;
}

/** Appends the readable parts of the bytes that digits encode, after `skipped` leading digits. */
function addReadable(
  builder: Builder,
  { values, places, bits }: Digits,
  { skipped, padding, latin }: { skipped: number; padding: number; latin: boolean },
): void {
  const size = Math.floor((values.length - skipped) * bits / 8);
  if (size < SHORTEST) return;
  const bytes = new Uint8Array(size);
  let word = 0;
  let left = 0;
  for (let digit = skipped, byte = 0; byte < size; digit++) {
    word = ((word << bits) | values[digit]!) & 0xffff;
    left += bits;
    if (left < 8) continue;
    left -= 8;
    bytes[byte++] = (word >> left) & 0xff;
  }
  const last = values.length - 1;
  const startOf = (byte: number) => places[skipped + Math.floor(byte * 8 / bits)]!;
  const endOf = (byte: number) => {
    const digit = skipped + Math.floor((byte * 8 - 1) / bits);
    return places[digit]! + 1 + (digit === last ? padding : 0);
  };
  for (let from = 0; from < size;) {
    let to = from;
    while (to < size) {
      const length = readableAt(bytes, to, latin);
      if (length === 0) break;
      to += length;
    }
    if (to - from >= SHORTEST) {
      const characters = decodeUtf8(bytes.subarray(from, to));
      for (const { text, from: start, to: end } of characters) {
        if (text !== "\0") builder.add(text, startOf(from + start), endOf(from + end));
      }
      builder.add(SEPARATOR, startOf(to - 1), endOf(to));
    }
    from = to + 1;
  }
}

/** Returns the length in bytes of the readable character at a place, or 0. NUL counts as readable because UTF-16 contains it. */
function readableAt(bytes: Uint8Array, at: number, latin: boolean): number {
  const first = bytes[at]!;
  if (first < 0x80) {
    return (first >= 0x20 && first !== 0x7f) || first === 0 || (first >= 9 && first <= 13) ? 1 : 0;
  }
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  let next = 1;
  while (next < length && (bytes[at + next]! & 0xc0) === 0x80) next++;
  if (length > 0 && next === length) return length;
  return latin && first >= 0xa0 ? 1 : 0;
}
