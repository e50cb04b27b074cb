import { found, type KeyProblem, optional, parsed, pattern } from "../keys/values.ts";
import { checkKind } from "./check_kind.ts";
import { EXPIRY_KEY } from "./connection_keys.ts";
import { isQueryName, queryName } from "./dns.ts";

/** The list of all registries' servers (RFC 9224). */
const ALL_REGISTRIES = "https://data.iana.org/rdap/dns.json";

/** Keys of `domain`. `url` is a registered domain. */
export const domain = checkKind(
  "domain",
  {
    expires: optional(
      "domain: expiry date such as 2027-03-01, instead of asking the registry.",
      parsed("a date such as 2027-03-01", (text) => isDate(text) ? text : undefined),
    ),
    rdap: optional(
      "domain: RDAP server of the registry, or a list of servers if the address ends in .json.",
      pattern(/^(?:\$|https?:\/\/.)/i, "an address that starts with https:// or http://"),
      ALL_REGISTRIES,
    ),
    ...EXPIRY_KEY,
  },
  ({ url }): KeyProblem | undefined => {
    if (url.includes("$") || isDomain(queryName(url))) return undefined;
    return { path: ["url"], message: `expected a domain such as example.com, found ${found(url)}` };
  },
);

/** True for a name of several labels that can be registered. */
export function isDomain(name: string): boolean {
  return isQueryName(name) && /\.[a-z][a-z\d-]+$/i.test(name);
}

function isDate(text: string): boolean {
  try {
    return /^\d{4}-\d\d-\d\d$/.test(text) && Temporal.PlainDate.from(text) !== undefined;
  } catch {
    return false;
  }
}
