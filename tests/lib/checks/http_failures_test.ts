import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";
import { delay } from "@std/async/delay";
import type { Socket } from "node:net";
import {
  type Circumstances,
  networkFailure,
  TimeLimitError,
} from "../../../lib/checks/network_failure.ts";
import { deafPort, httpServer, type LocalServer, rawServer } from "../../helpers/servers.ts";
import { observe, observeBriefly } from "../../helpers/sites.ts";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n";

/** Does something once a request has come. */
function onRequest(answer: (socket: Socket) => void) {
  return rawServer((socket) => socket.once("data", () => answer(socket)));
}

Deno.test("http reports the stage in which the time ran out", async () => {
  const cases: [reason: string, answer: (socket: Socket) => void][] = [
    ["timed out after 1 s waiting for the first byte", () => {}],
    ["timed out after 1 s waiting for the first byte", (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-");
    }],
    ["timed out after 1 s reading the body", (socket) => socket.write(HEAD)],
    ["timed out after 1 s reading the body", (socket) => socket.write(`${HEAD}some`)],
  ];
  await Promise.all(cases.map(async ([reason, answer]) => {
    await using server = await onRequest(answer);
    const { code, failure, responseTime } = await observe({ url: server.url, requestTimeout: 1 });
    assertEquals([code, failure], [0, { kind: "network", reason }]);
    assert(responseTime >= 900 && responseTime < 20_000, `gave up after ${responseTime} ms`);
  }));
});

Deno.test("http gives up a body that arrives byte by byte", async () => {
  await using server = await onRequest((socket) => {
    socket.write(HEAD);
    const timer = setInterval(() => socket.write("."), 20);
    socket.on("close", () => clearInterval(timer));
  });
  assertEquals(await observeBriefly({ url: server.url, requestTimeout: 1 }), [
    0,
    "timed out after 1 s reading the body",
  ]);
});

Deno.test("http waits for a slow header and a slow body as long as there is time", async () => {
  await using server = await onRequest(async (socket) => {
    for (const part of ["HTTP/1.1 200 OK\r\nConte", "nt-Length: 4\r\n\r\n", "sl", "ow"]) {
      await delay(30);
      socket.write(part);
    }
  });
  assertEquals(await observeBriefly({ url: server.url, requestTimeout: 60 }), [200]);
});

Deno.test({
  name: "http stops waiting for a connection after connectTimeout",
  ignore: Deno.build.os !== "linux", // Elsewhere a full queue of connections is not ignored but refused.
  async fn() {
    await using server = await deafPort();
    for (const host of ["127.0.0.1", "localhost"]) {
      const url = `http://${host}:${server.port}`;
      assertEquals(await observeBriefly({ url, connectTimeout: 1, requestTimeout: 60 }), [
        0,
        "timed out after 1 s connecting",
      ]);
    }
  },
});

Deno.test("http stops waiting for a TLS handshake after connectTimeout", async () => {
  await using server = await rawServer(() => {});
  const url = server.url.replace("http:", "https:");
  assertEquals(await observeBriefly({ url, connectTimeout: 1 }), [
    0,
    "timed out after 1 s negotiating TLS",
  ]);
});

Deno.test("http does not hold connectTimeout against a server that is slow to answer", async () => {
  await using server = httpServer(async () => {
    await delay(1_100);
    return new Response("ok");
  });
  assertEquals(await observeBriefly({ url: server.url, connectTimeout: 1 }), [200]);
});

Deno.test("http says that the connection was cut, and when", async () => {
  const cases: [reason: string, answer: (socket: Socket) => void][] = [
    ["connection reset while waiting for the first byte", (socket) => socket.resetAndDestroy()],
    ["connection closed while waiting for the first byte", (socket) => socket.end()],
    ["connection closed while waiting for the first byte", (socket) => socket.end("HTTP/1.1 200")],
    ["connection reset while reading the body", (socket) => {
      socket.write(`${HEAD}some`, () => setTimeout(() => socket.resetAndDestroy(), 50));
    }],
    ["connection closed while reading the body", (socket) => socket.end(`${HEAD}too little`)],
    [
      "connection closed while reading the body",
      (socket) => socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
    ],
  ];
  for (const [reason, answer] of cases) {
    await using server = await onRequest(answer);
    const { code, failure } = await observe({ url: server.url, requestTimeout: 60 });
    assertEquals([code, failure], [0, { kind: "network", reason }]);
  }
});

