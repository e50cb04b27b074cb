import { assert, assertEquals, assertMatch } from "@std/assert";
import { closedPort, rawServer } from "../../helpers/servers.ts";
import { type Keys, observe, observeBriefly } from "../../helpers/sites.ts";

const SSH = { check: "ssh", url: "127.0.0.1" };
const BANNER = "SSH-2.0-OpenSSH_9.8p1 Debian-3\r\n";

Deno.test("ssh reads the identification, sends its own and disconnects", async () => {
  const { promise: identification, resolve } = Promise.withResolvers<string>();
  await using server = await rawServer((socket) => {
    let text = "";
    socket.on("data", (part) => text += part);
    socket.on("close", () => resolve(text));
    socket.write(BANNER);
  });
  const { code, failure, phases, responseTime, details } = await observe(
    { ...SSH, port: server.port },
    { detailed: true },
  );
  assertEquals([code, failure], [200, undefined]);
  assertEquals(details?.answers, ["SSH-2.0-OpenSSH_9.8p1 Debian-3"]);
  assert(phases!.ttfb > 0 && responseTime >= phases!.ttfb);
  assertMatch(await identification, /^SSH-2\.0-MonitorAction_[\d.]+\r\n$/);
});

Deno.test("ssh evaluates the identification of the server", async () => {
  const long = "SSH-2.0-" + "x".repeat(300) + "\r\n";
  const cases: [title: string, said: string, reason?: string][] = [
    ["lines before", `Welcome\r\nto us\r\n${BANNER}`],
    ["an old and compatible version", "SSH-1.99-Cisco-1.25\r\n"],
    ["an end without CR", "SSH-2.0-dropbear\n"],
    ["an old version", "SSH-1.5-old\r\n", "the server speaks SSH-1.5, expected SSH-2.0"],
    ["too long", long, "the SSH identification is longer than 255 characters"],
    [
      "another protocol",
      "220 mail.example.com ESMTP\r\n",
      "connection closed while waiting for the greeting",
    ],
    [
      "lines without end",
      "hello\r\n".repeat(70),
      "the server does not identify itself as SSH: the answer has more than 64 lines",
    ],
    [
      "a line without end",
      "x".repeat(20_000),
      "the server does not identify itself as SSH: the answer is longer than 16 KiB",
    ],
    ["nothing", "", "connection closed while waiting for the greeting"],
  ];
  for (const [title, said, reason] of cases) {
    await using server = await rawServer((socket) => socket.end(said));
    const expected: [number, string?] = reason === undefined ? [200] : [0, reason];
    assertEquals(await observeBriefly({ ...SSH, port: server.port }), expected, title);
  }
});

Deno.test("ssh waits for the identification until requestTimeout", async () => {
  await using server = await rawServer((socket) => socket.write("Welcome\r\n"));
  const keys: Keys = { ...SSH, port: server.port, requestTimeout: 0.1 };
  assertEquals(await observeBriefly(keys), [0, "timed out after 0.1 s waiting for the greeting"]);
});

Deno.test("ssh reads host and port in every form, and hides those of a secret", async () => {
  await using server = await rawServer((socket) => socket.write(BANNER));
  const { port } = server;
  for (const url of [`ssh://git@127.0.0.1:${port}`, `127.0.0.1:${port}`, "$BOX"]) {
    const secrets = { BOX: `127.0.0.1:${port}` };
    assertEquals(await observeBriefly({ ...SSH, url }, { secrets }), [200], url);
  }
  const secrets = { BOX: `127.0.0.1:${closedPort()}` };
  assertEquals(await observeBriefly({ ...SSH, url: "$BOX" }, { secrets }), [
    0,
    "connection refused",
  ]);
  const { details } = await observe({ ...SSH, connectTimeout: 0.1 }, { detailed: true });
  assertEquals(details?.hops[0]?.url, "127.0.0.1:22");
});
