import { HtmlParser } from "../../../lib/page/html_parser.ts";
import { plainLines } from "../../../lib/text/plain_text.ts";
import { allowedTags } from "./allowed_tags.ts";
import type { Addresses } from "./addresses.ts";
import { escaped } from "./escaped.ts";

/** How the HTML of somebody's Markdown is written anew. */
export interface AllowedOptions {
  addresses: Addresses;
  /** The rank of the heading that it stands under. */
  under: number;
  /** What a table is called for those who don't see it. */
  tableLabel: string;
  /** What every id in it begins with. */
  prefix: string;
}

/** An element that has been begun. */
export interface Begun {
  name: string;
  /** What ends it; empty where only what is within is written. */
  end: string;
  /** Where it begins among the parts. */
  part: number;
  /** Whether there are words within. */
  isTold: boolean;
  /** What a link says that has no words. */
  address: string;
}

/** Elements that are nothing without words. */
const TOLD = /^(?:a|th|h[1-6])$/;

/**
 * HTML with nothing in it but elements and attributes that can do no harm, whatever it was made of: links
 * only where they are allowed, pictures too (and else a link to them), headings in ranks that follow each
 * other, and nothing that needs a script, a style or a form.
 */
export function allowedHtml(html: string, options: AllowedOptions): string {
  const parts: string[] = [];
  const begun: Begun[] = [];
  const tagsOf = allowedTags(options, begun);
  const tell = (text: string) => {
    const plain = plainLines(text);
    if (/\S/.test(plain)) { for (const one of begun) one.isTold = true; }
    parts.push(escaped(plain));
  };
  const parser = new HtmlParser({
    ontext: tell,
    onopentag(name, attributes) {
      const { begin = "", end = "", words } = tagsOf(name, attributes);
      if (words !== undefined && begin === "") tell(words);
      const part = parts.push(begin) - 1;
      if (words !== undefined && begin !== "") tell(words);
      begun.push({ name, end, part, isTold: false, address: attributes["href"] ?? "" });
    },
    onclosetag(name) {
      const index = begun.findLastIndex((one) => one.name === name);
      if (index !== -1) { for (const one of begun.splice(index).reverse()) finish(one, parts); }
    },
  });
  parser.end(html);
  return parts.join("");
}

function finish({ name, end, part, isTold, address }: Begun, parts: string[]): void {
  if (end === "" || isTold || !TOLD.test(name)) parts.push(end);
  else if (name === "a") parts.push(escaped(address), end);
  else {
    // Nothing is headed by nothing.
    const isCell = name === "th";
    parts[part] = isCell ? "<td>" : "";
    parts.push(isCell ? "</td>" : "");
  }
}
