import { lookup as systemLookup } from "node:dns";
import { type IncomingMessage, request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Phases } from "../check.ts";
import { type Stage, TimeLimitError } from "../network_failure.ts";

/** Bytes of a body that are read; the rest says nothing more about a site. */
export const BODY_LIMIT = 1024 * 1024;

/** What one request needs. */
export interface ExchangeOptions {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string | string[]>>;
  body?: string;
  tls:
    & Pick<RequestOptions & { ca?: string; cert?: string; key?: string }, "ca" | "cert" | "key">
    & {
      rejectUnauthorized?: boolean;
    };
  /** Milliseconds until the connection must be open, TLS included. */
  connectTimeout: number;
  /** Aborted with the reason to fail with. */
  signal: AbortSignal;
}

/** One request and its answer, read to the end or to {@linkcode BODY_LIMIT}. */
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
 * phases by the monotonic clock.
 *
 * @throws {ExchangeError} Where no whole answer comes.
 */
export function exchange(options: ExchangeOptions): Promise<Exchange> {
  const { url, method, headers, body, tls, connectTimeout, signal } = options;
  const secure = url.protocol === "https:";
  const start = performance.now();
  const isAddress = isIP(bareHost(url)) !== 0;
  const marks: Record<"start" | "lookup" | "connect" | "secure" | "answer", number> = {
    start,
    lookup: isAddress ? start : 0,
    connect: 0,
    secure: 0,
    answer: 0,
  };
  let stage: Stage = isAddress ? "connecting" : "looking up the name";
  const pass = (mark: keyof typeof marks, next: Stage) => {
    if (marks[mark] === 0) marks[mark] = performance.now();
    stage = next;
  };
  const lookup: LookupFunction = (host, lookupOptions, callback) =>
    systemLookup(host, lookupOptions, (...results) => {
      pass("lookup", "connecting");
      callback(...results);
    });

  const { promise, resolve, reject } = Promise.withResolvers<Exchange>();
  const request = (secure ? httpsRequest : httpRequest)(url, {
    method,
    headers,
    agent: false,
    lookup,
    ...(secure ? tls : {}),
  });
  const fail = (cause: Error) => {
    request.destroy();
    reject(new ExchangeError(stage, { cause }));
  };
  const finish = ({ statusCode, headers }: IncomingMessage) =>
    resolve({ status: statusCode ?? 0, headers, phases: phasesOf(marks, performance.now()) });
  const abort = () => fail(signal.reason);
  const timer = setTimeout(() => fail(new TimeLimitError(connectTimeout)), connectTimeout);
  const opened = () => {
    clearTimeout(timer);
    stage = "waiting for the first byte";
  };

  request.on("socket", (socket) => {
    if (socket.connecting === false) pass("lookup", "connecting");
    socket.on("connect", () => {
      pass("lookup", "connecting");
      pass("connect", "negotiating TLS");
      if (!secure) opened();
    });
    socket.on("secureConnect", () => {
      pass("secure", "waiting for the first byte");
      opened();
    });
  });
  request.on("error", fail);
  request.on("response", (response) => {
    pass("answer", "reading the body");
    let bytes = 0;
    const done = () => finish(response);
    response.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes < BODY_LIMIT) return;
      done();
      request.destroy();
    });
    response.on("end", () => response.complete ? done() : fail(closed()));
    response.on("error", fail);
    response.on("aborted", () => fail(closed()));
    response.on("close", () => response.complete || fail(closed()));
  });

  request.on("upgrade", (response: IncomingMessage) => {
    pass("answer", "reading the body");
    finish(response);
    request.destroy();
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

function closed(): Error {
  return Object.assign(new Error("closed before its end"), { code: "ECONNABORTED" });
}

function phasesOf(
  marks: Record<"start" | "lookup" | "connect" | "secure" | "answer", number>,
  end: number,
): Phases {
  const open = marks.secure || marks.connect;
  return {
    dns: marks.lookup - marks.start,
    connect: marks.connect - marks.lookup,
    tls: marks.secure === 0 ? 0 : marks.secure - marks.connect,
    ttfb: marks.answer - open,
    download: end - marks.answer,
  };
}
