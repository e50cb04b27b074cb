import { type IncomingMessage, request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { TLSSocket } from "node:tls";
import type { Phases } from "../check.ts";
import { type Stage, TimeLimitError } from "../network_failure.ts";
import { awaitAnswer } from "./answer.ts";
import { bareHost } from "../../config/checks/hosts.ts";
import { addedAuthorities } from "../tls/authorities.ts";
import { openSocket } from "../net/open_socket.ts";
import { openTunnel, proxyHeaders, unreachable } from "../net/open_tunnel.ts";
import type { Route } from "../net/route.ts";
import { Stopwatch } from "../net/stopwatch.ts";
import { timedLookup, unfitAddress } from "../net/timed_lookup.ts";
import type { TlsOptions } from "../tls/tls_options.ts";
import type { Witness } from "./witness.ts";

/** Bytes that the head of an answer may have. */
const HEAD_LIMIT = 256 * 1024;

/** What one request needs. */
export interface ExchangeOptions {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string | string[]>>;
  body?: string;
  tls: Partial<TlsOptions>;
  /** The way to take, where it is not the plain one. */
  route?: Route;
  /** Milliseconds until the connection must be open, TLS included. */
  connectTimeout: number;
  /** Aborted with the reason to fail with. */
  signal: AbortSignal;
  /** What is kept of the answer beside its head; nothing where it is not given. */
  keep?: { body: boolean; certificate: boolean };
  /** Sees the connection, where somebody asks for details. */
  witness?: Witness;
}

/** One request and its answer. */
export interface Exchange {
  status: number;
  headers: IncomingMessage["headers"];
  phases: Phases;
  /** The parts of the body, where they are kept. */
  body: Uint8Array[];
  /** The IP address that was connected to; absent through a proxy. */
  address?: string;
  /** When the server's certificate expires, where that is kept. */
  expiry?: string;
}

/** An exchange that failed, with how far it had come. */
export class ExchangeError extends Error {
  override readonly name = "ExchangeError";
  constructor(readonly stage: Stage, options: { cause: Error }) {
    super(`Cannot finish the exchange: ${options.cause.message}`, options);
  }
  override get cause(): Error {
    return super.cause as Error;
  }
}

/**
 * Makes one request over a new connection (fresh name look-up, no TLS session kept) and times its
 * phases. Answers are read with the indulgence that browsers have: lines that end in LF alone, folded
 * headers, control characters in a value.
 *
 * @throws {ExchangeError} Where no whole answer comes.
 */
export async function exchange(options: ExchangeOptions): Promise<Exchange> {
  const { url, method, headers, body, tls, route = {}, connectTimeout, signal } = options;
  const { keep, witness } = options;
  const { proxy } = route;
  const secure = url.protocol === "https:";
  const watch = new Stopwatch(isIP(proxy?.host ?? bareHost(url)) !== 0);
  const through = await wayThrough(options, watch);

  const parts: Uint8Array[] = [];
  let expiry: string | undefined;
  let address: string | undefined;
  const { promise, resolve, reject } = Promise.withResolvers<Exchange>();
  const request = (secure ? httpsRequest : httpRequest)(url, {
    method,
    headers,
    agent: false,
    lookup: timedLookup(watch, route),
    insecureHTTPParser: true,
    maxHeaderSize: HEAD_LIMIT,
    ...(secure ? { ca: addedAuthorities(), ...tls } : {}),
    ...through,
  });
  const fail = (error: Error) => {
    request.destroy();
    const atProxy = proxy !== undefined && /^(?:looking|connecting)/.test(watch.stage);
    const cause = atProxy ? unreachable(error, proxy, watch) : error;
    reject(new ExchangeError(watch.stage, { cause }));
  };
  const abort = () => fail(signal.reason);
  const timer = setTimeout(
    () => fail(new TimeLimitError(connectTimeout)),
    Math.max(0, connectTimeout - watch.elapsed),
  );
  const onOpen = () => clearTimeout(timer);

  request.on("socket", (socket) => {
    if (through.createConnection === undefined && socket.connecting === false) {
      watch.pass("lookup", "connecting");
    }
    socket.on("connect", () => {
      watch.pass("lookup", "connecting");
      watch.pass("connect", secure ? "negotiating TLS" : "waiting for the first byte");
      if (proxy === undefined) {
        address = socket.remoteAddress;
        witness?.connected(socket);
      }
      if (!secure) onOpen();
    });
    socket.on("secureConnect", () => {
      watch.pass("secure", "waiting for the first byte");
      witness?.secured(socket);
      if (keep?.certificate && socket instanceof TLSSocket) {
        expiry = socket.getPeerCertificate().valid_to;
      }
      onOpen();
    });
  });
  awaitAnswer(request, {
    onHead: () => watch.pass("answer", "reading the body"),
    ...(keep?.body ? { onPart: (part: Uint8Array) => parts.push(part) } : {}),
    onWhole: ({ statusCode: status = 0, headers }, bytes) => {
      resolve({ status, headers, phases: watch.stop(), body: parts, address, expiry });
      witness?.answered(status, headers, bytes);
    },
    onFailure: fail,
  });

  signal.addEventListener("abort", abort);
  const problem = unfitAddress(proxy?.host ?? bareHost(url), route);
  if (signal.aborted) abort();
  else if (problem !== undefined) fail(problem);
  else request.end(body);
  return await promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  });
}

/** What a request needs that goes through a proxy: a tunnel, or where there is no TLS its help alone. */
async function wayThrough(
  { url, headers, tls, route, connectTimeout, signal }: ExchangeOptions,
  watch: Stopwatch,
): Promise<RequestOptions> {
  const { proxy } = route ?? {};
  if (proxy === undefined) return {};
  if (url.protocol === "http:") {
    return {
      host: proxy.host,
      hostname: proxy.host,
      port: proxy.port,
      path: `${url.origin}${url.pathname}${url.search}`,
      headers: { Host: url.host, ...headers, ...proxyHeaders(proxy) },
    };
  }
  const host = bareHost(url);
  const port = Number(url.port) || 443;
  try {
    const tunnel = await openTunnel({ ...route, host, port, proxy, watch, connectTimeout, signal });
    // Beside an agent, or the refusal of one, the connection would be ignored.
    return {
      agent: undefined,
      createConnection: () => openSocket({ host, port, tls, watch, tunnel }),
    };
  } catch (error) {
    throw new ExchangeError(watch.stage, { cause: error as Error });
  }
}
