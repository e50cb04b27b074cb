import { DAY } from "../../time.ts";
import { duration } from "../keys/times.ts";
import { found, optional } from "../keys/values.ts";
import { checkKind } from "./check_kind.ts";
import { FAMILY_KEYS, familyProblem, PORT_KEY, TLS_KEYS, tlsProblem } from "./connection_keys.ts";
import { hostAndPort, isPort } from "./hosts.ts";

/** Keys of `ssl`. `url` is a host, with or without `:port`. */
export const ssl = checkKind({
  keys: {
    ...PORT_KEY,
    expiresWithin: optional(
      "ssl: days; a site is degraded if a certificate of its chain expires sooner.",
      duration("d", { max: 3650 * DAY }),
      14,
    ),
    ...TLS_KEYS,
    ...FAMILY_KEYS,
  },
  shared: ["expiresWithin"],
  findProblem(site) {
    if (site.url.includes("$")) return tlsProblem(site);
    const { host, port } = hostAndPort(site.url);
    if (host === "" || /\s/.test(host)) {
      return { path: ["url"], message: `expected a host, found ${found(site.url)}` };
    }
    if (site.port === undefined && port !== undefined && !isPort(port)) {
      return { path: ["url"], message: `expected a port from 1 to 65535, found ${port}` };
    }
    return tlsProblem(site) ?? familyProblem(host, site);
  },
});
