/** Shorter values are too common in ordinary text to be redacted. */
const SHORTEST_REDACTED = 4;
const MASK = "***";

type Encode = (text: string) => string;

const bytesOf = (text: string) => new TextEncoder().encode(text);
const percentEncode = (unsafe: RegExp): Encode => (text) =>
  text.replace(unsafe, (part) => bytesOf(part).toHex().replace(/../g, "%$&"));
const escapeHtml = (others: Readonly<Record<string, string>>): Encode => (text) => {
  const entities: Readonly<Record<string, string>> = {
    ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;" },
    ...others,
  };
  return text.replace(/[&<>"'/]/g, (character) => entities[character] ?? character);
};
const escapeJson: Encode = (text) => JSON.stringify(text).slice(1, -1);
const escapeAscii: Encode = (text) =>
  escapeJson(text).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Encodings of text as text, as programs apply them to URLs, JSON and HTML. */
const ENCODINGS: readonly Encode[] = [
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => encodeURI(text.toWellFormed()),
  (text) => new URLSearchParams([["", text]]).toString().slice(1),
  percentEncode(/[^A-Za-z0-9_.~-]+/g),
  escapeJson,
  escapeAscii,
  (text) => escapeAscii(text).replaceAll("/", "\\/"),
  escapeHtml({}),
  escapeHtml({ '"': "&quot;", "'": "&#39;" }),
  escapeHtml({ '"': "&quot;", "'": "&#39;", "/": "&#x2F;" }),
  escapeHtml({ '"': "&quot;", "'": "&#x27;" }),
  escapeHtml({ '"': "&quot;", "'": "&apos;" }),
];

/** A spelling of a value, in lower case. */
interface Form {
  text: string;
  /** True if the digit that follows also encodes a part of the value. */
  sharesDigit?: boolean;
}

/** The base64 of bytes that contain a text at any place. */
function base64Forms(text: string): Form[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = bytesOf("\0".repeat(before) + text);
    const sharesDigit = bytes.length % 3 !== 0;
    const digits = bytes.toBase64({ omitPadding: true })
      .slice(before === 0 ? 0 : before + 1, sharesDigit ? -1 : undefined);
    return [digits, digits.replaceAll("+", "-").replaceAll("/", "_")]
      .map((text) => ({ text, sharesDigit }));
  });
}

/** The spellings of each line of a value: with up to two encodings, or as encoded bytes. */
function formsOf(value: string): Form[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim()).filter(isLongEnough);
  return lines.flatMap((line) => {
    const once = [line, ...ENCODINGS.map((encode) => encode(line))];
    const twice = [...new Set(once)].flatMap((text) => ENCODINGS.map((encode) => encode(text)));
    const texts = new Set([...once, ...twice, bytesOf(line).toHex()]);
    const forms: Form[] = [...texts].map((text) => ({ text }));
    return [...forms, ...base64Forms(line), ...base64Forms(escapeJson(line))];
  }).map((form) => ({ ...form, text: lowerCase(form.text) }));
}

/** True for a value that is redacted. */
export function isLongEnough(value: string): boolean {
  return value.trim().length >= SHORTEST_REDACTED;
}

/**
 * Returns a function that replaces values by `***` in any text: as they are, percent-encoded, escaped in
 * JSON or HTML, in base64 or in hexadecimal digits, and with one of these inside another. Case makes no
 * difference. Values of fewer than four characters stay.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const redact = redactionOf(["it's a/secret"]);
 * const json = JSON.stringify({ address: `/${encodeURIComponent("it's a/secret")}?x` });
 * assertEquals([redact(json), redact("it&#39;s a&#x2F;secret!")], ['{"address":"/***?x"}', "***!"]);
 * assertEquals(redact(btoa("me:it's a/secret")), "bWU6***");
 * ```
 */
export function redactionOf(values: Iterable<string>): (text: string) => string {
  const byStart = Map.groupBy([...values].flatMap(formsOf), ({ text }) => text.slice(0, START));
  if (byStart.size === 0) return (text) => text;
  const starts = [...byStart.keys()].sort((a, b) => b.length - a.length);
  const lengths = new Set(starts.map(({ length }) => length));
  const pattern = new RegExp(starts.map(RegExp.escape).join("|"), "g");
  const lengthAt = (text: string, at: number): number => {
    let longest = 0;
    for (const length of lengths) {
      for (const form of byStart.get(text.slice(at, at + length)) ?? []) {
        if (!text.startsWith(form.text, at)) continue;
        SHARED_DIGIT.lastIndex = at + form.text.length;
        const rest = form.sharesDigit ? SHARED_DIGIT.exec(text)?.[0].length ?? 0 : 0;
        longest = Math.max(longest, form.text.length + rest);
      }
    }
    return longest;
  };
  return (text) => {
    const searched = lowerCase(text);
    let redacted = "";
    let end = 0;
    for (const { index } of matchesOf(pattern, searched)) {
      const length = lengthAt(searched, index);
      if (length === 0) continue;
      if (index >= end) redacted += text.slice(end, index) + MASK;
      end = Math.max(end, index + length);
    }
    return redacted + text.slice(end);
  };
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
function* matchesOf(pattern: RegExp, text: string): Generator<RegExpExecArray> {
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
