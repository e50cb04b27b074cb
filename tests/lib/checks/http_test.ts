import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";
import { delay } from "@std/async/delay";
import { closedPort, httpServer, rawServer } from "../../helpers/servers.ts";
import { look, lookBriefly } from "../../helpers/sites.ts";

/** Answers with the status that the path names. */
function statusServer() {
  return httpServer(({ url }) => {
    const status = Number(new URL(url).pathname.slice(1));
    return new Response([204, 205, 304].includes(status) ? null : "text", { status });
  });
}

Deno.test("http takes an answer as up or down by its status", async () => {
  const cases: [status: number, reason?: string][] = [
    [200],
    [204],
    [206],
    [208],
    [226],
    [300],
    [301],
    [304],
    [308],
    [429],
    [209, "answered 209"],
    [309, "answered 309"],
    [400, "answered 400 Bad Request"],
    [401, "answered 401 Unauthorized"],
    [403, "answered 403 Forbidden"],
    [404, "answered 404 Not Found"],
    [410, "answered 410 Gone"],
    [500, "answered 500 Internal Server Error"],
    [503, "answered 503 Service Unavailable"],
    [599, "answered 599"],
  ];
  await using server = statusServer();
  for (const [status, reason] of cases) {
    const found = await lookBriefly({ url: `${server.url}/${status}` });
    assertEquals(found, reason === undefined ? [status] : [status, reason]);
  }
});

Deno.test("a site with 0 among its expectedStatusCodes is up if it does not answer", async () => {
  await using server = statusServer();
  const url = `http://127.0.0.1:${closedPort()}/`;
  const silent = await look({ url, expectedStatusCodes: [0] });
  assertEquals([silent.code, silent.responseTime, silent.failure], [0, 0, undefined]);
  assertMatch(silent.remark!, /^no answer, as expected: connection refused/);
  const answer = await lookBriefly({ url: `${server.url}/200`, expectedStatusCodes: [0] });
  assertEquals(answer, [200, "answered 200 OK, expected no answer"]);
  assertEquals(await lookBriefly({ url: `${server.url}/404`, expectedStatusCodes: [0, 404] }), [
    404,
  ]);
  const [code] = await lookBriefly({ url, expectedStatusCodes: [200] });
  assertEquals(code, 0);
});

Deno.test("http goes by expectedStatusCodes alone where they are given", async () => {
  const cases: [status: number, expected: number[], reason?: string][] = [
    [200, [200]],
    [404, [404, 410]],
    [503, [200, 503]],
    [599, [599]],
    [429, [200, 429]],
    [429, [200], "answered 429 Too Many Requests, expected 200"],
    [200, [204, 301, 204], "answered 200 OK, expected 204, 301"],
    [301, [200], "answered 301 Moved Permanently, expected 200"],
  ];
  await using server = statusServer();
  for (const [status, expectedStatusCodes, reason] of cases) {
    const found = await lookBriefly({ url: `${server.url}/${status}`, expectedStatusCodes });
    assertEquals(found, reason === undefined ? [status] : [status, reason]);
  }
});

Deno.test("http tells a wrong answer from no answer", async () => {
  await using server = statusServer();
  assertEquals((await look({ url: `${server.url}/500` })).failure?.kind, "answer");
  const nowhere = await look({ url: `http://127.0.0.1:${closedPort()}` });
  assertEquals([nowhere.code, nowhere.failure?.kind], [0, "network"]);
});

Deno.test("http says that the connection was refused, and where", async () => {
  const port = closedPort();
  const cases = {
    [`http://127.0.0.1:${port}/x`]: `connection refused (127.0.0.1:${port})`,
    [`https://127.0.0.1:${port}/x`]: `connection refused (127.0.0.1:${port})`,
    [`http://[::1]:${port}/x`]: `connection refused ([::1]:${port})`,
  };
  for (const [url, reason] of Object.entries(cases)) {
    assertEquals(await lookBriefly({ url }), [0, reason]);
  }
});

Deno.test("http says that a name was not found", async () => {
  const { code, failure } = await look({ url: "https://nobody.invalid/" });
  assertEquals([code, failure?.kind], [0, "network"]);
  // A machine without a network can't say that there is no such name, only that it got no answer.
  assertMatch(
    failure!.reason,
    /^name (not found|look-up failed|look-up failed for now) \(nobody\.invalid\)$/,
  );
});

Deno.test("http reaches an IPv6 address", async () => {
  await using server = httpServer(() => new Response("ok"), { hostname: "::1" });
  assertEquals(await lookBriefly({ url: `http://[::1]:${server.port}/` }), [200]);
});

Deno.test("http skips informational answers and judges the one that follows", async () => {
  const cases = {
    "HTTP/1.1 100 Continue": [200],
    "HTTP/1.1 102 Processing": [200],
    "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload": [200],
  };
  for (const [first, expected] of Object.entries(cases)) {
    await using server = await rawServer((socket) =>
      socket.once(
        "data",
        () => socket.end(`${first}\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`),
      )
    );
    assertEquals<unknown>(await lookBriefly({ url: server.url, requestTimeout: 1 }), expected);
  }
});

Deno.test("http takes a change of protocol as the answer", async () => {
  await using server = await rawServer((socket) =>
    socket.once("data", () => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");
    })
  );
  const keys = { url: server.url, requestTimeout: 2 };
  assertEquals(await lookBriefly({ ...keys, expectedStatusCodes: [101] }), [101]);
  assertEquals(await lookBriefly(keys), [101, "answered 101 Switching Protocols"]);
});

Deno.test("http measures from the start to the last byte, and its phases add up to that", async () => {
  await using server = httpServer(async ({ url }) => {
    await delay(50);
    if (new URL(url).pathname === "/") return Response.redirect(new URL("/there", url), 302);
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode("a"));
        await delay(50);
        controller.close();
      },
    });
    return new Response(body);
  });
  const { responseTime, phases } = await look({ url: server.url });
  assert(phases !== undefined);
  const sum = Object.values(phases).reduce((total, part) => total + part, 0);
  assert(responseTime >= 145, `measured ${responseTime} ms`);
  assertLess(Math.abs(responseTime - sum), 60);
  assert(phases.ttfb >= 90, `waited ${phases.ttfb} ms for two first bytes`);
  assert(phases.download >= 25, `read for ${phases.download} ms`);
  assertEquals([phases.dns, phases.tls], [0, 0]); // An address is not looked up.
});

Deno.test("http opens a connection of its own for every look", async () => {
  const ports = new Set<number>();
  await using server = httpServer((_, { remoteAddr }) => {
    ports.add((remoteAddr as Deno.NetAddr).port);
    return new Response("ok");
  });
  for (let time = 1; time <= 3; time++) await look({ url: server.url });
  assertEquals(ports.size, 3);
});
