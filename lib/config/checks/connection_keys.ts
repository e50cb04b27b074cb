import * as v from "valibot";
import { DAY } from "../../time.ts";
import { duration } from "../keys/times.ts";
import {
  expected,
  flag,
  found,
  type KeyProblem,
  list,
  optional,
  pattern,
  port,
  text,
} from "../keys/values.ts";
import { findMeantAddress } from "./addresses.ts";
import { bareHost, ipVersion } from "./hosts.ts";

export const TLS_KEYS = {
  insecure: optional(
    "true accepts any certificate; for ssl, smtp and imap of any host and authority, unless expired.",
    flag(),
    false,
  ),
  ca: optional(
    "Certificate authority to trust, as a file or a $SECRET.",
    text("a file or a $SECRET with certificates in PEM"),
  ),
  clientCertificate: optional(
    "Client certificate, as a file or a $SECRET; needs `clientKey`.",
    text("a file or a $SECRET with a certificate in PEM"),
  ),
  clientKey: optional(
    "Key of `clientCertificate`, as a file or a $SECRET.",
    text("a file or a $SECRET with a key in PEM"),
  ),
};

export const EXPIRY_KEY = {
  expiresWithin: optional(
    "Days before the expiry of a certificate or domain in which a site is degraded. Default: 14, for domain 30.",
    duration("d", { max: 3650 * DAY }),
  ),
};

export type TlsKeys = v.InferOutput<v.ObjectSchema<typeof TLS_KEYS, undefined>>;

/** A certificate without its key is of no use, nor is a key without its certificate. */
export function tlsProblem({ clientCertificate, clientKey }: TlsKeys): KeyProblem | undefined {
  if ((clientCertificate === undefined) === (clientKey === undefined)) return undefined;
  const key = clientKey === undefined ? "clientCertificate" : "clientKey";
  return { path: [key], message: "clientCertificate and clientKey go together" };
}

/** Address family over which a site is reached. */
export const FAMILY_KEYS = {
  ipv4: optional(
    "true: IPv4 only; together with ipv6: true either one. Not for dns.",
    flag(),
    false,
  ),
  ipv6: optional(
    "true: IPv6 only; together with ipv4: true either one. Not for dns.",
    flag(),
    false,
  ),
};

type FamilyKeys = v.InferOutput<v.ObjectSchema<typeof FAMILY_KEYS, undefined>>;

export function chooseFamily({ ipv4, ipv6 }: FamilyKeys): 4 | 6 | undefined {
  if (ipv4 === ipv6) return undefined;
  return ipv4 ? 4 : 6;
}

/** Finds an address in `url` that is not of the requested family. */
export function familyProblem(
  host: string | undefined,
  keys: FamilyKeys,
): KeyProblem | undefined {
  const family = chooseFamily(keys);
  const own = ipVersion(host ?? "");
  if (family === undefined || own === undefined || own === family) return undefined;
  return {
    path: [`ipv${family}`],
    message: `expected an IPv${family} address in url, found ${found(host)}`,
  };
}

export const ROUTE_KEYS = {
  ...FAMILY_KEYS,
  proxy: optional(
    "http, ws, monitor: HTTP proxy for requests, such as http://me:$PASS@proxy.example.com:3128.",
    pattern(/^(?:\$|http:\/\/.)/, "an address that starts with http://"),
  ),
};

export type RouteKeys = v.InferOutput<v.ObjectSchema<typeof ROUTE_KEYS, undefined>>;

export function addressProblem(
  scheme: "http" | "ws",
  site: { url: string } & TlsKeys & FamilyKeys,
): KeyProblem | undefined {
  const { url } = site;
  const meant = url.startsWith("$") ? undefined : findMeantAddress(url, scheme);
  if (meant !== undefined) {
    const message = `expected an address, found ${found(url)}, did you mean ${found(meant)}?`;
    return { path: ["url"], message };
  }
  if (!new RegExp(String.raw`^(?:\$|${scheme}s?://.)`, "i").test(url)) {
    const expected = `an address that starts with ${scheme}s:// or ${scheme}://`;
    return { path: ["url"], message: `expected ${expected}, found ${found(url)}` };
  }
  const address = url.includes("$") ? undefined : URL.parse(url);
  if (address === null || address?.port === "0") {
    return { path: ["url"], message: `expected an address, found ${found(url)}` };
  }
  return tlsProblem(site) ?? familyProblem(address && bareHost(address), site);
}

/** The port of a site that is reached without an address that holds one. */
export const PORT_KEY = {
  port: optional(
    "Port of a host, unless it is part of `url`; a number or a $SECRET. Default: the usual one; tcp-ping needs it.",
    port(),
  ),
};

const TEXT_OR_LIST = "a text or a list of texts";

export const EXPECT_KEY = {
  expect: optional(
    "dns: records the answer must contain; ws: text or /regular expression/ to find in a message.",
    v.union([
      text(TEXT_OR_LIST),
      v.pipe(
        list(text(), TEXT_OR_LIST),
        v.nonEmpty("expected at least one text"),
      ),
    ], expected(TEXT_OR_LIST)),
  ),
};

export function expectations({ expect = [] }: { expect?: string | string[] }): string[] {
  return [expect].flat();
}
