import type { Target } from "../../config/checks/check_kind.ts";
import { chooseFamily, type RouteKeys, type TlsKeys } from "../../config/checks/connection_keys.ts";
import type { HttpKeys } from "../../config/checks/http.ts";
import { encodeOnce } from "../../io/secrets/secrets.ts";
import { publicUrl } from "../../io/secrets/url_credentials.ts";
import { parseJson } from "../../text/safe_parse.ts";
import type { Route } from "../connection.ts";
import { readTlsOptions, resolveCredentials, type TlsOptions } from "../credentials.ts";
import {
  misconfigured,
  missingSecrets,
  type Observation,
  type ProbeContext,
} from "../observation.ts";
import { readProxy } from "../proxy.ts";
import { type Header, parseHeader, showsHost, takeLogin } from "./headers.ts";

export interface Hop {
  url: URL;
  method: string;
  headers: readonly Header[];
  body?: string;
  bodySecret: boolean;
}

export interface PreparedRequest {
  hop: Hop;
  /** The public URL: as configured, without credentials that are written out. */
  address: string;
  tls: TlsOptions;
  route: Route;
  showsHost: boolean;
  /** True if the request contains a secret: a redirect could repeat it. */
  secret: boolean;
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

type RequestKeys =
  & Target
  & TlsKeys
  & RouteKeys
  & Pick<HttpKeys, "method" | "headers" | "body">;

/** Prepares a site's request, or returns the observation that its keys are unusable. `scheme` is without TLS. */
export async function prepareRequest(
  site: RequestKeys,
  { secrets, root, userAgent, attempt }: ProbeContext,
  scheme: "http" | "ws" = "http",
): Promise<PreparedRequest | Observation> {
  const address = secrets.substituteUrl(site.url);
  const lines = site.headers.map((line) => secrets.substitute(line));
  const agent = secrets.substitute(`User-Agent: ${site.userAgent ?? userAgent}`);
  const body = site.body === undefined
    ? undefined
    : secrets.substitute(site.body, undefined, chooseEncoding(site.body, site.headers));
  const given = resolveCredentials(site, secrets);
  const proxy = readProxy(site, secrets);
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
  const all = [...headers, ourAgent];
  const wrong = all.findIndex(({ value }) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value));
  if (wrong !== -1) {
    const reason = `the header ${all[wrong]!.name} holds a character that HTTP does not allow`;
    // The value of an earlier step is the fault of the site.
    return site.headers[wrong]?.includes("{{")
      ? { code: 0, responseTime: 0, failure: { kind: "answer", reason } }
      : misconfigured(reason);
  }

  const tls = await readTlsOptions(given, site, root);
  if (!("insecure" in tls)) return tls;

  if (proxy?.problem !== undefined) return misconfigured(proxy.problem);

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
    route: { family: chooseFamily(site), attempt, proxy: proxy?.proxy },
    showsHost: showsHost(site.url),
    secret: login.length > 0 || [address, agent, ...lines, body].some((part) => part?.secret),
  };
}

/** Adds default headers. Content-Length is always computed. */
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
        value: parseJson(body) !== undefined
          ? "application/json"
          : "application/x-www-form-urlencoded",
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

/** Chooses the encoding of values of earlier steps in a body, so that none ends the text or field around it. */
function chooseEncoding(body: string, headers: readonly string[]): (value: string) => string {
  const type = headers.find((line) => /^\s*content-type\s*:/i.test(line)) ??
    (/^\s*(?:\[|\{(?!\{))/.test(body) ? "json" : "form");
  if (/json/i.test(type)) return (value) => JSON.stringify(value).slice(1, -1);
  return /form(?!-data)/i.test(type) ? encodeOnce : (value) => value;
}
