import { assert, assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatProblem } from "../../../lib/io/problem.ts";
import { httpServer } from "../../helpers/servers.ts";
import { type Keys, observe } from "../../helpers/sites.ts";

const TOKEN = "tok-5f1c".repeat(20);

/** A shop: a login returns a token and a session, and both are needed for an order. */
async function shop({ headers, method, url }: Request & { text(): Promise<string> }, body: string) {
  const { pathname, search } = new URL(url);
  await Promise.resolve();
  if (pathname === "/login" && method === "POST") {
    return JSON.parse(body).pass === "s3cret"
      ? Response.json({ access: { token: TOKEN }, id: 7 }, {
        headers: { "set-cookie": "sid=abc123; HttpOnly" },
      })
      : new Response("who?", { status: 401 });
  }
  const isKnown = headers.get("authorization") === `Bearer ${TOKEN}` &&
    headers.get("cookie") === "sid=abc123";
  if (!isKnown) return new Response("who?", { status: 403 });
  if (pathname === "/orders/7") return Response.json({ order: `${search}:${TOKEN}`, total: null });
  if (pathname === "/busy") {
    return new Response("", { status: 429, headers: { "retry-after": "60" } });
  }
  return new Response(`<input name="csrf" value="c-99">${TOKEN}`, { status: 200 });
}

const serveShop = () => httpServer(async (request) => await shop(request, await request.text()));

const LOGIN = {
  url: "/login",
  body: '{"user": "me", "pass": "$PASS"}',
  save: {
    token: "json $.access.token",
    id: "json $.id",
    sid: "header set-cookie /sid=([^;]+)/",
  },
};
const KNOWN = { headers: ["Authorization: Bearer {{token}}", "Cookie: sid={{ sid }}"] };
const SECRETS = { PASS: "s3cret" };

Deno.test("steps are made in order, with values from the answers before", async () => {
  await using server = serveShop();
  const steps = [
    LOGIN,
    { url: "/form", ...KNOWN, contains: "csrf", save: { csrf: 'body /value="([^"]+)"/' } },
    { url: "/orders/{{id}}?csrf={{csrf}}", ...KNOWN, assert: ["json $.order contains {{csrf}}"] },
  ];
  const found = await observe({ url: server.url, steps }, { secrets: SECRETS, detailed: true });
  assertEquals([found.code, found.failure], [200, undefined]);
  assertEquals(found.details?.hops.map(({ method, url }) => `${method} ${url}`), [
    `POST ${server.url}/login`,
    `GET ${server.url}/form`,
    `GET ${server.url}/orders/{{id}}?csrf={{csrf}}`,
  ]);
  const sum = Object.values(found.phases!).reduce((sum, time) => sum + time, 0);
  assert(found.responseTime >= sum && sum > 0);
  assert(!JSON.stringify(found).includes("tok-5f1c"), "a value is shown");
});

Deno.test("the first step that fails is named, and no value is shown", async () => {
  await using server = serveShop();
  const cases: [steps: Keys[], reason: string, secrets?: typeof SECRETS][] = [
    [[LOGIN, { url: "/form" }], "step 2 (GET /form): answered 403 Forbidden"],
    [[LOGIN], "step 1 (POST /login): answered 401 Unauthorized", { PASS: "wrong" }],
    [
      [{ ...LOGIN, save: { token: "json $.none" } }],
      "step 1 (POST /login): nothing to save as token (json $.none): the value is missing",
    ],
    [
      [{ ...LOGIN, save: { token: "header x-none" } }],
      "step 1 (POST /login): nothing to save as token (header x-none): the header is missing",
    ],
    [
      [{ ...LOGIN, save: { token: "body /nothing/" } }],
      "step 1 (POST /login): nothing to save as token (body): the pattern matches nothing",
    ],
    [
      [LOGIN, { url: "/orders/7", ...KNOWN, save: { total: "json $.total" } }],
      "step 2 (GET /orders/7): nothing to save as total (json $.total): the value is null",
    ],
    [
      [LOGIN, { url: "/orders/7", ...KNOWN, assert: ['json $.order == "{{id}}"'] }],
      'step 2 (GET /orders/7): json $.order == "{{id}}": found ":***"',
    ],
    [
      [{ ...LOGIN, assert: ["json $.access.token == 5"] }],
      'step 1 (POST /login): json $.access.token == 5: found "***"',
    ],
  ];
  for (const [steps, reason, secrets = SECRETS] of cases) {
    const keys = { url: server.url, steps, keepBody: true };
    const found = await observe(keys, { secrets, detailed: true });
    assertEquals(found.failure, { kind: "answer", reason });
    assert(!JSON.stringify(found).includes("tok-5f1c"), reason);
  }
});

Deno.test("a saved value is encoded for the place where it is used", async () => {
  const value = 'a&b"c\r\nX-Evil: {{v}} $PASS%2F\ud800';
  const once = "a%26b%22c%0D%0AX-Evil%3A%20%7B%7Bv%7D%7D%20%24PASS%2F%EF%BF%BD";
  const json = JSON.stringify({ v: value });
  const typed = (type: string, body: string) => ({ headers: [`Content-Type: ${type}`], body });
  const cases: [step: Keys, seen: string][] = [
    [{ url: "/p/{{v}}?q={{v}}#x" }, `/p/${once}?q=${once} `],
    [{ url: "/", body: '{"v": "{{v}}"}' }, `/ ${json.replace('"v":', '"v": ')}`],
    [{ url: "/", body: "a=1&v={{v}}" }, `/ a=1&v=${once}`],
    [{ url: "/", ...typed("application/ld+json", '"{{v}}"') }, `/ ${JSON.stringify(value)}`],
    [{ url: "/", ...typed("text/plain", "{{v}}") }, `/ ${value.toWellFormed()}`],
  ];
  for (const [step, expected] of cases) {
    let seen = "";
    await using server = httpServer(async (request) => {
      const { pathname, search } = new URL(request.url);
      if (pathname === "/save") return new Response(json);
      seen = `${pathname}${search} ${await request.text()}`;
      return new Response("ok");
    });
    const steps = [{ url: "/save", save: { v: "json $.v" } }, step];
    const { failure } = await observe({ url: server.url, steps }, { secrets: SECRETS });
    assertEquals([failure, seen], [undefined, expected]);
  }
});

