import { shownAddress, type Site } from "../../lib/config/config.ts";
import { plainText } from "../../lib/text/plain_text.ts";

/** A zero-width space, which keeps GitHub from finding names, numbers and short codes. */
const GAP = "\u200b";

/** References that GitHub finds after the markup is parsed, so that no backslash helps. */
const PEOPLE = /@/g;
const NUMBERS = /#(?=\d)|(?<![a-z\d])(?:GH|GHSA|CVE)-(?=[a-z\d])/gi;
const COMMITS = /(?<![a-z\d])[\da-f]{7,}(?![a-z\d])/gi;
/** Short codes, but not times of day. */
const EMOJI = /:(?!\d\d:)(?=[\w+-]+:)/g;

const MARKUP = /[\\`*_[\]<>|~#!&$]|:(?=\/\/)|(?<=www)\./gi;
/** Starts of lists, rules, headings and tables. */
const LINE_START = /^(\d{0,9})([-+=:.)])/;

/**
 * Escapes a text for Markdown, on one line: no markup, link, cell border or emoji.
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
    .replace(LINE_START, "$1\\$2");
}

/** Escapes a text for Markdown in issues and READMEs, and neutralizes mentions of people, issues and commits. */
export function escapeMentions(text: string): string {
  const neutral = plainText(text)
    .replace(COMMITS, (hash) => hash.replace(/.{6}(?=.)/g, `$&${GAP}`))
    .replace(NUMBERS, `$&${GAP}`)
    .replace(PEOPLE, `$&${GAP}`);
  return escapeMarkdown(neutral);
}

/** An at sign in Markdown, also as an entity, that is not the only one inside a mail address. */
const MENTION = /(?:(?<![a-z\d])|(?<=@\S{0,100}))(?:@|&(?:#0*64|#x0*40|commat);)(?=\S)/gi;

/**
 * Keeps GitHub from finding people in a Markdown text; mail addresses stay as they are.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(breakMentions("@jo, _@ann_, &#64;team"), "@\u200bjo, _@\u200bann_, &#64;\u200bteam");
 * assertEquals(breakMentions("help@acme.example, 1 @ 2"), "help@acme.example, 1 @ 2");
 * ```
 */
export function breakMentions(markdown: string): string {
  return markdown.replaceAll(MENTION, `$&${GAP}`);
}

/** Formats a link; neither its text nor its address can break out of it. */
export function markdownLink(text: string, address: URL): string {
  const target = address.href
    .replace(
      /[^\w\-.~:/?#[\]!&'*+,;=%]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .replaceAll("&", "&amp;");
  return `[${escapeMentions(text)}](${target})`;
}

/**
 * Formats a text as a block of code, in which GitHub finds no markup and no mentions.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(codeBlock("a ``` b"), "````text\na ``` b\n````");
 * ```
 */
export function codeBlock(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** Formats a table; `numeric` columns are aligned to the right. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  numeric: readonly number[] = [],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const rule = header.map((_, index) => numeric.includes(index) ? "---:" : ":---");
  return line(header) + line(rule) + rows.map(line).join("");
}

/** Formats notes as a list; the part of a note after an empty line becomes a code block. */
export function notesList(notes: readonly string[]): string {
  const item = (note: string) => {
    const [first = "", ...rest] = note.split("\n\n");
    const lines = rest.join("\n\n").trimEnd().split("\n").map((line) => `      ${line}\n`);
    return `- ${escapeMarkdown(first)}\n${rest.length === 0 ? "" : `\n${lines.join("")}`}`;
  };
  return notes.length === 0 ? "" : `\n${notes.map(item).join("")}`;
}

/** Returns the address of a site if a browser can open it; not if it contains secrets or credentials. */
export function openAddress(site: Pick<Site, "link" | "url" | "hideUrl">): URL | undefined {
  const address = shownAddress(site);
  const url = address === undefined || address.includes("$") ? null : URL.parse(address);
  const isOpen = url !== null && /^https?:$/.test(url.protocol) && url.username === "" &&
    url.password === "";
  return isOpen ? url : undefined;
}
