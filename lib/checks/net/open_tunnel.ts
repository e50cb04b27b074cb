import { request as httpRequest } from "node:http";
import type { Socket } from "node:net";
import { statusWords } from "../http/status_words.ts";
import { endpoint, networkFailure, TimeLimitError } from "../network_failure.ts";
import { type AddressChoice, timedLookup, unfitAddress } from "./timed_lookup.ts";
import { type Proxy, ProxyError } from "./route.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** The far end of a tunnel, and how long it may take to dig. */
export interface TunnelOptions extends AddressChoice {
  host: string;
  port: number;
  proxy: Proxy;
  watch: Stopwatch;
  /** Milliseconds until the tunnel must be open. */
  connectTimeout: number;
  /** Aborted with the reason to fail with. */
  signal: AbortSignal;
}

/**
 * Has a proxy connect to a host, and gives the connection to it. Its time counts as that of connecting.
 *
 * @throws {ProxyError} Where the proxy can't be reached or refuses.
 */
export function openTunnel(options: TunnelOptions): Promise<Socket> {
  const { host, port, proxy, family, watch, connectTimeout, signal } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const target = endpoint(host, port);
  const request = httpRequest({
    method: "CONNECT",
    host: proxy.host,
    port: proxy.port,
    path: target,
    headers: { Host: target, ...proxyHeaders(proxy) },
    agent: false,
    lookup: timedLookup(watch, options),
  });
  const fail = (error: Error) => {
    request.destroy();
    reject(unreachable(error, proxy, watch));
  };
  const abort = () => fail(signal.reason);
  const timer = setTimeout(() => fail(new TimeLimitError(connectTimeout)), connectTimeout);
  request.on(
    "socket",
    (socket) => socket.on("connect", () => watch.await("waiting for the proxy")),
  );
  request.on("error", fail);
  request.on("connect", ({ statusCode = 0 }, socket: Socket) => {
    if (statusCode >= 200 && statusCode <= 299) {
      watch.pass("lookup", "connecting");
      watch.pass("connect", "waiting for the first byte");
      return resolve(socket);
    }
    socket.destroy();
    reject(new ProxyError(refusal(statusCode)));
  });
  request.on("response", ({ statusCode = 0 }) => {
    request.destroy();
    reject(new ProxyError(refusal(statusCode)));
  });
  signal.addEventListener("abort", abort);
  const problem = unfitAddress(proxy.host, { family });
  if (signal.aborted) abort();
  else if (problem !== undefined) fail(problem);
  else request.end();
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  });
}

/** What a proxy wants to know of us. */
export function proxyHeaders({ authorization }: Proxy): Record<string, string> {
  return authorization === undefined ? {} : { "Proxy-Authorization": authorization };
}

/** That a proxy could not be reached, with the reason. */
export function unreachable(
  error: Error,
  { host, port, shown }: Proxy,
  { stage }: Pick<Stopwatch, "stage">,
): ProxyError {
  const { kind, reason } = networkFailure(error, { stage, ...(shown ? { host, port } : {}) });
  return new ProxyError(`the proxy failed: ${reason}`, kind);
}

function refusal(status: number): string {
  const words = statusWords(status);
  return status === 407
    ? `the proxy does not accept the login (${words})`
    : `the proxy refused to connect (${words})`;
}