Deno.test("a value that can't be in a header, or is too long to be kept secret, is the site's fault", async () => {
  const use = { url: "/use", headers: ["X-Id: a{{v}}b"] };
  const cases: [value: string, reason: string][] = [
    [
      "1\r\nX-Evil: 1",
      "step 2 (GET /use): the header X-Id holds a character that HTTP does not allow",
    ],
    [
      "x".repeat(8193),
      "step 1 (GET /): nothing to save as v (body): the value is longer than 8 KiB",
    ],
    [" \n ", "step 1 (GET /): nothing to save as v (body): the value is empty"],
  ];
  for (const [value, reason] of cases) {
    await using server = httpServer(() => new Response(value));
    const steps = [{ url: "/", save: { v: "body" } }, use];
    const { failure } = await observe({ url: server.url, steps });
    assertEquals(failure, { kind: "answer", reason });
  }
});

Deno.test("a step that is rate limited ends the check of a site that is up", async () => {
  await using server = serveShop();
  const steps = [LOGIN, { url: "/busy", ...KNOWN }, { url: "/never" }];
  const { failure, remark, retryAfter } = await observe({ url: server.url, steps }, {
    secrets: SECRETS,
  });
  assertEquals([failure, remark, retryAfter], [undefined, "rate limited", 60_000]);
});

Deno.test("all steps together have requestTimeout", async () => {
  const { promise: late, resolve } = Promise.withResolvers<Response>();
  await using server = httpServer(({ url }) => url.endsWith("/1") ? new Response("ok") : late);
  const keys = { url: server.url, requestTimeout: 0.3, steps: [{ url: "/1" }, { url: "/2" }] };
  const reason = "step 2 (GET /2): timed out after 0.3 s waiting for the first byte";
  assertEquals((await observe(keys)).failure, { kind: "network", reason });
  resolve(new Response("late"));
});

Deno.test("headers of the site are sent to its own host, and no answer chooses another one", async () => {
  const seen: string[] = [];
  const note = (request: Request) => {
    seen.push(`${new URL(request.url).pathname} ${request.headers.get("x-key")}`);
    return Response.json({ path: "/169.254.169.254/x" });
  };
  await using server = httpServer(note);
  await using other = httpServer(note);
  const steps = [
    { url: "/1", save: { path: "json $.path" } },
    { url: `${other.url}/2` },
    { url: "/3", headers: ["X-Key: own"] },
    { url: "/{{path}}" },
  ];
  const { failure } = await observe({ url: server.url, headers: ["X-Key: $PASS"], steps }, {
    secrets: SECRETS,
  });
  assertEquals(failure, undefined);
  assertEquals(seen, ["/1 s3cret", "/2 null", "/3 own", "/%2F169.254.169.254%2Fx s3cret"]);
});

Deno.test("a site whose steps are wrong is reported, and not checked in another way", async () => {
  const cases: [steps: string, problem: string][] = [
    ["[]", "steps: expected at least one step"],
    ["[{ method: GET }]", "steps[0].url: is missing"],
    [
      "[{ url: login }]",
      'steps[0].url: expected a path such as /login, or an address such as https://example.com/login, found "login"',
    ],
    [
      '[{ url: "https://{{host}}/" }]',
      'steps[0].url: expected a path such as /login, or an address such as https://example.com/login, found "https://{{host}}/"',
    ],
    [
      "[{ url: /a, save: { id: json $.id } }, { url: '$BASE{{id}}/' }]",
      'steps[1].url: expected a path such as /login, or an address such as https://example.com/login, found "$BASE{{id}}/"',
    ],
    ['[{ url: "/{{id}}" }]', "steps[0].url: {{id}} is saved by no earlier step"],
    [
      '[{ url: /a, save: { id: json $.id }, body: "{{id}}" }]',
      "steps[0].body: {{id}} is saved by no earlier step",
    ],
    [
      "[{ url: /a, save: { id: status } }]",
      'steps[0].save.id: expected one of json, header, body, found "status" at character 1',
    ],
    [
      "[{ url: /a, method: HEAD, contains: ok }]",
      "steps[0].contains: an answer to HEAD has no body that could be asserted",
    ],
  ];
  for (const [steps, problem] of cases) {
    const text = `sites:\n  - name: A\n    url: https://a.example\n    steps: ${steps}\n`;
    const { config, problems } = await parseConfig(text);
    assertEquals(problems.map(({ severity }) => severity), ["error"]);
    assert(formatProblem(problems[0]!, "").endsWith(` sites[0].${problem}`), problem);
    const reason = `steps can't be used: ${problem.replace(/^\S+ /, "")}`;
    assertEquals(config!.sites[0]!.target.fault, reason);
  }
  const { problems } = await parseConfig(
    "sites:\n  - { name: A, url: 'https://a.example', body: x, steps: [{ url: /a }] }\n",
  );
  assertEquals(problems.map(({ message }) => message), [
    "has no effect with steps: move it into a step",
  ]);
});
