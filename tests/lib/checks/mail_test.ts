import { assert, assertEquals } from "@std/assert";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type Certificate, makeAuthority, makeCertificate } from "../../helpers/certificates.ts";
import { rawServer, tlsServer } from "../../helpers/servers.ts";
import { mailServer } from "../../helpers/mail_server.ts";
import { type Keys, observe, observeBriefly } from "../../helpers/sites.ts";

const AUTHORITY = makeAuthority();
const SECRETS = { CA: AUTHORITY.cert };
const MAIL = { url: "localhost", ca: "$CA" };
const certified = (to = 90) => makeCertificate({ issuer: AUTHORITY, to });

const look = (keys: Keys) => observe({ ...MAIL, ...keys }, { secrets: SECRETS, detailed: true });

Deno.test("smtp negotiates STARTTLS with a mail server and evaluates its certificate", async () => {
  const cases: [certificate: Certificate, code: number, outcome?: string][] = [
    [certified(9.5), 200, "certificate expires in 9 days"],
    [makeCertificate({ to: 90 }), 0, "certificate is self-signed"],
  ];
  for (const [certificate, code, outcome] of cases) {
    await using server = await mailServer({ ...certificate, secure: false });
    const found = await look({ check: "smtp", port: server.port });
    assertEquals([found.code, found.failure?.reason ?? found.expiry], [code, outcome]);
    assertEquals(found.details?.certificate?.subject, "localhost");
  }
});

/** Answers each line of a client by its first matching pattern; `TLS` behind an answer negotiates it. */
function scripted(
  socket: Socket,
  greeting: string,
  answers: readonly [pattern: RegExp, answer: string][],
  certificate?: Certificate,
): void {
  const listen = (stream: Socket) =>
    stream.on("error", () => stream.destroy()).on("data", (part) => {
      for (const line of String(part).trim().split("\r\n")) {
        const [, answer = ""] = answers.find(([pattern]) => pattern.test(line)) ?? [];
        if (!answer.endsWith("TLS")) {
          stream.write(answer);
          continue;
        }
        stream.removeAllListeners("data");
        stream.write(
          answer.slice(0, -"TLS".length),
          () => listen(new TLSSocket(stream, { isServer: true, ...certificate })),
        );
      }
    });
  socket.write(greeting);
  listen(socket);
}

const SMTP: [RegExp, string][] = [
  [/^EHLO /, "250-mail.example.com\r\n250-PIPELINING\r\n250 STARTTLS\r\n"],
  [/^STARTTLS$/, "220 go ahead\r\nTLS"],
  [/^QUIT$/, "221 bye\r\n"],
];
const IMAP: [RegExp, string][] = [
  [/^a1 CAPABILITY$/, "* CAPABILITY IMAP4rev2 STARTTLS\r\na1 OK done\r\n"],
  [/^a1 STARTTLS$/, "a1 OK begin\r\nTLS"],
  [/^a1 LOGOUT$/, "* BYE\r\na1 OK\r\n"],
];

Deno.test("imap negotiates STARTTLS, and starts with TLS on a TLS port", async () => {
  const certificate = certified(9.5);
  await using upgraded = await rawServer((socket) =>
    scripted(socket, "* OK ready\r\n", IMAP, certificate)
  );
  const found = await look({ check: "imap", url: `imap://localhost:${upgraded.port}` });
  assertEquals([found.code, found.expiry], [200, "certificate expires in 9 days"]);
  assert(found.phases!.tls > 0 && found.phases!.ttfb > 0 && found.phases!.download > 0);

  await using secure = await tlsServer(
    certificate,
    (socket) => scripted(socket, "* PREAUTH welcome\r\n", IMAP),
  );
  for (
    const keys of [
      { url: `imaps://localhost:${secure.port}` },
      { port: secure.port, tls: "implicit" },
    ]
  ) {
    const { code, expiry } = await look({ check: "imap", ...keys });
    assertEquals([code, expiry], [200, "certificate expires in 9 days"]);
  }
});

