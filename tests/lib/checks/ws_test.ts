import { assert, assertEquals, assertMatch } from "@std/assert";
import { makeAuthority, makeCertificate } from "../../helpers/certificates.ts";
import { closedPort, httpServer, type LocalServer, rawServer } from "../../helpers/servers.ts";
import { type Keys, observe, observeBriefly, type ObserveOptions } from "../../helpers/sites.ts";

const AUTHORITY = makeAuthority();

/** A WebSocket server: its behaviour, and the requests that it accepts. */
function socketServer(
  serve: (socket: WebSocket) => void,
  { secure = false, accepts = () => true }: {
    secure?: boolean;
    accepts?(request: Request): boolean;
  } = {},
): LocalServer {
  const certificate = secure ? makeCertificate({ issuer: AUTHORITY }) : undefined;
  const server = httpServer((request) => {
    if (!accepts(request)) return new Response("no", { status: 401 });
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onerror = () => {};
    serve(socket);
    return response;
  }, { certificate });
  return { ...server, url: server.url.replace("http", "ws").replace("127.0.0.1", "localhost") };
}

const echo = (socket: WebSocket) => {
  socket.onmessage = ({ data }) => socket.send(data);
};

async function looked(serve: (socket: WebSocket) => void, keys: Keys, options?: ObserveOptions) {
  await using server = socketServer(serve);
  return await observeBriefly({ check: "ws", url: server.url, ...keys }, options);
}

Deno.test("ws reports 200 and the times after the handshake, and closes the connection", async () => {
  for (const secure of [false, true]) {
    const { promise: closed, resolve } = Promise.withResolvers<number>();
    await using server = socketServer((socket) => socket.onclose = ({ code }) => resolve(code), {
      secure,
    });
    const { code, failure, phases, responseTime } = await observe(
      { check: "ws", url: `${server.url}/socket#part`, ca: "$CA" },
      { secrets: { CA: AUTHORITY.cert } },
    );
    assertEquals([code, failure], [200, undefined]);
    assert(phases!.dns > 0 && phases!.connect > 0 && phases!.ttfb > 0);
    assertEquals(phases!.tls > 0, secure);
    assertEquals(responseTime, Object.values(phases!).reduce((sum, time) => sum + time, 0));
    assertEquals(await closed, 1000);
  }
});

Deno.test("ws sends the message and the headers with their secrets", async () => {
  const { promise: message, resolve } = Promise.withResolvers<string>();
  await using server = socketServer((socket) => socket.onmessage = ({ data }) => resolve(data), {
    accepts: ({ headers }) =>
      headers.get("X-Key") === "s3cret" && headers.get("Authorization") === "Basic bWU6cGFzcw==" &&
      headers.get("User-Agent") === "monitor-action",
  });
  const found = await observeBriefly({
    check: "ws",
    url: server.url,
    headers: ["X-Key: $KEY", "Authorization: Basic me:$PASS"],
    body: '{"hello": "$KEY"}',
  }, { secrets: { KEY: "s3cret", PASS: "pass" } });
  assertEquals([found, await message], [[200], '{"hello": "s3cret"}']);
});

Deno.test("ws waits for the expected answer", async () => {
  const greeting = (socket: WebSocket) => {
    socket.onopen = () => socket.send("welcome");
    echo(socket);
  };
  const binary = (socket: WebSocket) => {
    socket.onopen = () => socket.send(new TextEncoder().encode("pong"));
  };
  const cases: [serve: (socket: WebSocket) => void, keys: Keys][] = [
    [echo, { body: "ping", expect: "ping" }],
    [echo, { body: "ping", expect: "in" }],
    [echo, { body: "PING 7", expect: "/^ping \\d$/i" }],
    [echo, { body: "a and b", expect: ["b", "a"] }],
    [echo, { body: "of $WORD", expect: "$WORD" }],
    [greeting, { expect: "welcome" }],
    [greeting, { body: "ping", expect: "ping" }],
    [binary, { expect: "pong" }],
  ];
  for (const [serve, keys] of cases) {
    assertEquals(await looked(serve, keys, { secrets: { WORD: "honour" } }), [200]);
  }
});

