import { shortHash } from "../../lib/text/short_hash.ts";

const versions = new Map<string, string>();

/** A link to a file with a text, which is another where the text is: browsers keep what they have read. */
export function versioned(link: string, text: string): string {
  const version = versions.get(text) ?? shortHash(text).slice(0, 8);
  versions.set(text, version);
  return `${link}?v=${version}`;
}
