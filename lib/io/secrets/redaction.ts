/** Shorter values are too common in ordinary text to be redacted. */
const SHORTEST_REDACTED = 4;
const MASK = "***";

const toBytes = (text: string) => new TextEncoder().encode(text);

/** A text in lower case that was decoded from another. */
interface Layer {
  text: string;
  /** Index in the source of each character and of the end; absent for the source itself. */
  starts?: number[];
}

/** Encodings that are decoded inside of each other. */
const LAYERS = 3;

/** A character as addresses, JSON, Markdown and HTML spell it, in lower case. */
const ESCAPES = new RegExp(
  [
    "%(?:[cd].%[89ab].|e.%[89ab].%[89ab].|f[0-7]%[89ab].%[89ab].%[89ab].)".replaceAll(
      ".",
      String.raw`[\da-f]`,
    ),
    String.raw`%[\da-f]{2}`,
    String.raw`\\(?:u[\da-f]{4}|x[\da-f]{2}|[!-/:-@[-_{-~bfnrt])`,
    String.raw`&#(?:x[\da-f]{1,8}|\d{1,8});?`,
    String.raw`&[a-z]{2,8}\d?;`,
  ].join("|"),
  "g",
);

const CONTROLS: Readonly<Record<string, string>> = {
  ...{ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" },
};

/** Names of characters of ASCII in HTML. */
const NAMED: ReadonlyMap<string, string> = new Map(
  "amp & lt < gt > quot \" apos ' excl ! num # dollar $ percnt % lpar ( rpar ) ast * plus + comma ,"
    .concat(" period . sol / colon : semi ; equals = quest ? commat @ lsqb [ bsol \\ rsqb ] hat ^")
    .concat(" lowbar _ grave ` lcub { verbar | rcub }")
    .matchAll(/(\w+) (\S)/g).map(([, name, character]) => [name!, character!] as const),
);

function decodeEscape(escape: string): string | undefined {
  if (escape.startsWith("%")) {
    try {
      return decodeURIComponent(escape);
    } catch {
      return String.fromCharCode(parseInt(escape.slice(1), 16));
    }
  }
  const isHtml = escape.startsWith("&");
  if (isHtml && !escape.startsWith("&#")) return NAMED.get(escape.slice(1, -1));
  const [, hex, decimal] = /^(?:&#|\\)(?:[ux](?=[\da-f])([\da-f]+)|(\d+))/.exec(escape) ?? [];
  const number = hex === undefined ? Number(decimal) : parseInt(hex, 16);
  if (hex === undefined && decimal === undefined) return CONTROLS[escape[1]!] ?? escape[1];
  if (number > 0x10ffff) return undefined;
  return isHtml ? String.fromCodePoint(number) : String.fromCharCode(number);
}

/** Decodes each escape of a text once; `undefined` if it has none. */
function decodeLayer({ text, starts }: Layer): Layer | undefined {
  const decoded: string[] = [];
  const places: number[] = [];
  let end = 0;
  const add = (part: string, place: (index: number) => number) => {
    decoded.push(part);
    for (let index = 0; index < part.length; index++) places.push(place(index));
  };
  const keep = (from: number, to: number) =>
    add(text.slice(from, to), (index) => starts?.[from + index] ?? from + index);
  for (const { 0: escape, index } of text.matchAll(ESCAPES)) {
    const character = decodeEscape(escape);
    if (character === undefined) continue;
    keep(end, index);
    add(character, () => starts?.[index] ?? index);
    end = index + escape.length;
  }
  if (end === 0) return undefined;
  keep(end, text.length);
  places.push(starts?.[text.length] ?? text.length);
  // Only now, because two escapes may encode one letter.
  return { text: lowerCase(decoded.join("")), starts: places };
}

/** A text and all that can be decoded from it. */
function* decodeLayers(text: string): Generator<Layer> {
  let layer: Layer | undefined = { text: lowerCase(text) };
  for (let depth = 0; layer !== undefined && depth <= LAYERS; depth++) {
    yield layer;
    layer = decodeLayer(layer);
  }
}

/** Forms encode a blank as `+`. */
const fold = (text: string) => text.replaceAll("+", " ");

/** A spelling of a value, in lower case. */
interface Form {
  text: string;
  /** True if the digit that follows also encodes a part of the value. */
  sharesDigit?: boolean;
}

/** The base64 of bytes that contain a text at any place. */
function base64Forms(text: string): Form[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = toBytes("\0".repeat(before) + text);
    const sharesDigit = bytes.length % 3 !== 0;
    const digits = bytes.toBase64({ omitPadding: true })
      .slice(before === 0 ? 0 : before + 1, sharesDigit ? -1 : undefined);
    return [digits, digits.replaceAll("+", "-").replaceAll("/", "_")]
      .map((text) => ({ text, sharesDigit }));
  });
}

