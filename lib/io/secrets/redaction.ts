import { decodeByteLists, decodeDigits, type DigitOptions } from "./decode_digits.ts";
import { decodeLayer, decodeQuotedPrintable } from "./decode_layer.ts";
import { type DecodedText, SEPARATOR } from "./decoded_text.ts";

/** Shorter values are too common in ordinary text to be redacted. */
export const SHORTEST_REDACTED = 4;
const MASK = "***";
/** Layers of encoding that are decoded, each of one kind or of several. */
const LAYERS = 8;
/** Nested layers of base64 or hexadecimal digits that are decoded. */
const DIGIT_LAYERS = 3;
/** Encodings whose result is not decoded further, with the number of layers that are searched for them. */
const RARE = [decodeByteLists, decodeQuotedPrintable];
const RARE_LAYERS = 1;
/** Shortest part of a cut-off value that is redacted; it must also be at least half of the value. */
const SHORTEST_CUT = 8;

/** A part of a text, in UTF-16 units. */
type Span = [start: number, end: number];

/**
 * Returns the function that replaces values by `***` in any text, however they are encoded there: it
 * searches the text, and everything that can be decoded from it, layer by layer. Time is proportional to
 * the length of the text, but large where encodings are nested: a text that others wrote is cut before,
 * with room for secrets around what is shown of it.
 *
 * Values of fewer than four characters are left alone. Upper and lower case, kinds of white space, and `+`
 * for a blank make no difference. A value that is cut off is redacted if its first half is there, at the
 * end of the text or before an ellipsis.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const redact = redactionOf(["it's a/secret"]);
 * const json = JSON.stringify({ address: `/${encodeURIComponent("it's a/secret")}?x` });
 * assertEquals([redact(json), redact("it&#39;s&nbsp;a&sol;secret!")], ['{"address":"/***?x"}', "***!"]);
 * assertEquals(redact(btoa("me:it's a/secret")), "bWU6***");
 * ```
 */
export function redactionOf(values: Iterable<string>): (text: string) => string {
  const needles = new Needles(values);
  const options = { latin: needles.haveLatin, barren: new Set<string>() };
  return (text) => {
    const spans: Span[] = [];
    collect({ text }, DIGIT_LAYERS, { needles, options, spans }, new Set());
    return spans.length === 0 ? text : withoutSpans(text, spans);
  };
}

/** State shared by the search of one text. */
interface Search {
  needles: Needles;
  options: DigitOptions;
  spans: Span[];
}

function collect(
  source: DecodedText,
  digitLayers: number,
  search: Search,
  seen: Set<number>,
): void {
  const { needles, options, spans } = search;
  const find = ({ text, starts, ends }: DecodedText) => {
    for (const [start, end] of needles.find(text)) {
      spans.push([starts?.[start] ?? start, ends?.[end - 1] ?? end]);
    }
  };
  let layer: DecodedText | undefined = source;
  for (let depth = 0; layer !== undefined && depth <= LAYERS; depth++) {
    find(layer);
    for (const decode of RARE) {
      const decoded = depth <= RARE_LAYERS ? decode(layer) : undefined;
      if (decoded !== undefined) find(decoded);
    }
    const digits = digitLayers > 0 ? decodeDigits(layer, seen, options) : undefined;
    if (digits !== undefined) {
      collect(digits, digitLayers - 1, search, new Set());
    }
    layer = decodeLayer(layer);
  }
}

function withoutSpans(text: string, spans: Span[]): string {
  spans.sort(([a], [b]) => a - b);
  let redacted = "";
  let end = 0;
  let open = -1;
  for (const [start, stop] of spans) {
    if (open >= 0 && start < end) {
      end = Math.max(end, stop);
      continue;
    }
    redacted += open < 0 ? text.slice(0, start) : MASK + text.slice(end, start);
    open = start;
    end = stop;
  }
  return redacted + MASK + text.slice(end);
}

/** A value that is searched for, and the start of it that is redacted if the rest is cut off. */
interface Needle {
  text: string;
  start: string;
}

/** The values that are searched for, normalized by {@linkcode fold} and indexed by their first characters. */
class Needles {
  /** By the first {@linkcode LONG_START} characters, or fewer if a needle is shorter; the longest first. */
  readonly #byStart = new Map<string, Needle[]>();
  /** 1 at the hash of the first four characters of each needle; 0 rules a place out quickly. */
  readonly #starts = new Uint8Array(0x10000);
  /** Lengths of the keys of {@linkcode Needles.#byStart}. */
  readonly #lengths: readonly number[];
  /** True if a value has a letter that Latin-1 and UTF-8 encode differently. */
  readonly haveLatin: boolean;

