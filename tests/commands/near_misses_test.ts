import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { parseConfig } from "../../lib/config/parse.ts";
import { handedSecrets } from "../../lib/setup/workflows/handed_secrets.ts";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import { cloneRemote, configText } from "../helpers/repositories.ts";
import { makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

Deno.test("a reference that differs from a secret in case is named by validate, by the run and in the incident", async () => {
  await using scratch = await makeScratch();
  const seen: (string | null)[] = [];
  await using site = httpServer((request) => {
    seen.push(request.headers.get("authorization"));
    return new Response(null, { status: 401 });
  });
  await using github = await githubServer();
  const keys = `, headers: ["Authorization: Bearer $api_token"] }`;
  const config = configText({ Shop: site.url }).replace(/\}\n$/, `${keys}\n`);
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const env = {
    ...github.env,
    GITHUB_ACTIONS: "true",
    SECRETS_CONTEXT: JSON.stringify({ API_TOKEN: "s3cret-value" }),
  };
  const line = config.split("\n").findIndex((text) => text.includes("$api_token")) + 1;
  const column = config.split("\n")[line - 1]!.indexOf("$api_token") + 1;
  const warning =
    `::warning file=.monitorrc.yml,line=${line},col=${column},title=Configuration::sites[0].headers[0]: $api_token is not replaced: names are case-sensitive, and the secret is $API_TOKEN\n`;
  assertStringIncludes((await runTask("validate", { folder, env })).stdout, warning);
  const { stdout } = await runTask("update", { folder, env });
  assertStringIncludes(stdout, warning);
  assertEquals(seen[0], "Bearer $api_token");
  const [issue] = await github.issues();
  assertStringIncludes(
    issue!.body,
    "**Hint:** No secret is named `api_token`, so `$api_token` is sent as written. The secret is `API_TOKEN`, and names are case-sensitive: write `$API_TOKEN`.",
  );
});

/** What is said of references in one site, given these secrets. */
async function warnings(site: Record<string, unknown>, known: readonly string[]) {
  const text = JSON.stringify({ sites: [{ name: "A", url: "https://a.example", ...site }] });
  const { problems, config } = await parseConfig(text, known);
  return [problems.map(({ message }) => message), config?.sites[0]?.nearMisses.length];
}

Deno.test("jobs are given the secrets that references in other case may mean, and no words of other languages", async () => {
  const site = {
    name: "A",
    url: "https://a.example/?$filter=x",
    headers: ["X-Key: $api_token", "X-Other: $OTHER_KEY"],
    body: "query($user_id: ID!) { user(id: $user_id) { name } }",
  };
  const { config } = await parseConfig(JSON.stringify({ secrets: "auto", sites: [site] }));
  const handed = [...handedSecrets(config!)].filter((name) => !name.startsWith("NOTIFICATION_"));
  assertEquals(handed, ["OTHER_KEY", "API_TOKEN"]);
});

Deno.test("near misses are names in other case or one edit away, and no words of other languages", async () => {
  const other = (written: string, secret: string) =>
    `$${written} is not replaced: names are case-sensitive, and the secret is $${secret}`;
  const near = (written: string, secret: string) =>
    `$${written} is not among the secrets, did you mean $${secret}?`;
  const cases: [Record<string, unknown>, string[], string[]][] = [
    [{ url: "https://a.example/?k=$api_token" }, ["API_TOKEN"], [other("api_token", "API_TOKEN")]],
    [{ url: "https://$Api_Token@a.example/" }, ["API_TOKEN"], [other("Api_Token", "API_TOKEN")]],
    [{ headers: ["X-Key: $apiToken"] }, ["API_TOKEN"], [other("apiToken", "API_TOKEN")]],
    [{ headers: ["X-Key: $API_TOKN"] }, ["API_TOKEN"], [near("API_TOKN", "API_TOKEN")]],
    [{ headers: ["X-Key: $api_tokn"] }, ["API_TOKEN"], [other("api_tokn", "API_TOKEN")]],
    [{ headers: ["X-Key: $KEY_1"] }, ["KEY_2"], []],
    [{ headers: ["X-Key: $API_TOKEN"] }, ["API_TOKEN", "api_token"], []],
    [{ headers: ["X-A: $api_token", "X-B: $API_TOKEN"] }, [], [other("api_token", "API_TOKEN")]],
    [{ url: "https://a.example/?$filter=x&$top=1" }, ["FILTER", "TOP"], []],
    [{ url: "https://a.example/$metadata" }, ["METADATA_KEY", "FILTERS"], []],
    [{ body: '{"$ref": "#/a", "$eq": 1}' }, ["REF", "EQ"], []],
    [{ body: "query($token: String!) { a(token: $token) }" }, ["TOKEN"], []],
    [{ body: "costs $us_dollar" }, ["API_TOKEN"], []],
    [{ name: "Cash $api_token" }, ["API_TOKEN"], []],
    [{ assert: ["body matches /^ok$/", "json $.api_token == 1"] }, ["OK", "API_TOKEN"], []],
  ];
  for (const [site, known, expected] of cases) {
    const count = known.length === 0 ? 0 : expected.length;
    assertEquals(await warnings(site, known), [expected, count], JSON.stringify(site));
  }
});

Deno.test("a site whose secret is missing by one letter is unknown, and its reason names the secret", async () => {
  const { config } = await parseConfig(
    JSON.stringify({ sites: [{ name: "A", url: "https://a.example/?k=$API_TOKN" }] }),
  );
  const { probe } = await import("../../lib/checks/mod.ts");
  const { Secrets } = await import("../../lib/io/secrets/secrets.ts");
  const { failure } = await probe(config!.sites[0]!.target, {
    secrets: new Secrets({ API_TOKEN: "s3cret" }),
    signal: new AbortController().signal,
    now: Temporal.Now.instant(),
    root: "/",
    userAgent: "test",
  });
  assertEquals(failure, {
    kind: "configuration",
    reason:
      "$API_TOKN is not among the secrets, did you mean $API_TOKEN? (names are case-sensitive; SECRETS_CONTEXT or --secrets gives them)",
  });
});
