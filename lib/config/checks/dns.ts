import { domainToASCII } from "node:url";
import * as v from "valibot";
import { expected, found, optional, text, word } from "../keys/values.ts";
import { checkKind } from "./check_kind.ts";
import { EXPECT_KEY, expectations } from "./connection_keys.ts";
import { hostAndPort, ipVersion, isPort } from "./hosts.ts";

const RECORD_TYPES = ["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SOA"] as const;

export type RecordType = (typeof RECORD_TYPES)[number];

const RESOLVER = "a host such as 9.9.9.9 or 127.0.0.1:5353";

/** Keys of `dns`. `url` is the name. */
export const dns = checkKind(
  "dns",
  {
    record: optional("dns: record type.", word(RECORD_TYPES), "A"),
    ...EXPECT_KEY,
    resolver: optional(
      "dns: name server, a host with or without :port. Default: the system's name servers.",
      v.pipe(text(RESOLVER), v.check(isResolver, expected(RESOLVER))),
    ),
  },
  (site) => {
    if (!site.url.includes("$") && !isQueryName(queryName(site.url))) {
      return { path: ["url"], message: `expected a name, found ${found(site.url)}` };
    }
    for (const text of expectations(site)) {
      const what = text.includes("$") ? undefined : impossible(site.record, text);
      if (what !== undefined) {
        return { path: ["expect"], message: `expected ${what}, found ${found(text)}` };
      }
    }
  },
);

/** True for a name server with or without a port, or a secret for one. */
export function isResolver(text: string): boolean {
  const { host, port } = hostAndPort(text);
  return text.includes("$") ||
    host !== "" && !/\s/.test(host) && (port === undefined || isPort(port));
}

/** The name in a url, in ASCII and without a final dot. */
export function queryName(url: string): string {
  const { host } = hostAndPort(url);
  // deno-lint-ignore no-control-regex
  const ascii = /^[\x00-\x7f]*$/.test(host) ? host : domainToASCII(host);
  return ascii.replace(/(?<=.)\.$/, "");
}

/** True if a name can be queried; labels that start with an underscore are names of services. */
export function isQueryName(name: string): boolean {
  return /^(?=.{1,253}$)[\w-]{1,63}(?:\.[\w-]{1,63})*$/.test(name);
}

/** Describes the records of a type, if a text can't be one of them. */
function impossible(type: RecordType, text: string): string | undefined {
  if (type === "A" && ipVersion(text) !== 4) return "an IPv4 address";
  if (type === "AAAA" && ipVersion(text) !== 6) return "an IPv6 address";
  return undefined;
}
