import { findCredentials } from "../io/secrets/url_credentials.ts";
import { bareHost, hostAndPort } from "./checks/hosts.ts";
import type { CheckTarget } from "./checks/mod.ts";
import { isPrivateAddress, isPrivateHost } from "../io/private_address.ts";
import { found, type KeyProblem } from "./keys/values.ts";
import { secretNames } from "./references.ts";

/** Tests an hour that Globalping gives, as of August 2026; without a token to all users of an address together. */
export const TESTS_PER_HOUR = { withToken: 500, withoutToken: 250 } as const;

export const GLOBALPING_TOKEN = "GLOBALPING_TOKEN";

/** Parts of tags that are taken for tags. */
const TAGS: Readonly<Record<string, string>> = {
  datacenter: "datacenter-network",
  eyeball: "eyeball-network",
};

/**
 * Warns of a part of a tag: it is matched until a new probe somewhere else has a name that matches better.
 */
export function describePartOfTag(place: string): string | undefined {
  const parts = place.toLowerCase().split("+").map((part) => part.trim());
  const part = parts.find((part) => Object.hasOwn(TAGS, part));
  return part === undefined
    ? undefined
    : `${found(part)} is only part of a tag, and may match other probes later: write ${TAGS[part]}`;
}

const CHECKS = ["http", "tcp-ping", "icmp", "dns"] as const;
const METHODS = ["GET", "HEAD", "OPTIONS"];
const CREDENTIAL_HEADER =
  /^\s*(?:(?:proxy-)?authorization|cookie|[\w-]*(?:api-?key|token|secret|password)[\w-]*)\s*:/i;
/** Names that no public name server knows (RFC 6761, RFC 6762, RFC 8375 and ICANN's choice for private use). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|test)\.?$/i;
/** Keys that are sent to Globalping, or decide what is sent. */
const SENT_KEYS = ["url", "port", "headers", "body", "resolver", "proxy"] as const;

/**
 * Finds the key of a site because of which Globalping can't check it or must not be asked to: it takes no bodies,
 * follows no redirects, reaches public addresses only, and keeps requests for 7 days where anybody who knows their
 * number can read them.
 */
export function findGlobalpingObstacle(target: CheckTarget): KeyProblem | undefined {
  const problem = (key: string, reason: string): KeyProblem => ({
    path: [key],
    message: `Globalping can't check this site: ${reason}`,
  });
  if (!CHECKS.some((check) => check === target.check)) {
    return problem(
      "check",
      `it makes no checks of type ${target.check}, only ${CHECKS.join(", ")}`,
    );
  }
  const keys: Readonly<Record<string, unknown>> = { ...target };
  for (const key of SENT_KEYS) {
    const [name] = secretNames(keys[key]);
    if (name !== undefined) return problem(key, `${ANYBODY}, so $${name} is not sent`);
  }
  if (findCredentials(target.url) !== undefined) {
    return problem("url", `${ANYBODY}, so credentials are not sent`);
  }
  if (target.check === "http") {
    const { method = "GET", headers, clientCertificate, clientKey, ca, insecure } = target;
    if (target.steps !== undefined) return problem("steps", "it makes one request");
    if (target.body !== undefined) return problem("body", "it sends no bodies");
    if (!METHODS.includes(method)) {
      return problem("method", `it knows only ${METHODS.join(", ")}, not ${method}`);
    }
    if (headers.some((line) => CREDENTIAL_HEADER.test(line))) {
      return problem("headers", `${ANYBODY}, so credentials are not sent`);
    }
    if (clientCertificate !== undefined || clientKey !== undefined) {
      return problem("clientCertificate", "it presents no certificates");
    }
    if (ca !== undefined && !insecure) {
      return problem("ca", "it trusts public certificate authorities only");
    }
    if (target.proxy !== undefined) return problem("proxy", "it uses no proxies");
    if (target.redirects === "anywhere") return problem("redirects", "it follows no redirects");
  }
  const url = target.check === "http" ? URL.parse(target.url) : null;
  const host = url === null ? hostAndPort(target.url).host : bareHost(url);
  if (isPrivateName(host)) return problem("url", `${found(host)} is not a public address`);
  const resolver = target.check === "dns" ? target.resolver : undefined;
  if (resolver !== undefined && isPrivateName(hostAndPort(resolver).host)) {
    return problem("resolver", `${found(resolver)} is not a public address`);
  }
  return undefined;
}

const ANYBODY = "anybody who knows the number of a measurement can read it for 7 days";

function isPrivateName(host: string): boolean {
  const isAddress = host.includes(":");
  return isPrivateHost(host, isPrivateAddress) || PRIVATE_NAME.test(host) ||
    !isAddress && !/.\../.test(host);
}