  constructor(values: Iterable<string>) {
    const needles = [...new Set([...values].flatMap(formsOf))].sort((a, b) => b.length - a.length);
    this.haveLatin = needles.some((needle) => /[\u00a0-\u00ff]/.test(needle));
    for (const text of needles) {
      const start = text.slice(0, leastOf(text));
      const key = start.slice(0, LONG_START);
      this.#byStart.set(key, [...this.#byStart.get(key) ?? [], { text, start }]);
      this.#starts[hashAt(text, 0)] = 1;
    }
    const lengths = new Set([...this.#byStart.keys()].map(({ length }) => length));
    this.#lengths = [...lengths].sort((a, b) => b - a);
  }

  *find(text: string): Generator<Span> {
    const folded = fold(text);
    const last = folded.length - SHORTEST_REDACTED;
    for (let at = 0; at <= last; at++) {
      if (this.#starts[hashAt(folded, at)] === 0) continue;
      const length = this.#lengthAt(folded, at);
      if (length > 0) yield [at, at + length];
    }
  }

  /** Returns the length of the longest needle at a place, whole or cut off there; 0 if there is none. */
  #lengthAt(folded: string, at: number): number {
    let longest = 0;
    for (const length of this.#lengths) {
      for (const { text, start } of this.#byStart.get(folded.slice(at, at + length)) ?? []) {
        if (text.length <= longest || !folded.startsWith(start, at)) continue;
        if (folded.startsWith(text, at)) longest = text.length;
        else longest = Math.max(longest, cutLength(folded, at, { text, start }));
      }
    }
    return longest;
  }
}

/** Length of the keys that needles are indexed by. */
const LONG_START = 12;

/** Returns the length of a needle's start at a place if the rest is cut off there, else 0. */
function cutLength(folded: string, at: number, { text, start }: Needle): number {
  let { length } = start;
  while (length < text.length && text[length] === folded[at + length]) length++;
  const rest = folded.slice(at + length, at + length + LONGEST_REST);
  return start.length < text.length && CUT_OFF.test(rest) ? length : 0;
}

/** Returns how much of a needle is redacted if the rest is cut off: at least half of it, and more than its origin. */
function leastOf(needle: string): number {
  const origin = ORIGIN.exec(needle)?.[0].length ?? 0;
  return Math.max(SHORTEST_CUT, Math.ceil(needle.length / 2), origin + SHORTEST_REDACTED);
}

const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*\/?/;

/** The end of a text or an ellipsis, possibly after an incomplete escape. */
const CUT_OFF = new RegExp(
  String.raw`^(?:%[\da-f]?|\\(?:u[\da-f]{0,3})?|&#?\w{0,8})?(?:$|…|\.\.\.|\[\.|${SEPARATOR})`,
);
const LONGEST_REST = 14;

function hashAt(text: string, at: number): number {
  const hash = Math.imul(text.charCodeAt(at), 0x9e3b) ^ Math.imul(text.charCodeAt(at + 1), 0x85eb) ^
    Math.imul(text.charCodeAt(at + 2), 0xc2b3) ^ Math.imul(text.charCodeAt(at + 3), 0x27d5);
  return (hash ^ (hash >>> 16)) & 0xffff;
}

/**
 * A value as it may stand in a text: whole, each of its lines, what it decodes to itself, and with a mark
 * for each letter that some charset doesn't have.
 */
function formsOf(value: string): string[] {
  const plain = [value, value.trim(), ...value.split(/\r?\n/).map((line) => line.trim())];
  return [...new Set(plain)].filter(isLongEnough).flatMap((text) => {
    const forms = ["?", "\ufffd"].map((mark) => fold(text.replace(/[^\0-\x7f]/gu, mark)))
      .filter((form) => form.replaceAll(/[?\ufffd]/g, "").length >= SHORTEST_CUT);
    let layer: DecodedText | undefined = { text };
    for (let depth = 0; layer !== undefined && depth <= LAYERS; depth++) {
      forms.push(fold(layer.text), fold(layer.text.toUpperCase()));
      layer = decodeLayer(layer);
    }
    return forms.filter(isLongEnough);
  });
}

function isLongEnough(text: string): boolean {
  return text.trim().length >= SHORTEST_REDACTED;
}

/** Normalizes case, white space, quotes and slashes, keeping the number of units. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  const folded = lower.length === text.length
    ? lower
    : text.replaceAll(/./gsu, (letter) =>
      letter.length === letter.toLowerCase().length ? letter.toLowerCase() : letter);
  return folded.replaceAll(/[+\s]/g, " ").replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"')
    // The URL parser takes one for the other.
    .replaceAll("\\", "/");
}
