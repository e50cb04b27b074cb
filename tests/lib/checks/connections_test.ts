import { assert, assertEquals, assertMatch } from "@std/assert";
import { isReachable } from "../../../lib/checks/connection.ts";
import { makeAuthority, makeCertificate } from "../../helpers/certificates.ts";
import { type ProxyOptions, proxyServer } from "../../helpers/proxy.ts";
import { closedPort, httpServer, rawServer, tlsServer } from "../../helpers/servers.ts";
import { type Keys, observe, observeBriefly } from "../../helpers/sites.ts";

// On the machines this runs on, localhost may have addresses of one family or of both; 127.0.0.1 it has.
Deno.test("a site is reached over the configured IP version", async () => {
  await using server = httpServer((request) => {
    if (request.headers.get("upgrade") === null) return new Response("ok");
    return Deno.upgradeWebSocket(request).response;
  });
  await using tls = await tlsServer(makeCertificate());
  const cases: Keys[] = [
    { url: `http://localhost:${server.port}` },
    { check: "ws", url: `ws://localhost:${server.port}` },
    { check: "tcp-ping", url: `localhost:${server.port}` },
    { check: "ssl", url: `localhost:${tls.port}`, insecure: true },
  ];
  for (const keys of cases) {
    assertEquals(await observeBriefly({ ...keys, ipv4: true }), [200]);
    assertEquals(await observeBriefly({ ...keys, ipv4: true, ipv6: true }), [200]);
  }
});

Deno.test("a site is reached over IPv6 if configured", async () => {
  await using server = httpServer(() => new Response("ok"), { hostname: "::1" });
  for (const keys of [{ ipv6: true }, {}]) {
    assertEquals(await observeBriefly({ url: server.url, ...keys }), [200]);
  }
});

Deno.test("an address of the other IP version is a failure", async () => {
  const secrets = { FOUR: "127.0.0.1", SIX: "[::1]" };
  const cases: [Keys, string][] = [
    [{ url: "http://$FOUR:1/", ipv6: true }, "no IPv6 address"],
    [{ url: "http://$SIX:1/", ipv4: true }, "no IPv4 address"],
    [{ check: "ws", url: "ws://$SIX:1/", ipv4: true }, "no IPv4 address"],
    [{ check: "tcp-ping", url: "$FOUR", port: 1, ipv6: true }, "no IPv6 address"],
    [{ check: "ssl", url: "$SIX", port: 1, ipv4: true }, "no IPv4 address"],
  ];
  for (const [keys, reason] of cases) {
    assertEquals(await observeBriefly(keys, { secrets }), [0, reason]);
  }
});

Deno.test("a redirect to an address of the other IP version is a failure with the address", async () => {
  await using server = httpServer(() =>
    new Response(null, { status: 302, headers: { location: "http://[::1]:1/" } })
  );
  assertEquals(await observeBriefly({ url: server.url, ipv4: true }), [0, "no IPv4 address (::1)"]);
});

Deno.test("isReachable finds listeners by name or address", async () => {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  assertEquals(
    await Promise.all([
      isReachable(`127.0.0.1:${port}`),
      isReachable(`localhost:${port}`),
      isReachable(`127.0.0.1:${closedPort()}`),
      isReachable(`[::1]:${closedPort()}`),
      isReachable("no-such-name.invalid:443"),
    ]),
    [true, true, false, false, false],
  );
});

const AUTHORITY = makeAuthority();
const SECRETS = { CA: AUTHORITY.cert };
/** No name server knows it; only the proxy resolves it. */
const HOST = "shop.invalid";
const certificate = makeCertificate({ names: [HOST], issuer: AUTHORITY });

const echo = (request: Request) => {
  if (request.headers.get("upgrade") !== "websocket") {
    const { method, headers, url } = request;
    const seen = [method, new URL(url).pathname, headers.get("proxy-authorization")];
    return new Response(null, { status: seen.join(" ") === "GET /x " ? 204 : 500 });
  }
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.onmessage = ({ data }) => socket.send(data);
  return response;
};

Deno.test("http and ws go through a proxy, over TLS by a tunnel", async () => {
  await using plain = httpServer(echo);
  await using secure = httpServer(echo, { certificate });
  const cases: [keys: Keys, code: number, asked: string][] = [
    [{ url: `http://${HOST}:${plain.port}/x` }, 204, `GET http://${HOST}:${plain.port}/x`],
    [{ url: `https://${HOST}:${secure.port}/x` }, 204, `CONNECT ${HOST}:${secure.port}`],
    [
      { check: "ws", url: `ws://${HOST}:${plain.port}/x`, body: "a", expect: "a" },
      200,
      `CONNECT ${HOST}:${plain.port}`,
    ],
    [
      { check: "ws", url: `wss://${HOST}:${secure.port}/x`, body: "a", expect: "a" },
      200,
      `CONNECT ${HOST}:${secure.port}`,
    ],
  ];
  for (const [keys, code, asked] of cases) {
    await using proxy = await proxyServer();
    const found = await observe({ ...keys, ca: "$CA", proxy: proxy.url }, { secrets: SECRETS });
    assertEquals([found.code, found.failure, proxy.asked], [code, undefined, [asked]]);
    assert(found.phases!.connect > 0);
    assertEquals(found.phases!.tls > 0, /^(?:https|wss):/.test(String(keys["url"])));
  }
});

