import { namedCharacter } from "./named_character.ts";

/** A text, and for each of its UTF-16 units the part of the source that it was decoded from. */
export interface DecodedText {
  text: string;
  /** Start of each unit in the source; the unit's own index if absent. */
  starts?: Int32Array;
  /** End of each unit in the source, exclusive. */
  ends?: Int32Array;
}

/** Stands between texts that were decoded from different places. */
export const SEPARATOR = "\0";

/** Collects decoded units with their places in the source. */
class Builder {
  #units: Uint16Array;
  #starts: Int32Array;
  #ends: Int32Array;
  #length = 0;
  readonly #source: DecodedText;

  constructor(source: DecodedText, capacity: number) {
    this.#source = source;
    this.#units = new Uint16Array(capacity);
    this.#starts = new Int32Array(capacity);
    this.#ends = new Int32Array(capacity);
  }

  /** Appends units of the source as they are. */
  copy(from: number, to: number): void {
    for (let at = from; at < to; at++) this.#push(this.#source.text.charCodeAt(at), at, at + 1);
  }

  /** Appends a text that the source spells from `from` to `to`. */
  add(text: string, from: number, to: number): void {
    for (let unit = 0; unit < text.length; unit++) this.#push(text.charCodeAt(unit), from, to);
  }

  /** Appends a unit by its code. */
  #push(code: number, from: number, to: number): void {
    if (this.#length === this.#units.length) this.#grow();
    const { starts, ends } = this.#source;
    this.#units[this.#length] = code;
    this.#starts[this.#length] = starts === undefined ? from : starts[from]!;
    this.#ends[this.#length++] = ends === undefined ? to : ends[to - 1]!;
  }

  get length(): number {
    return this.#length;
  }

