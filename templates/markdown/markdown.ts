import { plainText } from "../../lib/text/plain_text.ts";
import type { Site } from "../../lib/config/config.ts";
import { shownAddress } from "../../lib/config/shown_address.ts";

/** Seen by nobody, and enough for GitHub to find no name, number or short code. */
const GAP = "\u200b";

const PEOPLE = /@/g;
const NUMBERS = /#(?=\d)|(?<![a-z\d])(?:GH|GHSA|CVE)-(?=[a-z\d])/gi;
/** A time of day is none. */
const EMOJI = /:(?!\d\d:)(?=[\w+-]+:)/g;
const COMMITS = /(?<![a-z\d])[\da-f]{7,}(?![a-z\d])/gi;

const MARKUP = /[\\`*_[\]<>|~#!&$]|:(?=\/\/)|(?<=www)\./gi;
const BEGINNING = /^(\d{0,9})([-+=:.)])/;

/**
 * A text as Markdown that means nothing but itself, on one line: no markup, no link, no cell border, no
 * emoji.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(escapeMarkdown("a|b <script> `id`"), "a\\|b \\<script\\> \\`id\\`");
 * ```
 */
export function escapeMarkdown(text: string): string {
  return plainText(text)
    .replace(EMOJI, `$&${GAP}`)
    .replace(MARKUP, "\\$&")
    .replace(BEGINNING, "$1\\$2");
}

/**
 * The same for where GitHub looks for people and numbers in texts, as in issues: nobody is notified,
 * and nothing referred to.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(inertMarkdown("1. @jo"), "1\\. @\u200bjo");
 * ```
 */
export function inertMarkdown(text: string): string {
  const gaps = plainText(text)
    .replace(COMMITS, (hash) => hash.replace(/.{6}(?=.)/g, `$&${GAP}`))
    .replace(NUMBERS, `$&${GAP}`)
    .replace(PEOPLE, `$&${GAP}`);
  return escapeMarkdown(gaps);
}

/**
 * A link of Markdown that its text and its address can't get out of.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const address = new URL("https://a.example/(x)?a=1&copy;#@jo");
 * assertEquals(markdownLink("[x]", address), "[\\[x\\]](https://a.example/%28x%29?a=1&amp;copy;#%40jo)");
 * ```
 */
export function markdownLink(text: string, address: URL): string {
  const target = address.href
    .replace(/[^\w\-.~:/?#[\]!&'*+,;=%]/g, percentEncoded)
    .replaceAll("&", "&amp;");
  return `[${inertMarkdown(text)}](${target})`;
}

/** A table of Markdown; numbers stand at the right, all else at the left. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  numeric: readonly number[] = [],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const rule = header.map((_, index) => numeric.includes(index) ? "---:" : ":---");
  return line(header) + line(rule) + rows.map(line).join("");
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/**
 * The address of a site where a browser can follow it: with no secret in it, and no name and password.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const of = (url: string) => openAddress({ url, hideUrl: false })?.href;
 * assertEquals(of("https://a.example/x"), "https://a.example/x");
 * assertEquals([of("https://a.example/?k=$KEY"), of("https://a:b@c.example"), of("a.example:22")], Array(3).fill(undefined));
 * ```
 */
export function openAddress(site: Pick<Site, "link" | "url" | "hideUrl">): URL | undefined {
  const address = shownAddress(site);
  const url = address === undefined || address.includes("$") ? null : URL.parse(address);
  const isOpen = url !== null && /^https?:$/.test(url.protocol) && url.username === "" &&
    url.password === "";
  return isOpen ? url : undefined;
}
