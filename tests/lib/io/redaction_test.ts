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
