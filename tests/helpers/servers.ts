import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import type { Certificate } from "./certificates.ts";

/** A local server with its address. */
export interface LocalServer extends AsyncDisposable {
  port: number;
  url: string;
}

/** An HTTP server on a free port of the loopback; https with a certificate. */
export function httpServer(
  handler: Deno.ServeHandler,
  { hostname = "127.0.0.1", certificate }: { hostname?: string; certificate?: Certificate } = {},
): LocalServer {
  const server = Deno.serve({ port: 0, hostname, onListen() {}, ...certificate }, handler);
  const { port } = server.addr as Deno.NetAddr;
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    port,
    url: `${certificate === undefined ? "http" : "https"}://${host}:${port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Lets a server listen on a free port of the loopback; `sockets` are those of its connections that end with it. */
export async function listening(
  server: Server,
  scheme: "http" | "https",
  sockets: Iterable<Socket> = [],
): Promise<LocalServer> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server that negotiates TLS and sends nothing unless `handle` does, as before the greeting of a mail server. */
export async function tlsServer(
  options: TlsOptions,
  handle: (socket: Socket) => void = () => {},
): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  const server = createTlsServer(options, (socket) => {
    socket.on("error", () => socket.destroy());
    handle(socket);
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
  });
  server.on("tlsClientError", () => {});
  return await listening(server, "https", sockets);
}

/** A TCP server that handles each connection with `handle`, for answers that no HTTP server gives. */
export async function rawServer(handle: (socket: Socket) => void): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    handle(socket);
  });
  return await listening(server, "http", sockets);
}

/** Ports outside the range of ephemeral ports: a listener at the first one claims the whole block for this isolate. */
const BLOCK = 400;
const claim = claimBlock();
let handedOut = 0;

function claimBlock(): Deno.TcpListener {
  for (;;) {
    const port = 10_000 + BLOCK * Math.floor(Math.random() * 55);
    try {
      const listener = Deno.listen({ port, hostname: "127.0.0.1" });
      listener.unref();
      return listener;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

/**
 * A port of the loopback on which nothing listens. Tests that run at the same time, in this process or
 * another one, never get the same, so a test may listen on it later. They repeat after 399.
 */
export function closedPort(): number {
  for (;;) {
    const port = claim.addr.port + 1 + handedOut++ % (BLOCK - 1);
    try {
      Deno.listen({ port, hostname: "127.0.0.1" }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

/** A port whose connections are never opened nor refused, as behind a firewall that drops packets. */
export async function deafPort(): Promise<LocalServer> {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1", tcpBacklog: 1 });
  const { port } = listener.addr as Deno.NetAddr;
  const sockets: Socket[] = [];
  const opens = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      // After a pause of the whole process, news of an open connection comes after the timeout.
      const later = () => setTimeout(() => resolve(false), 50);
      socket.on("error", () => resolve(false)).setTimeout(200, later);
      sockets.push(socket);
    });
  while (await opens());
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      return Promise.resolve();
    },
  };
}