Deno.test("http says that a connection was closed before TLS was negotiated", async () => {
  await using server = await rawServer((socket) => socket.once("data", () => socket.end()));
  const url = server.url.replace("http:", "https:");
  assertEquals(await observeBriefly({ url, requestTimeout: 60 }), [
    0,
    "connection closed while negotiating TLS",
  ]);
});

Deno.test("http reports an answer that is not HTTP", async () => {
  const answers = ["SSH-2.0-OpenSSH_9.6\r\n", "220 mail.example.com ESMTP\r\n", "\0\u0001\r\n\r\n"];
  for (const answer of answers) {
    await using server = await onRequest((socket) => socket.end(answer));
    const { code, failure } = await observe({ url: server.url, requestTimeout: 60 });
    assertEquals([code, failure?.kind], [0, "answer"]);
    assert(failure!.reason.startsWith("answer is not valid HTTP ("), failure!.reason);
  }
});

Deno.test("http reports plain HTTP instead of TLS", async () => {
  await using server = await onRequest((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  const url = server.url.replace("http:", "https:");
  const { code, failure } = await observe({ url, requestTimeout: 60 });
  assertEquals([code, failure?.kind], [0, "network"]);
  assertEquals(failure?.reason, "the answer is not TLS");
});

Deno.test("http accepts a body without a length when the connection closes", async () => {
  await using server = await onRequest((socket) => socket.end("HTTP/1.0 200 OK\r\n\r\nall of it"));
  assertEquals(await observeBriefly({ url: server.url }), [200]);
});

Deno.test("http reads a megabyte of a body and then closes the connection", async () => {
  const chunk = new Uint8Array(64 * 1024);
  let sent = 0;
  const { promise: hungUp, resolve } = Promise.withResolvers<void>();
  await using server = httpServer(() =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent += chunk.length;
          controller.enqueue(chunk);
        },
        cancel: () => resolve(),
      }),
    )
  );
  assertEquals(await observeBriefly({ url: server.url }), [200]);
  await hungUp;
  assert(sent >= 1024 * 1024, `${sent} bytes`);
  assertLess(sent, 32 * 1024 * 1024);
});

Deno.test("http ends when the run is out of time", async () => {
  const run = new AbortController();
  await using server = await onRequest(() => run.abort(new Error("the run is out of time")));
  assertEquals(await observeBriefly({ url: server.url }, { signal: run.signal }), [
    0,
    "the run is out of time while waiting for the first byte",
  ]);
  const { failure } = await observe({ url: server.url }, { signal: run.signal });
  assertEquals(failure?.kind, "network");
});

/** Servers that answer each request with these bytes (one for each character) and keep the connection. */
type Answers = Readonly<Record<string, string>>;

const ALL_CODES = Array.from({ length: 900 }, (_, index) => 100 + index);

function answering(then: (socket: Socket) => void = () => {}) {
  return (answer: string): Promise<LocalServer> =>
    rawServer((socket) =>
      socket.once("data", () => {
        socket.write(Uint8Array.from(answer, (character) => character.charCodeAt(0)));
        then(socket);
      })
    );
}

/** The expected result of each answer, by the name of the case. */
async function lookAtAll(
  answers: Answers,
  { method = "GET", serve = answering() }: {
    method?: string;
    serve?: (answer: string) => Promise<LocalServer>;
  } = {},
): Promise<Record<string, number | string>> {
  const seen = await Promise.all(
    Object.entries(answers).map(async ([name, answer]) => {
      await using server = await serve(answer);
      const keys = { url: server.url, method, requestTimeout: 60, expectedStatusCodes: ALL_CODES };
      const { code, failure } = await observe(keys);
      return [name, failure?.reason ?? code] as const;
    }),
  );
  return Object.fromEntries(seen);
}

/** The same outcome for every case. */
function all<T>(answers: Answers, outcome: T): Record<string, T> {
  return Object.fromEntries(Object.keys(answers).map((name) => [name, outcome]));
}

