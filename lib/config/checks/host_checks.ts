import { found, type KeyProblem, optional, word } from "../keys/values.ts";
import { checkKind } from "./check_kind.ts";
import {
  EXPIRY_KEY,
  FAMILY_KEYS,
  familyProblem,
  PORT_KEY,
  TLS_KEYS,
  tlsProblem,
} from "./connection_keys.ts";
import { hostAndPort, isPort, portOfScheme } from "./hosts.ts";

/** Keys of `tcp-ping`. `url` is a host, or an address that has a port. */
export const tcpPing = checkKind(
  "tcp-ping",
  { ...PORT_KEY, ...FAMILY_KEYS },
  ({ url, port, ...site }) => {
    if (url.includes("$")) return undefined;
    const target = hostAndPort(url);
    if (port === undefined && target.port === undefined && portOfScheme(url) === undefined) {
      return { path: ["port"], message: "a tcp-ping check needs a port, such as port: 5432" };
    }
    return findHostProblem(url, port) ?? familyProblem(target.host, site);
  },
);

/** Keys of `ssl`. `url` is a host, with or without `:port`. */
export const ssl = checkKind(
  "ssl",
  {
    ...PORT_KEY,
    ...EXPIRY_KEY,
    ...TLS_KEYS,
    ...FAMILY_KEYS,
  },
  (site) => {
    if (site.url.includes("$")) return tlsProblem(site);
    return findHostProblem(site.url, site.port) ?? tlsProblem(site) ??
      familyProblem(hostAndPort(site.url).host, site);
  },
);

/** Finds a url that is no host, or has no port. */
export function findHostProblem(url: string, portKey: string | undefined): KeyProblem | undefined {
  const { host, port } = hostAndPort(url);
  if (!/^[\p{L}\p{M}\p{N}._:%-]+$/u.test(host)) {
    return { path: ["url"], message: `expected a host, found ${found(url)}` };
  }
  if (portKey !== undefined || port === undefined || isPort(port)) return undefined;
  return { path: ["url"], message: `expected a port from 1 to 65535, found ${port}` };
}

/** Keys of `ssh`. `url` is a host, with or without `ssh://` and `:port`. */
export const ssh = checkKind(
  "ssh",
  { ...PORT_KEY, ...FAMILY_KEYS },
  (site) => {
    if (site.url.includes("$")) return undefined;
    return findHostProblem(site.url, site.port) ?? familyProblem(hostAndPort(site.url).host, site);
  },
);

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

const MAIL_KEYS = {
  ...PORT_KEY,
  tls: optional(
    "smtp, imap: `starttls`, `implicit` (TLS from the first byte) or `none`. Default: by port or scheme.",
    word(["starttls", "implicit", "none"]),
  ),
  ...EXPIRY_KEY,
  ...TLS_KEYS,
  ...FAMILY_KEYS,
};

/** Keys of `smtp`. `url` is a host, with or without `smtp://` or `smtps://` and `:port`. */
export const smtp = mailKind("smtp");

/** Keys of `imap`. `url` is a host, with or without `imap://` or `imaps://` and `:port`. */
export const imap = mailKind("imap");

function mailKind<const Name extends "smtp" | "imap">(check: Name) {
  return checkKind(check, MAIL_KEYS, (site) => {
    const { url } = site;
    if (url.includes("$")) return tlsProblem(site);
    if (/^[a-z]+:\/\//i.test(url) && !new RegExp(`^${check}s?://`, "i").test(url)) {
      const expected = `a host, or an address that starts with ${check}s:// or ${check}://`;
      return { path: ["url"], message: `expected ${expected}, found ${found(url)}` };
    }
    return findHostProblem(url, site.port) ?? tlsProblem(site) ??
      familyProblem(hostAndPort(url).host, site);
  });
}
