import { assertEquals, assertMatch } from "@std/assert";
import {
  type Circumstances,
  networkFailure,
  TimeLimitError,
} from "../../../lib/checks/network_failure.ts";

const AT: Circumstances = { stage: "connecting", host: "example.com", port: 443 };

function systemError(code: string, fields: object = {}): Error {
  return Object.assign(new Error(`it says ${code}`), { code, ...fields });
}

Deno.test("networkFailure tells the error of a connection in words", () => {
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

Deno.test("networkFailure takes a limit of this machine for a fault of the monitor", () => {
  for (const code of ["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"]) {
    const { kind, reason } = networkFailure(systemError(code), AT);
    assertEquals(kind, "machine");
    assertMatch(reason, new RegExp(`^this .* \\(${code}\\): lower concurrency$`));
  }
});

Deno.test("networkFailure tells what the other side has against TLS in words", () => {
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

Deno.test("networkFailure takes an answer that is not HTTP for an answer", () => {
  const error = Object.assign(new Error("Parse Error: Expected HTTP/"), {
    code: "HPE_INVALID_CONSTANT",
  });
  assertEquals(networkFailure(error, AT), {
    kind: "answer",
    reason: "answer is not valid HTTP (Expected HTTP/)",
  });
});
