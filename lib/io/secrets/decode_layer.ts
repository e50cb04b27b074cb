import { Builder, type DecodedText, decodeUtf8 } from "./decoded_text.ts";
import { namedCharacter } from "./named_character.ts";

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

/** Decodes quoted-printable, which mails and vCards use; returns `undefined` if there is none. */
export function decodeQuotedPrintable(source: DecodedText): DecodedText | undefined {
  const joined = decodeAll(source, /=\r?\n/g, () => "");
  const bytes = (spelled: string) => ({ bytes: bytesOf(spelled, 3, 16), width: 3 });
  return decodeAll(joined ?? source, /(?:=[\dA-F]{2})+/g, bytes) ?? joined;
}
