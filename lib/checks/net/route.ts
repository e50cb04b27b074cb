import type { RouteKeys } from "../../config/checks/connection_keys.ts";
import { bareHost } from "../../config/checks/hosts.ts";
import type { Secrets } from "../../io/secrets/secrets.ts";
import type { Failure } from "../check.ts";
import { showsHost, takeLogin } from "../http/authorization.ts";
import type { AddressChoice } from "./timed_lookup.ts";

/** The way to a site. */
export interface Route extends AddressChoice {
  proxy?: Proxy;
}

/** An HTTP proxy. */
export interface Proxy {
  host: string;
  port: number;
  /** Value of the header that it knows us by. */
  authorization?: string;
  /** Whether its host stands in the configuration in plain sight. */
  shown: boolean;
}

/** What a proxy has against a connection, or how it could not be reached, in words. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  constructor(message: string, readonly kind: Failure["kind"] = "network") {
    super(message);
  }
}

/** What a site's proxy comes to. */
export interface GivenProxy {
  proxy?: Proxy;
  /** Names of secrets that nobody gave. */
  missing: readonly string[];
  /** Why it can't be used, in words. */
  wrong?: string;
}

/** The proxy of a site with its secrets in place. */
export function proxyOf({ proxy }: RouteKeys, secrets: Secrets): GivenProxy | undefined {
  if (proxy === undefined) return undefined;
  const { text, missing } = secrets.substituteUrl(proxy);
  if (missing.length > 0) return { missing };
  const url = URL.parse(text);
  if (url?.protocol !== "http:") {
    return { missing, wrong: "proxy is not an http address once its secrets are in place" };
  }
  const authorization = takeLogin(url, secrets);
  const port = Number(url.port) || 80;
  return {
    missing,
    proxy: { host: bareHost(url), port, authorization, shown: showsHost(proxy) },
  };
}
