import { assert, assertEquals } from "@std/assert";
import type { Socket } from "node:net";
import { type LocalServer, rawServer } from "../../helpers/servers.ts";
import { look } from "../../helpers/sites.ts";

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

/** What http makes of each answer, by the name of the case. */
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
      const keys = { url: server.url, method, requestTimeout: 2, expectedStatusCodes: ALL_CODES };
      const { code, failure } = await look(keys);
      return [name, failure?.reason ?? code] as const;
    }),
  );
  return Object.fromEntries(seen);
}

/** The same outcome for every case. */
function all<T>(answers: Answers, outcome: T): Record<string, T> {
  return Object.fromEntries(Object.keys(answers).map((name) => [name, outcome]));
}

Deno.test("http ignores what comes after a whole answer", async () => {
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

Deno.test("http waits for no body where none may be, and ignores one", async () => {
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

Deno.test("http waits for the answer behind what announces it", async () => {
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

Deno.test("http takes no answer for whole that was cut off", async () => {
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

Deno.test("http says what it can't read in an answer", async () => {
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
