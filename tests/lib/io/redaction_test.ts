import { assert, assertEquals } from "@std/assert";
import fc from "../../helpers/property.ts";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";

/** Secrets with everything that is spelled in some special way somewhere. */
const SECRETS = [
  "it's-a/secret",
  'quo"ted\\back\\nslash',
  "sp ace & amp; <tag>",
  "pässwörd-ßen-é",
  "emoji😀key🔑end",
  "100%25sure%41",
  "a+b=c/d==",
  "line one\nline two",
  "ab1!",
  "c2VjcmV0LWtleQ==",
  "https://hooks.example/T0/B0?x=y&z=1#f",
  `${"long0123456789".repeat(40)}/end`,
  "$dollar{curly}[0]|pipe^hat~",
  "nu\\u0041l'';--x",
];

type Encode = (text: string) => string;

const bytesOf: (text: string) => Uint8Array = (text) => new TextEncoder().encode(text);
const base64: Encode = (text) => bytesOf(text).toBase64();
const base64url: Encode = (text) =>
  bytesOf(text).toBase64({ alphabet: "base64url", omitPadding: true });
const json: Encode = (text) => JSON.stringify(text).slice(1, -1);
const asciiJson: Encode = (text) =>
  json(text).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
const php: Encode = (text) => asciiJson(text).replaceAll("/", "\\/");
const phpHex: Encode = (text) =>
  php(text).replace(
    /[<>&']/g,
    (unit) => `\\u00${unit.charCodeAt(0).toString(16).toUpperCase()}`,
  );
const html: Encode = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");
const entities = (format: (code: number) => string, which = /[^A-Za-z0-9]/gu): Encode => (text) =>
  text.replace(which, (letter) => format(letter.codePointAt(0)!));
const LETTERS: Record<string, string> = {
  ...{ ä: "&auml;", ö: "&ouml;", ß: "&szlig;", é: "&eacute;", "&": "&amp;", "'": "&apos;" },
  ...{ "/": "&sol;", "=": "&equals;", "+": "&plus;", "%": "&percnt;", "#": "&num;", " ": "&nbsp;" },
  ...{ '"': "&quot;", "<": "&lt;", ">": "&gt;", "\n": "&NewLine;", "?": "&quest;", ":": "&colon;" },
  ...{ "\\": "&bsol;", "$": "&dollar;", "{": "&lbrace;", "|": "&vert;", "!": "&excl;" },
};
const named: Encode = (text) =>
  text.replace(/[^A-Za-z0-9]/gu, (letter) => LETTERS[letter] ?? letter);
const percent: Encode = (text) =>
  [...bytesOf(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const lowerPercent: Encode = (text) =>
  encodeURIComponent(text).replace(/%[\dA-F]{2}/g, (spelled) => spelled.toLowerCase());
const form: Encode = (text) => new URLSearchParams([["", text]]).toString().slice(1);
const ownUrl: Encode = (text) => new URL(`https://a.example/${text}`).href.slice(18);
const ownQuery: Encode = (text) => new URL(`https://a.example/?${text}`).href.slice(19);
const hex: Encode = (text) => bytesOf(text).toHex();
const escapes: Encode = (text) =>
  [...bytesOf(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
const python: Encode = (text) =>
  text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")
    .replace(
      /[^ -~]/gu,
      (letter) => [...bytesOf(letter)].map((byte) => `\\x${byte.toString(16)}`).join(""),
    );
const octal: Encode = (text) =>
  text.replaceAll("\\", "\\\\").replace(
    /[^ -~]/gu,
    (letter) =>
      [...bytesOf(letter)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join(""),
  );
const quotedPrintable: Encode = (text) =>
  [...bytesOf(text)].map((byte) =>
    byte < 32 || byte > 126 || byte === 61
      ? `=${byte.toString(16).toUpperCase().padStart(2, "0")}`
      : String.fromCharCode(byte)
  ).join("");
const mojibake: Encode = (text) => String.fromCharCode(...bytesOf(text));
const wrapped: Encode = (text) => base64(text).replace(/.{76}/g, "$&\r\n");
const utf16: Encode = (text) =>
  new Uint8Array([...text].flatMap((unit) => {
    const code = unit.charCodeAt(0);
    return [code & 0xff, code >> 8];
  })).toBase64();

/** Ways of spelling a text, each of which some server has. */
const ENCODINGS: Readonly<Record<string, Encode>> = {
  plain: (text) => text,
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  uri: encodeURI,
  uriComponent: encodeURIComponent,
  lowerPercent,
  percent,
  form,
  ownUrl,
  ownQuery,
  escape: (text) => escape(text),
  json,
  asciiJson,
  php,
  phpHex,
  python,
  escapes,
  octal,
  unicode: (text) => [...text].map((unit) => `\\u{${unit.codePointAt(0)!.toString(16)}}`).join(""),
  wide: (text) =>
    [...text].map((unit) => `\\U${unit.codePointAt(0)!.toString(16).padStart(8, "0")}`).join(""),
  html,
  named,
  decimal: entities((code) => `&#${code};`),
  allDecimal: entities((code) => `&#${code};`, /[^]/gu),
  zeros: entities((code) => `&#000${code};`),
  hexadecimal: entities((code) => `&#x${code.toString(16)};`),
  upperHex: entities((code) => `&#x00${code.toString(16).toUpperCase()};`),
  upperX: entities((code) => `&#X${code.toString(16)};`),
  unendedAmpersand: (text) => html(text).replace(/&(amp|lt|gt|quot);/g, "&$1"),
  quotedPrintable,
  softBreaks: (text) => quotedPrintable(text).replace(/.{30}/g, "$&=\r\n"),
  dump: (text) => hex(text).replace(/..(?=.)/g, "$& "),
  colons: (text) => hex(text).replace(/..(?=.)/g, "$&:"),
  words: (text) => hex(text).replace(/....(?=.)/g, "$& "),
  prefixed: (text) =>
    [...bytesOf(text)].map((byte) => `0x${byte.toString(16).padStart(2, "0")}`).join(", "),
  buffer: (text) => JSON.stringify([...bytesOf(text)]),
  windows1252: (text) => new TextDecoder("windows-1252").decode(bytesOf(text).slice()),
  unknownLetters: (text) => text.replace(/[äöüßé]/g, "\ufffd"),
  base64,
  base64url,
  wrapped,
  utf16,
  hex,
  upperHexDigits: (text) => hex(text).toUpperCase(),
  mojibake,
  decomposed: (text) => text.normalize("NFD"),
  shell: (text) => text.replaceAll("'", `'\\''`),
  sql: (text) => text.replaceAll("'", "''"),
  csv: (text) => text.replaceAll('"', '""'),
  markdown: (text) => text.replace(/[^\p{L}\p{N}\s]/gu, "\\$&"),
  spaced: (text) => text.replaceAll(" ", "\u00a0"),
  oneLine: (text) => text.replaceAll(/\s+/g, " "),
  curly: (text) => text.replaceAll("'", "’"),
};
/** Encodings that others are put around, or that are put around others. */
const OUTER = [
  ...["uriComponent", "form", "json", "php", "html", "decimal", "hexadecimal"],
  ...["base64", "base64url", "lowerPercent", "asciiJson"],
];
const INNER = [
  ...["uriComponent", "json", "php", "html", "named", "base64", "ownUrl", "percent", "hex", "form"],
  "asciiJson",
];
const AROUND: Readonly<Record<string, (text: string) => string>> = {
  alone: (text) => text,
  sentence: (text) => `401: "${text}" is wrong`,
  address: (text) => `https://a.example/${text}/x?y=1`,
  element: (text) => `<p title="${text}">no</p>`,
};

/** All ways of echoing a text, by their names. */
function* waysOf(): Generator<[name: string, echo: Encode]> {
  for (const [name, encode] of Object.entries(ENCODINGS)) {
    for (const [place, around] of Object.entries(AROUND)) {
      yield [`${name} in ${place}`, (text) => around(encode(text))];
    }
  }
  for (const outer of OUTER) {
    for (const inner of INNER) {
      const [first, second] = [ENCODINGS[inner]!, ENCODINGS[outer]!];
      yield [`${outer} of ${inner}`, (text) => `<${second(`{"a":"${first(text)}"}`)}>`];
    }
  }
  for (const prefix of ["", "a", "ab", "abc", "user:", "\u00fc:"]) {
    for (const encoding of ["base64", "base64url", "hex", "wrapped"]) {
      const encode = ENCODINGS[encoding]!;
      yield [`${encoding} behind ${prefix}`, (text) => `/x${encode(`${prefix}${text}:suffix`)}/`];
    }
  }
}

/** What a person could still read of a secret: the longest part of it that stands in a text. */
function readable(text: string, secret: string): string {
  const lines = secret.split("\n");
  return lines.find((line) =>
    line.length >= 4 && text.toLowerCase().includes(line.toLowerCase())
  ) ??
    "";
}

Deno.test("whatever a server makes of a secret, nothing of it is left to decode", () => {
  const ways = [...waysOf()];
  assert(ways.length > 149, `${ways.length}`);
  const failures: string[] = [];
  for (const secret of SECRETS) {
    const secrets = new Secrets({ OTHER: "another-one", SECRET: secret });
    for (const [name, echo] of ways) {
      // Two groups of digits are too common in texts.
      if (name.startsWith("words") && secret.length < 8) continue;
      if (name.startsWith("utf16") && !/^[ -~\n]*$/.test(secret)) continue;
      // Half of a character can't be encoded.
      const text = echo(secret);
      const redacted = secrets.redact(text);
      const without = echo("\u0001").replaceAll("\u0001", "");
      const isGone = redacted.includes("***") && !redacted.includes(text) &&
        readable(redacted, secret) === "" && redacted.length <= without.length + 60;
      if (!isGone) failures.push(`${name}: ${secret.slice(0, 30)} → ${redacted.slice(0, 120)}`);
    }
  }
  assertEquals(failures, []);
});

Deno.test("texts without secrets stay as they are", () => {
  const secrets = new Secrets({
    ...Object.fromEntries(SECRETS.map((secret, index) => [`S${index}`, secret])),
    SHORT: "abc",
    SHORT_ENCODED: "%41%42",
    BLANK: "    ",
    FOUR: "zq7v",
  });
  const texts = [
    "certificate is for shop.example.com, not for 127.0.0.1 (expired 3 days ago)",
    "connection refused (127.0.0.1:443); abc AB",
    '{"status":"green","checks":[{"name":"db","ok":true}],"url":"https:\\/\\/a.example\\/"}',
    "<!doctype html><title>It&#39;s a page</title><p>100% sure, 5 &lt; 7 &amp; 'quoted'</p>",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "https://hooks.example/ answered 404",
    "line 1 of the log, then emoji 😀 and pässwörter; a+b=c",
    "d41d8cd98f00b204e9800998ecf8427e  sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "long0123456789 ends here…",
  ];
  for (const text of texts) assertEquals(secrets.redact(text), text);
  assertEquals(secrets.redact("zq7v"), "***");
});

Deno.test("a secret that a server cut off is redacted, and one that begins alike is not", () => {
  const { redactor } = new Secrets({
    KEY: "k3y-0123456789-abcdef",
    URL: "https://a.example/in/7f3a9b",
  });
  assertEquals(redactor("token k3y-0123456789-ab"), "token ***");
  assertEquals(redactor("token k3y-0123456789… is wrong"), "token ***… is wrong");
  assertEquals(redactor(`{"token":"k3y-0123456789...`), `{"token":"***...`);
  assertEquals(redactor("https://a.example/in/7f3a9%"), "***%");
  assertEquals(redactor("token k3y-0123456789-other"), "token k3y-0123456789-other");
  assertEquals(redactor("https://a.example/"), "https://a.example/");
  assertEquals(new Secrets({ KEY: "k3y-0123456789" }).redact("token k3y-01234"), "token ***");
});

Deno.test("an entity in a secret that is none everywhere is found beside other encodings", () => {
  const { redactor } = new Secrets({ KEY: "a&b&copy=c&d" });
  assertEquals(redactor("https://a&b&copy%3Dc&d@a.example/"), "https://***@a.example/");
});

Deno.test("secrets that overlap leave nothing of each other", () => {
  const { redactor } = new Secrets({ A: "abcdefgh", B: "fghijklm" });
  assertEquals(redactor("(abcdefghijklm)(abcdefgh)(fghijklmabcdefgh)"), "(***)(***)(******)");
});

Deno.test("random secrets in random encodings of encodings are never left, and nothing around them goes", () => {
  const kept = ["plain", ...OUTER, "named", "percent", "escapes", "hex"];
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 6, maxLength: 30 })
        .filter((text) => text.trim().length >= 6 && /^\P{C}*$/u.test(text)),
      fc.array(fc.constantFrom(...kept), { minLength: 1, maxLength: 3 }),
      (secret, layers) => {
        const { redactor } = new Secrets({ SECRET: secret });
        const spelled = layers.reduce((text, layer) => ENCODINGS[layer]!(text), `(${secret})`);
        const redacted = redactor(`before ${spelled} after`);
        assert(redacted.startsWith("before ") && redacted.endsWith(" after"), redacted);
        assert(redacted.includes("***"), `${layers}: ${redacted}`);
      },
    ),
    { seed: 31 },
  );
});

Deno.test("redacting takes time in proportion to the text, whatever the text is", () => {
  const { redactor } = new Secrets(
    Object.fromEntries(
      Array.from(
        { length: 100 },
        (_, index) => [`S${index}`, `secret-${index}-${"x".repeat(index)}`],
      ),
    ),
  );
  const bodies = {
    prose: "The quick brown fox jumps over the lazy dog, as was told before. ",
    html: '<div class="card"><a href="/x?a=1&amp;b=2">It&#39;s here</a>\n    </div>',
    base64: base64("some text that repeats itself again and again "),
    percent: "%25%32%35%25",
    nested: "%2525252541",
    backslashes: "\\\\\\\\\\\\",
    hex: "deadbeef",
    alike: "secret-secret-",
    secrets: "secret-7-xxxxxxx ",
    random: Array.from({ length: 999 }, (_, index) => String.fromCharCode(33 + (index * 7919) % 90))
      .join(""),
  };
  const timeOf = (part: string, length: number) => {
    const body = part.repeat(Math.ceil(length / part.length)).slice(0, length);
    const start = performance.now();
    redactor(body);
    return performance.now() - start;
  };
  for (const [name, part] of Object.entries(bodies)) {
    const short = timeOf(part, 2 ** 15);
    const long = timeOf(part, 2 ** 18);
    // Eight times the text: quadratic time would be 64 times as long.
    assert(long < 30 * Math.max(short, 20), `${name}: ${short} ms, ${long} ms`);
  }
});
