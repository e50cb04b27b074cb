import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";
import { delay } from "@std/async/delay";
import { eventually } from "../../helpers/eventually.ts";
import { closedPort, httpServer, rawServer } from "../../helpers/servers.ts";
import { type Keys, observe, observeBriefly, type ObserveOptions } from "../../helpers/sites.ts";

/** Answers with the status that the path names. */
function statusServer() {
  return httpServer(({ url }) => {
    const status = Number(new URL(url).pathname.slice(1));
    return new Response([204, 205, 304].includes(status) ? null : "text", { status });
  });
}

Deno.test("http derives up or down from the status code", async () => {
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
    const { code, failure } = await observe({ url: `${server.url}/${status}` });
    assertEquals([code, failure], [status, reason && { kind: "answer", reason }]);
  }
});

Deno.test("a site with 0 among its expectedStatusCodes is up if it does not answer", async () => {
  await using server = statusServer();
  const url = `http://127.0.0.1:${closedPort()}/`;
  const silent = await observe({ url, expectedStatusCodes: [0] });
  assertEquals([silent.code, silent.responseTime, silent.failure], [0, 0, undefined]);
  assertMatch(silent.remark!, /^no answer, as expected: connection refused/);
  const answer = await observeBriefly({ url: `${server.url}/200`, expectedStatusCodes: [0] });
  assertEquals(answer, [200, "answered 200 OK, expected no answer"]);
  assertEquals(await observeBriefly({ url: `${server.url}/404`, expectedStatusCodes: [0, 404] }), [
    404,
  ]);
  const [code] = await observeBriefly({ url, expectedStatusCodes: [200] });
  assertEquals(code, 0);
});

Deno.test("expectedStatusCodes replace the default status codes", async () => {
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
    const found = await observeBriefly({ url: `${server.url}/${status}`, expectedStatusCodes });
    assertEquals(found, reason === undefined ? [status] : [status, reason]);
  }
});

Deno.test("http reports a refused connection with its address", async () => {
  const port = closedPort();
  const cases = {
    [`http://127.0.0.1:${port}/x`]: `connection refused (127.0.0.1:${port})`,
    [`https://127.0.0.1:${port}/x`]: `connection refused (127.0.0.1:${port})`,
    [`http://[::1]:${port}/x`]: `connection refused ([::1]:${port})`,
  };
  for (const [url, reason] of Object.entries(cases)) {
    assertEquals((await observe({ url })).failure, { kind: "network", reason });
  }
});

Deno.test("http says that a name was not found", async () => {
  const { code, failure } = await observe({ url: "https://nobody.invalid/" });
  assertEquals([code, failure?.kind], [0, "network"]);
  // A machine without a network can't say that there is no such name, only that it got no answer.
  assertMatch(
    failure!.reason,
    /^name (not found|look-up failed|look-up failed for now) \(nobody\.invalid\)$/,
  );
});

Deno.test("http accepts a protocol switch as the answer", async () => {
  await using server = await rawServer((socket) =>
    socket.once("data", () => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");
    })
  );
  const keys = { url: server.url, requestTimeout: 60 };
  assertEquals(await observeBriefly({ ...keys, expectedStatusCodes: [101] }), [101]);
  assertEquals(await observeBriefly(keys), [101, "answered 101 Switching Protocols"]);
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
  const measure = async () => {
    const { responseTime, phases } = await observe({ url: server.url });
    const sum = Object.values(phases!).reduce((total, part) => total + part, 0);
    assert(responseTime >= 145, `measured ${responseTime} ms`);
    assertLess(Math.abs(responseTime - sum), 60);
    assert(phases!.ttfb >= 90, `waited ${phases!.ttfb} ms for two first bytes`);
    assert(phases!.download >= 25, `read for ${phases!.download} ms`);
    assertEquals([phases!.dns, phases!.tls], [0, 0]); // An address is not looked up.
  };
  // A busy machine may pause between two phases.
  await eventually(measure);
});

