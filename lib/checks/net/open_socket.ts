import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { addedAuthorities } from "../tls/authorities.ts";
import type { TlsOptions } from "../tls/tls_options.ts";
import type { Stopwatch } from "./stopwatch.ts";
import { type AddressChoice, timedLookup } from "./timed_lookup.ts";

/** Where a connection goes, and how. */
export interface SocketOptions extends AddressChoice {
  host: string;
  port: number;
  /** Present where TLS is negotiated. */
  tls?: Partial<TlsOptions>;
  watch: Stopwatch;
  /** A connection that is open already, by way of a proxy. */
  tunnel?: Socket;
}

/** Begins to open a connection and stops the time of its phases. */
export function openSocket(options: SocketOptions): Socket {
  const { host, port, tls, watch, tunnel } = options;
  if (tunnel !== undefined && tls === undefined) return tunnel;
  if (tunnel !== undefined) watch.await("negotiating TLS");
  const lookup = timedLookup(watch, options);
  const socket = tls === undefined ? connect({ host, port, lookup }) : connectTls({
    host,
    ...(tunnel === undefined ? { port, lookup } : { socket: tunnel }),
    ca: addedAuthorities(),
    servername: isIP(host) === 0 ? host : undefined,
    ...tls,
  });
  socket.on("connect", () => {
    watch.pass("lookup", "connecting");
    watch.pass("connect", tls === undefined ? "waiting for the first byte" : "negotiating TLS");
  });
  socket.on("secureConnect", () => watch.pass("secure", "waiting for the first byte"));
  return socket;
}
