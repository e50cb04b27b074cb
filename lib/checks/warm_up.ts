import { request as httpsRequest } from "node:https";
import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import type { Target } from "../config/checks/check_kind.ts";
import { addedAuthorities } from "./tls/authorities.ts";
import { exchange } from "./http/exchange.ts";
import { loadWebSocket } from "./ws/converse.ts";

/** The second look at a site still runs code for the first time; the third no longer does. */
const ROUNDS = 2;
const LIMIT = 1_000;

/** What is known of a site before it is checked. */
type Site = Pick<Target, "url"> & { check: string };

/**
 * Looks at a listener of our own that answers, and where TLS is wanted lets it break off a handshake.
 * The first check of a process is 5 to 60 ms slow, because the runtime then loads its certificates and
 * code; without this the first sites of every run would look slower than they are. Takes 35 ms, with
 * TLS 80.
 */
export async function warmUp(sites: readonly Site[]): Promise<void> {
  const some = (address: RegExp) => sites.some(({ url }) => address.test(url));
  if (sites.some(({ check }) => check === "ws")) await loadWebSocket();
  const tls = some(/^(?:https:|wss:|\$)/i) || sites.some(({ check }) => check === "ssl");
  if (!tls && !some(/^(?:http|ws):/i)) return;
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  });
  try {
    await listen(server);
  } catch {
    return; // Without a loopback there is nothing to warm up against, and nothing is lost but precision.
  }
  const { port } = server.address() as AddressInfo;
  if (tls) await breakOff(port);
  for (let round = 0; round < ROUNDS; round++) await look(port);
  server.close();
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
}

function breakOff(port: number): Promise<void> {
  const options = { host: "localhost", port, agent: false, ca: addedAuthorities(), timeout: LIMIT };
  return new Promise((resolve) => {
    const request = httpsRequest(options).on("error", () => resolve());
    request.on("timeout", () => request.destroy(new Error("no answer"))).end();
  });
}

async function look(port: number): Promise<void> {
  const options = { method: "GET", headers: {}, tls: {}, connectTimeout: LIMIT };
  const signal = AbortSignal.timeout(LIMIT);
  try {
    await exchange({ ...options, url: new URL(`http://localhost:${port}/`), signal });
  } catch {
    // A machine on which this fails is checked without being warm.
  }
}