Deno.test("http opens a new connection for every attempt", async () => {
  const ports = new Set<number>();
  await using server = httpServer((_, { remoteAddr }) => {
    ports.add((remoteAddr as Deno.NetAddr).port);
    return new Response("ok");
  });
  for (let time = 1; time <= 3; time++) await observe({ url: server.url });
  assertEquals(ports.size, 3);
});

/** A request as a server receives it, line by line. */
async function sentBy(keys: Keys, options?: ObserveOptions): Promise<string[]> {
  let sent = "";
  await using server = await rawServer((socket) =>
    socket.on("data", (chunk) => {
      sent += String(chunk);
      const [head, body] = sent.split("\r\n\r\n", 2);
      const length = Number(/^content-length: (\d+)/im.exec(head!)?.[1] ?? 0);
      if (body === undefined || new TextEncoder().encode(body).length < length) return;
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    })
  );
  assertEquals(await observeBriefly({ url: server.url, requestTimeout: 60, ...keys }, options), [
    200,
  ]);
  return sent.split("\r\n").filter((line) => !/^(?:Host|Connection): /i.test(line));
}

/** Values of all lines of a header. */
function valuesOf(lines: readonly string[], name: string): string[] {
  return lines.filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `))
    .map((line) => line.slice(name.length + 2));
}

Deno.test("http sends GET with a named agent and asks for no compression", async () => {
  assertEquals(await sentBy({}), [
    "GET / HTTP/1.1",
    "User-Agent: monitor-action",
    "Accept: */*",
    "Accept-Encoding: identity",
    "",
    "",
  ]);
});

Deno.test("http sends the User-Agent of the site, from userAgent or its headers", async () => {
  const agents = async (keys: Keys) =>
    (await sentBy(keys, { secrets: { KEY: "k3y-k3y" } })).filter((line) =>
      /^user-agent:/i.test(line)
    );
  assertEquals(await agents({ userAgent: "me/$KEY" }), ["User-Agent: me/k3y-k3y"]);
  assertEquals(await agents({ userAgent: "me", headers: ["user-agent: other"] }), [
    "user-agent: other",
  ]);
});

Deno.test("http sends the configured method", async () => {
  for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "head", "Patch"]) {
    assertEquals((await sentBy({ method }))[0], `${method.toUpperCase()} / HTTP/1.1`);
  }
});

Deno.test("http expects no body in the answer to HEAD", async () => {
  await using server = httpServer(() => new Response(null, { headers: { "Content-Length": "5" } }));
  assertEquals(await observeBriefly({ url: server.url, method: "HEAD", requestTimeout: 60 }), [
    200,
  ]);
});

Deno.test("http sends the body with its length and a type that fits it", async () => {
  const form = "application/x-www-form-urlencoded";
  const cases: [keys: Keys, method: string, type: string[], length: string][] = [
    [{ body: '{"a":1}' }, "POST", ["application/json"], "7"],
    [{ body: "[]" }, "POST", ["application/json"], "2"],
    [{ body: "a=1&b=2" }, "POST", [form], "7"],
    [{ body: "grüße" }, "POST", [form], "7"],
    [{ body: "<a/>", headers: ["content-type: text/xml"] }, "POST", ["text/xml"], "4"],
    [{ body: "{}", method: "PUT" }, "PUT", ["application/json"], "2"],
    [{ body: "a=1", method: "GET" }, "GET", [form], "3"],
  ];
  for (const [keys, method, type, length] of cases) {
    const lines = await sentBy(keys);
    assertEquals(lines[0], `${method} / HTTP/1.1`);
    assertEquals(valuesOf(lines, "Content-Type"), type);
    assertEquals(valuesOf(lines, "Content-Length"), [length]);
    assertEquals(lines.at(-1), keys.body);
  }
});

Deno.test("http sets Content-Length itself, whatever is configured", async () => {
  for (const header of ["Content-Length: 1", "Transfer-Encoding: chunked"]) {
    const lines = await sentBy({ body: "abc", headers: [header] });
    assertEquals(valuesOf(lines, "Content-Length"), ["3"]);
    assertEquals(valuesOf(lines, "Transfer-Encoding"), []);
    assertEquals(lines.at(-1), "abc");
  }
});

Deno.test("a configured header replaces the default one", async () => {
  const lines = await sentBy({
    headers: ["user-agent: curl/8.7.1", "ACCEPT: text/html", "Accept-Encoding: gzip"],
  });
  assertEquals(valuesOf(lines, "User-Agent"), ["curl/8.7.1"]);
  assertEquals(valuesOf(lines, "Accept"), ["text/html"]);
  assertEquals(valuesOf(lines, "Accept-Encoding"), ["gzip"]);
});

Deno.test("http repeats a header as often as configured", async () => {
  const headers = ["X-Tag: a", "X-Other: 1", "x-tag: b", "X-Tag: c"];
  const lines = await sentBy({ headers });
  assertEquals(valuesOf(lines, "X-Tag"), ["a", "b", "c"]);
  assertEquals(valuesOf(lines, "X-Other"), ["1"]);
});

Deno.test("http sends headers unchanged, except for surrounding spaces", async () => {
  const lines = await sentBy({
    headers: ["X-Time: 12:30:00", "X-Blank:   a  b  ", "X-None:a", "X-Empty:"],
  });
  assertEquals(valuesOf(lines, "X-Time"), ["12:30:00"]);
  assertEquals(valuesOf(lines, "X-Blank"), ["a  b"]);
  assertEquals(valuesOf(lines, "X-None"), ["a"]);
  assertEquals(lines.filter((line) => /^X-Empty:\s*$/.test(line)).length, 1);
});

Deno.test("http sends the configured Host", async () => {
  let host: string | null = null;
  await using server = httpServer(({ headers }) => {
    host = headers.get("Host");
    return new Response("ok");
  });
  await observe({ url: server.url });
  assertEquals(host, `127.0.0.1:${server.port}`);
  await observe({ url: server.url, headers: ["Host: shop.example.com"] });
  assertEquals<unknown>(host, "shop.example.com");
});

Deno.test("http sends path and query and no fragment", async () => {
  let asked = "";
  await using server = httpServer(({ url }) => {
    asked = url.slice(url.indexOf("/", 8));
    return new Response("ok");
  });
  const cases = {
    "/a%20b?q=1&r=%26#part": "/a%20b?q=1&r=%26",
    "/ü?ä=ö": "/%C3%BC?%C3%A4=%C3%B6",
    "": "/",
    "/a/../b": "/b",
  };
  for (const [written, sent] of Object.entries(cases)) {
    assertEquals(await observeBriefly({ url: server.url + written }), [200]);
    assertEquals(asked, sent);
  }
});

Deno.test("http makes no request with a header that HTTP does not allow", async () => {
  const cases = {
    "X-Note: grün €": "the header X-Note holds a character that HTTP does not allow",
    "X-Two: $TWO_LINES": "the header X-Two holds a character that HTTP does not allow",
    "X-$TWO_LINES: a": "the name of a header is none that HTTP allows",
  };
  for (const [header, reason] of Object.entries(cases)) {
    const { failure } = await observe({ url: "http://127.0.0.1:9", headers: [header] }, {
      secrets: { TWO_LINES: "a\r\nX-Injected: 1" },
    });
    assertEquals(failure, { kind: "configuration", reason });
  }
});

Deno.test("http ignores a trailing line break of a secret", async () => {
  const lines = await sentBy({ headers: ["X-Key: $KEY"] }, { secrets: { KEY: "abcd\n" } });
  assertEquals(valuesOf(lines, "X-Key"), ["abcd"]);
});