Deno.test("http ignores data after a complete answer", async () => {
  const answers = {
    "after the length": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokand more",
    "after a length of none": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nand more",
    "after an empty line": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok\r\n\r\nand more",
    "after the last chunk":
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nand more",
    "though the connection was to close":
      "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nokand more",
    "and is an answer itself":
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n",
  };
  assertEquals(await lookAtAll(answers), all(answers, 200));
  const serve = answering((socket) => socket.end("and a last word"));
  assertEquals(await lookAtAll(answers, { serve }), all(answers, 200));
});

Deno.test("http ignores the body of answers that must not have one", async () => {
  const bodies = {
    "none": "\r\n",
    "a length and no body": "Content-Length: 4\r\n\r\n",
    "a length and a body": "Content-Length: 4\r\n\r\nbody",
    "a body without a length": "\r\nbody",
    "chunks": "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
  };
  for (const code of [204, 304]) {
    const serve = (body: string) => answering()(`HTTP/1.1 ${code} Whatever\r\n${body}`);
    assertEquals(await lookAtAll(bodies, { serve }), all(bodies, code));
  }
  const serve = (body: string) => answering()(`HTTP/1.1 200 OK\r\n${body}`);
  assertEquals(await lookAtAll(bodies, { serve, method: "HEAD" }), all(bodies, 200));
});

Deno.test("http reads answers that only a strict reader would refuse", async () => {
  const answers = {
    "lines that end in LF": "HTTP/1.1 200 OK\nServer: x\nContent-Length: 2\n\nok",
    "line ends of both kinds": "HTTP/1.1 200 OK\r\nServer: x\nContent-Length: 2\r\n\nok",
    "no words beside the code": "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok",
    "a space and no words": "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok",
    "words that are not ASCII": "HTTP/1.1 200 D'accord, \xe7a va\r\nContent-Length: 2\r\n\r\nok",
    "HTTP/1.0": "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
    "a header folded": "HTTP/1.1 200 OK\r\nX-A: one\r\n two\r\nContent-Length: 2\r\n\r\nok",
    "a header folded by a tab": "HTTP/1.1 200 OK\r\nX-A: 1\r\n\t2\r\nContent-Length: 2\r\n\r\nok",
    "a header that is not ASCII": "HTTP/1.1 200 OK\r\nX-A: \xe9\r\nContent-Length: 2\r\n\r\nok",
    "a control character": "HTTP/1.1 200 OK\r\nX-A: a\x01\x7fb\r\nContent-Length: 2\r\n\r\nok",
    "length and chunks":
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    "a space after the size of a chunk":
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2 \r\nok\r\n0\r\n\r\n",
    "a very long header": `HTTP/1.1 200 OK\r\nX-A: ${
      "a".repeat(90_000)
    }\r\nContent-Length: 2\r\n\r\nok`,
  };
  assertEquals(await lookAtAll(answers), all(answers, 200));
});

Deno.test("http skips informational answers", async () => {
  const end = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  const hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n";
  const answers = {
    "100": `HTTP/1.1 100 Continue\r\n\r\n${end}`,
    "102": `HTTP/1.1 102 Processing\r\n\r\n${end}`,
    "103, more than once": `${hints}${hints}${end}`,
    "100 and 103": `HTTP/1.1 100 Continue\r\n\r\n${hints}${end}`,
  };
  assertEquals(await lookAtAll(answers), all(answers, 200));
  const cutOff = await lookAtAll({ hints }, { serve: answering((socket) => socket.end()) });
  assertEquals(cutOff, { hints: "connection closed while waiting for the first byte" });
});

Deno.test("http reports truncated answers", async () => {
  const answers = {
    "before its length": "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok",
    "before its length, after lines in LF": "HTTP/1.1 200 OK\nContent-Length: 10\n\nok",
    "in a chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nok",
    "before the last chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n",
    "before any of the body": "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
  };
  const serve = answering((socket) => socket.end());
  assertEquals(
    await lookAtAll(answers, { serve }),
    all(answers, "connection closed while reading the body"),
  );
});

