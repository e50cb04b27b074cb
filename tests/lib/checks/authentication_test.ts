import { assertEquals } from "@std/assert";
import { httpServer, type LocalServer } from "../../helpers/servers.ts";
import { type Keys, observe, observeBriefly } from "../../helpers/sites.ts";
import { describeMissing } from "../../../lib/io/secrets/missing.ts";

const SECRETS = {
  USER: "jo",
  PASS: "p@ss:/w?ö%",
  PAIR: "jo:secret",
  ENCODED: "am86c2VjcmV0",
  TOKEN: "eyJhbGciOi.J9-x_y",
  API_KEY: "k3y&=+%",
  SESSION: "abc123",
};

/** Base64 as a browser makes it of a name and a password. */
function base64(text: string): string {
  return new TextEncoder().encode(text).toBase64();
}

/** A server that admits those for whom `allows` is true, and answers 401 to everyone else. */
function guardedServer(allows: (request: Request) => boolean): LocalServer {
  return httpServer((request) => new Response("text", { status: allows(request) ? 200 : 401 }));
}

Deno.test("http sends the authentication that headers describe", async () => {
  const specialPair = `Basic ${base64("jo:p@ss:/w?ö%")}`;
  const cases: [headers: string[], sent: Record<string, string>][] = [
    [["Authorization: Basic $USER:$PASS"], { authorization: specialPair }],
    [["authorization: basic $USER:$PASS"], { authorization: specialPair }],
    [["Authorization: Basic $PAIR"], { authorization: "Basic am86c2VjcmV0" }],
    [["Authorization: Basic $ENCODED"], { authorization: "Basic am86c2VjcmV0" }],
    [["Authorization: Basic jo:secret"], { authorization: "Basic am86c2VjcmV0" }],
    [["Authorization: Basic am86c2VjcmV0"], { authorization: "Basic am86c2VjcmV0" }],
    [["Proxy-Authorization: Basic $PAIR"], { "proxy-authorization": "Basic am86c2VjcmV0" }],
    [["Authorization: Bearer $TOKEN"], { authorization: "Bearer eyJhbGciOi.J9-x_y" }],
    [["Authorization: Token a:b"], { authorization: "Token a:b" }],
    [["X-API-Key: $API_KEY"], { "x-api-key": "k3y&=+%" }],
    [["X-Auth: Basic $PAIR"], { "x-auth": "Basic jo:secret" }],
    [["Cookie: session=$SESSION; theme=dark"], { cookie: "session=abc123; theme=dark" }],
    [["X-API-Key: $API_KEY", "Authorization: Bearer $TOKEN", "Cookie: s=$SESSION"], {
      "x-api-key": "k3y&=+%",
      authorization: "Bearer eyJhbGciOi.J9-x_y",
      cookie: "s=abc123",
    }],
  ];
  for (const [headers, sent] of cases) {
    await using server = guardedServer((request) =>
      Object.entries(sent).every(([name, value]) => request.headers.get(name) === value)
    );
    assertEquals(await observeBriefly({ url: server.url, headers }, { secrets: SECRETS }), [200]);
    assertEquals(await observeBriefly({ url: server.url }), [401, "answered 401 Unauthorized"]);
  }
});

Deno.test("http sends the user name and password of the url", async () => {
  const cases: [userInfo: string, pair: string][] = [
    ["$USER:$PASS", "jo:p@ss:/w?ö%"],
    ["jo:$PASS", "jo:p@ss:/w?ö%"],
    ["jo:p%40ss", "jo:p@ss"],
    ["$TOKEN", "eyJhbGciOi.J9-x_y:"],
    ["$USER:100%", "jo:100%"],
    [":$SESSION", ":abc123"],
  ];
  for (const [userInfo, pair] of cases) {
    await using server = guardedServer(({ headers, url }) =>
      headers.get("Authorization") === `Basic ${base64(pair)}` && !url.includes("@")
    );
    const url = server.url.replace("//", `//${userInfo}@`);
    assertEquals(await observeBriefly({ url }, { secrets: SECRETS }), [200], userInfo);
  }
});

Deno.test("http prefers an Authorization header to the url's name and password", async () => {
  await using server = guardedServer(({ headers }) => headers.get("Authorization") === "Bearer t");
  const url = server.url.replace("//", "//jo:secret@");
  assertEquals(await observeBriefly({ url, headers: ["Authorization: Bearer t"] }), [200]);
});

