import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import type { Target } from "../config/checks/check_kind.ts";
import { exchange } from "./http/exchange.ts";
import { loadWebSocket } from "./ws_client.ts";

/** The second exchange still runs code for the first time, the third no longer does. */
const ROUNDS = 2;
const USING_TLS = /^(?:ssl|smtp|imap|grpc)$/;
/** Milliseconds that an exchange may take. */
const LIMIT = 1_000;

/**
 * Makes requests to a listener of its own, with TLS if a site needs it. The first check of a process is 5 to
 * 60 ms slow, because the runtime loads certificates and code: without this the first sites of every run would
 * seem slower than they are. Takes 35 ms, with TLS 80.
 */
export async function warmUp(
  sites: readonly (Pick<Target, "url"> & { check: string })[],
): Promise<void> {
  const some = (address: RegExp) => sites.some(({ url }) => address.test(url));
  if (sites.some(({ check }) => check === "ws")) await loadWebSocket();
  const usesTls = some(/^(?:https:|wss:|\$)/i) || sites.some(({ check }) => USING_TLS.test(check));
  if (!usesTls && !some(/^(?:http|ws):/i)) return;
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  });
  try {
    await listen(server);
  } catch {
    return; // Without a loopback the first measurement is less precise.
  }
  const { port } = server.address() as AddressInfo;
  if (usesTls) await request(`https://localhost:${port}/`);
  for (let round = 0; round < ROUNDS; round++) await request(`http://localhost:${port}/`);
  server.close();
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
}

async function request(url: string): Promise<void> {
  try {
    await exchange({
      url: new URL(url),
      method: "GET",
      headers: {},
      tls: { insecure: false },
      route: {},
      connectTimeout: LIMIT,
      signal: AbortSignal.timeout(LIMIT),
    });
  } catch {
    // Expected over TLS, which the listener does not speak.
  }
}
