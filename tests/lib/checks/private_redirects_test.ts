import { assert, assertEquals } from "@std/assert";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isPrivateAddress } from "../../../lib/checks/private_address.ts";
import { httpServer } from "../../helpers/servers.ts";
import { proxyServer } from "../../helpers/proxy.ts";
import { look, lookBriefly } from "../../helpers/sites.ts";

const REFUSED =
  "redirected from a public to a private address, which is followed only with redirects: anywhere";

Deno.test("addresses that only a private network reaches are told from public ones", () => {
  const cases: [isPrivate: boolean, addresses: string][] = [
    [true, "127.0.0.1 127.255.0.9 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1"],
    [true, "169.254.169.254 100.64.0.1 100.127.255.255 198.18.0.1 192.0.0.8 255.255.255.255"],
    [true, "168.63.129.16 224.0.0.1 ::1 :: fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 ff02::1"],
    [true, "::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a9fe:a9fe ::10.0.0.1 64:ff9b::10.0.0.1"],
    [true, "2002:7f00:1:: 0:0:0:0:0:ffff:c0a8:101 FEC0::1"],
    [false, "1.1.1.1 172.15.0.1 172.32.0.1 100.63.0.1 100.128.0.1 11.0.0.1 169.253.0.1 223.1.1.1"],
    [false, "2606:4700::1111 ::ffff:1.1.1.1 64:ff9b::1.1.1.1 2002:101:101:: fbff::1 2001:db8::1"],
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
    assertEquals(await lookBriefly({ url }, { isPrivate }), found, url);
    assertEquals(asked.length, requests, url);
  }
  const url = via(inner.url, open.url);
  assertEquals(await lookBriefly({ url, redirects: "anywhere" }, { isPrivate }), [200]);
  assertEquals(await lookBriefly({ url, maxRedirects: 0 }, { isPrivate }), [302]);
});

Deno.test("a name is judged by the address that is connected to, not by one looked up before", async () => {
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
    assertEquals(await lookBriefly({ url }, { isPrivate }), [302, REFUSED]);
    assertEquals(sockets.length, 1);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

Deno.test("nothing of an answer is shown that a public address led to in a private network", async () => {
  await using scene = servers();
  const { open, inner, isPrivate, via } = scene;
  const assertions = ['body contains "fine"', "header server == other", "json $.a exists"];
  for (const assertion of assertions) {
    const keys = { redirects: "anywhere", assert: [assertion] };
    const url = via(inner.url, open.url);
    const seen = await look({ ...keys, url }, { isPrivate, detailed: true });
    assertEquals(seen.failure?.kind, "answer");
    assert(!/internal/.test(JSON.stringify(seen)), JSON.stringify(seen));
  }
  const direct = await look({ url: inner.url, assert: [assertions[0]] }, { isPrivate });
  assert(direct.failure!.reason.includes("internal-s3cret"));
});

Deno.test("through a proxy the texts of addresses decide, because it looks names up by itself", async () => {
  await using scene = servers();
  const { open, inner, isPrivate, via } = scene;
  await using proxy = await proxyServer();
  const keys = { proxy: proxy.url };
  assertEquals(await lookBriefly({ ...keys, url: via(inner.url, open.url) }, { isPrivate }), [
    302,
    REFUSED,
  ]);
  assertEquals(await lookBriefly({ ...keys, url: via(open.url, open.url) }, { isPrivate }), [200]);
  const local = `http://localhost:${open.port}/`;
  assertEquals(await lookBriefly({ ...keys, url: via(local, open.url) }, { isPrivate }), [
    302,
    REFUSED,
  ]);
});
