/** Shorter values are too common in ordinary text to be redacted. */
const SHORTEST_REDACTED = 4;
const MASK = "***";

const toBytes = (text: string) => new TextEncoder().encode(text);

/** A text in lower case that was decoded from another. */
interface Layer {
  text: string;
  /** Index in the source of each character and of the end; absent for the source itself. */
  starts?: Uint32Array;
}

/** Encodings that are decoded inside of each other. */
const LAYERS = 3;

/**
 * A character as addresses, JSON, Markdown, HTML and shells spell it, in lower case. Or what may be within a long word
 * and is left out: control characters, colors of a terminal, line breaks with the indentation behind them, and the
 * soft ones of mail.
 */
const SPELLINGS = [
  "%(?:[cd].%[89ab].|e.%[89ab].%[89ab].|f[0-7]%[89ab].%[89ab].%[89ab].)".replaceAll(
    ".",
    String.raw`[\da-f]`,
  ),
  String.raw`%[\da-f]{2}`,
  String.raw`\\(?:u[\da-f]{4}|x[\da-f]{2}|[0-3][0-7]{2}|u\{[\da-f]{1,6}\}|[!-/:-@[-_{-~bfnrt])`,
  String.raw`&#(?:x[\da-f]{1,8}|\d{1,8});?`,
  String.raw`&[a-z]{2,8}\d?;`,
  String.raw`\x1b\[[\d;]{0,20}m`,
  String.raw`=\r?\n`,
  String.raw`[\n\v\f\r]\s*`,
  String.raw`[\0-\x08\x0e-\x1f\x7f]+`,
];
const ESCAPES = new RegExp(SPELLINGS.join("|"), "g");
/** With the same beyond ASCII, which would slow down the search in other texts. */
const ALL_ESCAPES = new RegExp(
  [
    ...SPELLINGS,
    String.raw`[\u2028\u2029]\s*`,
    String.raw`[\x80-\x9f\p{Default_Ignorable_Code_Point}]+`,
  ].join("|"),
  "gu",
);
const BEYOND_ASCII = /[^\0-\x7f]/;

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
  if (!"%&\\".includes(escape[0]!)) return "";
  if (escape.startsWith("%")) {
    try {
      return decodeURIComponent(escape);
    } catch {
      return String.fromCharCode(parseInt(escape.slice(1), 16));
    }
  }
  const isHtml = escape.startsWith("&");
  if (isHtml && !escape.startsWith("&#")) return NAMED.get(escape.slice(1, -1));
  const [, hex, octal, decimal] =
    /^(?:&#x|\\[ux]\{?(?=[\da-f]))([\da-f]+)|^\\(\d+)|^&#(\d+)/.exec(escape) ?? [];
  if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8));
  const number = hex === undefined ? Number(decimal) : parseInt(hex, 16);
  if (hex === undefined && decimal === undefined) return CONTROLS[escape[1]!] ?? escape[1];
  if (number > 0x10ffff) return undefined;
  return String.fromCodePoint(number);
}

/** Decodes each escape of a text once; `undefined` if it has none. */
function decodeLayer({ text, starts }: Layer): Layer | undefined {
  const decoded: string[] = [];
  const places = new Uint32Array(text.length + 1);
  let length = 0;
  let end = 0;
  const keep = (to: number) => {
    decoded.push(text.slice(end, to));
    for (let index = end; index < to; index++) places[length++] = starts?.[index] ?? index;
  };
  for (
    const { 0: escape, index } of text.matchAll(BEYOND_ASCII.test(text) ? ALL_ESCAPES : ESCAPES)
  ) {
    const character = decodeEscape(escape);
    if (character === undefined) continue;
    keep(index);
    decoded.push(character);
    places.fill(starts?.[index] ?? index, length, length += character.length);
    end = index + escape.length;
  }
  if (end === 0) return undefined;
  keep(text.length);
  places[length++] = starts?.[text.length] ?? text.length;
  // Only now, because two escapes may encode one letter.
  return { text: lowerCase(decoded.join("")), starts: places.subarray(0, length) };
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

/** The base64 of bytes that contain others at any place. */
function base64Forms(own: Uint8Array): Form[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = new Uint8Array(before + own.length);
    bytes.set(own, before);
    const sharesDigit = bytes.length % 3 !== 0;
    const digits = bytes.toBase64({ omitPadding: true })
      .slice(before === 0 ? 0 : before + 1, sharesDigit ? -1 : undefined);
    return [digits, digits.replaceAll("+", "-").replaceAll("/", "_")]
      .map((text) => ({ text, sharesDigit }));
  });
}

