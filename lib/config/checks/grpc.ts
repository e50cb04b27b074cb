import { found, optional, text } from "../keys/values.ts";
import { checkKind } from "./check_kind.ts";
import { FAMILY_KEYS, familyProblem, PORT_KEY, TLS_KEYS, tlsProblem } from "./connection_keys.ts";
import { hostAndPort } from "./hosts.ts";
import { findHostProblem } from "./host_checks.ts";

/** Keys of `grpc`. `url` is a host, with or without `grpc://` or `grpcs://` and `:port`. */
export const grpc = checkKind(
  "grpc",
  {
    service: optional(
      "grpc: service whose health is checked. Default: the whole server.",
      text(),
    ),
    ...PORT_KEY,
    ...TLS_KEYS,
    ...FAMILY_KEYS,
  },
  (site) => {
    const { url, port } = site;
    if (url.includes("$")) return tlsProblem(site);
    if (/^[a-z]+:\/\//i.test(url) && !/^grpcs?:\/\//i.test(url)) {
      const expected = "a host, or an address that starts with grpcs:// or grpc://";
      return { path: ["url"], message: `expected ${expected}, found ${found(url)}` };
    }
    const target = hostAndPort(url);
    if (isPlain(url) && port === undefined && target.port === undefined) {
      return { path: ["port"], message: "grpc:// needs a port, such as port: 50051" };
    }
    return findHostProblem(url, port) ?? tlsProblem(site) ?? familyProblem(target.host, site);
  },
);

/** True for an address without TLS. */
export function isPlain(url: string): boolean {
  return /^grpc:\/\//i.test(url.trim());
}
