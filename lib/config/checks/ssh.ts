import { checkKind } from "./check_kind.ts";
import { FAMILY_KEYS, familyProblem, PORT_KEY } from "./connection_keys.ts";
import { hostAndPort } from "./hosts.ts";
import { findHostProblem } from "./ports.ts";

/** Keys of `ssh`. `url` is a host, with or without `ssh://` and `:port`. */
export const ssh = checkKind(
  "ssh",
  { ...PORT_KEY, ...FAMILY_KEYS },
  (site) => {
    if (site.url.includes("$")) return undefined;
    return findHostProblem(site.url, site.port) ?? familyProblem(hostAndPort(site.url).host, site);
  },
);
