import type { Secrets } from "../../io/secrets/secrets.ts";
import { publicUrl } from "../../io/secrets/url_credentials.ts";
import { misconfigured, missingSecrets, type Observation, type ProbeContext } from "../check.ts";
import { basic, showsHost, takeLogin } from "./authorization.ts";
import type { Header, Hop } from "./hop.ts";
import { familyOf } from "../../config/checks/connection_keys.ts";
import { proxyOf, type Route } from "../net/route.ts";
import type { RouteKeys } from "../../config/checks/connection_keys.ts";
import type { Target } from "../../config/checks/check_kind.ts";
import { credentialsOf, readTlsOptions, type TlsOptions } from "../tls/tls_options.ts";
import type { TlsKeys } from "../../config/checks/connection_keys.ts";
import type { HttpKeys } from "../../config/checks/http.ts";

/** A first request with its secrets in place. */
export interface PreparedRequest {
  hop: Hop;
  /** The public URL: as configured, without credentials that are written out. */
  address: string;
  tls: TlsOptions;
  route: Route;
  /** Whether the host's name stands in the configuration in plain sight, so that an error may name it. */
  showsHost: boolean;
  /** Whether the request holds a secret: what it is redirected to could repeat it. */
  secret: boolean;
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The keys of a site that a request is made from. */
export type RequestKeys =
  & Target
  & TlsKeys
  & RouteKeys
  & Pick<HttpKeys, "method" | "headers" | "body">;

/**
 * The request a site's keys describe, or the observation that they can't make one. `scheme` is that of
 * the address without TLS.
 */
export async function prepareRequest(
  site: RequestKeys,
  { secrets, root, userAgent, attempt }: ProbeContext,
  scheme: "http" | "ws" = "http",
): Promise<PreparedRequest | Observation> {
  const address = secrets.substituteUrl(site.url);
  const lines = site.headers.map((line) => secrets.substitute(line));
  const agent = secrets.substitute(`User-Agent: ${site.userAgent ?? userAgent}`);
  const body = site.body === undefined ? undefined : secrets.substitute(site.body);
  const given = credentialsOf(site, secrets);
  const proxy = proxyOf(site, secrets);
  const missing = [address, agent, ...lines, body, given, proxy].flatMap((part) =>
    part?.missing ?? []
  );
  if (missing.length > 0) return missingSecrets(missing, secrets);

  const url = URL.parse(address.text);
  if (url === null || ![`${scheme}:`, `${scheme}s:`].includes(url.protocol)) {
    const what = scheme === "http" ? "an http or https" : "a ws or wss";
    return misconfigured(`the url is not ${what} address once its secrets are in place`);
  }
  const headers = lines.map(({ text, secret }) => parseHeader(text, secret, secrets));
  const ourAgent = parseHeader(agent.text, agent.secret);
  if (headers.some(({ name }) => !HEADER_NAME.test(name))) {
    return misconfigured("the name of a header is none that HTTP allows");
  }
  const wrong = [...headers, ourAgent].find(({ value }) =>
    !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)
  );
  if (wrong !== undefined) {
    return misconfigured(`the header ${wrong.name} holds a character that HTTP does not allow`);
  }

  const tls = await readTlsOptions(given, site, root);
  if (!("rejectUnauthorized" in tls)) return tls;

  if (proxy?.wrong !== undefined) return misconfigured(proxy.wrong);

  const authorization = takeLogin(url, secrets);
  const login = authorization === undefined
    ? []
    : [{ name: "Authorization", value: authorization, secret: true }];
  return {
    hop: {
      url,
      method: site.method ?? (body === undefined ? "GET" : "POST"),
      headers: withDefaults(headers, [ourAgent, ...login], body?.text),
      body: body?.text,
      bodySecret: body?.secret ?? false,
    },
    address: publicUrl(site.url),
    tls,
    route: { family: familyOf(site), attempt, proxy: proxy?.proxy },
    showsHost: showsHost(site.url),
    secret: login.length > 0 || [address, agent, ...lines, body].some((part) => part?.secret),
  };
}

/**
 * A configured header. The pair of a `Basic` authorization is encoded where it is still plain: a colon
 * can't occur in base64. Where it holds a secret, `secrets` learn to mask what it is encoded to.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(parseHeader("Authorization: Basic me:pass", true).value, "Basic bWU6cGFzcw==");
 * assertEquals(parseHeader("Authorization: Basic bWU6cGFzcw==", true).value, "Basic bWU6cGFzcw==");
 * ```
 */
export function parseHeader(line: string, secret: boolean, secrets?: Secrets): Header {
  const colon = line.indexOf(":");
  const name = line.slice(0, colon).trim();
  const value = line.slice(colon + 1).trim();
  const pair = /^(?:proxy-)?authorization$/i.test(name)
    ? /^Basic\s+(.*:.*)$/is.exec(value)?.[1]
    : undefined;
  if (pair === undefined) return { name, value, secret };
  return { name, value: basic(pair, secret ? secrets : undefined), secret };
}

/** How long a body is, only we can say. */
function withDefaults(
  headers: readonly Header[],
  ours: readonly Header[],
  body?: string,
): Header[] {
  const defaults: Header[] = [
    ...ours,
    { name: "Accept", value: "*/*", secret: false },
    { name: "Accept-Encoding", value: "identity", secret: false },
  ];
  if (body !== undefined) {
    defaults.push(
      {
        name: "Content-Type",
        value: isJson(body) ? "application/json" : "application/x-www-form-urlencoded",
        secret: false,
      },
      {
        name: "Content-Length",
        value: String(new TextEncoder().encode(body).length),
        secret: false,
      },
    );
  }
  const own = headers.filter(({ name }) => !/^(?:content-length|transfer-encoding)$/i.test(name));
  const given = new Set(own.map(({ name }) => name.toLowerCase()));
  return [...own, ...defaults.filter(({ name }) => !given.has(name.toLowerCase()))];
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
