import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { addedAuthorities } from "./http/authorities.ts";

/**
 * Makes one request of each kind to a listener of our own that hangs up. The first request of a
 * process is up to 40 ms slow, because the runtime then loads its certificates and code; without this
 * the first sites of every run would look slower than they are.
 */
export async function warmUp(urls: readonly string[]): Promise<void> {
  const kinds = [
    ...(urls.some((url) => /^(?:https:|\$)/i.test(url)) ? [httpsRequest] : []),
    ...(urls.some((url) => /^http:/i.test(url)) ? [httpRequest] : []),
  ];
  if (kinds.length === 0) return;
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.end();
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
  } catch {
    return; // Without a loopback there is nothing to warm up against, and nothing is lost but precision.
  }
  const { port } = server.address() as AddressInfo;
  await Promise.all(kinds.map((request) =>
    new Promise<void>((resolve) => {
      request({ host: "localhost", port, agent: false, ca: addedAuthorities() }).on("error", () =>
        resolve()).end();
    })
  ));
  server.close();
}
