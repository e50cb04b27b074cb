import * as v from "valibot";
import { about, expected } from "../../config/keys/values.ts";
import type { Secrets } from "../../config/secrets/secrets.ts";
import { showsHost, takeLogin } from "../http/authorization.ts";
import { bareHost } from "../http/bare_host.ts";
import { FAMILY_KEYS, type FamilyKeys } from "./family_keys.ts";
import type { Proxy } from "./route.ts";

const PROXY = "an address that begins with http://";

/** The way that requests take to a site. */
export const ROUTE_KEYS = {
  ...FAMILY_KEYS,
  proxy: v.optional(
    about(
      "http, ws: HTTP proxy for requests, such as http://me:$PASS@proxy.example.com:3128.",
      v.pipe(v.string(expected(PROXY)), v.regex(/^(?:\$|http:\/\/.)/, expected(PROXY))),
    ),
  ),
};

/** {@linkcode ROUTE_KEYS} as read. */
export interface RouteKeys extends FamilyKeys {
  proxy?: string;
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
