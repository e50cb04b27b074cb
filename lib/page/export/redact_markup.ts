import { escapeMarkup } from "../../channels/inert/html.ts";
import { asItIs } from "../../config/secrets/secrets.ts";

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
 * A page without the secrets that may still be in it, as the last net of all: its texts were redacted
 * before. Names of elements, classes and links within the page stay what they are, whatever a secret is.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const redact = (text: string) => text.replaceAll("p&ss", "***").replaceAll("main", "***");
 * const page = '<main class="main"><a href="main.html" title="p&amp;ss">p&#38;ss main</a></main>';
 * assertEquals(redactMarkup(page, redact), '<main class="main"><a href="main.html" title="***">*** ***</a></main>');
 * ```
 */
export function redactMarkup(markup: string, redact: Redact): string {
  if (redact === asItIs || isClean(markup, redact)) return markup;
  return markup.replace(PARTS, (part, raw?: string, tag?: string, content?: string) => {
    if (raw !== undefined) return redactTag(tag!, redact) + redact(content!);
    if (part.startsWith("<!--")) return redact(part);
    return part.startsWith("<") ? redactTag(part, redact) : redactText(part, redact);
  });
}

function isClean(markup: string, redact: Redact): boolean {
  if (redact(markup) !== markup) return false;
  const plain = decode(markup);
  return plain === markup || redact(plain) === plain;
}

function redactTag(tag: string, redact: Redact): string {
  if (ORDERS.test(tag)) return tag.replace(ADDRESSES, redact);
  return tag.replace(ATTRIBUTE, (all, name: string, value: string) => {
    if (OWN.test(all)) return all;
    const quote = value[0]!;
    return `${name}${quote}${redactText(value.slice(1, -1), redact)}${quote}`;
  });
}

function redactText(text: string, redact: Redact): string {
  const plain = decode(text);
  const shown = redact(plain);
  return shown === plain ? text : escapeMarkup(shown);
}

/** A page has hundreds of quotes and few of all the others. What is made of `&` comes last, so that nothing is decoded twice. */
function decode(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">")
    .replace(
      /&(?:amp|#(\d{1,7}));/g,
      (all, code?: string) => code === undefined ? "&" : character(Number(code)) ?? all,
    );
}

function character(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
