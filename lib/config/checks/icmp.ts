import { found, type KeyProblem } from "../keys/values.ts";
import { checkKind } from "./check_kind.ts";
import { FAMILY_KEYS, familyProblem } from "./connection_keys.ts";
import { hostAndPort } from "./hosts.ts";

/** Keys of `icmp`. `url` is a host. */
export const icmp = checkKind(
  "icmp",
  FAMILY_KEYS,
  (site): KeyProblem | undefined => {
    const { url } = site;
    if (url.includes("$")) return undefined;
    const { host, port } = hostAndPort(url);
    if (!isPingableHost(host) || port !== undefined) {
      return { path: ["url"], message: `expected a host without a port, found ${found(url)}` };
    }
    return familyProblem(host, site);
  },
);

/** True for a host name or address; one that starts with a hyphen could be an option. */
export function isPingableHost(host: string): boolean {
  return /^[\p{L}\p{M}\p{N}_:][\p{L}\p{M}\p{N}._:%-]*$/u.test(host);
}