Deno.test("ws gives up on a pattern that takes too long", async () => {
  const trap = (socket: WebSocket) => {
    socket.onopen = () => socket.send(`${"a".repeat(40)}!`);
  };
  await using server = socketServer(trap);
  const { failure } = await observe({ check: "ws", url: server.url, expect: "/^(a+)+$/" });
  const reason = "expect: the pattern took over 500 ms: make it simpler";
  assertEquals(failure, { kind: "configuration", reason });
});

Deno.test("ws reports if the handshake, the wait or the answer failed", async () => {
  const says = (...words: (string | Uint8Array<ArrayBuffer>)[]) => (socket: WebSocket) => {
    socket.onopen = () => words.forEach((word) => socket.send(word));
  };
  const leaves = (code?: number, reason?: string, word?: string) => (socket: WebSocket) => {
    socket.onopen = () => {
      if (word !== undefined) socket.send(word);
      socket.close(code, reason);
    };
  };
  // After a wrong answer, the check waits for the right one until its time is over.
  const keys = { body: "ping", expect: "pong", requestTimeout: 3, keepBody: true };
  const cases: [serve: (socket: WebSocket) => void, kind: string, reason: string][] = [
    [() => {}, "network", "timed out after 3 s waiting for the answer"],
    [says("hello"), "answer", 'expected "pong", found "hello"'],
    [says("a", "b", "c", "d", "e"), "answer", 'expected "pong", found "a", "b", "c" and 2 more'],
    [
      says(Uint8Array.of(0xff, 0xfe)),
      "answer",
      'expected "pong", found "(2 bytes that are not text)"',
    ],
    [says("x".repeat(10_000_000)), "answer", "the answer is longer than 1 MiB"],
    [leaves(), "answer", "the server closed the connection before it answered (1005)"],
    [
      leaves(4001, "go away"),
      "answer",
      "the server closed the connection before it answered (4001 go away)",
    ],
    [leaves(1000, "", "bye"), "answer", 'expected "pong", found "bye"'],
  ];
  await Promise.all(cases.map(async ([serve, kind, reason]) => {
    await using server = socketServer(serve);
    const { code, failure } = await observe({ check: "ws", url: server.url, ...keys });
    assertEquals([code, failure], [0, { kind, reason }]);
  }));
});

Deno.test("ws quotes no message without keepBody", async () => {
  const says = (...words: string[]) => (socket: WebSocket) => {
    socket.onopen = () => {
      for (const word of words) socket.send(word);
      socket.close(4001, "s3cret");
    };
  };
  const cases: [serve: (socket: WebSocket) => void, reason: string][] = [
    [says("s3cret"), 'expected "pong", found a message of 6 bytes'],
    [says("s3cret", "größe"), 'expected "pong", found 2 messages of 6 and 7 bytes'],
    [says(), "the server closed the connection before it answered (4001)"],
  ];
  for (const [serve, reason] of cases) {
    assertEquals(await looked(serve, { expect: "pong" }), [0, reason]);
  }
});

