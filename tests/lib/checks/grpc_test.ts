import { assert, assertEquals } from "@std/assert";
import {
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { makeAuthority, makeCertificate } from "../../helpers/certificates.ts";
import { closedPort, httpServer, rawServer, tlsServer } from "../../helpers/servers.ts";
import { type Keys, observe, observeBriefly } from "../../helpers/sites.ts";

const AUTHORITY = makeAuthority();
const CERTIFICATE = makeCertificate({ issuer: AUTHORITY, to: 90 });
const SECRETS = { CA: AUTHORITY.cert };
const OK = { ":status": 200, "content-type": "application/grpc" };

/** A server that answers calls over HTTP/2, with TLS if it has a certificate. */
async function http2Server(
  answer: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, body: Uint8Array) => void,
  certificate?: typeof CERTIFICATE,
) {
  const server: Http2Server = certificate === undefined
    ? createServer()
    : createSecureServer(certificate) as unknown as Http2Server;
  server.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const parts: number[] = [];
    stream.on("error", () => {});
    stream.on("data", (part: Uint8Array) => parts.push(...part));
    stream.on("end", () => answer(stream, headers, new Uint8Array(parts)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `grpc://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A message with a serving status, and trailers behind it. */
function reply(stream: ServerHttp2Stream, message: number[], status = "0") {
  stream.respond(OK, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": status }));
  stream.end(new Uint8Array(message));
}

const SERVING = [0, 0, 0, 0, 2, 8, 1];

Deno.test("grpc requests the health of a server or of one service", async () => {
  const asked: unknown[] = [];
  await using server = await http2Server((stream, headers, body) => {
    asked.push([headers[":method"], headers[":path"], headers["content-type"], headers.te]);
    asked.push(new TextDecoder().decode(body.slice(7)), body[4]);
    reply(stream, SERVING);
  });
  const { code, failure, phases, responseTime } = await observe({ check: "grpc", url: server.url });
  assertEquals([code, failure], [200, undefined]);
  assert(phases!.ttfb > 0 && responseTime >= phases!.ttfb);
  const named = { check: "grpc", url: server.url, service: "shop.v1.Cart" };
  assertEquals(await observeBriefly(named), [200]);
  const call = ["POST", "/grpc.health.v1.Health/Check", "application/grpc", "trailers"];
  assertEquals(asked, [call, "", 0, call, "shop.v1.Cart", 14]);
});

Deno.test("grpc evaluates the message, the trailers and the headers of an answer", async () => {
  const only = (headers: Record<string, string | number>) => (stream: ServerHttp2Stream) =>
    stream.respond({ ...OK, ...headers }, { endStream: true });
  const cases: [answer: (stream: ServerHttp2Stream) => void, reason: string][] = [
    [(stream) => reply(stream, [0, 0, 0, 0, 2, 8, 2]), "answered NOT_SERVING"],
    [(stream) => reply(stream, [0, 0, 0, 0, 2, 8, 0]), "answered UNKNOWN"],
    [(stream) => reply(stream, [0, 0, 0, 0, 0]), "answered UNKNOWN"],
    [(stream) => reply(stream, [0, 0, 0, 0, 2, 8, 3]), "answered SERVICE_UNKNOWN"],
    [(stream) => reply(stream, [0, 0, 0, 0, 2, 16, 1]), "answered with an unknown status"],
    [(stream) => reply(stream, SERVING, "14"), "answered with the error UNAVAILABLE"],
    [
      only({ "grpc-status": 5, "grpc-message": "unknown service" }),
      "the server does not know the service shop (NOT_FOUND)",
    ],
    [only({ "grpc-status": 12 }), "the server has no health service (UNIMPLEMENTED)"],
    [only({ "grpc-status": 16 }), "answered with the error UNAUTHENTICATED"],
    [only({ "grpc-status": "soon" }), "answered with an unknown error"],
    [only({ "grpc-status": 0 }), "answered with an unknown status"],
    [(stream) => reply(stream, [1, ...SERVING.slice(1)]), "answered with an unknown status"],
    [(stream) => reply(stream, [0, 0, 0, 0, 9, 8, 1]), "answered with an unknown status"],
    [
      (stream) => {
        stream.respond(OK);
        stream.end(new Uint8Array(SERVING));
      },
      "the answer ended before its status of gRPC",
    ],
    [(stream) => reply(stream, Array(20_000).fill(0)), "the answer is longer than 16 KiB"],
    [only({ ":status": 503 }), "answered 503 Service Unavailable"],
    [only({ "content-type": "text/html" }), "the answer is not gRPC"],
  ];
  let current = cases[0]![0];
  await using server = await http2Server((stream) => current(stream));
  for (const [answer, reason] of cases) {
    current = answer;
    const found = await observeBriefly({ check: "grpc", url: server.url, service: "shop" });
    assertEquals(found, [0, reason]);
  }
});

Deno.test("grpc uses TLS unless the address starts with grpc://", async () => {
  await using server = await http2Server((stream) => reply(stream, SERVING), CERTIFICATE);
  const { port } = server;
  const cases: [keys: Keys, reason?: string][] = [
    [{ url: `grpcs://localhost:${port}`, ca: "$CA" }],
    [{ url: "localhost", port, ca: "$CA" }],
    [{ url: `localhost:${port}`, insecure: true }],
    [
      { url: `localhost:${port}` },
      "certificate is signed by an unknown authority (Test Authority)",
    ],
  ];
  for (const [keys, reason] of cases) {
    const { failure, certificate } = await observe({ check: "grpc", ...keys }, {
      secrets: SECRETS,
    });
    assertEquals([failure?.reason, certificate === undefined], [reason, false]);
  }
});

Deno.test("grpc reports a server that does not speak HTTP/2", async () => {
  await using web = httpServer(() => new Response("ok"), { certificate: CERTIFICATE });
  await using old = await rawServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await using oldSecure = await tlsServer(
    CERTIFICATE,
    (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
  );
  await using silent = await rawServer(() => {});
  await using closing = await rawServer((socket) => socket.end());
  const refused = closedPort();
  const cases: [keys: Keys, reason: string][] = [
    [{ url: `grpc://127.0.0.1:${refused}` }, `connection refused (127.0.0.1:${refused})`],
    [
      { url: `grpc://127.0.0.1:${silent.port}`, requestTimeout: 0.1 },
      "timed out after 0.1 s waiting for the first byte",
    ],
    [
      { url: `grpc://127.0.0.1:${closing.port}` },
      "connection closed while waiting for the first byte",
    ],
    [{ url: `grpc://127.0.0.1:${old.port}` }, "the answer is not HTTP/2"],
    [{ url: `localhost:${oldSecure.port}`, ca: "$CA" }, "the answer is not HTTP/2"],
    [{ url: `localhost:${web.port}`, ca: "$CA" }, "the answer is not gRPC"],
  ];
  for (const [keys, reason] of cases) {
    const found = await observeBriefly({ check: "grpc", ...keys }, { secrets: SECRETS });
    assertEquals(found, [0, reason]);
  }
});
