import { asItIs } from "../io/secrets/secrets.ts";

const TAG = String.raw`<(?:"[^"]*"|'[^']*'|[^>"'])*>`;

/** Comments, tags, what scripts and styles hold after theirs, and what is between all those. */
const PARTS = new RegExp(
  String.raw`<!--[^]*?-->|(?=<(script|style)\b)(${TAG})([^]*?)(?=<\/\1)|${TAG}|[^<]+|<`,
  "gi",
);

/** Attributes with texts for people, or with addresses. */
const ATTRIBUTE =
  /(\s(?:title|alt|label|aria-label|content|placeholder|href|src|srcset|action)=)("[^"]*"|'[^']*')/gi;

/** Tags that say to browsers what to do; of these only addresses are texts of people. */
const ORDERS =
  /^<meta\s[^>]*(?:http-equiv|name=["']?(?:viewport|robots|referrer|color-scheme|theme-color)\b)/i;
const ADDRESSES = /\S+:\/\/\S+/g;

/** An address within the page. */
const OWN = /^\s(?:href|src)=["'](?![a-z][a-z0-9+.-]*:|\/\/)/i;

type Redact = (text: string) => string;

/**
 * Removes the secrets that may still be in a page, after its texts were redacted one by one. Names of
 * elements, classes and links within the page stay what they are, whatever a secret is. `redact` knows
 * entities.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { redactionOf } from "../io/secrets/redaction.ts";
 * const redact = redactionOf(["p&ss", "main"]);
 * const page = '<main class="main"><a href="main.html" title="p&amp;ss">p&amp;ss main</a></main>';
 * assertEquals(redactMarkup(page, redact), '<main class="main"><a href="main.html" title="***">*** ***</a></main>');
 * ```
 */
export function redactMarkup(markup: string, redact: Redact): string {
  if (redact === asItIs || redact(markup) === markup) return markup;
  return markup.replace(PARTS, (part, raw?: string, tag?: string, content?: string) => {
    if (raw !== undefined) return redactTag(tag!, redact) + redact(content!);
    if (part.startsWith("<!--")) return redact(part);
    return part.startsWith("<") ? redactTag(part, redact) : redact(part);
  });
}

function redactTag(tag: string, redact: Redact): string {
  if (ORDERS.test(tag)) return tag.replace(ADDRESSES, redact);
  return tag.replace(ATTRIBUTE, (all, name: string, value: string) => {
    if (OWN.test(all)) return all;
    const quote = value[0]!;
    return `${name}${quote}${redact(value.slice(1, -1))}${quote}`;
  });
}

/** Keys of values that are one of a few words, or name sites and incidents, which paths are made of. */
const NAMES = new Set([
  ...["slug", "sites", "affects", "incident", "cause"],
  ...["kind", "state", "status", "phase", "told", "check"],
  ...["lang", "locale", "direction", "timezone", "theme", "base", "policy"],
]);

/**
 * The same with every text in it redacted, but for words that the program itself knows and names that
 * paths are made of: a secret may be any word. Values that are no plain objects, lists, maps or texts stay as they are.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const redact = (text: string) => text.replaceAll("s3cret", "***");
 * const site = { slug: "s3cret", name: "s3cret", links: [{ href: "https://a.example/?k=s3cret" }] };
 * assertEquals(redactTexts(site, redact), { slug: "s3cret", name: "***", links: [{ href: "https://a.example/?k=***" }] });
 * ```
 */
export function redactTexts<T>(value: T, redact: (text: string) => string): T {
  if (redact === asItIs) return value;
  const of = (one: unknown): unknown => {
    if (typeof one === "string") return redact(one);
    if (Array.isArray(one)) return one.map(of);
    if (one instanceof Map) return new Map([...one].map(([key, own]) => [key, of(own)]));
    if (!isPlain(one)) return one;
    return Object.fromEntries(
      Object.entries(one).map(([key, own]) => [key, NAMES.has(key) ? own : of(own)]),
    );
  };
  return of(value) as T;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