Deno.test("http puts secrets into the url, the headers and the body", async () => {
  let seen: Record<string, string | null> = {};
  await using server = httpServer(async (request) => {
    const { pathname, search } = new URL(request.url);
    seen = { path: pathname + search, note: request.headers.get("X-Note") };
    seen["body"] = await request.text();
    return new Response("ok");
  });
  const secrets = {
    ...{ ...SECRETS, PORT: String(server.port) },
    ...{ HOST_NAME: "127.0.0.1", URL: server.url },
  };
  const cases: [keys: Keys, path: string, note: string | null, body: string][] = [
    [{ url: `${server.url}/a?key=$SESSION` }, "/a?key=abc123", null, ""],
    [{ url: `${server.url}/hook/$SESSION/$USER` }, "/hook/abc123/jo", null, ""],
    [{ url: "http://$HOST_NAME:$PORT/x" }, "/x", null, ""],
    [{ url: "$URL" }, "/", null, ""],
    [{ url: server.url, headers: ["X-Note: a $USER b $SESSION"] }, "/", "a jo b abc123", ""],
    [{ url: server.url, body: "user=$USER&key=$SESSION" }, "/", null, "user=jo&key=abc123"],
    [{ url: server.url, body: '{"key": "$SESSION"}' }, "/", null, '{"key": "abc123"}'],
  ];
  for (const [keys, path, note, body] of cases) {
    assertEquals(await observeBriefly(keys, { secrets }), [200]);
    assertEquals(seen, { path, note, body });
  }
});

Deno.test("http sends words with a dollar sign unchanged if they are not secret references", async () => {
  let seen = "";
  await using server = httpServer(async (request) => {
    seen = `${new URL(request.url).pathname} ${await request.text()}`;
    return new Response("ok");
  });
  const keys = { url: `${server.url}/$discovery/rest`, body: "costs $5 or $a_$ $$ {$Key}" };
  assertEquals(await observeBriefly(keys), [200]);
  assertEquals(seen, "/$discovery/rest costs $5 or $a_$ $$ {$Key}");
});

Deno.test("values of secrets are not searched for further secrets", async () => {
  await using server = guardedServer(({ headers }) => headers.get("X-Key") === "$USER-$NONE");
  const secrets = { ...SECRETS, NESTED: "$USER-$NONE" };
  const headers = ["X-Key: $NESTED"];
  assertEquals(await observeBriefly({ url: server.url, headers }, { secrets }), [200]);
});

Deno.test("http names missing secrets, and makes no statement about the site", async () => {
  let asked = 0;
  await using server = httpServer(() => new Response(String(++asked)));
  const { url } = server;
  const cases: [keys: Keys, names: string][] = [
    [{ url: "$SITE_URL" }, "$SITE_URL"],
    [{ url: `${url}/$PATH_KEY` }, "$PATH_KEY"],
    [{ url: `http://$NAME:$PASS@127.0.0.1/` }, "$NAME"],
    [{ url, headers: ["Authorization: Basic $NAME:$WORD"] }, "$NAME, $WORD"],
    [{ url, headers: ["X-A: $KEY_1", "X-B: $KEY_1", "X-C: $OTHER"] }, "$KEY_1, $OTHER"],
    [{ url, body: "key=$_KEY" }, "$_KEY"],
    [{ url, ca: "$PRIVATE_CA" }, "$PRIVATE_CA"],
    [{ url, clientCertificate: "$CERT", clientKey: "$CERT_KEY" }, "$CERT, $CERT_KEY"],
  ];
  for (const [keys, names] of cases) {
    const { code, failure } = await observe(keys, { secrets: SECRETS });
    const reason = describeMissing(names.replaceAll("$", "").split(", "));
    assertEquals([code, failure], [0, { kind: "configuration", reason }]);
  }
  assertEquals(asked, 0);
});

Deno.test("http reports a secret in the url whose value is not an address", async () => {
  const values = ["example.com", "", "ftp://example.com", "http://", "not an address"];
  for (const value of values) {
    assertEquals((await observe({ url: "$URL" }, { secrets: { URL: value } })).failure, {
      kind: "configuration",
      reason: "the url is not an http or https address once its secrets are in place",
    });
  }
});
