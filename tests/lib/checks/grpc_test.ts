import { assert, assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { makeAuthority, makeCertificate } from "../../helpers/certificates.ts";
import { closedPort, httpServer, rawServer, tlsServer } from "../../helpers/servers.ts";
import { listenTo } from "../../helpers/printed_lines.ts";
import { type Keys, observe, observeBriefly } from "../../helpers/sites.ts";

const AUTHORITY = makeAuthority();
const CERTIFICATE = makeCertificate({ issuer: AUTHORITY, to: 90 });
const SECRETS = { CA: AUTHORITY.cert };
const OK = { ":status": 200, "content-type": "application/grpc" };
const SERVING = [0, 0, 0, 0, 2, 8, 1];

interface Answer {
  headers: Record<string, string | number>;
  /** Bytes of the body; without it the headers are all. */
  message?: readonly number[];
  /** The body ends without trailers if absent. */
  trailers?: Record<string, string>;
}

/** A message with a serving status, and trailers behind it. */
function reply(message: readonly number[], status = "0"): Answer {
  return { headers: OK, message, trailers: { "grpc-status": status } };
}

/** A server that answers each call with the next answer, over TLS if it has a certificate. */
async function grpcServer(answers: readonly Answer[], certificate?: typeof CERTIFICATE) {
  const child = new Deno.Command("node", {
    args: [
      fileURLToPath(import.meta.resolve("../../helpers/grpc_server.mjs")),
      JSON.stringify({ answers, certificate }),
    ],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const printed = listenTo(child.stdout);
  const port = Number((await printed.waitFor(/^\d+\n/))[0]);
  return {
    port,
    url: `grpc://127.0.0.1:${port}`,
    /** Waits for a request behind that of the previous call. */
    async nextRequest(): Promise<{ headers: Record<string, string>; body: number[] }> {
      return JSON.parse((await printed.waitFor(/^\{.*\}$/m))[0]);
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

Deno.test("grpc requests the health of a server or of one service", async () => {
  await using server = await grpcServer([reply(SERVING)]);
  const { code, failure, phases, responseTime } = await observe({ check: "grpc", url: server.url });
  assertEquals([code, failure], [200, undefined]);
  assert(phases!.ttfb > 0 && responseTime >= phases!.ttfb);
  const named = { check: "grpc", url: server.url, service: "shop.v1.Cart" };
  assertEquals(await observeBriefly(named), [200]);
  for (const service of ["", "shop.v1.Cart"]) {
    const { headers, body } = await server.nextRequest();
    assertEquals(
      [headers[":method"], headers[":path"], headers["content-type"], headers.te],
      ["POST", "/grpc.health.v1.Health/Check", "application/grpc", "trailers"],
    );
    assertEquals(new TextDecoder().decode(new Uint8Array(body.slice(7))), service);
    assertEquals(body[4], service === "" ? 0 : service.length + 2);
  }
});

Deno.test("grpc evaluates the message, the trailers and the headers of an answer", async () => {
  const only = (headers: Record<string, string | number>) => ({ headers: { ...OK, ...headers } });
  const cases: [answer: Answer, reason: string][] = [
    [reply([0, 0, 0, 0, 2, 8, 2]), "answered NOT_SERVING"],
    [reply([0, 0, 0, 0, 2, 8, 0]), "answered UNKNOWN"],
    [reply([0, 0, 0, 0, 0]), "answered UNKNOWN"],
    [reply([0, 0, 0, 0, 2, 8, 3]), "answered SERVICE_UNKNOWN"],
    [reply([0, 0, 0, 0, 2, 16, 1]), "answered with an unknown status"],
    [reply(SERVING, "14"), "answered with the error UNAVAILABLE"],
    [
      only({ "grpc-status": 5, "grpc-message": "unknown service" }),
      "the server does not know the service shop (NOT_FOUND)",
    ],
    [only({ "grpc-status": 12 }), "the server has no health service (UNIMPLEMENTED)"],
    [only({ "grpc-status": 16 }), "answered with the error UNAUTHENTICATED"],
    [only({ "grpc-status": "soon" }), "answered with an unknown error"],
    [only({ "grpc-status": 0 }), "answered with an unknown status"],
    [reply([1, ...SERVING.slice(1)]), "answered with an unknown status"],
    [reply([0, 0, 0, 0, 9, 8, 1]), "answered with an unknown status"],
    [{ headers: OK, message: SERVING }, "the answer ended before its status of gRPC"],
    [reply(Array(20_000).fill(0)), "the answer is longer than 16 KiB"],
    [only({ ":status": 503 }), "answered 503 Service Unavailable"],
    [only({ "content-type": "text/html" }), "the answer is not gRPC"],
  ];
  await using server = await grpcServer(cases.map(([answer]) => answer));
  for (const [, reason] of cases) {
    const found = await observeBriefly({ check: "grpc", url: server.url, service: "shop" });
    assertEquals(found, [0, reason]);
  }
});

Deno.test("grpc uses TLS unless the address starts with grpc://", async () => {
  await using server = await grpcServer([reply(SERVING)], CERTIFICATE);
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
