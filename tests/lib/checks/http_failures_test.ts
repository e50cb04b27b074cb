import { assert, assertEquals, assertLess } from "@std/assert";
import { delay } from "@std/async/delay";
import type { Socket } from "node:net";
import { deafPort, httpServer, rawServer } from "../../helpers/servers.ts";
import { look, lookBriefly } from "../../helpers/sites.ts";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n";

/** Does something once a request has come. */
function onRequest(answer: (socket: Socket) => void) {
  return rawServer((socket) => socket.once("data", () => answer(socket)));
}

Deno.test("http says what it was waiting for when the time ran out", async () => {
  const cases: [reason: string, answer: (socket: Socket) => void][] = [
    ["timed out after 0.5 s waiting for the first byte", () => {}],
    ["timed out after 0.5 s waiting for the first byte", (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-");
    }],
    ["timed out after 0.5 s reading the body", (socket) => socket.write(HEAD)],
    ["timed out after 0.5 s reading the body", (socket) => socket.write(`${HEAD}some`)],
  ];
  await Promise.all(cases.map(async ([reason, answer]) => {
    await using server = await onRequest(answer);
    const { code, failure, responseTime } = await look({ url: server.url, requestTimeout: 0.5 });
    assertEquals([code, failure], [0, { kind: "network", reason }]);
    assert(responseTime >= 400 && responseTime < 2000, `gave up after ${responseTime} ms`);
  }));
});

Deno.test("http gives up a body that comes drop by drop", async () => {
  await using server = await onRequest((socket) => {
    socket.write(HEAD);
    const timer = setInterval(() => socket.write("."), 20);
    socket.on("close", () => clearInterval(timer));
  });
  assertEquals(await lookBriefly({ url: server.url, requestTimeout: 0.5 }), [
    0,
    "timed out after 0.5 s reading the body",
  ]);
});

Deno.test("http waits for a slow header and a slow body as long as there is time", async () => {
  await using server = await onRequest(async (socket) => {
    for (const part of ["HTTP/1.1 200 OK\r\nConte", "nt-Length: 4\r\n\r\n", "sl", "ow"]) {
      await delay(30);
      socket.write(part);
    }
  });
  assertEquals(await lookBriefly({ url: server.url, requestTimeout: 5 }), [200]);
});

Deno.test({
  name: "http stops waiting for a connection after connectTimeout",
  ignore: Deno.build.os !== "linux", // Elsewhere a full queue of connections is not ignored but refused.
  async fn() {
    await using server = await deafPort();
    for (const host of ["127.0.0.1", "localhost"]) {
      const url = `http://${host}:${server.port}`;
      assertEquals(await lookBriefly({ url, connectTimeout: 0.2, requestTimeout: 5 }), [
        0,
        "timed out after 0.2 s connecting",
      ]);
    }
  },
});

Deno.test("http stops waiting for a TLS handshake after connectTimeout", async () => {
  await using server = await rawServer(() => {});
  const url = server.url.replace("http:", "https:");
  assertEquals(await lookBriefly({ url, connectTimeout: 0.2 }), [
    0,
    "timed out after 0.2 s negotiating TLS",
  ]);
});

Deno.test("http does not hold connectTimeout against a server that is slow to answer", async () => {
  await using server = httpServer(async () => {
    await delay(500);
    return new Response("ok");
  });
  assertEquals(await lookBriefly({ url: server.url, connectTimeout: 0.3 }), [200]);
});

Deno.test("http says that the connection was cut, and when", async () => {
  const cases: [reason: string, answer: (socket: Socket) => void][] = [
    ["connection reset while waiting for the first byte", (socket) => socket.resetAndDestroy()],
    ["connection closed while waiting for the first byte", (socket) => socket.end()],
    ["connection closed while waiting for the first byte", (socket) => socket.end("HTTP/1.1 200")],
    ["connection reset while reading the body", (socket) => {
      socket.write(`${HEAD}some`, () => setTimeout(() => socket.resetAndDestroy(), 50));
    }],
    ["connection closed while reading the body", (socket) => socket.end(`${HEAD}too little`)],
    [
      "connection closed while reading the body",
      (socket) => socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
    ],
  ];
  for (const [reason, answer] of cases) {
    await using server = await onRequest(answer);
    const { code, failure } = await look({ url: server.url, requestTimeout: 2 });
    assertEquals([code, failure], [0, { kind: "network", reason }]);
  }
});

Deno.test("http says that a connection was closed before TLS was negotiated", async () => {
  await using server = await rawServer((socket) => socket.once("data", () => socket.end()));
  const url = server.url.replace("http:", "https:");
  assertEquals(await lookBriefly({ url, requestTimeout: 2 }), [
    0,
    "connection closed while negotiating TLS",
  ]);
});

Deno.test("http says that an answer is not HTTP", async () => {
  const answers = ["SSH-2.0-OpenSSH_9.6\r\n", "220 mail.example.com ESMTP\r\n", "\0\u0001\r\n\r\n"];
  for (const answer of answers) {
    await using server = await onRequest((socket) => socket.end(answer));
    const { code, failure } = await look({ url: server.url, requestTimeout: 2 });
    assertEquals([code, failure?.kind], [0, "answer"]);
    assert(failure!.reason.startsWith("answer is not valid HTTP ("), failure!.reason);
  }
});

Deno.test("http says that plain HTTP came where TLS was expected", async () => {
  await using server = await onRequest((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  const url = server.url.replace("http:", "https:");
  const { code, failure } = await look({ url, requestTimeout: 2 });
  assertEquals([code, failure?.kind], [0, "network"]);
  assertEquals(failure?.reason, "the answer is not TLS");
});

Deno.test("http takes a body without a length as whole when the connection ends", async () => {
  await using server = await onRequest((socket) => socket.end("HTTP/1.0 200 OK\r\n\r\nall of it"));
  assertEquals(await lookBriefly({ url: server.url }), [200]);
});

Deno.test("http reads a megabyte of a body and then hangs up", async () => {
  const chunk = new Uint8Array(64 * 1024);
  let sent = 0;
  const { promise: hungUp, resolve } = Promise.withResolvers<void>();
  await using server = httpServer(() =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent += chunk.length;
          controller.enqueue(chunk);
        },
        cancel: () => resolve(),
      }),
    )
  );
  assertEquals(await lookBriefly({ url: server.url }), [200]);
  await hungUp;
  assert(sent >= 1024 * 1024, `${sent} bytes`);
  assertLess(sent, 32 * 1024 * 1024);
});

Deno.test("http ends when the run is out of time", async () => {
  const run = new AbortController();
  await using server = await onRequest(() => run.abort(new Error("the run is out of time")));
  assertEquals(await lookBriefly({ url: server.url }, { signal: run.signal }), [
    0,
    "the run is out of time while waiting for the first byte",
  ]);
  const { failure } = await look({ url: server.url }, { signal: run.signal });
  assertEquals(failure?.kind, "network");
});
