import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { closedError, openConnection, type Route, toHostAndPort } from "../connection.ts";
import type { TlsOptions } from "../credentials.ts";
import type { Stage } from "../network_failure.ts";
import type { Phases } from "../observation.ts";
import { proxyHeaders } from "../proxy.ts";
import { Stopwatch, unlessAborted } from "../timing.ts";
import type { Trace } from "../trace.ts";

/** Bytes of a body that are read. */
export const BODY_LIMIT = 1024 * 1024;
/** Bytes of its start that are kept at least. */
const KEPT_START = 4 * 1024;
/** Bytes that the head of an answer may have. */
const HEAD_LIMIT = 256 * 1024;

interface Request {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string | string[]>>;
  body?: string;
  tls: TlsOptions;
  route: Route;
  /** Milliseconds until the connection must be open, TLS included. */
  connectTimeout: number;
  signal: AbortSignal;
  /** True to keep all of the body that is read, not only its start. */
  keepsBody?: boolean;
  trace?: Trace;
}

export interface Exchange {
  status: number;
  headers: IncomingMessage["headers"];
  phases: Phases;
  body: Uint8Array[];
  /** True if there was more, or may be. */
  isCut: boolean;
  /** The IP address that was connected to; absent through a proxy. */
  address?: string;
}

export class ExchangeError extends Error {
  override readonly name = "ExchangeError";
  constructor(readonly stage: Stage, override readonly cause: Error) {
    super(`Cannot finish the exchange: ${cause.message}`);
  }
}

/**
 * Makes one request over a new connection (fresh name look-up, no TLS session kept) and measures its
 * phases. Answers are read as leniently as browsers do: lines that end in LF alone, folded headers,
 * control characters in a value.
 *
 * @throws {ExchangeError} If no complete answer arrives.
 */
export async function exchange(request: Request): Promise<Exchange> {
  const { url, tls, route, signal, trace } = request;
  const { proxy } = route;
  const isSecure = url.protocol === "https:";
  const target = toHostAndPort(url);
  const watch = new Stopwatch(proxy?.host ?? target.host);
  try {
    const socket = await openConnection({
      ...route,
      ...target,
      ...(isSecure ? { tls } : { isForwarded: true }),
    }, { ...request, watch, onSecure: (socket) => trace?.secured(socket) });
    const address = proxy === undefined ? socket.remoteAddress : undefined;
    if (proxy === undefined) trace?.connected(socket);
    const sent = (isSecure ? httpsRequest : httpRequest)(url, {
      method: request.method,
      headers: request.headers,
      ...(proxy === undefined || isSecure ? {} : {
        path: `${url.origin}${url.pathname}${url.search}`,
        headers: { Host: url.host, ...request.headers, ...proxyHeaders(proxy) },
      }),
      createConnection: () => socket,
      insecureHTTPParser: true,
      maxHeaderSize: HEAD_LIMIT,
    });
    const parts: Uint8Array[] = [];
    let answer: IncomingMessage | undefined;
    let bytes = 0;
    return await unlessAborted<Exchange>(signal, (resolve, reject) => {
      const receive = (whole: IncomingMessage) => {
        const { statusCode: status = 0, headers } = whole;
        const limit = request.keepsBody ? BODY_LIMIT : KEPT_START + 1;
        const isCut = bytes >= limit;
        resolve({ status, headers, phases: watch.stop(), body: parts, isCut, address });
        trace?.answered(status, headers, bytes);
      };
      /** An answer is complete once its last byte has arrived: later errors don't matter. */
      const settle = (cause: Error) => answer?.complete === true ? receive(answer) : reject(cause);
      sent.on("error", settle);
      sent.on("upgrade", (response: IncomingMessage) => {
        watch.pass("answer", "reading the body");
        receive(response);
      });
      sent.on("response", (response) => {
        answer = response;
        watch.pass("answer", "reading the body");
        response.on("error", settle);
        if (hasNoBody(request.method, response.statusCode)) return receive(response);
        response.on("data", (chunk: Uint8Array) => {
          const left = request.keepsBody ? Infinity : KEPT_START - bytes;
          if (left > 0) parts.push(left < chunk.length ? chunk.slice(0, left) : chunk);
          bytes += chunk.length;
          if (bytes >= BODY_LIMIT) receive(response);
        });
        for (const end of ["end", "aborted", "close"]) {
          response.on(end, () => settle(closedError()));
        }
      });
      sent.end(request.body);
    }).finally(() => {
      sent.on("error", () => {});
      sent.destroy();
      socket.destroy();
    });
  } catch (error) {
    throw new ExchangeError(watch.stage, error as Error);
  }
}

function hasNoBody(method: string, status: number | undefined): boolean {
  return method === "HEAD" || status === 204 || status === 304;
}
