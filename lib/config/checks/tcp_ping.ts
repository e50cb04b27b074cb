import { found } from "../keys/values.ts";
import { checkKind } from "./check_kind.ts";
import { FAMILY_KEYS, familyProblem, PORT_KEY } from "./connection_keys.ts";
import { hostAndPort, isPort, portOfScheme } from "./hosts.ts";

/** Keys of `tcp-ping`. `url` is a host, or an address that has a port. */
export const tcpPing = checkKind({
  keys: { ...PORT_KEY, ...FAMILY_KEYS },
  shared: [],
  findProblem({ url, port, ...site }) {
    if (url.includes("$")) return undefined;
    const target = hostAndPort(url);
    if (!/^[\p{L}\p{M}\p{N}._:%-]+$/u.test(target.host)) {
      return { path: ["url"], message: `expected a host, found ${found(url)}` };
    }
    if (port === undefined && target.port === undefined && portOfScheme(url) === undefined) {
      return { path: ["port"], message: "a tcp-ping check needs a port, such as port: 5432" };
    }
    if (port === undefined && target.port !== undefined && !isPort(target.port)) {
      return { path: ["url"], message: `expected a port from 1 to 65535, found ${target.port}` };
    }
    return familyProblem(target.host, site);
  },
});
