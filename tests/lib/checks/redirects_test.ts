import { assert, assertEquals } from "@std/assert";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isPrivateAddress } from "../../../lib/io/private_address.ts";
import { proxyServer } from "../../helpers/proxy.ts";
import { httpServer, type LocalServer } from "../../helpers/servers.ts";
import { type Keys, observe, observeBriefly } from "../../helpers/sites.ts";

/** A request as it came to a server. */
interface Seen {
  path: string;
  method: string;
  body: string;
  headers: Record<string, string>;
}

/** A server that records its requests; `/302?to=X` answers 302 with that location, anything else 200. */
function redirectServer(seen: Seen[] = []): LocalServer {
  return httpServer(async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const { method, headers } = request;
    const body = await request.text();
    seen.push({ path: pathname, method, body, headers: Object.fromEntries(headers) });
    const to = searchParams.get("to");
    if (to === null) return new Response("there");
    return new Response(null, { status: Number(pathname.slice(1)), headers: { Location: to } });
  });
}

/** The path and query of an answer with the status given that leads to `to`. */
function via(status: number, to: string): string {
  return `/${status}?to=${encodeURIComponent(to)}`;
}

/** A path with so many redirects. */
function chain(length: number): string {
  return length === 0 ? "/end" : via(302, chain(length - 1));
}

Deno.test("http follows as many redirects as maxRedirects says", async () => {
  const cases: [length: number, maxRedirects: number | undefined, found: [number, string?]][] = [
    [3, undefined, [200]],
    [4, undefined, [302, "more than 3 redirects"]],
    [1, 1, [200]],
    [2, 1, [302, "more than 1 redirect"]],
    [7, 7, [200]],
    [8, 7, [302, "more than 7 redirects"]],
  ];
  for (const [length, maxRedirects, found] of cases) {
    const seen: Seen[] = [];
    await using server = redirectServer(seen);
    const keys = { url: server.url + chain(length), maxRedirects };
    assertEquals(await observeBriefly(keys), found);
    assertEquals(seen.length, Math.min(length, maxRedirects ?? 3) + 1);
  }
});

Deno.test("http evaluates the first answer if maxRedirects is 0", async () => {
  const seen: Seen[] = [];
  await using server = redirectServer(seen);
  const url = server.url + via(302, "/gone");
  assertEquals(await observeBriefly({ url, maxRedirects: 0 }), [302]);
  assertEquals(await observeBriefly({ url, maxRedirects: 0, expectedStatusCodes: [200] }), [
    302,
    "answered 302 Found, expected 200",
  ]);
  assertEquals(seen.length, 2);
});

Deno.test("http evaluates the last answer of a chain", async () => {
  await using server = redirectServer();
  const url = server.url + via(301, via(302, "/end"));
  assertEquals(await observeBriefly({ url, expectedStatusCodes: [200] }), [200]);
  await using wrong = httpServer(({ url }) =>
    url.endsWith("/login") ? new Response("no", { status: 403 }) : Response.redirect(`${url}login`)
  );
  assertEquals(await observeBriefly({ url: wrong.url }), [403, "answered 403 Forbidden"]);
});

Deno.test("http detects a redirect loop", async () => {
  const reason = "redirects go round in a loop";
  await using itself = httpServer(({ url }) => Response.redirect(url, 301));
  assertEquals(await observeBriefly({ url: itself.url, maxRedirects: 50 }), [301, reason]);
  await using three = httpServer(({ url }) => {
    const step = Number(new URL(url).pathname.slice(1));
    return Response.redirect(new URL(`/${(step + 1) % 3}`, url), 307);
  });
  assertEquals(await observeBriefly({ url: `${three.url}/0`, maxRedirects: 50 }), [307, reason]);
});

Deno.test("a form that redirects to itself is not a redirect loop", async () => {
  await using server = httpServer(({ url, method }) =>
    method === "POST" ? Response.redirect(url, 303) : new Response("saved")
  );
  assertEquals(await observeBriefly({ url: server.url, method: "POST", body: "a=1" }), [200]);
});

Deno.test("http resolves a relative location", async () => {
  const cases = {
    "end": "/a/end",
    "/end": "/end",
    "../end": "/end",
    "?to=": "/a/302",
    "//127.0.0.1:PORT/other": "/other",
    "end#part": "/a/end",
  };
  for (const [location, path] of Object.entries(cases)) {
    const seen: string[] = [];
    await using server = httpServer(({ url }) => {
      seen.push(new URL(url).pathname);
      if (seen.length > 1) return new Response("there");
      const headers = { Location: location.replace("PORT", new URL(url).port) };
      return new Response(null, { status: 302, headers });
    });
    assertEquals(await observeBriefly({ url: `${server.url}/a/302` }), [200]);
    assertEquals(seen, ["/a/302", path]);
  }
});

