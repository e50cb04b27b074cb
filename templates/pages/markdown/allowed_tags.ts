import { plainLines } from "../../../lib/text/plain_text.ts";
import type { AllowedOptions, Begun } from "./allowed_html.ts";
import { escaped } from "./escaped.ts";

/** What is written for an element; nothing but what is within where it is not allowed. */
interface Tags {
  begin?: string;
  end?: string;
  /** What it says itself. */
  words?: string;
}

type Attributes = Readonly<Record<string, string>>;

/** Elements that stay as they are. */
const PLAIN = new Set([
  ...["p", "br", "hr", "blockquote", "ul", "ol", "li", "pre", "code", "em", "strong", "del", "sup"],
  ...["thead", "tbody", "tr", "th", "td"],
]);
/** Elements that may hold others of their kind, and how deep they do; deeper ones give their words alone. */
const NESTING = /^(?:blockquote|[uo]l)$/;
const DEEPEST = 8;
/** No element is within more than so many. */
const MOST_AROUND = 60;

/** Tells what is written for the elements of one text, one after another; `begun` are those that it stands in. */
export function allowedTags(
  { addresses, under, tableLabel, prefix }: AllowedOptions,
  begun: readonly Begun[],
): (name: string, attributes: Attributes) => Tags {
  const names = new Map<string, string>();
  const used = new Set<string>();
  /** Ranks that headings had where they were written, each under the one before. */
  let ranks: number[] = [];

  /** The same for an id and for a link to it. */
  const nameOf = (id: string) => {
    const name = names.get(id) ?? `${prefix}${names.size + 1}`;
    names.set(id, name);
    return name;
  };
  const idOf = (id: string | undefined) => {
    if (id === undefined || used.has(id)) return "";
    used.add(id);
    return ` id="${nameOf(id)}"`;
  };
  const isInLink = () => begun.some(({ name, end }) => name === "a" && end !== "");

  const link = (attributes: Attributes): Tags => {
    if (isInLink()) return {};
    const { href = "", id, "aria-label": label } = attributes;
    if ("data-footnote-ref" in attributes || "data-footnote-backref" in attributes) {
      const words = label === undefined ? "" : ` aria-label="${escaped(label)}"`;
      return { begin: `<a href="#${nameOf(href.slice(1))}"${idOf(id)}${words}>`, end: "</a>" };
    }
    const address = addresses.linkTo(href);
    return address === undefined ? {} : { begin: linkBegin(address), end: "</a>" };
  };

  const picture = ({ src = "", alt = "" }: Attributes): Tags => {
    const words = plainLines(alt);
    const address = addresses.pictureAt(src);
    if (address !== undefined) {
      const begin = `<img src="${escaped(address)}" alt="${escaped(words)}" loading="lazy">`;
      return { begin };
    }
    const elsewhere = addresses.linkTo(src);
    if (elsewhere === undefined || isInLink()) return { words };
    const told = /\S/.test(words) ? words : elsewhere;
    return { begin: linkBegin(elsewhere), words: told, end: "</a>" };
  };

  const heading = (name: string, { id }: Attributes): Tags => {
    // The one that footnotes bring along.
    if (id !== undefined) return { begin: "<hr><p>", end: "</p>" };
    const rank = Number(name.slice(1));
    ranks = [...ranks.filter((one) => one < rank), rank];
    const lowered = `h${Math.min(6, under + ranks.length)}`;
    return { begin: `<${lowered}>`, end: `</${lowered}>` };
  };

  return (name, attributes) => {
    if (name === "input") return { words: "checked" in attributes ? "☑" : "☐" };
    if (begun.length > MOST_AROUND || isTooDeep(name, begun)) return {};
    if (name === "img") return picture(attributes);
    if (name === "a") return link(attributes);
    if (/^h[1-6]$/.test(name)) return heading(name, attributes);
    if (name === "table") {
      const group = `role="group" tabindex="0" aria-label="${escaped(tableLabel)}"`;
      return { begin: `<div class="scroll" ${group}><table>`, end: "</table></div>" };
    }
    if (!PLAIN.has(name)) return {};
    if (name === "br" || name === "hr") return { begin: `<${name}>` };
    const own = name === "li" ? idOf(attributes["id"]) : attributesOf(name, attributes);
    return { begin: `<${name}${own}>`, end: `</${name}>` };
  };
}

function isTooDeep(name: string, begun: readonly Begun[]): boolean {
  const around = begun.filter((one) => NESTING.test(one.name)).length;
  return around > DEEPEST || (around === DEEPEST && NESTING.test(name));
}

function attributesOf(name: string, { start = "", align = "" }: Attributes): string {
  if (name === "ol" && /^\d{1,9}$/.test(start)) return ` start="${Number(start)}"`;
  return /^t[hd]$/.test(name) && /^(?:center|right)$/.test(align) ? ` class="${align}"` : "";
}

function linkBegin(address: string): string {
  return `<a href="${escaped(address)}" rel="nofollow ugc noopener noreferrer">`;
}
