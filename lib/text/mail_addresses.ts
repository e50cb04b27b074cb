import { plainText } from "./plain_text.ts";

/** A mail address with its display name, which may be empty. */
export interface Address {
  name: string;
  address: string;
}

/** Longest address that servers take. */
const LONGEST = 254;

/** One entry of a list; quoted names and addresses in brackets may contain separators. */
const ENTRY = /(?:"(?:[^"\\]|\\.)*"|<[^>]*>|[^,;"<\r\n])+/gu;
const NAMED = /^(?:"((?:[^"\\]|\\.)*)"|([^"<>]*?))\s*<\s*([^<>]*?)\s*>$/u;
const ADDRESS = /^[^\s\p{C}<>()[\]\\,;:@"]+@[^\s\p{C}<>()[\]\\,;:@"]+$/u;

/**
 * The addresses of a list, each bare or as `Name <address>`; an entry that is none comes as
 * `undefined`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(parseAddresses('"Doe, Jo" <jo@example.com>, ops@example.com'), [
 *   { name: "Doe, Jo", address: "jo@example.com" },
 *   { name: "", address: "ops@example.com" },
 * ]);
 * assertEquals(parseAddresses("ops"), [undefined]);
 * ```
 */
export function parseAddresses(list: string): (Address | undefined)[] {
  const entries = list.match(ENTRY)?.map((entry) => entry.trim()).filter((entry) => entry !== "");
  return (entries ?? []).map(parseAddress);
}

function parseAddress(entry: string): Address | undefined {
  const [, quoted, bare, bracketed] = NAMED.exec(entry) ?? [];
  const address = bracketed ?? entry;
  if (!ADDRESS.test(address) || address.length > LONGEST) return undefined;
  const name = quoted?.replaceAll(/\\(.)/gu, "$1") ?? bare ?? "";
  return { name: plainText(name.toWellFormed()), address };
}

/**
 * The ASCII form of an address's domain; `undefined` if it is invalid.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(toAsciiDomain("Monitor <monitor@Bücher.example>"), "xn--bcher-kva.example");
 * assertEquals(toAsciiDomain("$MAIL_FROM"), undefined);
 * ```
 */
export function toAsciiDomain(text: string): string | undefined {
  const [parsed] = parseAddresses(text);
  const domain = parsed?.address.split("@")[1];
  const host = URL.parse(`http://${domain}`)?.hostname;
  return domain !== undefined && host !== undefined && /^[a-z0-9._-]+$/.test(host)
    ? host
    : undefined;
}