Deno.test("http reports why it can't follow a location", async () => {
  const cases = {
    "http://[::bad/": "redirected to an address that is not valid",
    "https://": "redirected to an address that is not valid",
    "http://host:99999/": "redirected to an address that is not valid",
    "ftp://127.0.0.1/file": "redirected to an address that is neither http nor https",
    "mailto:jo@example.com": "redirected to an address that is neither http nor https",
    "javascript:alert(1)": "redirected to an address that is neither http nor https",
  };
  await using server = redirectServer();
  for (const [location, reason] of Object.entries(cases)) {
    const { code, failure } = await observe({ url: server.url + via(301, location) });
    assertEquals([code, failure], [301, { kind: "answer", reason }]);
  }
});

Deno.test("http fails without a code if a redirect leads nowhere", async () => {
  await using nowhere = redirectServer();
  const { url } = nowhere;
  const port = new URL(url).port;
  await using server = redirectServer();
  await nowhere[Symbol.asyncDispose]();
  assertEquals(await observeBriefly({ url: server.url + via(302, url) }), [
    0,
    `connection refused (127.0.0.1:${port})`,
  ]);
});

Deno.test("http keeps or changes method and body as fetch does", async () => {
  const cases: [status: number, method: string, after: string, body: string][] = [
    [301, "GET", "GET", ""],
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [301, "PUT", "PUT", "a=1"],
    [302, "PATCH", "PATCH", "a=1"],
    [303, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [303, "DELETE", "GET", ""],
    [307, "POST", "POST", "a=1"],
    [308, "POST", "POST", "a=1"],
    [308, "DELETE", "DELETE", "a=1"],
    [303, "HEAD", "HEAD", ""],
    [302, "HEAD", "HEAD", ""],
  ];
  for (const [status, method, after, body] of cases) {
    const seen: Seen[] = [];
    await using server = redirectServer(seen);
    const sent = method === "GET" || method === "HEAD" ? {} : { body: "a=1" };
    const found = await observeBriefly({ url: server.url + via(status, "/end"), method, ...sent });
    assertEquals(found, [200], `${status} after ${method}`);
    assertEquals(seen.map((request) => request.method), [method, after]);
    assertEquals(seen[1]?.body, body);
    assertEquals("content-type" in seen[1]!.headers, body !== "");
  }
});

const SECRETS = { KEY: "k3y-k3y", WORD: "secret", FREE: "free" };
const HEADERS = [
  "X-API-Key: $KEY",
  "Authorization: Bearer plain",
  "Cookie: session=plain",
  "X-Plain: plain",
  "User-Agent: plain/1",
];

/** The relevant headers of a request. */
interface Sent {
  headers: Record<string, string>;
  body: string;
}

/** Two origins, of which `/` of the first leads to the second with the status given. */
async function twoOrigins(
  status: number,
): Promise<AsyncDisposable & { url: string; seen: Sent[] }> {
  const seen: Sent[] = [];
  const handler = (to?: string) => async (request: Request) => {
    const sent = ["authorization", "cookie", "x-api-key", "x-plain", "user-agent"].flatMap(
      (name) => {
        const value = request.headers.get(name);
        return value === null ? [] : [[name, value]];
      },
    );
    seen.push({ headers: Object.fromEntries(sent), body: await request.text() });
    const path = new URL(request.url).pathname;
    if (to === undefined || path === "/end") return new Response("ok");
    const location = path === "/away" ? to : path === "/here" ? "/end" : `${to}${path}`;
    return new Response(null, { status, headers: { Location: location } });
  };
  await using stack = new AsyncDisposableStack();
  const use = (server: LocalServer) => stack.use(server);
  const other = use(httpServer(handler()));
  const { url } = use(httpServer(handler(other.url)));
  const owned = stack.move();
  return { url, seen, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

Deno.test("http keeps every header on redirects within one origin", async () => {
  await using servers = await twoOrigins(302);
  const keys = { url: `${servers.url}/here`, headers: HEADERS };
  assertEquals(await observeBriefly(keys, { secrets: SECRETS }), [200]);
  const all = {
    "x-api-key": "k3y-k3y",
    authorization: "Bearer plain",
    cookie: "session=plain",
    "x-plain": "plain",
    "user-agent": "plain/1",
  };
  assertEquals(servers.seen.map(({ headers }) => headers), [all, all]);
});

Deno.test("http sends no secret, credentials or cookie to another origin", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    await using servers = await twoOrigins(status);
    const keys = { url: `${servers.url}/away`, headers: HEADERS };
    assertEquals(await observeBriefly(keys, { secrets: SECRETS }), [200]);
    assertEquals(servers.seen[0]?.headers["x-api-key"], "k3y-k3y");
    assertEquals(servers.seen[1]?.headers, { "x-plain": "plain", "user-agent": "plain/1" });
  }
});

Deno.test("http does not send the url's credentials to another origin", async () => {
  await using servers = await twoOrigins(302);
  const withLogin = servers.url.replace("//", "//jo:$WORD@");
  const login = { authorization: "Basic am86c2VjcmV0" };
  await observe({ url: `${withLogin}/here` }, { secrets: SECRETS });
  await observe({ url: `${withLogin}/away` }, { secrets: SECRETS });
  const sent = servers.seen.map(({ headers: { authorization } }) => ({ authorization }));
  assertEquals<unknown[]>(sent, [login, login, login, { authorization: undefined }]);
});

Deno.test("http ignores credentials in a location", async () => {
  const seen: (string | null)[] = [];
  await using server = httpServer(({ url, headers }) => {
    seen.push(headers.get("Authorization"));
    if (seen.length > 1) return new Response("ok");
    return new Response(null, {
      status: 302,
      headers: { Location: `${url.replace("//", "//eve:evil@")}x` },
    });
  });
  assertEquals(await observeBriefly({ url: server.url }), [200]);
  assertEquals(seen, [null, null]);
});

Deno.test("http does not send a body with a secret to another origin", async () => {
  const refused = "redirected to another origin, which the body's secret is not sent to";
  const cases: [status: number, path: string, keys: Keys, reason?: string][] = [
    [307, "/away", { body: "key=$KEY" }, refused],
    [308, "/away", { body: "key=$KEY" }, refused],
    [302, "/away", { body: "key=$KEY", method: "PUT" }, refused],
    [302, "/away", { body: "key=$KEY" }],
    [303, "/away", { body: "key=$KEY", method: "PUT" }],
    [307, "/away", { body: "key=plain" }],
    [307, "/here", { body: "key=$KEY" }],
  ];
  for (const [status, path, keys, reason] of cases) {
    await using servers = await twoOrigins(status);
    const { code, failure } = await observe({ url: servers.url + path, ...keys }, {
      secrets: SECRETS,
    });
    if (reason === undefined) assertEquals([code, failure], [200, undefined]);
    else assertEquals([code, failure], [status, { kind: "answer", reason }]);
    assertEquals(servers.seen.length, reason === undefined ? 2 : 1);
    const away = path === "/away" ? servers.seen[1]?.body ?? "" : "";
    assertEquals(away.includes("k3y"), false);
  }
});

const REFUSED =
  "redirected from a public to a private address, which is followed only with redirects: anywhere";

Deno.test("isPrivateAddress distinguishes private and public addresses", () => {
  const cases: [isPrivate: boolean, addresses: string][] = [
    [true, "127.0.0.1 127.255.0.9 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1"],
    [true, "169.254.169.254 100.64.0.1 100.127.255.255 198.18.0.1 192.0.0.8 255.255.255.255"],
    [true, "168.63.129.16 224.0.0.1 ::1 :: fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 ff02::1"],
    [true, "::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a9fe:a9fe ::10.0.0.1"],
    [true, "2002:7f00:1:: 2002:101:101:: 0:0:0:0:0:ffff:c0a8:101 FEC0::1"],
    [false, "1.1.1.1 172.15.0.1 172.32.0.1 100.63.0.1 100.128.0.1 11.0.0.1 169.253.0.1 223.1.1.1"],
    [true, "64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:0:0::7f00:1 64:ff9b:1::1.1.1.1"],
    [true, "64:ff9b::168.63.129.16 64:ff9b:1:ffff::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    [true, "100::1 100::ffff:0:0:1 5f00::1 5f00:ffff::1"],
    [false, "2606:4700::1111 ::ffff:1.1.1.1 64:ff9b::1.1.1.1 fbff::1 2001:db8::1"],
    [false, "64:ff9b::168.63.129.17 64:ff9b:2::10.0.0.1 2001:1::1 100:0:0:1::1 5eff::1 5f01::1"],
  ];
  for (const [isPrivate, addresses] of cases) {
    for (const address of addresses.split(" ")) {
      assertEquals(isPrivateAddress(address), isPrivate, address);
    }
  }
});

/** Two servers on the loopback, of which the first counts as public: `/X` of either leads to X. */
function servers() {
  const asked: string[] = [];
  const handler = (name: string): Deno.ServeHandler => (request) => {
    const { pathname, searchParams } = new URL(request.url);
    asked.push(`${name}${pathname}`);
    const to = searchParams.get("to");
    if (to !== null) return new Response("moved", { status: 302, headers: { Location: to } });
    return new Response("internal-s3cret words", { headers: { server: "internal/1.0" } });
  };
  const open = httpServer(handler("public"), { hostname: "127.0.0.1" });
  const inner = httpServer(handler("private"), { hostname: "127.0.0.2" });
  const isPrivate = (address: string) => address !== "127.0.0.1";
  const via = (base: string, ...others: string[]): string =>
    others.reduceRight((to, other) => `${other}/?to=${encodeURIComponent(to)}`, base);
  return {
    asked,
    open,
    inner,
    isPrivate,
    via,
    async [Symbol.asyncDispose]() {
      await open[Symbol.asyncDispose]();
      await inner[Symbol.asyncDispose]();
    },
  };
}

Deno.test("http follows no redirect from a public to a private address, on any hop", async () => {
  await using scene = servers();
  const { open, inner, isPrivate, via, asked } = scene;
  const cases: [url: string, found: [number, string?], asked: number][] = [
    [via(inner.url, open.url), [302, REFUSED], 1],
    [via(inner.url, open.url, open.url), [302, REFUSED], 2],
    [via(inner.url, inner.url, open.url), [302, REFUSED], 2],
    [via(inner.url, inner.url), [200], 2],
    [via(open.url, inner.url), [200], 2],
    [via(open.url, open.url), [200], 2],
    [via(`http://[::ffff:7f00:2]:${inner.port}/`, open.url), [302, REFUSED], 1],
    [via(`http://2130706434:${inner.port}/`, open.url), [302, REFUSED], 1],
    [via("http://169.254.169.254/latest/meta-data", open.url), [302, REFUSED], 1],
  ];
  for (const [url, found, requests] of cases) {
    asked.length = 0;
    assertEquals(await observeBriefly({ url }, { isPrivate }), found, url);
    assertEquals(asked.length, requests, url);
  }
  const url = via(inner.url, open.url);
  assertEquals(await observeBriefly({ url, redirects: "anywhere" }, { isPrivate }), [200]);
  assertEquals(await observeBriefly({ url, maxRedirects: 0 }, { isPrivate }), [302]);
});

Deno.test("a redirect is checked against the address that is connected to, not an earlier look-up", async () => {
  const sockets: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    sockets.push(request.socket.localAddress);
    const { port } = server.address() as AddressInfo;
    // The system resolves the name to a loopback address that counts as private here.
    response.writeHead(302, { Location: `http://localhost:${port}/inner` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const isPrivate = (address: string) => address !== "127.0.0.9";
    const url = `http://127.0.0.9:${port}/`;
    assertEquals(await observeBriefly({ url }, { isPrivate }), [302, REFUSED]);
    assertEquals(sockets.length, 1);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

Deno.test("no part of an internal answer is shown after a redirect from a public address", async () => {
  await using scene = servers();
  const { open, inner, isPrivate, via } = scene;
  const assertions = ['body contains "fine"', "header server == other", "json $.a exists"];
  for (const assertion of assertions) {
    const keys = { redirects: "anywhere", assert: [assertion], keepBody: true };
    const url = via(inner.url, open.url);
    const seen = await observe({ ...keys, url }, { isPrivate, detailed: true });
    assertEquals(seen.failure?.kind, "answer");
    assert(!/internal/.test(JSON.stringify(seen)), JSON.stringify(seen));
  }
  const keys = { url: inner.url, assert: [assertions[0]], keepBody: true };
  const direct = await observe(keys, { isPrivate });
  assert(direct.failure!.reason.includes("internal-s3cret"));
});

Deno.test("through a proxy the text of an address decides if it is private", async () => {
  await using scene = servers();
  const { open, inner, isPrivate, via } = scene;
  await using proxy = await proxyServer();
  const keys = { proxy: proxy.url };
  assertEquals(await observeBriefly({ ...keys, url: via(inner.url, open.url) }, { isPrivate }), [
    302,
    REFUSED,
  ]);
  assertEquals(await observeBriefly({ ...keys, url: via(open.url, open.url) }, { isPrivate }), [
    200,
  ]);
  const local = `http://localhost:${open.port}/`;
  assertEquals(await observeBriefly({ ...keys, url: via(local, open.url) }, { isPrivate }), [
    302,
    REFUSED,
  ]);
});
