import { lookup as systemLookup } from "node:dns";
import { request as httpRequest } from "node:http";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { addedAuthorities, type TlsOptions } from "./credentials.ts";
import { bareHost } from "../config/checks/hosts.ts";
import { CertificateError, describeCertificateError } from "./certificates.ts";
import { endpoint, networkFailure, type Stage } from "./network_failure.ts";
import type { Failure, Phases } from "./observation.ts";
import { PrivateAddressError } from "../io/private_address.ts";
import { type Proxy, ProxyError, proxyHeaders, refusedByProxy, unreachableProxy } from "./proxy.ts";
import { Stopwatch, unlessAborted, withTimeLimit } from "./timing.ts";

type Family = 4 | 6;

interface AddressChoice {
  family?: Family;
  /** Number of the attempt, from 1: each one takes the next address. */
  attempt?: number;
  /** True for addresses that must not be connected to; absent if any may. */
  refuses?(address: string): boolean;
}

export interface Route extends AddressChoice {
  proxy?: Proxy;
}

/** Host and port of an address; the port of its scheme if it names none. */
export function toHostAndPort(url: URL): { host: string; port: number } {
  const port = Number(url.port) || (/^(?:http|ws)s:$/.test(url.protocol) ? 443 : 80);
  return { host: bareHost(url), port };
}

export interface Target extends Route {
  host: string;
  port: number;
  tls?: TlsOptions;
  /** True if a proxy forwards plain requests itself, so that no tunnel is needed. */
  isForwarded?: boolean;
}

/**
 * Opens a connection, through the proxy of its route if it has one, TLS included. Certificates are verified
 * before the first byte is sent; `onSecure` sees the connection before that.
 *
 * @throws {CertificateError} If the certificate is not accepted.
 * @throws {ProxyError} If the proxy can't be reached or refuses.
 * @throws {PrivateAddressError} If the route refuses the address.
 */
export async function openConnection(
  target: Target,
  { watch, connectTimeout, signal, onSecure }: {
    watch: Stopwatch;
    /** Milliseconds until the connection must be open. */
    connectTimeout: number;
    signal: AbortSignal;
    onSecure?(socket: TLSSocket): void;
  },
): Promise<Socket> {
  const { host, port, tls, proxy, isForwarded } = target;
  const next = tls === undefined ? "waiting for the first byte" : "negotiating TLS";
  return await withTimeLimit(connectTimeout, signal, async (signal) => {
    let socket: Socket;
    if (proxy === undefined) {
      socket = await openTcp(target, target, watch, signal);
    } else {
      try {
        socket = await openTcp(proxy, target, watch, signal);
        if (!isForwarded) {
          watch.stage = "waiting for the proxy";
          socket = await openTunnel(socket, { host, port, proxy, signal });
        }
      } catch (error) {
        throw unreachableProxy(error as Error, proxy, watch.stage);
      }
    }
    watch.pass("connect", next);
    if (tls === undefined) return socket;
    const secure = await negotiateTls(socket, host, tls, signal);
    watch.pass("secure", "waiting for the first byte");
    onSecure?.(secure);
    if (!tls.insecure && !secure.authorized) {
      const error = new CertificateError(
        String(secure.authorizationError),
        secure.getPeerCertificate(true),
      );
      secure.destroy();
      throw error;
    }
    return secure;
  });
}

/** Negotiates TLS over an open connection. The certificate is not verified yet. */
export async function negotiateTls(
  socket: Socket,
  host: string,
  { insecure: _, protocols, ...credentials }: TlsOptions,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secure = connectTls({
    socket,
    host,
    servername: isIP(host) === 0 ? host : undefined,
    ca: addedAuthorities(),
    ...credentials,
    ...(protocols === undefined ? {} : { ALPNProtocols: protocols }),
    // Verified later: a connection that the runtime refuses does not show its certificate.
    rejectUnauthorized: false,
  });
  await opened(secure, "secureConnect", signal);
  return secure;
}

/** Opens a connection, inspects it, and closes it again. `responseTime` ends when it is open or has failed. */
export async function inspectConnection<Seen>(
  target: Target,
  limits: { connectTimeout: number; signal: AbortSignal },
  inspect: (socket: Socket) => Seen,
): Promise<
  { phases?: Phases; responseTime: number; seen?: Seen; error?: { cause: Error; stage: Stage } }
> {
  const watch = new Stopwatch(target.host);
  try {
    const socket = await openConnection(target, { ...limits, watch });
    const phases = { ...watch.stop(), ttfb: 0, download: 0 };
    const seen = inspect(socket);
    socket.destroy();
    return { phases, responseTime: phases.dns + phases.connect + phases.tls, seen };
  } catch (error) {
    const responseTime = watch.elapsed;
    return { responseTime, error: { cause: error as Error, stage: watch.stage } };
  }
}

