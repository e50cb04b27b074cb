import { Parser } from "htmlparser2";

/** An address in a page. */
export interface PageLink {
  tag: string;
  address: string;
  rel: string;
}

/** The links of a page, and its link targets. */
export interface ReadPage {
  links: PageLink[];
  ids: string[];
}

const ADDRESSES = ["href", "src", "action", "poster", "data"];

/** Reads the addresses and ids of a page. */
export function readPage(html: string): ReadPage {
  const read: ReadPage = { links: [], ids: [] };
  const parser = new Parser({
    onopentag(tag, attributes) {
      const { id, rel = "" } = attributes;
      if (id !== undefined) read.ids.push(id);
      for (const name of ADDRESSES) {
        const address = attributes[name];
        if (address !== undefined) read.links.push({ tag, address, rel });
      }
    },
  });
  parser.end(html);
  return read;
}
