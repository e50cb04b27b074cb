import { asItIs } from "../io/secrets/secrets.ts";

const TAG = String.raw`<(?:"[^"]*"|'[^']*'|[^>"'])*>`;

/** Comments, tags, contents of scripts and styles, and texts. */
const PARTS = new RegExp(
  String.raw`<!--[^]*?-->|(?=<(script|style)\b)(${TAG})([^]*?)(?=<\/\1)|${TAG}|[^<]+|<`,
  "gi",
);

/** Attributes with texts for people, or with addresses. */
const ATTRIBUTE =
  /(\s(?:title|alt|label|aria-label|content|placeholder|href|src|srcset|action)=)("[^"]*"|'[^']*')/gi;

/** Instructions for browsers; only addresses in them can hold secrets. */
const INSTRUCTIONS =
  /^<meta\s[^>]*(?:http-equiv|name=["']?(?:viewport|robots|referrer|color-scheme|theme-color)\b)/i;
const ADDRESSES = /\S+:\/\/\S+/g;

/** An address within the page. */
const OWN = /^\s(?:href|src)=["'](?![a-z][a-z0-9+.-]*:|\/\/)/i;

type Redact = (text: string) => string;

/**
 * Redacts secrets that are still in a page after its texts were redacted. Names of elements and classes and
 * links within the page stay. `redact` knows entities.
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
  if (INSTRUCTIONS.test(tag)) return tag.replace(ADDRESSES, redact);
  return tag.replace(ATTRIBUTE, (all, name: string, value: string) => {
    if (OWN.test(all)) return all;
    const quote = value[0]!;
    return `${name}${quote}${redact(value.slice(1, -1))}${quote}`;
  });
}
