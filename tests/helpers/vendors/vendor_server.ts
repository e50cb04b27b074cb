import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The answer of a vendor, or what happens instead of it. */
export type VendorAnswer =
  | { status: number; headers?: Record<string, string>; body?: string }
  | "reset"
  | "hang"
  | "cut";

/** A request as it arrived. */
export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  text: string;
  // deno-lint-ignore no-explicit-any
  json: any;
}

/** A vendor on the loopback, with its requests and prepared answers. */
export interface VendorServer extends AsyncDisposable {
  url: string;
  seen: SeenRequest[];
  /** The next answers, in order; after them, the usual one. */
  answers: VendorAnswer[];
}

/** A vendor that answers `usual` unless something else is prepared. */
export async function vendorServer(
  usual: VendorAnswer,
  answers: VendorAnswer[] = [],
): Promise<VendorServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    // A client that gives up ends its request, and an error here would end all tests of the module.
    const whole = await read(request).catch(() => undefined);
    if (whole === undefined) return;
    seen.push(whole);
    reply(response, answers.shift() ?? usual);
  });
  server.on("connection", (socket) => socket.on("error", () => socket.destroy()));
  // An idle connection must not be closed just as the next message is sent.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answers,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function reply(response: ServerResponse, answer: VendorAnswer): void {
  if (answer === "hang") return;
  if (answer === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  if (answer === "cut") {
    response.writeHead(200, { "Content-Length": "1000" }).write("begun");
    response.socket?.end();
    return;
  }
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

async function read(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = new TextDecoder().decode(await new Blob(chunks as BlobPart[]).arrayBuffer());
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://vendor.example");
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    method: request.method ?? "",
    path: pathname,
    query: searchParams,
    headers,
    text,
    json: parsed(text),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
