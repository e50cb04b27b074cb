import { assert, assertEquals, assertMatch } from "@std/assert";
import { machineClock } from "../../helpers/calendar.ts";
import { type Certificate, makeAuthority, makeCertificate } from "../../helpers/certificates.ts";
import { closedPort, deafPort, rawServer, tlsServer } from "../../helpers/servers.ts";
import { type Keys, observe, type ObserveOptions } from "../../helpers/sites.ts";

const AUTHORITY = makeAuthority();
const SECRETS = { CA: AUTHORITY.cert };
const HOUR = 1 / 24;
const SSL = { check: "ssl", ca: "$CA" };

const certified = (options: Parameters<typeof makeCertificate>[0] = {}) =>
  makeCertificate({ issuer: AUTHORITY, to: 90, ...options });

/** Code, failure and degradation of a check of a server with a certificate. */
async function judged(
  certificate: Certificate,
  keys: Keys = {},
  { host = "localhost", ...options }: ObserveOptions & { host?: string } = {},
): Promise<[code: number, failure?: string, degradation?: string]> {
  await using server = await tlsServer(certificate);
  const { code, failure, degradation } = await observe(
    { ...SSL, url: host, port: server.port, ...keys },
    { secrets: SECRETS, ...options },
  );
  if (failure !== undefined) assertEquals(failure.kind, "network");
  return [code, failure?.reason, degradation];
}

const day = (days: number) =>
  machineClock.now().add({ milliseconds: Math.round(days * 86_400_000) }).toString().slice(0, 10);

Deno.test("ssl reports 200 and the times of a valid certificate", async () => {
  await using server = await tlsServer(certified());
  const { port } = server;
  const { code, failure, degradation, responseTime, phases } = await observe(
    { ...SSL, url: "localhost", port },
    { secrets: SECRETS },
  );
  assertEquals([code, failure, degradation], [200, undefined, undefined]);
  const { dns, connect, tls, ...others } = phases!;
  assert(dns > 0 && connect > 0 && tls > 0);
  assertEquals([dns + connect + tls, others], [responseTime, { ttfb: 0, download: 0 }]);
});

Deno.test("ssl reads host and port in every form they are written in", async () => {
  await using server = await tlsServer(certified());
  const { port } = server;
  const cases: Keys[] = [
    { url: "127.0.0.1", port },
    { url: `localhost:${port}` },
    { url: `https://localhost:${port}/path?query` },
    { url: `imaps://localhost:${port}` },
    { url: "https://localhost", port },
    { url: "localhost", port: "$PORT" },
    { url: "$HOST", port },
  ];
  const secrets = { ...SECRETS, PORT: `${port}\n`, HOST: "localhost" };
  for (const keys of cases) {
    const { code, failure } = await observe({ ...SSL, ...keys }, { secrets });
    assertEquals([code, failure], [200, undefined], String(keys["url"]));
  }
});

Deno.test("ssl connects to port 443 by default", async () => {
  // No server of the test listens there: only the address of the connection matters.
  const { details } = await observe({ ...SSL, url: "127.0.0.1", connectTimeout: 1 }, {
    secrets: SECRETS,
    detailed: true,
  });
  assertEquals(details?.hops[0]?.url, "127.0.0.1:443");
});

Deno.test("ssl reports a certificate that expires soon as degraded", async () => {
  const cases: [to: number, keys: Keys, degradation?: string][] = [
    [9 + HOUR, {}, `certificate expires in 9 days (${day(9 + HOUR)})`],
    [14 + HOUR, {}],
    [14 - HOUR, {}, `certificate expires in 13 days (${day(14 - HOUR)})`],
    [2.5 * HOUR, {}, `certificate expires in 2 hours (${day(2.5 * HOUR)})`],
    [9 + HOUR, { expiresWithin: 9 }],
    [9 + HOUR, { expiresWithin: "10d" }, `certificate expires in 9 days (${day(9 + HOUR)})`],
    [9 + HOUR, { expiresWithin: 0 }],
    [29 + HOUR, { expiresWithin: 30 }, `certificate expires in 29 days (${day(29 + HOUR)})`],
  ];
  for (const [to, keys, degradation] of cases) {
    assertEquals(await judged(certified({ to }), keys), [200, undefined, degradation]);
  }
});

Deno.test("ssl reports why a certificate is not accepted", async () => {
  const cases: [options: Parameters<typeof makeCertificate>[0], keys: Keys, reason: string][] = [
    [{ to: -3 }, {}, "the certificate of localhost expired 3 days ago"],
    [{ from: 2.5 }, {}, "the certificate of localhost is not valid for another 2 days"],
    [{ names: ["shop.example.com"] }, {}, "certificate is for shop.example.com, not for localhost"],
    [{}, { ca: undefined }, "certificate is signed by an unknown authority (Test Authority)"],
    [{ issuer: undefined }, {}, "certificate is self-signed"],
  ];
  for (const [options, keys, reason] of cases) {
    assertEquals(await judged(certified(options), keys), [0, reason, undefined]);
  }
});

Deno.test("ssl names the certificate of the chain that is at fault or expires first", async () => {
  const between = (from: number, to: number) =>
    makeAuthority("R11", { from, to, issuer: AUTHORITY });
  const cases: [issuer: ReturnType<typeof between>, failure?: string, degradation?: string][] = [
    [between(-30, 60)],
    [between(-30, -3), 'the intermediate certificate "R11" expired 3 days ago'],
    [between(1.5, 60), 'the intermediate certificate "R11" is not valid for another 1 day'],
    [
      between(-30, 5 + HOUR),
      undefined,
      `certificate expires in 5 days (${day(5 + HOUR)}): the intermediate certificate "R11"`,
    ],
  ];
  for (const [issuer, failure, degradation] of cases) {
    const [code, ...rest] = await judged(certified({ issuer }));
    assertEquals([code, ...rest], [failure === undefined ? 200 : 0, failure, degradation]);
  }
  const first = certified({ issuer: between(-30, 5 + HOUR), to: 3 + HOUR });
  assertEquals(
    (await judged(first))[2],
    `certificate expires in 3 days (${day(3 + HOUR)})`,
  );
});