/** The base64 and the hexadecimal digits of bytes that contain a text. */
function digitForms(text: string): Form[] {
  return [...base64Forms(text), { text: toBytes(text).toHex() }];
}

/** Encodings of text that is encoded again as bytes. */
const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => new URLSearchParams([["", text]]).toString().slice(1),
  (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
];

/** The spellings of a value and of each of its lines: as it is and decoded, or as encoded bytes. */
function listForms(value: string): Form[] {
  const lines = [value, ...value.split(/\r?\n/)].map((line) => line.trim()).filter(isLongEnough);
  return [...new Set(lines)].flatMap((line) => {
    const texts = [...decodeLayers(line).map(({ text }) => text).filter(isLongEnough)];
    const once = ENCODINGS.map((encode) => encode(line));
    const digits = [...new Set([line, ...once])].flatMap(digitForms);
    const twice = [toBytes(line).toBase64(), toBytes(line).toHex()].flatMap(digitForms);
    return [...texts.map((text) => ({ text })), ...digits, ...twice];
  }).map((form) => ({ ...form, text: fold(lowerCase(form.text)) }));
}

/** True for a value that is redacted. */
export function isLongEnough(value: string): boolean {
  return value.trim().length >= SHORTEST_REDACTED;
}

/**
 * Returns a function that replaces values by `***` in any text: as they are, percent-encoded, escaped in
 * JSON or HTML, in base64 or in hexadecimal digits, and with one of these inside another. Case makes no
 * difference. The start of a value is replaced too if it was cut before `…`. Values of fewer than four
 * characters stay.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const redact = createRedaction(["it's a/secret"]);
 * const json = JSON.stringify({ address: `/${encodeURIComponent("it's a/secret")}?x` });
 * assertEquals([redact(json), redact("it&#39;s a&#x2F;secret!")], ['{"address":"/***?x"}', "***!"]);
 * assertEquals(redact(btoa("me:it's a/secret")), "bWU6***");
 * ```
 */
export function createRedaction(values: Iterable<string>): (text: string) => string {
  const byStart = Map.groupBy([...values].flatMap(listForms), ({ text }) => text.slice(0, START));
  if (byStart.size === 0) return (text) => text;
  const starts = [...byStart.keys()].sort((a, b) => b.length - a.length);
  const lengths = new Set(starts.map(({ length }) => length));
  const pattern = new RegExp(starts.map(RegExp.escape).join("|"), "g");
  const measureMatch = (text: string, folded: string, at: number): number => {
    let longest = 0;
    for (const length of lengths) {
      for (const form of byStart.get(folded.slice(at, at + length)) ?? []) {
        const shared = sharedLength(form.text, folded, at);
        if (shared < form.text.length) {
          if (shared >= START && folded[at + shared] === "…") longest = Math.max(longest, shared);
          continue;
        }
        SHARED_DIGIT.lastIndex = at + form.text.length;
        const rest = form.sharesDigit ? SHARED_DIGIT.exec(text)?.[0].length ?? 0 : 0;
        longest = Math.max(longest, form.text.length + rest);
      }
    }
    return longest;
  };
  return (text) => {
    const spans: [start: number, end: number][] = [];
    for (const { text: searched, starts } of decodeLayers(text)) {
      const folded = fold(searched);
      for (const { index } of findMatches(pattern, folded)) {
        const end = index + measureMatch(searched, folded, index);
        if (end > index) spans.push([starts?.[index] ?? index, starts?.[end] ?? end]);
      }
    }
    let redacted = "";
    let end = 0;
    for (const [start, stop] of spans.sort(([a], [b]) => a - b)) {
      if (start >= end) redacted += text.slice(end, start) + MASK;
      end = Math.max(end, stop);
    }
    return redacted + text.slice(end);
  };
}

function sharedLength(form: string, text: string, at: number): number {
  if (text.startsWith(form, at)) return form.length;
  let length = 0;
  while (length < form.length && form[length] === text[at + length]) length++;
  return length;
}

/** A text in lower case, except for the few letters whose length would change. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  const lowerOne = (letter: string) =>
    letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter;
  return text.replaceAll(/./gsu, lowerOne);
}

/** Every match of a pattern, also those that start within another. */
function* findMatches(pattern: RegExp, text: string): Generator<RegExpExecArray> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    yield match;
    pattern.lastIndex = match.index + 1;
  }
}

/** Characters that spellings are indexed by. */
const START = 12;
/** The digit of base64 behind a value, and padding. */
const SHARED_DIGIT = /[\w+/-](?:=|%3d){0,2}/y;
