import { assertEquals, assertStringIncludes } from "@std/assert";
import { describeRefusal } from "../../../lib/checks/certificates.ts";
import { networkFailure, type Stage, TimeLimitError } from "../../../lib/checks/network_failure.ts";
import { findHint } from "../../../lib/incidents/hints.ts";

const OPEN = { secrets: [], nearMisses: [] };

/** A network error of a check. */
function reason(code: string, message = ""): string {
  const error = Object.assign(new Error(message), { code });
  return networkFailure(error, { stage: "connecting", host: "a.example", port: 443 }).reason;
}

function timedOut(stage: Stage): string {
  return networkFailure(new TimeLimitError(30_000), { stage }).reason;
}

Deno.test("errors about failed connections have a hint", () => {
  const cases: [error: string, hint: string][] = [
    [reason("ECONNREFUSED"), "accepts no connections on this port"],
    [reason("ENOTFOUND"), "The name is not in DNS"],
    [reason("EAI_AGAIN"), "The domain's name servers gave no answer"],
    [reason("ENETUNREACH"), "Hosted runners have no IPv6"],
    [reason("NO_IPV4"), "Hosted runners have no IPv6"],
    [reason("EHOSTUNREACH"), "Nothing came back"],
    [timedOut("connecting"), "Nothing came back"],
    [timedOut("negotiating TLS"), "Nothing came back"],
    [timedOut("waiting for the first byte"), "slow or stuck"],
    [timedOut("reading the body"), "slow or stuck"],
    [timedOut("waiting for the WebSocket handshake"), "slow or stuck"],
    [timedOut("waiting for the answer"), "slow or stuck"],
    [timedOut("waiting for the greeting"), "slow or stuck"],
    [`step 2 (GET /a?(b)): ${reason("ECONNREFUSED")}`, "accepts no connections on this port"],
    ["domain expired 3 days ago", "Renew it at its registrar"],
    ['the domain has the status "client hold"', "out of DNS"],
    ['the domain has the status "pending delete"', "will be deleted"],
    ["the server offers no STARTTLS, which only tls: none accepts", "`tls: implicit`"],
    ["the server sent more in plain text after its answer to STARTTLS", "Somebody"],
    ["the server has no health service (UNIMPLEMENTED)", "`grpc.health.v1.Health`"],
    ["the server does not know the service a.B (NOT_FOUND)", "Compare `service`"],
    ["no answer to the ping (a.example)", "`tcp-ping` says more"],
    ["the check succeeded, and inverted: true expects it to fail", "nothing should"],
    [reason("", "received fatal alert: CertificateRequired"), "`clientCertificate`"],
    [reason("", "received fatal alert: BadCertificate"), "`clientCertificate`"],
    ["a.example does not exist (NXDOMAIN)", "The name is not in DNS"],
    ["the name server could not find an answer for a.example (SERVFAIL)", "gave no answer"],
  ];
  for (const [error, hint] of cases) {
    assertStringIncludes(findHint({ code: 0, error }, OPEN)!, hint);
  }
});

Deno.test("errors about certificates have a hint", () => {
  const certificate = { issuer: { CN: "Example" }, subject: { CN: "b.example" } };
  const refused = (code: string) =>
    describeRefusal(code, certificate as Parameters<typeof describeRefusal>[1], "a.example");
  const cases: [error: string, hint: string][] = [
    [refused("DEPTH_ZERO_SELF_SIGNED_CERT"), "certificate in `ca`"],
    [refused("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "certificate in `ca`"],
    [refused("ERR_TLS_CERT_ALTNAME_INVALID"), "the certificate of other names"],
    ["certificate expired 3 days ago", "until it is renewed"],
    ["the certificate of a.example expired 3 days ago", "until it is renewed"],
    ["certificate of the authority Example expired 1 year ago", "until it is renewed"],
  ];
  for (const [error, hint] of cases) {
    assertStringIncludes(findHint({ code: 0, error }, OPEN)!, hint);
  }
});

Deno.test("a failure gets a hint if the status code explains it, and none if something else does", () => {
  const hints: [code: number, hint: string][] = [
    [401, "refers to no secret"],
    [403, "Those of hosted runners change"],
    [404, "change `url`"],
    [429, "check less often"],
    [500, "look at its log"],
    [502, "A proxy or load balancer answered"],
    [503, "rejects requests"],
    [504, "A proxy or load balancer answered"],
    [522, "A proxy or load balancer answered"],
    [599, "look at its log"],
  ];
  for (const [code, hint] of hints) {
    for (const error of [`answered ${code}`, `status in 200..299: found ${code}`]) {
      assertStringIncludes(findHint({ code, error }, OPEN)!, hint);
    }
    assertEquals(findHint({ code, error: 'body contains "ok": found "no"' }, OPEN), undefined);
  }
  assertEquals(findHint({ code: 418, error: "answered 418 I'm a Teapot" }, OPEN), undefined);
  assertEquals(findHint({ code: 0, error: "more than 3 redirects" }, OPEN), undefined);
  assertEquals(findHint({ code: 0, error: "" }, OPEN), undefined);
});

Deno.test("the hint on refused credentials names the secrets of the site", () => {
  const failure = { code: 401, error: "answered 401 Unauthorized" };
  const some = findHint(failure, { ...OPEN, secrets: ["API_TOKEN", "API_USER"] })!;
  assertStringIncludes(some, "`$API_TOKEN`, `$API_USER` may be wrong or expired");
  assertStringIncludes(
    findHint(failure, { ...OPEN, secrets: [..."ABCDE"] })!,
    "`$A`, `$B`, `$C` may",
  );
});
