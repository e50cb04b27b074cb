import { assert, assertEquals, assertMatch } from "@std/assert";
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { makeAuthority, makeCertificate } from "../../helpers/certificates.ts";
import { makeScratch } from "../../helpers/scratch.ts";
import { httpServer, listening, type LocalServer } from "../../helpers/servers.ts";
import { type Keys, observe, observeBriefly } from "../../helpers/sites.ts";

const AUTHORITY = makeAuthority();
const SECRETS = { CA: AUTHORITY.cert };
const answer = () => new Response("ok");

function secureServer(options: Parameters<typeof makeCertificate>[0] = {}): LocalServer {
  return httpServer(answer, { certificate: makeCertificate({ issuer: AUTHORITY, ...options }) });
}

Deno.test("http accepts a certificate of an authority that ca: names by file or by secret", async () => {
  await using folder = await makeScratch();
  await folder.write("authority.pem", AUTHORITY.cert);
  await using server = secureServer();
  const cases: Keys[] = [
    { ca: "authority.pem" },
    { ca: "./authority.pem" },
    { ca: `${folder.path}/authority.pem` },
    { ca: "$CA" },
    { ca: AUTHORITY.cert },
    { ca: "$FILE" },
  ];
  const secrets = { ...SECRETS, FILE: "authority.pem" };
  for (const keys of cases) {
    const { code, failure, phases } = await observe({ url: server.url, ...keys }, {
      secrets,
      root: folder.path,
    });
    assertEquals([code, failure], [200, undefined]);
    assert(phases!.tls > 0);
  }
});

Deno.test("http reports why a certificate is not accepted", async () => {
  const cases: [options: Parameters<typeof makeCertificate>[0], keys: Keys, reason: string][] = [
    [{}, {}, "certificate is signed by an unknown authority (Test Authority)"],
    [{ issuer: undefined }, {}, "certificate is self-signed"],
    [{ to: -3 }, { ca: "$CA" }, "certificate expired 3 days ago"],
    [{ to: -1 / 24 }, { ca: "$CA" }, "certificate expired 1 hour ago"],
    [{ from: 2.5, to: 30 }, { ca: "$CA" }, "certificate is not valid for another 2 days"],
    [{ names: ["shop.example.com"] }, {
      ca: "$CA",
    }, "certificate is for shop.example.com, not for 127.0.0.1"],
    [{ names: ["a.example", "b.example", "c.example", "d.example"] }, {
      ca: "$CA",
    }, "certificate is for a.example, b.example, c.example and others, not for 127.0.0.1"],
  ];
  for (const [options, keys, reason] of cases) {
    await using server = secureServer(options);
    const { code, failure } = await observe({ url: server.url, ...keys }, { secrets: SECRETS });
    assertEquals([code, failure], [0, { kind: "network", reason }]);
  }
});

Deno.test("http compares the names of a certificate with the host of the url", async () => {
  await using server = secureServer({ names: ["localhost"] });
  const observeHost = (host: string) =>
    observeBriefly({ url: `https://${host}:${server.port}`, ca: "$CA" }, { secrets: SECRETS });
  assertEquals(await observeHost("localhost"), [200]);
  assertEquals(await observeHost("127.0.0.1"), [
    0,
    "certificate is for localhost, not for 127.0.0.1",
  ]);
});

Deno.test("http names no host of a certificate if the url is secret", async () => {
  await using server = secureServer({ names: ["shop.example.com", "localhost"] });
  const secrets = { ...SECRETS, URL: server.url };
  assertEquals(await observeBriefly({ url: "$URL", ca: "$CA" }, { secrets }), [
    0,
    "certificate is for another host",
  ]);
});

Deno.test("http names an expired intermediate authority", async () => {
  const between = makeAuthority("Test Between", { from: -30, to: -2, issuer: AUTHORITY });
  await using server = secureServer({ issuer: between });
  assertEquals(await observeBriefly({ url: server.url, ca: "$CA" }, { secrets: SECRETS }), [
    0,
    "certificate of the authority Test Between expired 2 days ago",
  ]);
});

Deno.test("http accepts any certificate if insecure is true", async () => {
  const cases = [{}, { issuer: undefined }, { to: -3 }, { from: 3, to: 30 }, {
    names: ["shop.example.com"],
  }];
  for (const options of cases) {
    await using server = secureServer(options);
    assertEquals(await observeBriefly({ url: server.url, insecure: true }), [200]);
  }
});

