import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { serveFolder } from "../../../lib/io/serve.ts";
import { makeScratch, type Scratch } from "../../helpers/scratch.ts";

/** A page with one site, next to a private file. */
async function servedPage(scratch: Scratch, base = "/") {
  await Deno.mkdir(join(scratch.path, "export", "history", "größe"), { recursive: true });
  await scratch.write("export/index.html", "overview");
  await scratch.write("export/history/größe/index.html", "site");
  await scratch.write("export/404.html", "nothing here");
  await scratch.write("export/style.css", "a {}");
  await scratch.write("export/CNAME", "status.acme.example");
  await scratch.write("secret.txt", "s3cret");
  await Deno.symlink("../secret.txt", join(scratch.path, "export", "link.txt"));
  return serveFolder(join(scratch.path, "export"), { port: 0, base: () => base });
}

/** Status, type and content of the answer; redirects are not followed. */
async function get(
  address: string,
  init: RequestInit = {},
): Promise<[number, string | null, string]> {
  const answer = await fetch(address, { redirect: "manual", ...init });
  return [answer.status, answer.headers.get("content-type"), await answer.text()];
}

/** The first line of the answer to a path that clients would normalise. */
async function asIs(address: string, path: string, host = "localhost"): Promise<string> {
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const answer = await text(socket);
  return `${answer.split("\r\n")[0]} ${answer.includes("s3cret")}`;
}

Deno.test("a folder is served as by static hosts: index pages, content types, redirects to a slash, 404.html", async () => {
  await using scratch = await makeScratch();
  await using server = await servedPage(scratch);
  const { address } = server;
  assertEquals(await get(address), [200, "text/html; charset=utf-8", "overview"]);
  assertEquals(await get(`${address}index.html?a=b`), [
    200,
    "text/html; charset=utf-8",
    "overview",
  ]);
  assertEquals(await get(`${address}style.css?v=1`), [200, "text/css; charset=utf-8", "a {}"]);
  assertEquals(await get(`${address}CNAME`), [
    200,
    "application/octet-stream",
    "status.acme.example",
  ]);
  assertEquals(await get(`${address}history/größe/`), [200, "text/html; charset=utf-8", "site"]);
  const moved = await fetch(`${address}history/größe?a`, { redirect: "manual" });
  await moved.body?.cancel();
  assertEquals([moved.status, moved.headers.get("location")], [301, "/history/gr%C3%B6%C3%9Fe/?a"]);
  const missing: [number, string, string] = [404, "text/html; charset=utf-8", "nothing here"];
  for (
    const path of ["nope", "history/", "nope/", "style.css/index.html", "link.txt", "%", "a%00b"]
  ) {
    assertEquals(await get(address + path), missing, path);
  }
  assertEquals(await get(address, { method: "HEAD" }), [200, "text/html; charset=utf-8", ""]);
});

Deno.test("no path escapes a served folder", async () => {
  await using scratch = await makeScratch();
  await using server = await servedPage(scratch, "/status/");
  const paths = ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/..%5csecret.txt"];
  const based = paths.map((path) => `/status${path}`);
  for (
    const path of [
      ...paths,
      ...based,
      "//secret.txt",
      "/./../secret.txt",
      "/history/..%2f..%2fsecret.txt",
    ]
  ) {
    assertMatch(await asIs(server.address, path), /^HTTP\/1\.1 (?:404|400) .*false$/, path);
  }
});

Deno.test("a page with a path is served under that path and at the top", async () => {
  await using scratch = await makeScratch();
  await using server = await servedPage(scratch, "/status/");
  for (const base of [server.address, `${server.address}status/`]) {
    assertEquals((await get(base))[2], "overview");
    assertEquals((await get(`${base}history/größe/`))[2], "site");
  }
  const moved = await fetch(`${server.address}status/history/größe`, { redirect: "manual" });
  await moved.body?.cancel();
  assertEquals(moved.headers.get("location"), "/status/history/gr%C3%B6%C3%9Fe/");
});

Deno.test("a port in use is reported with the cure", async () => {
  await using scratch = await makeScratch();
  await using server = await servedPage(scratch);
  const port = Number(new URL(server.address).port);
  assertThrows(
    () => serveFolder(scratch.path, { port, base: () => "/" }),
    Error,
    `Cannot serve on port ${port}: another program has it; choose another one, or 0 for any that is free`,
  );
});

/** The head and body of the answer to a request with the host, or with none. */
async function answerTo(
  address: string,
  { method = "GET", target = "/", host }: { method?: string; target?: string; host?: string },
): Promise<[status: number, allow: string | undefined, body: string]> {
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  const line = host === undefined ? "" : `Host: ${host}\r\n`;
  socket.write(`${method} ${target} HTTP/1.1\r\n${line}Connection: close\r\n\r\n`);
  const answer = await text(socket);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return [Number(head.split(" ")[1]), /^allow: (.*)$/im.exec(head)?.[1], body];
}

Deno.test("a folder is served under the names of this machine only", async () => {
  await using scratch = await makeScratch();
  await using server = await servedPage(scratch);
  const { address } = server;
  const own = ["localhost", "LocalHost:80", "localhost.", "page.test.localhost:1", "127.0.0.1"];
  for (const host of [...own, "127.9.8.7:65535", "[::1]", "[::1]:8080"]) {
    assertEquals(await answerTo(address, { host }), [200, undefined, "overview"], host);
  }
  const others = ["status.acme.example", "localhost.acme.example:80", "xlocalhost", "10.0.0.1"];
  const near = ["127.0.0.1.acme.example", "128.0.0.1", "[::2]", "0.0.0.0", "localhost@a.example"];
  for (const host of [...others, ...near, "", undefined]) {
    const [status, , body] = await answerTo(address, { host });
    assertEquals([status, body.includes("overview")], [421, false], host);
    assertEquals((await answerTo(address, { host, method: "POST" }))[0], 421, host);
  }
  const target = "http://status.acme.example/";
  assertEquals((await answerTo(address, { target, host: "localhost" }))[0], 421);
  const head = await answerTo(address, { method: "HEAD", host: "acme.example" });
  assertEquals(head, [421, undefined, ""]);
});

Deno.test("a folder is served to GET and HEAD only", async () => {
  await using scratch = await makeScratch();
  await using server = await servedPage(scratch);
  const methods = ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "get"];
  for (const method of methods) {
    const [status, allow, body] = await answerTo(server.address, { method, host: "localhost" });
    assertEquals([status, allow, body.includes("overview")], [405, "GET, HEAD", false], method);
  }
  const head = await answerTo(server.address, { method: "HEAD", host: "localhost" });
  assertEquals(head, [200, undefined, ""]);
});

Deno.test("a request without a valid address is refused, and logged nowhere", async () => {
  await using scratch = await makeScratch();
  await using server = await servedPage(scratch);
  for (const host of ["[::x", "a b"]) {
    assertEquals(await asIs(server.address, "/", host), "HTTP/1.1 400 Bad Request false");
  }
});