Deno.test("http reports answers that are not valid HTTP", async () => {
  const answers = {
    "no code": "HTTP/1.1 OK\r\n\r\n",
    "a length that is no number": "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nok",
    "a line that is no header": "HTTP/1.1 200 OK\r\nwhat is this\r\n\r\nok",
    "a size of a chunk that is no number":
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n0\r\n\r\n",
    "a page without a head": "<html>hello</html>",
  };
  const seen = await lookAtAll(answers);
  for (const [name, reason] of Object.entries(seen)) {
    assert(String(reason).startsWith("answer is not valid HTTP ("), `${name}: ${reason}`);
  }
});

const AT: Circumstances = { stage: "connecting", host: "example.com", port: 443 };

function systemError(code: string, fields: object = {}): Error {
  return Object.assign(new Error(`it says ${code}`), { code, ...fields });
}

Deno.test("networkFailure describes errors of connections", () => {
  const address = { address: "203.0.113.7", port: 443 };
  const cases: [error: Error, circumstances: Partial<Circumstances>, reason: string][] = [
    [systemError("ECONNREFUSED", address), {}, "connection refused (203.0.113.7:443)"],
    [systemError("ECONNREFUSED"), {}, "connection refused (example.com:443)"],
    [systemError("ECONNREFUSED"), { host: undefined }, "connection refused"],
    [
      systemError("EHOSTUNREACH", { address: "2001:db8::1", port: 80 }),
      {},
      "host unreachable ([2001:db8::1]:80)",
    ],
    [systemError("ENETUNREACH", address), {}, "network unreachable (203.0.113.7:443)"],
    [systemError("ENOTFOUND"), {}, "name not found (example.com)"],
    [systemError("ENOTFOUND"), { host: undefined }, "name not found"],
    [systemError("EAI_AGAIN"), {}, "name look-up failed for now (example.com)"],
    [systemError("ECONNRESET"), {}, "connection reset while connecting"],
    [systemError("EPIPE"), {}, "connection closed while connecting"],
    [
      new Error("socket hang up"),
      { stage: "reading the body" },
      "connection closed while reading the body",
    ],
    [new TimeLimitError(10_000), {}, "timed out after 10 s connecting"],
    [
      new TimeLimitError(1_500),
      { stage: "reading the body" },
      "timed out after 1.5 s reading the body",
    ],
    [new Error("something new\nsecond line"), {}, "something new while connecting"],
    [
      new AggregateError([systemError("ENETUNREACH"), systemError("ECONNREFUSED", address)]),
      {},
      "connection refused (203.0.113.7:443)",
    ],
  ];
  for (const [error, circumstances, reason] of cases) {
    const failure = networkFailure(error, { ...AT, ...circumstances });
    assertEquals(failure, { kind: "network", reason });
  }
});

Deno.test("networkFailure distinguishes limits of this machine", () => {
  for (const code of ["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"]) {
    const { kind, reason } = networkFailure(systemError(code), AT);
    assertEquals(kind, "machine");
    assertMatch(reason, new RegExp(`^this .* \\(${code}\\): lower concurrency$`));
  }
});

Deno.test("networkFailure describes TLS alerts", () => {
  const cases = {
    CertificateRequired: "the server wants a client certificate",
    BadCertificate: "the server does not accept the client certificate",
    UnknownCA: "the server does not accept the client certificate",
    CertificateExpired: "the server does not accept the client certificate",
    HandshakeFailure: 'the server ended TLS with the alert "handshake failure"',
    UnrecognisedName: 'the server ended TLS with the alert "unrecognised name"',
  };
  for (const [alert, reason] of Object.entries(cases)) {
    const error = new Error(`received fatal alert: ${alert}`);
    const failure = networkFailure(error, { ...AT, stage: "negotiating TLS" });
    assertEquals(failure, { kind: "network", reason });
  }
});

Deno.test("networkFailure treats invalid HTTP as an answer", () => {
  const error = Object.assign(new Error("Parse Error: Expected HTTP/"), {
    code: "HPE_INVALID_CONSTANT",
  });
  assertEquals(networkFailure(error, AT), {
    kind: "answer",
    reason: "answer is not valid HTTP (Expected HTTP/)",
  });
});
