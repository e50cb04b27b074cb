import { assertEquals } from "@std/assert";
import { httpServer, type LocalServer } from "../../helpers/servers.ts";
import { type Keys, look, lookBriefly } from "../../helpers/sites.ts";

const SECRETS = { KEY: "k3y-k3y", WORD: "secret", FREE: "free" };
const HEADERS = [
  "X-API-Key: $KEY",
  "Authorization: Bearer plain",
  "Cookie: session=plain",
  "X-Plain: plain",
  "User-Agent: plain/1",
];

/** What a server was sent, of the headers that matter here. */
interface Seen {
  headers: Record<string, string>;
  body: string;
}

/** Two origins, of which `/` of the first leads to the second with the status given. */
async function twoOrigins(
  status: number,
): Promise<AsyncDisposable & { url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const handler = (to?: string) => async (request: Request) => {
    const sent = ["authorization", "cookie", "x-api-key", "x-plain", "user-agent"].flatMap(
      (name) => {
        const value = request.headers.get(name);
        return value === null ? [] : [[name, value]];
      },
    );
    seen.push({ headers: Object.fromEntries(sent), body: await request.text() });
    const path = new URL(request.url).pathname;
    if (to === undefined || path === "/end") return new Response("ok");
    const location = path === "/away" ? to : path === "/here" ? "/end" : `${to}${path}`;
    return new Response(null, { status, headers: { Location: location } });
  };
  await using stack = new AsyncDisposableStack();
  const use = (server: LocalServer) => stack.use(server);
  const other = use(httpServer(handler()));
  const { url } = use(httpServer(handler(other.url)));
  const owned = stack.move();
  return { url, seen, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

Deno.test("http takes every header along on the way through one origin", async () => {
  await using servers = await twoOrigins(302);
  const keys = { url: `${servers.url}/here`, headers: HEADERS };
  assertEquals(await lookBriefly(keys, { secrets: SECRETS }), [200]);
  const all = {
    "x-api-key": "k3y-k3y",
    authorization: "Bearer plain",
    cookie: "session=plain",
    "x-plain": "plain",
    "user-agent": "plain/1",
  };
  assertEquals(servers.seen.map(({ headers }) => headers), [all, all]);
});

Deno.test("http takes no secret, no login and no cookie along to another origin", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    await using servers = await twoOrigins(status);
    const keys = { url: `${servers.url}/away`, headers: HEADERS };
    assertEquals(await lookBriefly(keys, { secrets: SECRETS }), [200]);
    assertEquals(servers.seen[0]?.headers["x-api-key"], "k3y-k3y");
    assertEquals(servers.seen[1]?.headers, { "x-plain": "plain", "user-agent": "plain/1" });
  }
});

Deno.test("http takes another port for another origin", async () => {
  let headers: Headers | undefined;
  await using plain = httpServer((request) => {
    headers = request.headers;
    return new Response("ok");
  });
  await using server = httpServer(() => Response.redirect(plain.url, 302));
  const keys = { url: server.url, headers: ["X-API-Key: $KEY"] };
  assertEquals(await lookBriefly(keys, { secrets: SECRETS }), [200]);
  assertEquals(headers?.has("X-API-Key"), false);
});

Deno.test("http does not take the login of the url along to another origin", async () => {
  await using servers = await twoOrigins(302);
  const withLogin = servers.url.replace("//", "//jo:$WORD@");
  const login = { authorization: "Basic am86c2VjcmV0" };
  await look({ url: `${withLogin}/here` }, { secrets: SECRETS });
  await look({ url: `${withLogin}/away` }, { secrets: SECRETS });
  const sent = servers.seen.map(({ headers: { authorization } }) => ({ authorization }));
  assertEquals<unknown[]>(sent, [login, login, login, { authorization: undefined }]);
});

Deno.test("http does not log in as a location would have it", async () => {
  const seen: (string | null)[] = [];
  await using server = httpServer(({ url, headers }) => {
    seen.push(headers.get("Authorization"));
    if (seen.length > 1) return new Response("ok");
    return new Response(null, {
      status: 302,
      headers: { Location: `${url.replace("//", "//eve:evil@")}x` },
    });
  });
  assertEquals(await lookBriefly({ url: server.url }), [200]);
  assertEquals(seen, [null, null]);
});

Deno.test("http does not send a body with a secret to another origin", async () => {
  const refused = "redirected to another origin, which the body's secret is not sent to";
  const cases: [status: number, path: string, keys: Keys, reason?: string][] = [
    [307, "/away", { body: "key=$KEY" }, refused],
    [308, "/away", { body: "key=$KEY" }, refused],
    [302, "/away", { body: "key=$KEY", method: "PUT" }, refused],
    [302, "/away", { body: "key=$KEY" }],
    [303, "/away", { body: "key=$KEY", method: "PUT" }],
    [307, "/away", { body: "key=plain" }],
    [307, "/here", { body: "key=$KEY" }],
  ];
  for (const [status, path, keys, reason] of cases) {
    await using servers = await twoOrigins(status);
    const { code, failure } = await look({ url: servers.url + path, ...keys }, {
      secrets: SECRETS,
    });
    if (reason === undefined) assertEquals([code, failure], [200, undefined]);
    else assertEquals([code, failure], [status, { kind: "answer", reason }]);
    assertEquals(servers.seen.length, reason === undefined ? 2 : 1);
    const away = path === "/away" ? servers.seen[1]?.body ?? "" : "";
    assertEquals(away.includes("k3y"), false);
  }
});
