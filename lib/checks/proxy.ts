import type { RouteKeys } from "../config/checks/connection_keys.ts";
import { bareHost } from "../config/checks/hosts.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { showsHost, takeLogin } from "./http/headers.ts";
import { networkFailure, type Stage, statusWords } from "./network_failure.ts";
import type { Failure } from "./observation.ts";

export interface Proxy {
  host: string;
  port: number;
  authorization?: string;
  shown: boolean;
}

export class ProxyError extends Error {
  override readonly name = "ProxyError";
  constructor(message: string, readonly kind: Failure["kind"] = "network") {
    super(message);
  }
}

/** Reads the proxy of a site, with its secrets replaced; `missing` names those without a value. */
export function readProxy(
  { proxy }: RouteKeys,
  secrets: Secrets,
): { proxy?: Proxy; missing: readonly string[]; problem?: string } | undefined {
  if (proxy === undefined) return undefined;
  const { text, missing } = secrets.substituteUrl(proxy);
  if (missing.length > 0) return { missing };
  const url = URL.parse(text);
  if (url?.protocol !== "http:") {
    return { missing, problem: "proxy is not an http address once its secrets are in place" };
  }
  const authorization = takeLogin(url, secrets);
  const port = Number(url.port) || 80;
  return {
    missing,
    proxy: { host: bareHost(url), port, authorization, shown: showsHost(proxy) },
  };
}

export function proxyHeaders({ authorization }: Proxy): Record<string, string> {
  return authorization === undefined ? {} : { "Proxy-Authorization": authorization };
}

export function unreachableProxy(
  error: Error,
  { host, port, shown }: Proxy,
  stage: Stage,
): ProxyError {
  if (error instanceof ProxyError) return error;
  const { kind, reason } = networkFailure(error, { stage, ...(shown ? { host, port } : {}) });
  return new ProxyError(`the proxy failed: ${reason}`, kind);
}

export function refusedByProxy(status: number): ProxyError {
  const words = statusWords(status);
  return new ProxyError(
    status === 407
      ? `the proxy does not accept the login (${words})`
      : `the proxy refused to connect (${words})`,
  );
}