async function openTcp(
  { host, port }: { host: string; port: number },
  { family, attempt, refuses }: AddressChoice,
  watch: Stopwatch,
  signal: AbortSignal,
): Promise<Socket> {
  const own = isIP(host);
  if (own !== 0 && refuses?.(host)) throw new PrivateAddressError();
  if (own !== 0 && family !== undefined && own !== family) throw missingAddress(family);
  const socket = connect({ host, port, lookup: timedLookup(watch, { family, attempt, refuses }) });
  await opened(socket, "connect", signal);
  watch.pass("lookup", "connecting");
  return socket;
}

/** Milliseconds that a canary has to answer. */
const CANARY_LIMIT = 3_000;

export async function isReachable(address: string): Promise<boolean> {
  const [, host, port] = /^\[?(.+?)\]?:(\d+)$/.exec(address)!;
  const target = { host: host!, port: Number(port) };
  const limits = { connectTimeout: CANARY_LIMIT, signal: new AbortController().signal };
  const { error } = await inspectConnection(target, limits, () => {});
  return error === undefined;
}

/** Waits until a socket is open; destroys it if it fails or the signal is aborted. */
async function opened(
  socket: Socket,
  event: "connect" | "secureConnect",
  signal: AbortSignal,
): Promise<void> {
  try {
    await unlessAborted<void>(signal, (resolve, reject) => {
      socket.once(event, resolve);
      socket.on("error", reject);
      // The runtime may close a connection without an error before TLS is negotiated.
      socket.once("close", () => reject(closedError()));
    });
  } catch (error) {
    socket.on("error", () => {});
    socket.destroy();
    throw error;
  }
}

async function openTunnel(
  socket: Socket,
  { host, port, proxy, signal }: {
    host: string;
    port: number;
    proxy: Proxy;
    signal: AbortSignal;
  },
): Promise<Socket> {
  const path = endpoint(host, port);
  const request = httpRequest({
    method: "CONNECT",
    host: proxy.host,
    port: proxy.port,
    path,
    headers: { Host: path, ...proxyHeaders(proxy) },
    createConnection: () => socket,
  });
  try {
    return await unlessAborted(signal, (resolve, reject) => {
      request.on("error", reject);
      request.on("connect", ({ statusCode = 0 }, tunnel: Socket) => {
        if (statusCode >= 200 && statusCode <= 299) resolve(tunnel);
        else reject(refusedByProxy(statusCode));
      });
      request.on("response", ({ statusCode = 0 }) => reject(refusedByProxy(statusCode)));
      request.end();
    });
  } catch (error) {
    request.on("error", () => {});
    request.destroy();
    socket.destroy();
    throw error;
  }
}

/** Resolves names as the system does, selects an address, and takes the time. */
function timedLookup(
  watch: Stopwatch,
  { family, attempt = 1, refuses = () => false }: AddressChoice,
): LookupFunction {
  return (host, options, callback) => {
    const wanted = family === undefined ? options : { ...options, family };
    systemLookup(host, { ...wanted, all: true }, (error, addresses) => {
      watch.pass("lookup", "connecting");
      if (error === null) {
        const allowed = addresses.filter(({ address }) => !refuses(address));
        if (allowed.length === 0) return callback(new PrivateAddressError(), []);
        const turned = turn(allowed, attempt - 1);
        const [first] = turned;
        return options.all ? callback(null, turned) : callback(null, first!.address, first!.family);
      }
      if (family === undefined) return callback(error, []);
      systemLookup(host, (otherError) => {
        callback(otherError === null ? missingAddress(family) : error, []);
      });
    });
  };
}

/**
 * Rotates a list to the left.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(turn(["203.0.113.1", "203.0.113.2"], 3), ["203.0.113.2", "203.0.113.1"]);
 * ```
 */
export function turn<T>(items: readonly T[], steps: number): T[] {
  const from = steps % items.length;
  return [...items.slice(from), ...items.slice(0, from)];
}

function missingAddress(family: Family): NodeJS.ErrnoException {
  return Object.assign(new Error(`No IPv${family} address`), { code: `NO_IPV${family}` });
}

export function closedError(): Error {
  return Object.assign(new Error("closed"), { code: "ECONNABORTED" });
}

export function explainFailure(
  error: Error,
  stage: Stage,
  { host, port, shown, now }: {
    host: string;
    port: number;
    shown: boolean;
    now: Temporal.Instant;
  },
): Failure {
  if (error instanceof ProxyError) return { kind: error.kind, reason: error.message };
  if (error instanceof CertificateError) {
    const reason = describeCertificateError(error, now, shown ? host : undefined);
    return { kind: "network", reason };
  }
  return networkFailure(error, { stage, ...(shown ? { host, port } : {}) });
}
