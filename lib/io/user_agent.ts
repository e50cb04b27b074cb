import { VERSION } from "../version.ts";

/**
 * What requests call themselves: the program, and the page on which the owner of a site can find out
 * who monitors it.
 */
export function userAgent(home: string | undefined): string {
  // A header takes no other characters.
  const page = home === undefined ? "" : ` (+${encodeURI(home)})`;
  return `monitor-action/${VERSION}${page}`;
}
