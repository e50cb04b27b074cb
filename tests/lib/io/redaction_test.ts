import { assert, assertEquals, assertThrows } from "@std/assert";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";
import { parseSecretsFile } from "../../../lib/io/secrets/secrets_file.ts";
import fc from "../../helpers/property.ts";

/** Secrets with characters that some encoding changes. */
const SECRETS = [
  "it's-a/secret",
  'quo"ted\\back\\nslash',
  "sp ace & amp; <tag>",
  "pässwörd-ü-é",
  "emoji😀key🔑end",
  "100%25sure%41",
  "a+b=c/d==",
  "line one\nline two",
  "ab1!",
  "c2VjcmV0LWtleQ==",
  "https://hooks.example/T0/B0?x=y&z=1#f",
  `${"long0123456789".repeat(40)}/end`,
];

type Encode = (text: string) => string;

const bytesOf = (text: string) => new TextEncoder().encode(text);
const json: Encode = (text) => JSON.stringify(text).slice(1, -1);
const asciiJson: Encode = (text) =>
  json(text).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
const html: Encode = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");

/** Encodings that programs apply to texts. */
const TEXTUAL: Readonly<Record<string, Encode>> = {
  plain: (text) => text,
  upper: (text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
  uri: encodeURI,
  uriComponent: encodeURIComponent,
  lowerPercent: (text) =>
    encodeURIComponent(text).replace(/%[\dA-F]{2}/g, (spelled) => spelled.toLowerCase()),
  form: (text) => new URLSearchParams([["", text]]).toString().slice(1),
  json,
  asciiJson,
  php: (text) => asciiJson(text).replaceAll("/", "\\/"),
  html,
  mustache: (text) => html(text).replaceAll("/", "&#x2F;"),
  named: (text) => html(text).replaceAll("/", "&sol;").replaceAll("+", "&plus;"),
  decimal: (text) => text.replace(/[^a-z]/giu, (one) => `&#${one.codePointAt(0)};`),
  hexadecimal: (text) =>
    text.replace(/[^a-z]/giu, (one) => `&#x${one.codePointAt(0)!.toString(16)};`),
  escapedJson: (text) => json(text).replace(/[&<>'+]/g, (one) => `\\u00${bytesOf(one).toHex()}`),
  allPercent: (text) => bytesOf(text).toHex().replace(/../g, "%$&"),
  markdown: (text) => text.replace(/[\\*_[\]<>:/.+&|!#()~-]/g, "\\$&"),
  userInfo: (text) => Object.assign(new URL("http://a"), { password: text }).password,
};
const BINARY: Readonly<Record<string, Encode>> = {
  base64: (text) => bytesOf(text).toBase64(),
  base64url: (text) => bytesOf(text).toBase64({ alphabet: "base64url", omitPadding: true }),
  hex: (text) => bytesOf(text).toHex(),
  base64OfPercent: (text) => bytesOf(encodeURIComponent(text)).toBase64(),
};

const NUL = "\0";
const utf16 = (text: string, isLittle: boolean) => {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at++) view.setUint16(2 * at, text.charCodeAt(at), isLittle);
  return bytes;
};
const eachByte = (text: string, show: (byte: number) => string) =>
  [...bytesOf(text)].map((byte) => byte > 0x7e ? show(byte) : String.fromCharCode(byte)).join("");

/** Encodings that are seen in logs, mails and answers in a wrong charset. */
const ODD: Readonly<Record<string, Encode>> = {
  base64In64: (text) => bytesOf(text).toBase64().replaceAll(/.{64}(?!$)/g, "$&\n"),
  base64In8: (text) => bytesOf(text).toBase64().replaceAll(/.{8}(?!$)/g, "$&\r\n  "),
  base64InJson: (text) =>
    json(bytesOf(`${text}${text}`).toBase64().replaceAll(/.{76}(?!$)/g, "$&\n")),
  base64OfUtf16: (text) => utf16(text, true).toBase64(),
  base64OfUtf16BE: (text) => utf16(text, false).toBase64(),
  octal: (text) => eachByte(text, (byte) => `\\${byte.toString(8)}`),
  python: (text) => eachByte(text, (byte) => `\\x${byte.toString(16)}`),
  latin1: (text) => eachByte(text, String.fromCharCode),
  windows1252: (text) => new TextDecoder("windows-1252").decode(bytesOf(text)),
  latin1InJson: (text) => asciiJson(eachByte(text, String.fromCharCode)),
  codePoints: (text) =>
    [...text].map((one) => one > "~" ? `\\u{${one.codePointAt(0)!.toString(16)}}` : one).join(""),
  hexBytes: (text) =>
    [...bytesOf(text)].map((byte) => byte.toString(16).padStart(2, "0")).join(" "),
  hexColons: (text) =>
    [...bytesOf(text)].map((byte) => byte.toString(16).padStart(2, "0")).join(":"),
  sql: (text) => text.replaceAll("'", "''"),
  csv: (text) => text.replaceAll('"', '""'),
  shell: (text) => text.replaceAll("'", "'\\''"),
  nuls: (text) => text.replaceAll(/[^]/g, `$&${NUL}`),
  colors: (text) => text.replaceAll(/[^]{3}/g, "$&\x1b[31m"),
  unseen: (text) => text.replaceAll(/[^]{3}/g, "$&\u200b\xad\x07"),
  unseenSelectors: (text) => text.replaceAll(/[^]{3}/g, "$&\u3164\ufe0e\u{e0041}"),
  wrapped: (text) => `${text.slice(0, 5)}\n${text.slice(5)}`,
};

Deno.test("a secret is redacted in bytes of a wrong charset, over line breaks and between control characters", () => {
  const failures: string[] = [];
  for (const secret of SECRETS) {
    const { redact } = new Secrets({ OTHER: "another-one", SECRET: secret });
    for (const [name, encode] of Object.entries(ODD)) {
      // A value of a few letters stays if a line ends in it: neighbouring lines may form one.
      if (secret.length < 6 && ["wrapped", "base64In8"].includes(name)) continue;
      const redacted = redact(`<${encode(secret)}>`);
      const rest = redacted.replaceAll("***", "").length;
      if (rest > 12 || rest === redacted.length) {
        failures.push(`${name}: ${secret.slice(0, 30)} → ${redacted.slice(0, 120)}`);
      }
    }
  }
  assertEquals(failures, []);
});

Deno.test("numbers of neighbouring lines don't form a secret", () => {
  const { redact } = new Secrets({ PIN: "0202" });
  const rows = "shop,200\n2026-11-21T10:00:00Z,shop,200\n2026-11-22T10:00:00Z,shop,200\n";
  assertEquals(redact(rows), rows);
  assertEquals(redact("02\n02 0202"), "02\n02 ***");
});

/** All ways of echoing a text, by their names. */
function* waysOf(): Generator<[name: string, echo: Encode]> {
  for (const [name, encode] of Object.entries({ ...TEXTUAL, ...BINARY })) {
    yield [name, (text) => `<p title="${encode(text)}">`];
  }
  for (const [outer, second] of Object.entries(TEXTUAL)) {
    for (const [inner, first] of Object.entries(TEXTUAL)) {
      if (inner !== "upper" && outer !== "upper") {
        yield [`${outer} of ${inner}`, (text) => `<${second(first(text))}>`];
      }
    }
  }
  for (const prefix of ["", "a", "ab", "abc", "user:", "\u00fc:"]) {
    for (const [name, encode] of Object.entries(BINARY)) {
      yield [`${name} behind ${prefix}`, (text) => `/x${encode(`${prefix}${text}:suffix`)}/`];
    }
  }
}

Deno.test("a secret is redacted in its usual encodings, and inside of others", () => {
  const failures: string[] = [];
  for (const secret of SECRETS) {
    const secrets = new Secrets({ OTHER: "another-one", SECRET: secret });
    for (const [name, echo] of waysOf()) {
      const redacted = secrets.redact(echo(secret));
      const around = echo("").length + 12;
      const isGone = redacted.includes("***") && redacted.length <= around + secret.length / 9;
      if (!isGone) failures.push(`${name}: ${secret.slice(0, 30)} → ${redacted.slice(0, 120)}`);
    }
  }
  assertEquals(failures, []);
});

Deno.test("texts without secrets stay as they are", () => {
  const secrets = new Secrets({
    ...Object.fromEntries(SECRETS.map((secret, index) => [`S${index}`, secret])),
    SHORT: "abc",
    BLANK: "    ",
    FOUR: "zq7v",
  });
  const texts = [
    "certificate is for shop.example.com, not for 127.0.0.1 (expired 3 days ago)",
    "connection refused (127.0.0.1:443); abc AB",
    '{"status":"green","checks":[{"name":"db","ok":true}],"url":"https:\\/\\/a.example\\/"}',
    "<!doctype html><title>It&#39;s a page</title><p>100% sure, 5 &lt; 7 &amp; 'quoted'</p>",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhg==",
    "https://hooks.example/ answered 404",
    "d41d8cd98f00b204e9800998ecf8427e  sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "long0123456789 ends here…",
  ];
  for (const text of texts) assertEquals(secrets.redact(text), text);
  assertEquals(secrets.redact("zq7v"), "***");
});

Deno.test("overlapping secrets are redacted completely, also after letters whose lower case is longer", () => {
  const { redact } = new Secrets({ A: "abcdefgh", B: "fghijklm" });
  assertEquals(redact("(abcdefghijklm)(abcdefgh)(fghijklmabcdefgh)"), "(***)(***)(******)");
  assertEquals(redact("İ ABCDEFGH"), "İ ***");
});

Deno.test("the start of a long secret is redacted before the ellipsis that it was cut at", () => {
  const { redact } = new Secrets({ A: "abcdefghijklmnopqrstuvwxyz" });
  assertEquals(redact('"abcdefghijklmnop…" abcdefghijklmnop'), '"***…" abcdefghijklmnop');
  assertEquals([redact("key abcd…"), redact("key ABCDEFGHIJK…")], ["key ***…", "key ***…"]);
  assertEquals(redact("key abc… abcd"), "key abc… abcd");
  assertEquals(redact("abcdefghij…"), "***…");
});

Deno.test("random secrets in random encodings are redacted, and nothing around them", () => {
  const secret = fc.string({ unit: "grapheme", minLength: 6, maxLength: 30 })
    .filter((text) => text.trim() === text && text.length >= 6 && /^\P{C}*$/u.test(text));
  fc.assert(
    fc.property(secret, fc.constantFrom(...Object.values(TEXTUAL)), (secret, encode) => {
      const { redact } = new Secrets({ SECRET: secret });
      assertEquals(redact(`before ${encode(secret)} after`), "before *** after");
    }),
  );
});

Deno.test("the time of redacting is proportional to the length of the text", () => {
  const values = Array.from({ length: 100 }, (_, index) => `secret-${index}-${"x".repeat(index)}`);
  const { redact } = new Secrets(Object.fromEntries(values.map((value) => [value, value])));
  for (const part of ["The quick brown fox. ", "secret-secret-", "secret-7-xxxxxxx ", "%2525"]) {
    const timeOf = (length: number) => {
      const body = part.repeat(length);
      const times = [1, 2, 3].map(() => {
        const start = performance.now();
        redact(body);
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    const [short, long] = [timeOf(1_000), timeOf(8_000)];
    // Eight times the text: quadratic time would be 64 times as long.
    assert(long < 30 * Math.max(short, 20), `${part}: ${short} ms, ${long} ms`);
  }
});

Deno.test("a file of secrets is read as JSON or as .env files are", () => {
  const cases: [text: string, secrets: Record<string, string>][] = [
    ["PASS='ab#cd'", { PASS: "ab#cd" }],
    ["PASS=ab # mine", { PASS: "ab" }],
    ["PASS='a # b'  # mine", { PASS: "a # b" }],
    ['PASS="a # b" # mine', { PASS: "a # b" }],
    ["\ufeffPASS=a\nB=b", { PASS: "a", B: "b" }],
    ['\ufeff{"PASS": "a", "UNSAVED": ""}', { PASS: "a" }],
    ["export PASS=a\n  export  B = b ", { PASS: "a", B: "b" }],
    ["PASS=a\r\nB='b'\r\n\r\nC=\"c\"\r\n", { PASS: "a", B: "b", C: "c" }],
    ["PASS=a=b==\n", { PASS: "a=b==" }],
    ["PASS=a b c \n# B=b\n\n", { PASS: "a b c" }],
    ['KEY="-----BEGIN-----\nabc\n-----END-----"\nB=b', {
      KEY: "-----BEGIN-----\nabc\n-----END-----",
      B: "b",
    }],
    ["KEY=\"a\\nb\"\nB='a\\nb'\nC=a\\nb", { KEY: "a\nb", B: "a\\nb", C: "a\\nb" }],
    ["PASS=", { PASS: "" }],
    ["", {}],
  ];
  for (const [text, secrets] of cases) assertEquals(parseSecretsFile(text), secrets, text);
});

Deno.test("a value that a # would cut is an error with its line, and quotes keep it", () => {
  const error = assertThrows(() => parseSecretsFile("A=1\nPASS=ab#cd\n"), SyntaxError);
  assertEquals(
    error.message,
    "Cannot read secrets: line 2 has a # in its value; put quotes around the value",
  );
  assertEquals(parseSecretsFile("PASS='ab#cd'\nB=x # note\n"), { PASS: "ab#cd", B: "x" });
});