Deno.test("a mail server that refuses, or that somebody else speaks for, is down", async () => {
  const smtp = (
    pattern: RegExp,
    answer: string,
  ): [RegExp, string][] => [[pattern, answer], ...SMTP];
  const imap = (
    pattern: RegExp,
    answer: string,
  ): [RegExp, string][] => [[pattern, answer], ...IMAP];
  const cases: [
    check: string,
    greeting: string,
    [RegExp, string][],
    reason?: string,
    keys?: Keys,
  ][] = [
    ["smtp", "220-first\r\n220 second\r\n", SMTP],
    ["smtp", "554 no service\r\n", SMTP, "the server greeted with 554: no service"],
    ["smtp", "421 busy\r\n", SMTP, "the server greeted with 421: busy"],
    ["smtp", "SSH-2.0-x\r\n", SMTP, "the answer is not SMTP: SSH-2.0-x"],
    ["smtp", "220 hi\r\n", smtp(/^EHLO/, "502\r\n"), "the server answered EHLO with 502"],
    [
      "smtp",
      "220 hi\r\n",
      smtp(/^EHLO/, "250 nothing\r\n"),
      "the server offers no STARTTLS, which only tls: none accepts",
    ],
    ["smtp", "220 hi\r\n", smtp(/^EHLO/, "250 nothing\r\n"), undefined, { tls: "none" }],
    [
      "smtp",
      "220 hi\r\n",
      smtp(/^STARTTLS/, "454 no TLS now\r\n"),
      "the server answered STARTTLS with 454: no TLS now",
    ],
    [
      "smtp",
      "220 hi\r\n",
      smtp(/^STARTTLS/, "220 go\r\n250 injected\r\n"),
      "the server sent more in plain text after its answer to STARTTLS",
    ],
    ["smtp", "220 hi\r\n", smtp(/^STARTTLS/, "220 go\r\n"), "the answer is not TLS"],
    ["imap", "* BYE too many\r\n", IMAP, "the server greeted with BYE: too many"],
    [
      "imap",
      "* PREAUTH hi\r\n",
      IMAP,
      "the server greeted with PREAUTH, after which no STARTTLS is possible",
    ],
    ["imap", "+OK POP3\r\n", IMAP, "the answer is not IMAP: +OK POP3"],
    [
      "imap",
      "* OK hi\r\n",
      imap(/CAPABILITY/, "a1 BAD what?\r\n"),
      "the server answered CAPABILITY with BAD: what?",
    ],
    [
      "imap",
      "* OK hi\r\n",
      imap(/STARTTLS/, "a1 OK\r\n* OK injected\r\n"),
      "the server sent more in plain text after its answer to STARTTLS",
    ],
  ];
  const certificate = certified();
  for (const [check, greeting, answers, reason, keys] of cases) {
    await using server = await rawServer((socket) => {
      scripted(socket, greeting, answers, certificate);
      // The data behind the answer to STARTTLS, without TLS.
      if (reason === "the answer is not TLS") {
        socket.on("data", (part) => String(part).startsWith("E") || socket.write("plain text"));
      }
    });
    const site = { check, port: server.port, tls: "starttls", ...keys };
    const { code, failure } = await look({ ...site, keepBody: true });
    assertEquals([code, failure?.reason], [reason === undefined ? 200 : 0, reason]);
    // Without keepBody, nothing that the server says is repeated.
    const words = reason?.replace(
      /^(the answer is not \w+|the server (?:greeted|answered .*) with \w+): .*/,
      "$1",
    );
    assertEquals((await look(site)).failure?.reason, words);
  }
});

Deno.test("a mail server that greets late is waited for until requestTimeout", async () => {
  await using server = await rawServer(() => {});
  const keys = { ...MAIL, check: "smtp", ca: undefined, port: server.port, requestTimeout: 0.1 };
  assertEquals(await observeBriefly(keys), [0, "timed out after 0.1 s waiting for the greeting"]);
});

Deno.test("a mail check uses the port of its protocol, and shows nothing of a secret host", async () => {
  const usual: [keys: Keys, place: string][] = [
    [{ check: "smtp" }, "127.0.0.1:587"],
    [{ check: "smtp", url: "smtps://127.0.0.1" }, "127.0.0.1:465"],
    [{ check: "smtp", tls: "implicit" }, "127.0.0.1:465"],
    [{ check: "imap" }, "127.0.0.1:993"],
    [{ check: "imap", url: "imap://127.0.0.1" }, "127.0.0.1:143"],
    [{ check: "imap", tls: "none" }, "127.0.0.1:143"],
  ];
  for (const [keys, place] of usual) {
    const { details } = await observe({ url: "127.0.0.1", connectTimeout: 0.1, ...keys }, {
      detailed: true,
    });
    assertEquals(details?.hops[0]?.url, place);
  }
  await using server = await rawServer((socket) => socket.write("554 mx.secret.example\r\n"));
  const secrets = { MX: `127.0.0.1:${server.port}` };
  const found = await observeBriefly({ check: "smtp", url: "$MX", tls: "starttls" }, { secrets });
  assertEquals(found, [0, "the server greeted with 554"]);
});