Deno.test("ws reports failed handshakes", async () => {
  await using refusing = socketServer(echo, { accepts: () => false });
  await using lying = await rawServer((socket) =>
    socket.once("data", () =>
      socket.write(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
          "Sec-WebSocket-Accept: no\r\n\r\n",
      ))
  );
  await using noHttp = await rawServer((socket) =>
    socket.once("data", () => socket.end("hello\n"))
  );
  await using silent = await rawServer(() => {});
  await using closing = await rawServer((socket) => socket.destroy());
  await using vanishing = socketServer(echo);
  const port = closedPort();
  const cases: [url: string, reason: RegExp][] = [
    [refusing.url, /^the WebSocket handshake was answered 401 Unauthorized$/],
    [lying.url, /^the WebSocket handshake is not valid \(Invalid Sec-WebSocket-Accept header\)$/],
    [noHttp.url, /^answer is not valid HTTP \(/],
    [silent.url, /^timed out after 1 s waiting for the WebSocket handshake$/],
    [closing.url, /^connection (?:closed|reset) while waiting for the WebSocket handshake$/],
    [`ws://127.0.0.1:${port}`, new RegExp(`^connection refused \\(127.0.0.1:${port}\\)$`)],
    [vanishing.url.replace("ws:", "wss:"), /^the answer is not TLS$/],
  ];
  for (const [url, reason] of cases) {
    const address = url.replace(/^http/, "ws");
    const limit = url === silent.url ? { connectTimeout: 1 } : {};
    const [code, why] = await observeBriefly({ check: "ws", url: address, ...limit });
    assertEquals(code, 0);
    assertMatch(why!, reason);
  }
});

Deno.test("ws says that the connection broke while it waited for the answer", async () => {
  await using server = await rawServer((socket) =>
    socket.once("data", async (head: Uint8Array) => {
      const key = /sec-websocket-key: (\S+)/i.exec(new TextDecoder().decode(head))![1]!;
      const bytes = new TextEncoder().encode(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
      const accept = new Uint8Array(await crypto.subtle.digest("SHA-1", bytes)).toBase64();
      socket.write(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
          `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      socket.once("data", () => socket.destroy());
    })
  );
  const keys = { check: "ws", url: `ws://127.0.0.1:${server.port}`, body: "ping", expect: "pong" };
  assertMatch(
    (await observeBriefly(keys))[1]!,
    /^connection (?:closed|reset) while waiting for the answer$/,
  );
});

Deno.test("ws ends when the run is out of time", async () => {
  await using server = socketServer(() => {});
  const run = new AbortController();
  const observing = observeBriefly({ check: "ws", url: server.url, expect: "pong" }, {
    signal: run.signal,
  });
  run.abort(new Error("the run is out of time"));
  const [code, reason] = await observing;
  assertEquals([code, reason?.startsWith("the run is out of time while ")], [0, true]);
});

Deno.test("ws verifies certificates as http does", async () => {
  await using server = socketServer(echo, { secure: true });
  const keys = { check: "ws", url: server.url };
  assertEquals(await observeBriefly({ ...keys, insecure: true }), [200]);
  assertEquals(await observeBriefly(keys), [
    0,
    "certificate is signed by an unknown authority (Test Authority)",
  ]);
});

Deno.test("ws shows expected secrets by name", async () => {
  const echoOnce = (socket: WebSocket) => {
    socket.onmessage = ({ data }) => {
      socket.send(data);
      socket.close();
    };
  };
  const keys = { body: "ping", expect: "$PIN", keepBody: true };
  assertEquals(await looked(echoOnce, keys, { secrets: { PIN: "739" } }), [
    0,
    'expected "$PIN", found "ping"',
  ]);
});

Deno.test("ws names no address that is secret", async () => {
  const secrets = { URL: `ws://127.0.0.1:${closedPort()}` };
  assertEquals(await observeBriefly({ check: "ws", url: "$URL" }, { secrets }), [
    0,
    "connection refused",
  ]);
  const telling = (socket: WebSocket) => {
    socket.onopen = () => {
      socket.send("this is shop.example.com");
      socket.close();
    };
  };
  await using server = socketServer(telling);
  const keys = { check: "ws", url: "$URL", expect: "pong", keepBody: true };
  assertEquals(await observeBriefly(keys, { secrets: { URL: server.url } }), [
    0,
    'expected "pong", found a message of 24 bytes',
  ]);
});

Deno.test("missing keys and secrets of ws are a misconfiguration", async () => {
  const cases: [keys: Keys, reason: RegExp][] = [
    [{ url: "$NONE" }, /^secret NONE is missing/],
    [{ body: "$NONE", expect: "$NEVER" }, /^secrets NEVER and NONE are missing/],
    [{ expect: "$BROKEN" }, /^expect is not a regular expression once its secrets are in place$/],
    [{ url: "$HTTP" }, /^the url is not a ws or wss address once its secrets are in place$/],
  ];
  const secrets = { BROKEN: "/(/", HTTP: "http://127.0.0.1" };
  for (const [keys, reason] of cases) {
    const { failure } = await observe({ check: "ws", url: "ws://127.0.0.1", ...keys }, { secrets });
    assertEquals(failure?.kind, "configuration");
    assertMatch(failure!.reason, reason);
  }
});

Deno.test("ws details contain the handshake and the answers", async () => {
  await using server = socketServer(echo);
  const { details } = await observe({
    check: "ws",
    url: server.url,
    headers: ["X-Key: $KEY"],
    body: "ping",
    expect: "ping",
  }, { detailed: true, secrets: { KEY: "s3cret" } });
  assertEquals(details!.hops, [
    { method: "GET", url: server.url, status: 101, words: "Switching Protocols" },
  ]);
  assertEquals([details!.answers, details!.sent![0]], [["ping"], "X-Key: $KEY"]);
  assertEquals(details!.address, `127.0.0.1:${server.port}`);
});