Deno.test("ssl names a root certificate that is about to expire", async () => {
  const root = makeAuthority("Old Root", { to: 4 + HOUR });
  const found = await judged(certified({ issuer: root }), {}, { secrets: { CA: root.cert } });
  assertEquals(found, [
    200,
    undefined,
    `certificate expires in 4 days (${day(4 + HOUR)}): the root certificate "Old Root"`,
  ]);
});

Deno.test("ssl warns about an expired certificate that the server sends unnecessarily", async () => {
  const old = makeAuthority("Old Root");
  const crossSigned = makeAuthority("Test Authority", { from: -600, to: -20, issuer: old });
  const between = makeAuthority("R11", { to: 60, issuer: AUTHORITY });
  const { cert, key } = certified({ issuer: between });
  const why = 'the intermediate certificate "Test Authority" expired 20 days ago';
  const certificate = { cert: cert + crossSigned.cert, key };
  assertEquals(await judged(certificate), [
    200,
    undefined,
    `${why}; not every client accepts the chain without it`,
  ]);
  assertEquals(await judged(certificate, { insecure: true }), [0, why, undefined]);
});

Deno.test("ssl evaluates the dates of any certificate with insecure", async () => {
  const keys = { insecure: true, ca: undefined };
  const stranger = { issuer: undefined, names: ["shop.example.com"] };
  assertEquals(await judged(certified(stranger), keys), [200, undefined, undefined]);
  assertEquals(await judged(certified({ ...stranger, to: -3 }), keys), [
    0,
    "the certificate of localhost expired 3 days ago",
    undefined,
  ]);
  assertEquals(await judged(certified({ ...stranger, to: 2 + HOUR }), keys), [
    200,
    undefined,
    `certificate expires in 2 days (${day(2 + HOUR)})`,
  ]);
});

Deno.test("ssl names neither host nor certificate if the address is secret", async () => {
  const keys = { url: "$HOST" };
  const secrets = { ...SECRETS, HOST: "localhost" };
  const between = makeAuthority("R11", { to: 5 + HOUR, issuer: AUTHORITY });
  const cases: [Certificate, code: number, failure?: string, degradation?: string][] = [
    [certified({ to: -3 }), 0, "the certificate expired 3 days ago"],
    [certified({ names: ["shop.example.com"] }), 0, "certificate is for another host"],
    [certified({ issuer: undefined }), 0, "certificate is self-signed"],
    [
      certified({ issuer: between }),
      200,
      undefined,
      `certificate expires in 5 days (${day(5 + HOUR)}): a certificate of the chain`,
    ],
  ];
  for (const [certificate, code, failure, degradation] of cases) {
    assertEquals(await judged(certificate, keys, { secrets }), [code, failure, degradation]);
  }
});

Deno.test("ssl reports 0 and the reason if TLS fails", async () => {
  const port = closedPort();
  const keys = { ...SSL, url: "127.0.0.1" };
  const reason = async (port: number, limit = {}) =>
    (await observe({ ...keys, ...limit, port }, { secrets: SECRETS })).failure?.reason;
  assertEquals(await reason(port), `connection refused (127.0.0.1:${port})`);

  await using plain = await rawServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  assertEquals(await reason(plain.port), "the answer is not TLS");
  await using closing = await rawServer((socket) => socket.destroy());
  assertMatch(
    await reason(closing.port) ?? "",
    /^connection (closed|reset) while negotiating TLS$/,
  );
  await using silent = await rawServer(() => {});
  const limit = { connectTimeout: 1 };
  assertEquals(await reason(silent.port, limit), "timed out after 1 s negotiating TLS");
  if (Deno.build.os !== "linux") return;
  await using deaf = await deafPort();
  assertEquals(await reason(deaf.port, limit), "timed out after 1 s connecting");
});

Deno.test("missing keys and secrets of ssl are a misconfiguration", async () => {
  const cases: [keys: Keys, reason: RegExp][] = [
    [{ url: "$NONE" }, /^secret NONE is missing/],
    [{ url: "localhost", port: "$NONE" }, /^secret NONE is missing/],
    [{ url: "localhost", port: "$WORD" }, /^a check of type ssl needs a port from 1 to 65535$/],
    [{ url: "$EMPTY" }, /^a check of type ssl needs a host$/],
    [{ url: "localhost", ca: "none.pem" }, /^cannot read the file none.pem: it does not exist$/],
  ];
  for (const [keys, reason] of cases) {
    const { code, failure } = await observe({ ...SSL, ...keys }, {
      secrets: { ...SECRETS, WORD: "https", EMPTY: "" },
    });
    assertEquals([code, failure?.kind], [0, "configuration"]);
    assertMatch(failure!.reason, reason);
  }
});

Deno.test("ssl details contain the certificates of the chain", async () => {
  const between = makeAuthority("R11", { to: 60, issuer: AUTHORITY });
  for (const to of [90, -3]) {
    await using server = await tlsServer(certified({ issuer: between, to }));
    const url = `localhost:${server.port}`;
    const { details } = await observe({ ...SSL, url }, { secrets: SECRETS, detailed: true });
    assertEquals(details!.hops, [{ method: "TLS", url, words: "handshake done" }]);
    assertEquals(details!.certificate!.names, ["localhost", "127.0.0.1", "::1"]);
    assertEquals(details!.issuers![0]!.subject, "R11");
  }
});
