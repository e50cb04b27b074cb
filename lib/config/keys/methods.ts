import { nearest } from "../../text/nearest.ts";

/** Registered methods of HTTP, and those of caches. */
const METHODS = [
  ..."GET POST PUT PATCH HEAD DELETE OPTIONS TRACE CONNECT QUERY".split(" "),
  ..."ACL BIND CHECKIN CHECKOUT COPY LABEL LINK LOCK MERGE MKACTIVITY MKCALENDAR MKCOL".split(" "),
  ..."MKWORKSPACE MOVE ORDERPATCH PROPFIND PROPPATCH REBIND REPORT SEARCH".split(" "),
  ..."UNBIND UNCHECKOUT UNLINK UNLOCK UPDATE BAN NOTIFY PURGE REFRESH SUBSCRIBE".split(" "),
];

/**
 * Finds the method that a misspelled one means; `undefined` if it is a method, or like none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(["psot", "PURGE", "BREW"].map(findMeantMethod), ["POST", undefined, undefined]);
 * ```
 */
export function findMeantMethod(method: string): string | undefined {
  const word = method.trim().toUpperCase();
  return METHODS.includes(word) ? undefined : nearest(word, METHODS, word.length < 6 ? 1 : 2);
}

/** True for a method that is neither known nor like a known one. */
export function isUnusualMethod(method: string): boolean {
  return !METHODS.includes(method.trim().toUpperCase()) && findMeantMethod(method) === undefined;
}
