import { assertEquals, assertStringIncludes } from "@std/assert";
import { describeRefusal } from "../../../lib/checks/certificates.ts";
import { networkFailure, type Stage, TimeLimitError } from "../../../lib/checks/network_failure.ts";
import { parseConfig } from "../../../lib/config/parse.ts";
import { findHint } from "../../../lib/incidents/hints.ts";
import { LANGUAGE } from "../../helpers/languages.ts";
import type { Keys } from "../../helpers/sites.ts";

const NOW = Temporal.Instant.from("2026-11-27T23:40:12Z");
const REFUSED = { code: 401, error: "answered 401 Unauthorized" };

/** A site with these keys, as a hint is found for it. */
const siteOf = async (keys: Keys = {}, known: string[] = []) => {
  const text = JSON.stringify({ sites: [{ name: "A", url: "https://a.example", ...keys }] });
  return (await parseConfig(text, known)).config!.sites[0]!;
};
const OPEN = await siteOf();

function explain(
  ...[failure, site]: [Parameters<typeof findHint>[0], Parameters<typeof findHint>[1]]
) {
  return findHint(failure, site, LANGUAGE, LANGUAGE.utcMinute);
}

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
    assertStringIncludes(explain({ code: 0, error }, OPEN)!, hint);
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
    assertStringIncludes(explain({ code: 0, error }, OPEN)!, hint);
  }
});

Deno.test("a failure gets a hint if the status code explains it, and none if something else does", () => {
  const hints: [code: number, hint: string][] = [
    [401, "refers to no secret"],
    [403, "Addresses of hosted runners change"],
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
      assertStringIncludes(explain({ code, error }, OPEN)!, hint);
    }
    assertEquals(explain({ code, error: 'body contains "ok": found "no"' }, OPEN), undefined);
  }
  assertEquals(explain({ code: 418, error: "answered 418 I'm a Teapot" }, OPEN), undefined);
  assertEquals(explain({ code: 0, error: "more than 3 redirects" }, OPEN), undefined);
  assertEquals(explain({ code: 0, error: "" }, OPEN), undefined);
});

Deno.test("the hint on refused credentials names the secrets that the check sends, and what to type", async () => {
  const header = (value: string) => ({ headers: [`Authorization: ${value}`] });
  const cases: [keys: Keys, ...words: string[]][] = [
    [{}, "refers to no secret", "`Authorization: Bearer $API_TOKEN`", "`gh secret set API_TOKEN`"],
    [
      header("Bearer $API_TOKEN"),
      "`$API_TOKEN` may be wrong or expired",
      "`gh secret set API_TOKEN`",
    ],
    [header("$A$B$C$D"), "`$A`, `$B`, `$C` may", "`gh secret set NAME`"],
    [header("Bearer ${TOKEN}"), "`${TOKEN}` is sent as written: write the secret as `$TOKEN`"],
    [
      header("Bearer {{ TOKEN }}"),
      "`{{ TOKEN }}` is sent as written: write the secret as `$TOKEN`",
    ],
    [header("Bearer ${{ secrets.TOKEN }}"), "`${{ secrets.TOKEN }}` is sent", "as `$TOKEN`"],
    [header("Bearer ${{secrets.token}}"), "`${{secrets.token}}` is sent", "as `$TOKEN`"],
    [header("Bearer {{ secrets.TOKEN }}"), "`{{ secrets.TOKEN }}` is sent", "as `$TOKEN`"],
    [header("Bearer $(TOKEN)"), "`$(TOKEN)` is sent", "as `$TOKEN`"],
    [{ url: "https://a.example/?key=${KEY}" }, "`${KEY}` is sent", "`gh secret set KEY`"],
    [{ steps: [{ url: "/login", body: "${PASS}" }] }, "`${PASS}` is sent"],
    [header("Bearer $api_token"), "small letters", "write it as `$API_TOKEN`"],
    [header("Bearer abcdefgh"), "credentials that its configuration contains are not accepted"],
    [{ url: "https://me:pass1234@a.example" }, "credentials that its configuration contains"],
    // Secrets of its channels are none of its own.
    [{ notifications: [{ type: "slack", "webhook-url": "$HOOK" }] }, "refers to no secret"],
  ];
  for (const [keys, ...words] of cases) {
    const hint = explain(REFUSED, await siteOf(keys))!;
    for (const word of words) assertStringIncludes(hint, word);
    assertEquals(hint.includes("SECRETS_CONTEXT"), false);
  }
  const near = await siteOf(header("Bearer $api_token"), ["API_TOKEN"]);
  assertStringIncludes(explain(REFUSED, near)!, "write `$API_TOKEN`");
});

Deno.test("a hint knows what the site did before", async () => {
  const before = { code: 200, until: NOW };
  const token = await siteOf({ headers: ["Authorization: Bearer $TOKEN"] });
  const cases: [code: number, site: typeof OPEN, hint: string][] = [
    [
      401,
      OPEN,
      "It answered 200 until 2026-11-27 23:40 UTC: somebody has put it behind a login, or a proxy rejects the runner.",
    ],
    [401, token, "It answered 200 until 2026-11-27 23:40 UTC: `$TOKEN` may have expired"],
    [403, OPEN, "23:40 UTC: the site now rejects the runner's address"],
    [403, token, "23:40 UTC: the credentials may have lost a scope"],
    [404, OPEN, "It answered 200 until 2026-11-27 23:40 UTC: the page was moved or removed."],
    [
      401,
      await siteOf({ headers: ["Authorization: Bearer ${TOKEN}"] }),
      "23:40 UTC. `${TOKEN}` is sent as written",
    ],
  ];
  for (const [code, site, hint] of cases) {
    assertStringIncludes(explain({ code, error: `answered ${code}`, before }, site)!, hint);
  }
  const login = explain({ ...REFUSED, before }, OPEN)!;
  assertEquals(login.includes("gh secret"), false);
  const wasUp = explain({ ...REFUSED, before: { until: NOW } }, OPEN)!;
  assertStringIncludes(wasUp, "It was up until 2026-11-27 23:40 UTC: somebody");
  const failing = explain({ code: 503, error: "answered 503", before }, OPEN)!;
  assertEquals(failing.includes("23:40"), false);
});
