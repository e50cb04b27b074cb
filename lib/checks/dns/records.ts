import { isIPv6 } from "node:net";
import type { RecordType } from "../../config/checks/dns.ts";

/**
 * Whether a record is what was expected. Names are compared without case and the dot at their end, an
 * MX by its name alone where no priority is given, an SOA by as many of its fields as are given, a TXT
 * as it stands.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * assert(matches("MX", "10 mail.example.com", "Mail.Example.com."));
 * assert(matches("MX", "10 mail.example.com", "10 mail.example.com"));
 * assert(!matches("MX", "10 mail.example.com", "20 mail.example.com"));
 * assert(matches("AAAA", "2001:db8::1", "2001:0DB8:0:0:0:0:0:1"));
 * assert(matches("SOA", "ns1.example.com admin.example.com 7 1 2 3 4", "ns1.example.com."));
 * assert(!matches("TXT", "v=spf1 -all", "V=SPF1 -all"));
 * ```
 */
export function matches(type: RecordType, record: string, expected: string): boolean {
  if (type === "TXT") return record === expected;
  const [own, wanted] = [record, expected].map((text) => normal(type, text));
  if (type === "MX" && wanted!.length === 1) return own![1] === wanted![0];
  if (type === "SOA") return wanted!.every((word, index) => own![index] === word);
  return own!.join(" ") === wanted!.join(" ");
}

function normal(type: RecordType, text: string): string[] {
  if (type === "AAAA") return [isIPv6(text) ? new URL(`http://[${text}]`).hostname : text];
  return text.trim().toLowerCase().split(/\s+/).map((word) => word.replace(/(?<=.)\.$/, ""));
}