  get decoded(): DecodedText {
    const parts: string[] = [];
    for (let at = 0; at < this.#length; at += CHUNK) {
      const end = Math.min(at + CHUNK, this.#length);
      parts.push(String.fromCharCode(...this.#units.subarray(at, end)));
    }
    return { text: parts.join(""), starts: this.#starts, ends: this.#ends };
  }

  #grow(): void {
    const size = 2 * this.#length + 64;
    const [units, starts, ends] = [
      new Uint16Array(size),
      new Int32Array(size),
      new Int32Array(size),
    ];
    units.set(this.#units);
    starts.set(this.#starts);
    ends.set(this.#ends);
    [this.#units, this.#starts, this.#ends] = [units, starts, ends];
  }
}

/** Units converted to text in one call; `String.fromCharCode` takes a limited number of arguments. */
const CHUNK = 8192;

const HEX = "[\\dA-Fa-f]";
/** Named entities that browsers read without a semicolon, whatever follows. */
const UNENDED =
  "&(?:amp|AMP|lt|LT|gt|GT|quot|QUOT|nbsp|copy|reg|para|sect|not|[aeiouAEIOU]uml|szlig)";
/** Encodings of one or more characters. */
const ENCODED = new RegExp(
  [
    `(?:%${HEX}{2})+|%u${HEX}{4}`,
    `(?:\\\\x${HEX}{2})+|(?:\\\\[0-3][0-7]{2})+`,
    `\\\\u${HEX}{4}|\\\\u\\{${HEX}{1,6}\\}|\\\\U${HEX}{8}|\\\\[^A-Za-z\\d]|\\\\[bfnrtv]`,
    `&#[xX]${HEX}{1,8};?|&#\\d{1,9};?|${UNENDED};?|&[A-Za-z][A-Za-z\\d]{1,31}(?:;|(?![A-Za-z\\d]))`,
  ].join("|"),
  "gu",
);
/** Characters of Windows-1252 for the bytes from 0x80 on; NUL where it has none. */
const WINDOWS_1252 = "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ";
/** Variants of a character that count as equal once nothing is encoded any more. */
const VARIED = new RegExp(
  String.raw`'(?:\\'|"'")'|''|""|[\u00ad\u200b-\u200f\u2060\ufeff]+|\s{2,}|[^\S ]|\P{M}\p{M}+|` +
    `[\u00c2-\u00f4][\u0080-\u00bf${WINDOWS_1252}]{1,3}`,
  "gu",
);
/** UTF-8 that was read as Latin-1 or Windows-1252. */
const MISREAD = new RegExp(`^[\u00c2-\u00f4][\u0080-\u00bf${WINDOWS_1252}]`);
const CONTROLS: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/**
 * Decodes one layer of percent-encoding, HTML entities and escapes of JSON, scripts and shells. If there are
 * none, it normalizes doubled quotes, white space and composed characters. Returns `undefined` if the text
 * contains none of these.
 */
export function decodeLayer(source: DecodedText): DecodedText | undefined {
  return decodeAll(source, ENCODED, decodeEncoded) ?? decodeAll(source, VARIED, decodeVaried);
}

/** Bytes that are spelled by as many units each. */
interface SpelledBytes {
  bytes: Uint8Array;
  width: number;
}

function decodeAll(
  source: DecodedText,
  spelling: RegExp,
  decode: (spelled: string) => string | SpelledBytes | undefined,
): DecodedText | undefined {
  const { text } = source;
  let builder: Builder | undefined;
  let copied = 0;
  for (const { 0: spelled, index } of text.matchAll(spelling)) {
    const decoded = decode(spelled);
    if (decoded === undefined || decoded === spelled) continue;
    builder ??= new Builder(source, text.length);
    builder.copy(copied, index);
    copied = index + spelled.length;
    if (typeof decoded === "string") builder.add(decoded, index, copied);
    else {
      const { bytes, width } = decoded;
      for (const { text, from, to } of decodeUtf8(bytes)) {
        builder.add(text, index + from * width, index + to * width);
      }
    }
  }
  builder?.copy(copied, text.length);
  const decoded = builder?.decoded;
  return decoded?.text === text ? undefined : decoded;
}

function decodeEncoded(spelled: string): string | SpelledBytes | undefined {
  const second = spelled[1]!;
  if (spelled[0] === "&") {
    if (second !== "#") return namedCharacter(spelled.replace(/^&|;$/g, ""));
    const digits = spelled.slice(2).replace(/;$/, "");
    return character(/^x/i.test(digits) ? parseInt(digits.slice(1), 16) : parseInt(digits, 10));
  }
  if (second === "u") return character(parseInt(spelled.slice(2).replace(/[{}]/g, ""), 16));
  if (second === "U") return character(parseInt(spelled.slice(2), 16));
  if (spelled[0] === "%") return { bytes: bytesOf(spelled, 3, 16), width: 3 };
  if (second === "x") return { bytes: bytesOf(spelled, 4, 16), width: 4 };
  if (/\d/.test(second)) return { bytes: bytesOf(spelled, 4, 8), width: 4 };
  return CONTROLS[second] ?? spelled.slice(1);
}

function decodeVaried(spelled: string): string | SpelledBytes | undefined {
  if (/^['"]/.test(spelled)) return spelled[0];
  if (/^\s/.test(spelled)) return " ";
  if (/^[\u00ad\u200b-\u200f\u2060\ufeff]/.test(spelled)) return "";
  if (!MISREAD.test(spelled)) return spelled.normalize("NFC");
  return { bytes: Uint8Array.from(spelled, byteOf), width: 1 };
}

/** The byte that Latin-1 or Windows-1252 shows as a character. */
function byteOf(unit: string): number {
  const at = WINDOWS_1252.indexOf(unit);
  return at < 0 ? unit.charCodeAt(0) : 0x80 + at;
}

function character(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

function bytesOf(text: string, width: number, base: number): Uint8Array {
  const bytes = new Uint8Array(text.length / width);
  const digits = base === 16 ? 2 : 3;
  for (let byte = 0; byte < bytes.length; byte++) {
    const end = (byte + 1) * width;
    bytes[byte] = parseInt(text.slice(end - digits, end), base);
  }
  return bytes;
}

/** A character, and the bytes that spell it. */
interface Utf8Character {
  text: string;
  from: number;
  to: number;
}

/** Decodes UTF-8; an invalid byte is read as Latin-1. */
function* decodeUtf8(bytes: Uint8Array): Generator<Utf8Character> {
  for (let from = 0; from < bytes.length;) {
    const first = bytes[from]!;
    const length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
    let code = length === 1 ? first : first & (0x7f >> length);
    let to = from + 1;
    while (to < from + length && (bytes[to]! & 0xc0) === 0x80) {
      code = (code << 6) | (bytes[to]! & 0x3f);
      to++;
    }
    const isWhole = to === from + length && code <= 0x10ffff;
    if (!isWhole) {
      code = first;
      to = from + 1;
    }
    yield { text: String.fromCodePoint(code), from, to };
    from = to;
  }
}

/** Lists of bytes: dumps and fingerprints in hexadecimal digits, arrays in decimal ones. */
const BYTE_LISTS: readonly (readonly [list: RegExp, byte: RegExp, base: number])[] = [
  [
    /(?<![\dA-Fa-f])(?:(?:0x|[\dA-Fa-f]{2})?[\dA-Fa-f]{2}(?:, ?|[ :-]|\r?\n)){3,}(?:0x|[\dA-Fa-f]{2})?[\dA-Fa-f]{2}/g,
    /(?!0x)[\dA-Fa-f]{2}/g,
    16,
  ],
  [/(?<!\d)(?:\d{1,3},\s{0,9}){3,}\d{1,3}/g, /\d+/g, 10],
];

/** Decodes what looks like a list of bytes, and nothing else; `undefined` if nothing does. */
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

/** Decodes quoted-printable, as mails and vCards have it; `undefined` if nothing is spelled so. */
export function decodeQuotedPrintable(source: DecodedText): DecodedText | undefined {
  const joined = decodeAll(source, /=\r?\n/g, () => "");
  const bytes = (spelled: string) => ({ bytes: bytesOf(spelled, 3, 16), width: 3 });
  return decodeAll(joined ?? source, /(?:=[\dA-F]{2})+/g, bytes) ?? joined;
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
