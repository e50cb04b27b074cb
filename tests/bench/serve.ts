/**
 * The servers of the benchmark, in a separate process, so that they don't share a thread with the measured
 * program. `/100` is answered after 100 ms. Prints the addresses as a line of JSON, and ends with its
 * standard input.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { makeAuthority, makeCertificate } from "../helpers/certificates.ts";

/** The addresses of the servers, and the authority (in PEM) of the one with TLS. */
export interface ServersMessage {
  http: string;
  https: string;
  authority: string;
}

function answer({ url }: IncomingMessage, response: ServerResponse): void {
  setTimeout(() => response.end("ok\n"), Number(/^\/(\d+)/.exec(url ?? "")?.[1] ?? 0));
}

async function open(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 2048, resolve));
  return (server.address() as AddressInfo).port;
}

if (import.meta.main) {
  const issuer = makeAuthority("Benchmark Authority");
  const message: ServersMessage = {
    http: `http://localhost:${await open(createServer(answer))}`,
    https: `https://localhost:${await open(
      createSecureServer(makeCertificate({ issuer }), answer),
    )}`,
    authority: issuer.cert,
  };
  await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  for await (const _ of Deno.stdin.readable);
  Deno.exit(0);
}
