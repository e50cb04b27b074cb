import { isIPv6 } from "node:net";
import type { RecordType } from "../config/checks/dns.ts";
import { describeSizes, type Failure } from "./observation.ts";

export interface ExpectedReply {
  /** Records that must all be among the answers; `shown` is the configured text. */
  expected: readonly { text: string; shown: string }[];
  /** The name, if no secret hides it. */
  shown?: string;
  /** True if texts (TXT) may be quoted; addresses and names are public anyway. */
  quotes: boolean;
}

/** Reason why a reply is not the expected one; `code` is such as `NOERROR`. */
export function evaluateReply(
  { code, records }: { code: string; records: readonly string[] },
  type: RecordType,
  { expected, shown, quotes }: ExpectedReply,
): Failure | undefined {
  const name = shown ?? "the name";
  const answer = (reason: string): Failure => ({ kind: "answer", reason });
  if (code === "NXDOMAIN") return answer(`${name} does not exist (NXDOMAIN)`);
  if (code === "SERVFAIL") {
    const reason = `the name server could not find an answer for ${name} (SERVFAIL)`;
    return { kind: "network", reason };
  }
  if (code === "REFUSED") {
    return answer(`the name server refuses to answer for ${name} (REFUSED)`);
  }
  if (code !== "NOERROR") return answer(`the name server answered ${code}`);
  if (records.length === 0) return answer(`${name} has no ${type} record`);
  const missing = expected.filter(({ text }) => !records.some((one) => matches(type, one, text)));
  if (missing.length === 0) return undefined;
  // Records may reveal the name.
  const found = shown === undefined
    ? "something else"
    : type === "TXT" && !quotes
    ? describeSizes(records.map(({ length }) => length), "text", "character")
    : records.join(", ");
  return answer(`expected ${missing.map(({ shown }) => shown).join(", ")}, found ${found}`);
}

/**
 * True if a record is the expected one. Names are compared without case and final dot, an MX by its name if no
 * priority is given, an SOA by the fields that are given, a TXT exactly.
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
