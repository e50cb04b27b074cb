import { assertEquals } from "@std/assert";
import { httpServer, type LocalServer } from "../../helpers/servers.ts";
import { look, lookBriefly } from "../../helpers/sites.ts";

/** A request as it came to a server. */
interface Seen {
  path: string;
  method: string;
  body: string;
  headers: Record<string, string>;
}

/** A server that keeps what it is asked; `/302?to=X` answers 302 with that location, anything else 200. */
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

/** A path that takes so many redirects to its end. */
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
    assertEquals(await lookBriefly(keys), found);
    assertEquals(seen.length, Math.min(length, maxRedirects ?? 3) + 1);
  }
});

Deno.test("http judges the first answer where maxRedirects is 0", async () => {
  const seen: Seen[] = [];
  await using server = redirectServer(seen);
  const url = server.url + via(302, "/gone");
  assertEquals(await lookBriefly({ url, maxRedirects: 0 }), [302]);
  assertEquals(await lookBriefly({ url, maxRedirects: 0, expectedStatusCodes: [200] }), [
    302,
    "answered 302 Found, expected 200",
  ]);
  assertEquals(seen.length, 2);
});

Deno.test("http judges the last answer of a chain", async () => {
  await using server = redirectServer();
  const url = server.url + via(301, via(302, "/end"));
  assertEquals(await lookBriefly({ url, expectedStatusCodes: [200] }), [200]);
  await using wrong = httpServer(({ url }) =>
    url.endsWith("/login") ? new Response("no", { status: 403 }) : Response.redirect(`${url}login`)
  );
  assertEquals(await lookBriefly({ url: wrong.url }), [403, "answered 403 Forbidden"]);
});

Deno.test("http notices that redirects go round in a loop", async () => {
  const reason = "redirects go round in a loop";
  await using itself = httpServer(({ url }) => Response.redirect(url, 301));
  assertEquals(await lookBriefly({ url: itself.url, maxRedirects: 50 }), [301, reason]);
  await using three = httpServer(({ url }) => {
    const step = Number(new URL(url).pathname.slice(1));
    return Response.redirect(new URL(`/${(step + 1) % 3}`, url), 307);
  });
  assertEquals(await lookBriefly({ url: `${three.url}/0`, maxRedirects: 50 }), [307, reason]);
});

Deno.test("http does not take a form that redirects to itself for a loop", async () => {
  await using server = httpServer(({ url, method }) =>
    method === "POST" ? Response.redirect(url, 303) : new Response("saved")
  );
  assertEquals(await lookBriefly({ url: server.url, method: "POST", body: "a=1" }), [200]);
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
    assertEquals(await lookBriefly({ url: `${server.url}/a/302` }), [200]);
    assertEquals(seen, ["/a/302", path]);
  }
});

Deno.test("http says why it can't follow a location", async () => {
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
    const { code, failure } = await look({ url: server.url + via(301, location) });
    assertEquals([code, failure], [301, { kind: "answer", reason }]);
  }
});

Deno.test("http fails without a code where a redirect leads nowhere", async () => {
  await using nowhere = redirectServer();
  const { url } = nowhere;
  const port = new URL(url).port;
  await using server = redirectServer();
  await nowhere[Symbol.asyncDispose]();
  assertEquals(await lookBriefly({ url: server.url + via(302, url) }), [
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
    const found = await lookBriefly({ url: server.url + via(status, "/end"), method, ...sent });
    assertEquals(found, [200], `${status} after ${method}`);
    assertEquals(seen.map((request) => request.method), [method, after]);
    assertEquals(seen[1]?.body, body);
    assertEquals("content-type" in seen[1]!.headers, body !== "");
  }
});