Deno.test("unusable certificates and keys are a misconfiguration", async () => {
  await using server = secureServer();
  await using folder = await makeScratch();
  const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  await folder.write("broken.pem", broken);
  await folder.write("key.pem", AUTHORITY.key);
  const client = makeCertificate();
  const { privateKey: other } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { type: "sec1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const cases: [keys: Keys, reason: string][] = [
    [{ ca: "none.pem" }, "cannot read the file none.pem: it does not exist"],
    [{ ca: "." }, "cannot read the file .: it is a folder"],
    [{ ca: "broken.pem" }, "ca holds no certificate in PEM that can be read"],
    [{ ca: "key.pem" }, "ca holds no certificate in PEM that can be read"],
    [{ ca: "$BROKEN" }, "ca holds no certificate in PEM that can be read"],
    [
      { clientCertificate: "broken.pem", clientKey: "key.pem" },
      "clientCertificate holds no certificate in PEM that can be read",
    ],
    [
      { clientCertificate: "$CERT", clientKey: "broken.pem" },
      "clientKey holds no key in PEM that can be read",
    ],
    [
      { clientCertificate: "$CERT", clientKey: "$OTHER" },
      "clientKey is not the key of clientCertificate",
    ],
  ];
  for (const [keys, reason] of cases) {
    const { failure } = await observe({ url: server.url, ...keys }, {
      root: folder.path,
      secrets: { BROKEN: broken, CERT: client.cert, OTHER: other },
    });
    assertEquals(failure, { kind: "configuration", reason });
  }
});

Deno.test("http shows a certificate of its own to a server that asks for one", async () => {
  const client = makeCertificate({ name: "monitor", issuer: AUTHORITY });
  const stranger = makeCertificate({ name: "stranger" });
  const secrets = { ...SECRETS, CERT: client.cert, KEY: client.key, STRANGER: stranger.cert };
  await using server = await mutualServer();
  const url = server.url;
  const shown = { ca: "$CA", clientCertificate: "$CERT", clientKey: "$KEY" };
  assertEquals(await observeBriefly({ url, ...shown }, { secrets }), [200]);

  await using folder = await makeScratch();
  await folder.write("client.pem", client.cert);
  await folder.write("client.key", client.key);
  const files = { ca: "$CA", clientCertificate: "client.pem", clientKey: "client.key" };
  assertEquals(await observeBriefly({ url, ...files }, { secrets, root: folder.path }), [200]);

  const none = await observe({ url, ca: "$CA", requestTimeout: 60 }, { secrets });
  assertEquals([none.code, none.failure], [0, {
    kind: "network",
    reason: "the server wants a client certificate",
  }]);
  const wrong = await observe(
    { url, ...shown, clientCertificate: "$STRANGER", requestTimeout: 60 },
    { secrets },
  );
  assertEquals([wrong.code, wrong.failure?.kind], [0, "network"]);
  // Some servers send an alert, others just close the connection.
  assertMatch(wrong.failure!.reason, /^connection (?:closed|reset) |^the server does not accept /);
});

/** A server that answers only to a client with a certificate of the authority. */
async function mutualServer(): Promise<LocalServer> {
  const server = createServer({
    ...makeCertificate({ issuer: AUTHORITY }),
    ca: AUTHORITY.cert,
    requestCert: true,
    rejectUnauthorized: true,
  }, (_, response) => response.end("ok"));
  return await listening(server, "https");
}

Deno.test("http resumes no TLS session: each attempt is a full handshake", async () => {
  const certificate = makeCertificate({ name: "localhost", issuer: AUTHORITY });
  const reused: boolean[] = [];
  const server = createServer(certificate, (_, response) => response.end("ok"));
  server.on("secureConnection", (socket) => reused.push(socket.isSessionReused()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const cases: Keys[] = [{ insecure: true }, { ca: "$CA" }];
  for (const keys of cases) {
    for (let time = 1; time <= 3; time++) {
      assertEquals(await observeBriefly({ url, ...keys }, { secrets: SECRETS }), [200]);
    }
  }
  assertEquals(reused, Array(6).fill(false));
  await new Promise((resolve) => server.close(resolve));
});
