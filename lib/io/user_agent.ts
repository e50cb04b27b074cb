import { VERSION } from "../version.ts";

/** User agent of requests: the program, and the page that tells the owner of a site who monitors it. */
export function userAgent(home: string | undefined): string {
  // A header takes no other characters.
  const page = home === undefined ? "" : ` (+${encodeURI(home)})`;
  return `monitor-action/${VERSION}${page}`;
}
