import { assertEquals } from "@std/assert";
import { httpServer, rawServer } from "../../helpers/servers.ts";
import { type Keys, look, lookBriefly, type LookOptions } from "../../helpers/sites.ts";

/** What a server is sent, line by line as it comes. */
async function sentBy(keys: Keys, options?: LookOptions): Promise<string[]> {
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
  assertEquals(await lookBriefly({ url: server.url, requestTimeout: 5, ...keys }, options), [200]);
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

Deno.test("http calls itself what the site says, in userAgent or among its headers", async () => {
  const agents = async (keys: Keys) =>
    (await sentBy(keys, { secrets: { KEY: "k3y-k3y" } })).filter((line) =>
      /^user-agent:/i.test(line)
    );
  assertEquals(await agents({ userAgent: "me/$KEY" }), ["User-Agent: me/k3y-k3y"]);
  assertEquals(await agents({ userAgent: "me", headers: ["user-agent: other"] }), [
    "user-agent: other",
  ]);
});

Deno.test("http sends the method that the site names", async () => {
  for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "head", "Patch"]) {
    assertEquals((await sentBy({ method }))[0], `${method.toUpperCase()} / HTTP/1.1`);
  }
});

Deno.test("http is content with the head that answers HEAD", async () => {
  await using server = httpServer(() => new Response(null, { headers: { "Content-Length": "5" } }));
  assertEquals(await lookBriefly({ url: server.url, method: "HEAD", requestTimeout: 2 }), [200]);
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

Deno.test("http says how long a body is, whatever the site says", async () => {
  for (const header of ["Content-Length: 1", "Transfer-Encoding: chunked"]) {
    const lines = await sentBy({ body: "abc", headers: [header] });
    assertEquals(valuesOf(lines, "Content-Length"), ["3"]);
    assertEquals(valuesOf(lines, "Transfer-Encoding"), []);
    assertEquals(lines.at(-1), "abc");
  }
});

Deno.test("http sends a header of the site in place of its own", async () => {
  const lines = await sentBy({
    headers: ["user-agent: curl/8.7.1", "ACCEPT: text/html", "Accept-Encoding: gzip"],
  });
  assertEquals(valuesOf(lines, "User-Agent"), ["curl/8.7.1"]);
  assertEquals(valuesOf(lines, "Accept"), ["text/html"]);
  assertEquals(valuesOf(lines, "Accept-Encoding"), ["gzip"]);
});

Deno.test("http sends a header as often as the site has it", async () => {
  const headers = ["X-Tag: a", "X-Other: 1", "x-tag: b", "X-Tag: c"];
  const lines = await sentBy({ headers });
  assertEquals(valuesOf(lines, "X-Tag"), ["a", "b", "c"]);
  assertEquals(valuesOf(lines, "X-Other"), ["1"]);
});

Deno.test("http sends headers as they are written, blanks around them aside", async () => {
  const lines = await sentBy({
    headers: ["X-Time: 12:30:00", "X-Blank:   a  b  ", "X-None:a", "X-Empty:"],
  });
  assertEquals(valuesOf(lines, "X-Time"), ["12:30:00"]);
  assertEquals(valuesOf(lines, "X-Blank"), ["a  b"]);
  assertEquals(valuesOf(lines, "X-None"), ["a"]);
  assertEquals(lines.filter((line) => /^X-Empty:\s*$/.test(line)).length, 1);
});

Deno.test("http sends the Host that the site names", async () => {
  let host: string | null = null;
  await using server = httpServer(({ headers }) => {
    host = headers.get("Host");
    return new Response("ok");
  });
  await look({ url: server.url });
  assertEquals(host, `127.0.0.1:${server.port}`);
  await look({ url: server.url, headers: ["Host: shop.example.com"] });
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
    assertEquals(await lookBriefly({ url: server.url + written }), [200]);
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
    const { failure } = await look({ url: "http://127.0.0.1:9", headers: [header] }, {
      secrets: { TWO_LINES: "a\r\nX-Injected: 1" },
    });
    assertEquals(failure, { kind: "configuration", reason });
  }
});

Deno.test("http forgives the line end after a secret", async () => {
  const lines = await sentBy({ headers: ["X-Key: $KEY"] }, { secrets: { KEY: "abcd\n" } });
  assertEquals(valuesOf(lines, "X-Key"), ["abcd"]);
});