Deno.test("http authenticates to a proxy with secrets, and sends the credentials to nobody else", async () => {
  await using plain = httpServer(echo);
  await using secure = httpServer(echo, { certificate });
  await using proxy = await proxyServer({ login: "me:p@ss/1" });
  const secrets = { ...SECRETS, PASS: "p@ss/1", WRONG: "nothing" };
  const to = (url: string, password: string) =>
    observeBriefly({
      url,
      ca: "$CA",
      proxy: `http://me:${password}@127.0.0.1:${proxy.port}`,
      expectedStatusCodes: [204],
    }, { secrets });
  for (const url of [`http://${HOST}:${plain.port}/x`, `https://${HOST}:${secure.port}/x`]) {
    assertEquals(await to(url, "$PASS"), [204]);
  }
  assertEquals(await to(`http://${HOST}:${plain.port}/x`, "$WRONG"), [
    407,
    "answered 407 Proxy Authentication Required, expected 204",
  ]);
  assertEquals(await to(`https://${HOST}:${secure.port}/x`, "$WRONG"), [
    0,
    "the proxy does not accept the login (407 Proxy Authentication Required)",
  ]);
});

Deno.test("http reports failures of the proxy as such", async () => {
  const cases: [options: ProxyOptions, reason: RegExp][] = [
    [{ refusesWith: 403 }, /^the proxy refused to connect \(403 Forbidden\)$/],
    [{ refusesWith: 502 }, /^the proxy refused to connect \(502 Bad Gateway\)$/],
    [{ silent: true }, /^the proxy failed: timed out after 1 s waiting for the proxy$/],
  ];
  for (const [options, reason] of cases) {
    await using proxy = await proxyServer(options);
    for (const keys of [{ url: `https://${HOST}/` }, { check: "ws", url: `ws://${HOST}/` }]) {
      const limit = options.silent ? { connectTimeout: 1 } : {};
      const { code, failure } = await observe({ ...keys, proxy: proxy.url, ...limit });
      assertEquals([code, failure?.kind], [0, "network"]);
      assertMatch(failure!.reason, reason);
    }
  }
  const port = closedPort();
  const refused = `the proxy failed: connection refused (127.0.0.1:${port})`;
  for (const url of [`https://${HOST}/`, `http://${HOST}/`]) {
    assertEquals(await observeBriefly({ url, proxy: `http://127.0.0.1:${port}` }), [0, refused]);
  }
  assertEquals(
    await observeBriefly({ url: `https://${HOST}/`, proxy: "$PROXY" }, {
      secrets: { PROXY: `http://127.0.0.1:${port}` },
    }),
    [0, "the proxy failed: connection refused"],
  );
  await using noProxy = await rawServer((socket) => socket.once("data", () => socket.end("hi\n")));
  assertMatch(
    (await observeBriefly({ url: `https://${HOST}/`, proxy: noProxy.url }))[1]!,
    /^the proxy failed: answer is not valid HTTP /,
  );
});

Deno.test("http describes a refused certificate through a proxy", async () => {
  await using server = httpServer(echo, {
    certificate: makeCertificate({ names: [HOST], to: -3, issuer: AUTHORITY }),
  });
  await using proxy = await proxyServer();
  const keys = { url: `https://${HOST}:${server.port}/x`, ca: "$CA", proxy: proxy.url };
  assertEquals(await observeBriefly(keys, { secrets: SECRETS }), [
    0,
    "certificate expired 3 days ago",
  ]);
});

Deno.test("wrong secrets of a proxy are a misconfiguration", async () => {
  const cases: [proxy: string, reason: RegExp][] = [
    ["http://me:$NONE@127.0.0.1", /^secret NONE is missing/],
    ["$OTHER", /^proxy is not an http address once its secrets are in place$/],
  ];
  for (const [proxy, reason] of cases) {
    const { failure } = await observe({ url: "http://127.0.0.1", proxy }, {
      secrets: { OTHER: "socks5://127.0.0.1:1080" },
    });
    assertEquals(failure?.kind, "configuration");
    assertMatch(failure!.reason, reason);
  }
});
