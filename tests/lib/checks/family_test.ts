import { assertEquals } from "@std/assert";
import { makeCertificate } from "../../helpers/certificates.ts";
import { httpServer, tlsServer } from "../../helpers/servers.ts";
import { type Keys, lookBriefly } from "../../helpers/sites.ts";

// On the machines this runs on, localhost may have addresses of one family or of both; 127.0.0.1 it has.
Deno.test("a site is reached over the family that is asked for", async () => {
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
    assertEquals(await lookBriefly({ ...keys, ipv4: true }), [200]);
    assertEquals(await lookBriefly({ ...keys, ipv4: true, ipv6: true }), [200]);
  }
});

Deno.test("a site is reached over IPv6 where it is asked for", async () => {
  await using server = httpServer(() => new Response("ok"), { hostname: "::1" });
  for (const keys of [{ ipv6: true }, {}]) {
    assertEquals(await lookBriefly({ url: server.url, ...keys }), [200]);
  }
});

Deno.test("an address of the other family is told in words", async () => {
  const secrets = { FOUR: "127.0.0.1", SIX: "[::1]" };
  const cases: [Keys, string][] = [
    [{ url: "http://$FOUR:1/", ipv6: true }, "no IPv6 address"],
    [{ url: "http://$SIX:1/", ipv4: true }, "no IPv4 address"],
    [{ check: "ws", url: "ws://$SIX:1/", ipv4: true }, "no IPv4 address"],
    [{ check: "tcp-ping", url: "$FOUR", port: 1, ipv6: true }, "no IPv6 address"],
    [{ check: "ssl", url: "$SIX", port: 1, ipv4: true }, "no IPv4 address"],
  ];
  for (const [keys, reason] of cases) {
    assertEquals(await lookBriefly(keys, { secrets }), [0, reason]);
  }
});

Deno.test("a redirect to an address of the other family is told with the address", async () => {
  await using server = httpServer(() =>
    new Response(null, { status: 302, headers: { location: "http://[::1]:1/" } })
  );
  assertEquals(await lookBriefly({ url: server.url, ipv4: true }), [0, "no IPv4 address (::1)"]);
});
