import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import { Parser as HtmlParser } from "htmlparser2";
import { plainLines, plainText, shorten } from "../../lib/text/plain_text.ts";
import { unescaped } from "./html.ts";
import type { PageView } from "./view.ts";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

interface FootnoteWords {
  title: string;
  /** Label of a link back, by the number of the footnote. */
  back(number: number): string;
}

/** The HTML of Markdown as GitHub reads it; what is HTML in it stays text. */
export function gfmToHtml(markdown: string, { title, back }: FootnoteWords): string {
  return micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [
      gfmHtml({ clobberPrefix: "", label: title, backLabel: (index) => back(index + 1) }),
    ],
  });
}

const PAGES: readonly string[] = Object.values(PAGE_PATHS);

/** True if Markdown may lead to a file of the page: it is the owner's, or one that every page has. */
export function isOwnFile(path: string, assets: ReadonlySet<string>): boolean {
  return assets.has(path) || PAGES.includes(path);
}

/**
 * Untrusted Markdown, sanitized; very long texts are cut. `under` is the rank of the heading above it, `prefix`
 * starts every id in it and must be unique on the page, and `source` is the address of the full text.
 */
export function Markdown({ text, under, prefix, view, source }: {
  text: string;
  under: number;
  prefix: string;
  view: PageView;
  source?: string;
}) {
  const { assets, language, settings: { imageHosts }, link } = view;
  const { html, isCut } = markdownToHtml(text, {
    title: language.say("footnotes"),
    back: (number) => language.say("footnoteBack", { NUMBER: language.number(number) }),
  });
  const linkTo = (path: string) => isOwnFile(path, assets) ? link(path) : undefined;
  const addresses = allowAddresses(linkTo, imageHosts);
  const allowed = sanitizeHtml(html, {
    ...{ addresses, under, prefix, tableLabel: language.say("table") },
  });
  return [
    <div class="prose" dir="auto">{unescaped(allowed)}</div>,
    isCut && (
      <p class="muted">
        {language.say("textCut")}{" "}
        {source !== undefined && <a href={source}>{language.say("incidentViewOnGitHub")}</a>}
      </p>
    ),
  ];
}

/** Most characters, and most punctuation, read of a text: parsing long rows of markup takes quadratic time. */
const LONGEST = 20_000;
const MOST_MARKS = 1_500;

