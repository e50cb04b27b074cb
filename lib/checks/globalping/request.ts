import { chooseFamily } from "../../config/checks/connection_keys.ts";
import { queryName } from "../../config/checks/dns.ts";
import { bareHost, hostAndPort, ipVersion, portOfScheme } from "../../config/checks/hosts.ts";
import type { CheckSettings, CheckTarget } from "../../config/checks/mod.ts";
import { findGlobalpingObstacle } from "../../config/globalping.ts";
import type { Secrets } from "../../io/secrets/secrets.ts";
import { parseHeader } from "../http/headers.ts";

/** Body of a measurement request, without the locations. */
export interface MeasurementRequest {
  type: "http" | "ping" | "dns";
  target: string;
  measurementOptions: Readonly<Record<string, unknown>>;
  /** Seconds that a probe has. */
  timeout: number;
}

/** Seconds that a test may take: the limits of the API. */
const SHORTEST = { http: 5, ping: 10, dns: 5 } as const;
export const LONGEST_TEST = 30;

/**
 * The measurement that checks a site, or the reason why Globalping must not be asked. Nothing that contains a secret is
 * ever returned.
 */
export function toMeasurementRequest(
  target: CheckTarget,
  secrets: Pick<Secrets, "redact" | "substitute">,
): MeasurementRequest | { obstacle: string } {
  const obstacle = target.fault ?? findGlobalpingObstacle(target)?.message;
  if (obstacle !== undefined) return { obstacle };
  const request = build(target);
  if (request === undefined) {
    return { obstacle: "Globalping can't check this site: its url is wrong" };
  }
  const text = JSON.stringify(request);
  return secrets.redact(text) === text && !secrets.substitute(text).secret
    ? request
    : { obstacle: "Globalping is not asked: the request contains a secret" };
}

function build(target: CheckTarget): MeasurementRequest | undefined {
  switch (target.check) {
    case "http":
      return buildHttp(target);
    case "dns":
      return buildDns(target);
    case "tcp-ping": {
      const { url } = target;
      const port = target.port ?? hostAndPort(url).port ?? portOfScheme(url);
      return buildPing(target, { protocol: "TCP", port: Number(port) });
    }
    case "icmp":
      return buildPing(target, {});
    default:
      return undefined;
  }
}

function buildHttp(site: CheckSettings<"http">): MeasurementRequest | undefined {
  const url = URL.parse(site.url);
  if (url === null) return undefined;
  const isSecure = url.protocol === "https:";
  const { host, ...headers } = toHeaders(site.headers);
  const target = bareHost(url).replace(/\.$/, "");
  return {
    type: "http",
    target,
    measurementOptions: {
      protocol: isSecure ? "HTTPS" : "HTTP",
      port: Number(url.port || (isSecure ? 443 : 80)),
      request: {
        method: site.method ?? "GET",
        path: url.pathname,
        ...url.search === "" ? {} : { query: url.search.slice(1) },
        host,
        ...Object.keys(headers).length === 0 ? {} : { headers },
      },
      ...toFamily(site, target),
    },
    timeout: toTimeout("http", site.requestTimeout),
  };
}

/** Headers by their names. Probes send a User-Agent of their own. */
function toHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const { name, value } = parseHeader(line, false);
    const key = /^host$/i.test(name) ? "host" : name;
    if (/^user-agent$/i.test(name)) continue;
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return headers;
}

function buildPing(
  site: CheckSettings<"tcp-ping" | "icmp">,
  options: Readonly<Record<string, unknown>>,
): MeasurementRequest {
  const target = queryName(site.url);
  return {
    type: "ping",
    target,
    measurementOptions: { ...options, ...toFamily(site, target) },
    timeout: toTimeout("ping", site.connectTimeout),
  };
}

function buildDns(site: CheckSettings<"dns">): MeasurementRequest {
  const resolver = site.resolver === undefined ? undefined : hostAndPort(site.resolver);
  return {
    type: "dns",
    target: queryName(site.url),
    measurementOptions: {
      query: { type: site.record },
      ...resolver === undefined ? {} : { resolver: resolver.host },
      ...resolver?.port === undefined ? {} : { port: Number(resolver.port) },
    },
    timeout: toTimeout("dns", Math.min(site.connectTimeout, site.requestTimeout)),
  };
}

/** The address family, which is not allowed for a target that is an address. */
function toFamily(
  site: { ipv4: boolean; ipv6: boolean },
  target: string,
): { ipVersion?: 4 | 6 } {
  const family = chooseFamily(site);
  return family === undefined || ipVersion(target) !== undefined ? {} : { ipVersion: family };
}

function toTimeout(type: MeasurementRequest["type"], limit: number): number {
  return Math.max(SHORTEST[type], Math.min(LONGEST_TEST, Math.ceil(limit / 1000)));
}
