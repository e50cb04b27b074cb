import { lookup as systemLookup } from "node:dns";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Phases } from "../check.ts";
import { type Stage, TimeLimitError } from "../network_failure.ts";
import { awaitAnswer } from "./answer.ts";
import { addedAuthorities } from "../tls/authorities.ts";
import { Stopwatch } from "../net/stopwatch.ts";
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
  /** Milliseconds until the connection must be open, TLS included. */
  connectTimeout: number;
  /** Aborted with the reason to fail with. */
  signal: AbortSignal;
  /** Sees the connection, where somebody asks for details. */
  witness?: Witness;
}

/** One request and its answer. */
export interface Exchange {
  status: number;
  headers: IncomingMessage["headers"];
  phases: Phases;
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
export function exchange(options: ExchangeOptions): Promise<Exchange> {
  const { url, method, headers, body, tls, connectTimeout, signal, witness } = options;
  const secure = url.protocol === "https:";
  const watch = new Stopwatch(isIP(bareHost(url)) !== 0);
  const lookup: LookupFunction = (host, lookupOptions, callback) =>
    systemLookup(host, lookupOptions, (...results) => {
      watch.pass("lookup", "connecting");
      callback(...results);
    });

  const { promise, resolve, reject } = Promise.withResolvers<Exchange>();
  const request = (secure ? httpsRequest : httpRequest)(url, {
    method,
    headers,
    agent: false,
    lookup,
    insecureHTTPParser: true,
    maxHeaderSize: HEAD_LIMIT,
    ...(secure ? { ca: addedAuthorities(), ...tls } : {}),
  });
  const fail = (cause: Error) => {
    request.destroy();
    reject(new ExchangeError(watch.stage, { cause }));
  };
  const abort = () => fail(signal.reason);
  const timer = setTimeout(() => fail(new TimeLimitError(connectTimeout)), connectTimeout);
  const onOpen = () => clearTimeout(timer);

  request.on("socket", (socket) => {
    if (socket.connecting === false) watch.pass("lookup", "connecting");
    socket.on("connect", () => {
      watch.pass("lookup", "connecting");
      watch.pass("connect", secure ? "negotiating TLS" : "waiting for the first byte");
      witness?.connected(socket);
      if (!secure) onOpen();
    });
    socket.on("secureConnect", () => {
      watch.pass("secure", "waiting for the first byte");
      witness?.secured(socket);
      onOpen();
    });
  });
  awaitAnswer(request, {
    onHead: () => watch.pass("answer", "reading the body"),
    onWhole: ({ statusCode: status = 0, headers }, bytes) => {
      resolve({ status, headers, phases: watch.stop() });
      witness?.answered(status, headers, bytes);
    },
    onFailure: fail,
  });

  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  else request.end(body);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  });
}

/** The host of an address, an IPv6 address without its brackets. */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}