/** Converts Markdown to HTML as GitHub does, and tells if the text was too long and had to be cut. */
export function markdownToHtml(
  markdown: string,
  words: FootnoteWords,
): { html: string; isCut: boolean } {
  const text = plainLines(markdown);
  let length = Math.min(text.length, LONGEST);
  const marks = text.slice(0, length).matchAll(/[\n\t!-/:-@[-`{-~]/g);
  length = marks.drop(MOST_MARKS).next().value?.index ?? length;
  if (length < text.length) {
    const end = Math.max(text.lastIndexOf("\n", length), text.lastIndexOf(" ", length));
    if (end > length / 2) length = end;
  }
  return { html: gfmToHtml(text.slice(0, length), words), isCut: length < text.length };
}

/** Return the address for a link or an image; `undefined` if it is not allowed. */
interface Addresses {
  linkTo(address: string): string | undefined;
  imageAt(address: string): string | undefined;
}

/**
 * Allows links to the web, to mailboxes and to files of the status page (`linkTo` returns their address), and
 * images from the page and from some hosts.
 */
export function allowAddresses(
  linkTo: (path: string) => string | undefined,
  imageHosts: readonly string[],
): Addresses {
  const own = (address: string) => {
    const path = URL.canParse(address, "https://a.invalid/") ? decode(address) : "..";
    const isPath = path.split("/").every((name) => !/^\.{0,2}$|[\\:?#\p{C}]/u.test(name));
    return isPath ? linkTo(path) : undefined;
  };
  return {
    linkTo: (address) =>
      /^(?:https?:\/\/|mailto:)/i.test(address) && URL.canParse(address) ? address : own(address),
    imageAt(address) {
      if (!/^https:\/\//i.test(address)) return own(address);
      const url = URL.parse(address);
      const isAllowed = url !== null && url.username === "" && url.password === "" &&
        imageHosts.includes(url.host);
      return isAllowed ? url.href : undefined;
    },
  };
}

function decode(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return "..";
  }
}

/** Replacement of a tag: `words` are written as text; without `start` only the content is kept. */
interface Tags {
  start?: string;
  end?: string;
  words?: string;
}

interface Open {
  name: string;
  end: string;
  /** Index of its start tag among the parts. */
  part: number;
  hasWords: boolean;
  href: string;
}

type Attributes = Readonly<Record<string, string>>;

const PLAIN = new Set([
  ...["p", "br", "hr", "blockquote", "ul", "ol", "li", "pre", "code", "em", "strong", "del", "sup"],
  ...["thead", "tbody", "tr", "th", "td"],
]);
const NESTING = /^(?:blockquote|[uo]l)$/;
const DEEPEST_NESTING = 8;
const DEEPEST = 60;
/** Elements that are dropped if they have no words. */
const NEEDS_WORDS = /^(?:a|th|h[1-6])$/;

/**
 * Rewrites HTML with allowed elements and attributes only: links and images with allowed addresses (other images
 * become links), headings in consecutive ranks below `under`, and ids that start with `prefix`.
 */
export function sanitizeHtml(
  html: string,
  { addresses, under, prefix, tableLabel }: {
    addresses: Addresses;
    under: number;
    prefix: string;
    tableLabel: string;
  },
): string {
  const parts: string[] = [];
  const open: Open[] = [];
  const ids = new Map<string, string>();
  const usedIds = new Set<string>();
  let ranks: number[] = [];

  const write = (text: string) => {
    const plain = plainLines(text);
    if (/\S/.test(plain)) { for (const one of open) one.hasWords = true; }
    parts.push(escape(plain));
  };
  const renameId = (id: string) => {
    const name = ids.get(id) ?? `${prefix}${ids.size + 1}`;
    ids.set(id, name);
    return name;
  };
  const idAttribute = (id: string | undefined) => {
    if (id === undefined || usedIds.has(id)) return "";
    usedIds.add(id);
    return ` id="${renameId(id)}"`;
  };
  const isInLink = () => open.some(({ name, end }) => name === "a" && end !== "");
  const linkStart = (address: string) =>
    `<a href="${escape(address)}" rel="nofollow ugc noopener noreferrer">`;

  const link = (attributes: Attributes): Tags => {
    if (isInLink()) return {};
    const { href = "", id, "aria-label": label } = attributes;
    if ("data-footnote-ref" in attributes || "data-footnote-backref" in attributes) {
      const words = label === undefined ? "" : ` aria-label="${escape(label)}"`;
      const start = `<a href="#${renameId(href.slice(1))}"${idAttribute(id)}${words}>`;
      return { start, end: "</a>" };
    }
    const address = addresses.linkTo(href);
    return address === undefined ? {} : { start: linkStart(address), end: "</a>" };
  };
  const image = ({ src = "", alt = "" }: Attributes): Tags => {
    const words = plainLines(alt);
    const address = addresses.imageAt(src);
    if (address !== undefined) {
      return { start: `<img src="${escape(address)}" alt="${escape(words)}" loading="lazy">` };
    }
    const elsewhere = addresses.linkTo(src);
    if (elsewhere === undefined || isInLink()) return { words };
    const shown = /\S/.test(words) ? words : elsewhere;
    return { start: linkStart(elsewhere), words: shown, end: "</a>" };
  };
  const heading = (name: string, { id }: Attributes): Tags => {
    // Only the heading of footnotes has an id.
    if (id !== undefined) return { start: "<hr><p>", end: "</p>" };
    const rank = Number(name.slice(1));
    ranks = [...ranks.filter((one) => one < rank), rank];
    const lowered = `h${Math.min(6, under + ranks.length)}`;
    return { start: `<${lowered}>`, end: `</${lowered}>` };
  };
  const tagsOf = (name: string, attributes: Attributes): Tags => {
    const { id, start = "", align = "" } = attributes;
    const nesting = open.filter((one) => NESTING.test(one.name)).length;
    if (name === "input") return { words: "checked" in attributes ? "☑" : "☐" };
    if (open.length > DEEPEST || nesting + Number(NESTING.test(name)) > DEEPEST_NESTING) return {};
    if (name === "img") return image(attributes);
    if (name === "a") return link(attributes);
    if (/^h[1-6]$/.test(name)) return heading(name, attributes);
    if (name === "table") {
      const group = `role="group" tabindex="0" aria-label="${escape(tableLabel)}"`;
      return { start: `<div class="scroll" ${group}><table>`, end: "</table></div>" };
    }
    if (!PLAIN.has(name)) return {};
    if (name === "br" || name === "hr") return { start: `<${name}>` };
    let own = name === "li" ? idAttribute(id) : "";
    if (name === "ol" && /^\d{1,9}$/.test(start)) own = ` start="${Number(start)}"`;
    if (/^t[hd]$/.test(name) && /^(?:center|right)$/.test(align)) own = ` class="${align}"`;
    return { start: `<${name}${own}>`, end: `</${name}>` };
  };
  const close = ({ name, end, part, hasWords, href }: Open) => {
    if (end === "" || hasWords || !NEEDS_WORDS.test(name)) parts.push(end);
    else if (name === "a") parts.push(escape(href), end);
    else {
      parts[part] = name === "th" ? "<td>" : "";
      parts.push(name === "th" ? "</td>" : "");
    }
  };

  const parser = new HtmlParser({
    ontext: write,
    onopentag(name, attributes) {
      const { start = "", end = "", words } = tagsOf(name, attributes);
      if (words !== undefined && start === "") write(words);
      const part = parts.push(start) - 1;
      if (words !== undefined && start !== "") write(words);
      open.push({ name, end, part, hasWords: false, href: attributes["href"] ?? "" });
    },
    onclosetag(name) {
      const index = open.findLastIndex((one) => one.name === name);
      if (index !== -1) open.splice(index).reverse().forEach(close);
    },
  });
  parser.end(html);
  return parts.join("");
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const INLINE = new Set(["a", "code", "em", "img", "strong"]);
/** Footnotes with their marks, and text that was struck out. */
const LEFT_OUT = new Set(["del", "section", "sup"]);

/**
 * Returns the words of a text in Markdown on one line of at most `length` characters; images by their
 * alternative texts.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = "> [!NOTE]\n> Found\n\nThe **ca**use is ~~me~~ a [disk](https://a.example)[^1]:\n- `db-1`\n- <b> ![a cat](c.png)\n\n[^1]: Old.";
 * assertEquals(toExcerpt(text, 99), "Found The cause is a disk: db-1 <b> a cat");
 * assertEquals(toExcerpt(text, 12), "Found The c…");
 * ```
 */
export function toExcerpt(markdown: string, length: number): string {
  const { html } = markdownToHtml(markdown, { title: "", back: () => "" });
  return shorten(plainText(htmlToText(html)).replace(/^\[!\w+\] /, ""), length);
}

/**
 * Returns the words of HTML, with a line for each paragraph.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(htmlToText("<p>a <em>b</em></p>\n<ul><li>c &lt;</li></ul>"), "a b\nc <");
 * ```
 */
export function htmlToText(html: string): string {
  let words = "";
  let leftOut = 0;
  const write = (text: string) => words += leftOut === 0 ? text : "";
  const parser = new HtmlParser({
    ontext: write,
    onopentag(name, { alt = "" }) {
      if (LEFT_OUT.has(name)) leftOut++;
      if (name === "img") write(alt);
    },
    onclosetag(name) {
      if (LEFT_OUT.has(name)) leftOut--;
      else if (!INLINE.has(name)) write("\n");
    },
  });
  parser.end(html);
  return plainLines(words).replaceAll(/[ \t]*\n\s*/g, "\n").trim();
}
