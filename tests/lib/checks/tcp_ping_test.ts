import { assert, assertEquals } from "@std/assert";
import { closedPort, deafPort, rawServer } from "../../helpers/servers.ts";
import { type Keys, observe, observeBriefly } from "../../helpers/sites.ts";
import { describeMissing } from "../../../lib/io/secrets/missing.ts";

const PING = { check: "tcp-ping" };

Deno.test("tcp-ping reports 200 and the time if the port is open", async () => {
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  await using server = await rawServer((socket) => socket.on("close", () => resolve()));
  const start = performance.now();
  const { code, failure, responseTime, phases } = await observe({
    ...PING,
    url: "127.0.0.1",
    port: server.port,
  });
  assertEquals([code, failure], [200, undefined]);
  assert(responseTime > 0 && responseTime <= performance.now() - start, `${responseTime} ms`);
  const { dns, connect, ...others } = phases!;
  assertEquals([dns, others], [0, { tls: 0, ttfb: 0, download: 0 }]);
  assert(Math.abs(connect - responseTime) < 0.001);
  await connected; // The connection is closed again.
});

Deno.test("tcp-ping reports 0 and the reason if nothing listens", async () => {
  const port = closedPort();
  const { code, failure } = await observe({ ...PING, url: "127.0.0.1", port });
  assertEquals([code, failure], [0, {
    kind: "network",
    reason: `connection refused (127.0.0.1:${port})`,
  }]);
});

Deno.test("tcp-ping reads host and port in every form they are written in", async () => {
  await using server = await rawServer(() => {});
  const { port } = server;
  const secrets = {
    PLAIN: String(port),
    PORT: `${port}\n`,
    HOST: "127.0.0.1",
    BOTH: `127.0.0.1:${port}\n`,
  };
  const cases: Keys[] = [
    { url: "127.0.0.1", port },
    { url: "127.0.0.1", port: String(port) },
    { url: "127.0.0.1", port: "$PORT" },
    { url: "localhost", port },
    { url: `127.0.0.1:${port}` },
    { url: `localhost:${port}` },
    { url: "127.0.0.1:1", port },
    { url: `tcp://127.0.0.1:${port}` },
    { url: "https://127.0.0.1/path?query", port },
    { url: `http://jo:secret@127.0.0.1:${port}/` },
    { url: "$HOST", port: "$PORT" },
    { url: "$HOST:$PLAIN" },
    { url: "$BOTH" },
    { url: " 127.0.0.1 ", port },
  ];
  for (const keys of cases) {
    assertEquals(
      await observeBriefly({ ...PING, ...keys }, { secrets }),
      [200],
      keys["url"] as string,
    );
  }
});

Deno.test("tcp-ping reaches an IPv6 address, with brackets and without", async () => {
  using listener = Deno.listen({ hostname: "::1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  for (const keys of [{ url: "::1", port }, { url: "[::1]", port }, { url: `[::1]:${port}` }]) {
    const accepted = listener.accept();
    assertEquals(await observeBriefly({ ...PING, ...keys }), [200]);
    (await accepted).close();
  }
});

Deno.test({
  name: "tcp-ping stops waiting for a connection after connectTimeout",
  ignore: Deno.build.os !== "linux", // Elsewhere a full queue of connections is not ignored but refused.
  async fn() {
    await using server = await deafPort();
    for (const url of ["127.0.0.1", "localhost"]) {
      const keys = { ...PING, url, port: server.port, connectTimeout: 1 };
      assertEquals(await observeBriefly(keys), [0, "timed out after 1 s connecting"]);
    }
  },
});

Deno.test({
  name: "tcp-ping ends when the run is out of time",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using server = await deafPort();
    const run = new AbortController();
    const observing = observeBriefly({ ...PING, url: "127.0.0.1", port: server.port }, {
      signal: run.signal,
    });
    run.abort(new Error("the run is out of time"));
    assertEquals(await observing, [0, "the run is out of time while connecting"]);
  },
});

Deno.test("tcp-ping names neither host nor port if the address is secret", async () => {
  const port = String(closedPort());
  const cases: [keys: Keys, secrets: Record<string, string>][] = [
    [{ url: "$BOTH" }, { BOTH: `127.0.0.1:${port}` }],
    [{ url: "$HOST", port }, { HOST: "127.0.0.1" }],
    [{ url: "127.0.0.1", port: "$PORT" }, { PORT: port }],
  ];
  for (const [keys, secrets] of cases) {
    const found = await observeBriefly({ ...PING, ...keys }, { secrets });
    assertEquals(found, [0, "connection refused"]);
  }
});

Deno.test("missing keys and secrets of tcp-ping are a misconfiguration", async () => {
  const cases: [keys: Keys, reason: string][] = [
    [{ url: "$HOST", port: 5432 }, describeMissing(["HOST"])],
    [{ url: "127.0.0.1", port: "$PORT" }, describeMissing(["PORT"])],
    [
      { url: "127.0.0.1:80", port: "$EMPTY" },
      "a check of type tcp-ping needs a port from 1 to 65535",
    ],
    [{ url: "$HOST:$PORT" }, describeMissing(["HOST", "PORT"])],
    [{ url: "$BARE" }, "a check of type tcp-ping needs a port from 1 to 65535"],
    [{ url: "127.0.0.1", port: "$WORD" }, "a check of type tcp-ping needs a port from 1 to 65535"],
    [{ url: "127.0.0.1", port: "$LARGE" }, "a check of type tcp-ping needs a port from 1 to 65535"],
    [{ url: "$EMPTY", port: 80 }, "a check of type tcp-ping needs a host"],
  ];
  const secrets = { BARE: "127.0.0.1", WORD: "http", LARGE: "65536", EMPTY: "" };
  for (const [keys, reason] of cases) {
    const { code, failure } = await observe({ ...PING, ...keys }, { secrets });
    assertEquals([code, failure], [0, { kind: "configuration", reason }]);
  }
});