/** The base64 and the hexadecimal digits of bytes that contain others. */
function digitForms(bytes: Uint8Array): Form[] {
  return [...base64Forms(bytes), { text: bytes.toHex() }];
}

/** Between the hexadecimal digits of bytes. */
const SEPARATORS = [" ", ":", "-", ", 0x", ",0x"];

/** The bytes of a text in UTF-16, in both orders. */
function toUtf16(text: string): Uint8Array[] {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return [
    Uint8Array.from(units.flatMap((unit) => [unit & 0xff, unit >> 8])),
    Uint8Array.from(units.flatMap((unit) => [unit >> 8, unit & 0xff])),
  ];
}

/** Spellings that a wrong charset makes: UTF-8 read as Latin-1 or Windows-1252, and Latin-1 read as UTF-8. */
function misread(text: string): string[] {
  if (/^[\0-\x7f]*$/.test(text)) return [];
  const bytes = toBytes(text);
  const latin1 = Array.from(text, (one) => one.charCodeAt(0));
  const isLatin1 = latin1.every((code) => code <= 0xff);
  return [
    Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""),
    new TextDecoder("windows-1252").decode(bytes),
    // What is left of a text without letters of ASCII is no longer its own.
    ...isLatin1 && /[!-~]{4}|(?:[!-~].*){6}/.test(text)
      ? [new TextDecoder().decode(Uint8Array.from(latin1))]
      : [],
  ];
}

/** Quotes within quotes: those of SQL, CSV and shells. */
const QUOTED = [["'", "''"], ['"', '""'], ["'", String.raw`'\''`], ["'", `'"'"'`]] as const;

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
    const bytes = toBytes(line);
    const spelled = [
      line,
      ...misread(line),
      ...QUOTED.map(([one, two]) => line.replaceAll(one, two)),
    ];
    const texts = [...new Set(spelled)].flatMap((one) => [...decodeLayers(one)])
      .map(({ text }) => text).filter(isLongEnough);
    const separated = SEPARATORS.map((separator) => bytes.toHex().match(/../g)!.join(separator));
    const once = ENCODINGS.map((encode) => encode(line));
    const digits = [
      ...new Set([line, ...once, bytes.toBase64(), bytes.toHex()]).values().map(toBytes),
      ...toUtf16(line),
    ].flatMap(digitForms);
    return [...[...texts, ...separated].map((text) => ({ text })), ...digits];
  }).map((form) => ({ ...form, text: fold(lowerCase(form.text)) }));
}

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
  const prefixes = new Set(starts.flatMap((start) => LENGTHS_AT_END.map((n) => start.slice(0, n))));
  return (text) => {
    const spans: [start: number, end: number][] = [];
    for (const { text: searched, starts } of decodeLayers(text)) {
      const folded = fold(searched);
      const add = (from: number, to: number) => {
        const span = [starts?.[from] ?? from, starts?.[to] ?? to] as const;
        // Neighbouring lines may form a short value, such as a number.
        const isJoined = starts !== undefined && to - from < LONG &&
          /[\n\r]/.test(text.slice(...span));
        if (!isJoined) spans.push([...span]);
      };
      for (const { index } of findMatches(pattern, folded)) {
        const end = index + measureMatch(searched, folded, index);
        if (end > index) add(index, end);
      }
      const last = folded.length - 1;
      const length = folded.endsWith("…")
        ? LENGTHS_AT_END.find((length) =>
          length <= last && prefixes.has(folded.slice(last - length, last))
        )
        : undefined;
      if (length !== undefined) add(last - length, last);
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
/** Characters of a spelling that may go over the end of a line. */
const LONG = 8;
/** Lengths of starts that are redacted at the end of a text that was cut. */
const LENGTHS_AT_END = [11, 10, 9, 8, 7, 6, 5, 4];
/** The digit of base64 behind a value, and padding. */
const SHARED_DIGIT = /[\w+/-](?:=|%3d){0,2}/y;
