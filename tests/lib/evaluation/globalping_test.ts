import { assert, assertEquals } from "@std/assert";
import { GlobalpingClient } from "../../../lib/checks/globalping/client.ts";
import { toMeasurementRequest } from "../../../lib/checks/globalping/request.ts";
import { Globalping } from "../../../lib/evaluation/globalping.ts";
import type { ProbeResult } from "../../../lib/evaluation/results.ts";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";
import {
  answered,
  CERTIFICATE,
  failed,
  type GlobalpingOptions,
  type GlobalpingServer,
  globalpingServer,
  pinged,
  resolved,
} from "../../helpers/globalping_server.ts";
import { type Keys, siteOf } from "../../helpers/sites.ts";
import { StillClock } from "../../helpers/still_clock.ts";

const PLACES = ["Berlin", "Tokyo", "Sao Paulo"];
const SHOP = { url: "https://shop.example/status?full=1" };

interface Asking {
  token?: string;
  secrets?: Readonly<Record<string, string>>;
  clock?: StillClock;
  quorum?: number;
  signal?: AbortSignal;
}

/** Checks sites from all places in one run, all at once. */
async function check(
  server: GlobalpingServer,
  sites: readonly Keys[],
  { token, secrets = {}, clock, quorum = 2, signal = new AbortController().signal }: Asking = {},
) {
  const options = { clock: clock ?? new StillClock("2026-11-23T10:00:00Z") };
  const client = new GlobalpingClient({
    ...options,
    token,
    userAgent: "monitor-action/1 (+https://github.example)",
    base: server.url,
  });
  const globalping = new Globalping({ ...options, client, secrets: new Secrets(secrets) });
  const read = await Promise.all(sites.map((keys) => siteOf(keys)));
  return await Promise.all(
    read.map((site) =>
      Promise.all(PLACES.map((place) => globalping.probeSite({ ...site, quorum }, place, signal)))
    ),
  );
}

const brief = (results: readonly ProbeResult[]) =>
  results.map(({ state, error }) => error === undefined ? state : `${state}: ${error}`);

/** The result of a site if its probe says this. */
async function look(said: Readonly<Record<string, unknown>>, keys: Keys = SHOP, asking?: Asking) {
  await using server = globalpingServer({ places: PLACES, measure: () => said });
  const [[result]] = await check(server, [keys], asking) as [[ProbeResult]];
  return result;
}

Deno.test("a site is measured once from each location, in any of its states", async () => {
  await using server = globalpingServer({
    places: PLACES,
    measure: (place) =>
      place === "Tokyo"
        ? failed("target")
        : answered({ statusCode: place === "Berlin" ? 200 : 503 }),
  });
  const [results] = await check(server, [{ ...SHOP, retry: { delays: [1, 1] } }]);
  assertEquals(brief(results!), [
    "up",
    "down: connect ECONNREFUSED",
    "down: answered 503 Service Unavailable",
  ]);
  assertEquals(results!.map(({ attempts }) => attempts), [1, 1, 1]);
  assertEquals(server.asked.map(({ line }) => line).toSorted(), [
    ...[1, 2, 3].map((id) => `GET /v1/measurements/measurement${id}`),
    ...PLACES.map(() => "POST /v1/measurements"),
  ]);
  assertEquals(
    server.created,
    PLACES.map((magic) => ({
      type: "http",
      target: "shop.example",
      inProgressUpdates: false,
      timeout: 30,
      locations: [{ magic, limit: 1 }],
      measurementOptions: {
        protocol: "HTTPS",
        port: 443,
        request: { method: "GET", path: "/status", query: "full=1" },
      },
    })),
  );
  const { headers } = server.asked[0]!;
  assertEquals(headers.get("user-agent"), "monitor-action/1 (+https://github.example)");
  assert(headers.get("accept-encoding")?.includes("gzip"));
  assertEquals(headers.get("authorization"), null);
  const [{ code, responseTime, phases, certificate, unreached }] = results as [ProbeResult];
  assertEquals([code, responseTime, String(certificate)], [200, 120, "2027-01-01T00:00:00Z"]);
  assertEquals(phases, { dns: 10, connect: 20, tls: 30, ttfb: 50, download: 10 });
  assertEquals([unreached, results![1]!.unreached], [undefined, undefined]);
});

Deno.test("an answer is asked for again 500 ms after the last one, with its ETag", async () => {
  await using server = globalpingServer({
    places: ["Berlin"],
    measure: () => ({ result: answered(), after: 4 }),
  });
  const clock = new StillClock();
  const [results] = await check(server, [SHOP], { clock });
  assertEquals(results![0]!.state, "up");
  const tags = server.asked.filter(({ line }) => line.startsWith("GET"))
    .map(({ headers }) => headers.get("if-none-match"));
  const tag = 'W/"measurement1-false"';
  assertEquals(tags, [null, tag, tag, tag]);
  assertEquals(clock.waits, [500, 500, 500, 500]);
});

Deno.test("a result that never comes is unknown, those of other probes count", async () => {
  await using server = globalpingServer({
    places: PLACES,
    measure: (place) => ({ result: answered(), after: place === "Tokyo" ? Infinity : 1 }),
  });
  const clock = new StillClock();
  const keys = { ...SHOP, requestTimeout: 12, maxResponseTime: 2_000 };
  const [results] = await check(server, [keys], { clock });
  assertEquals(brief(results!), [
    "up",
    "unknown: the probe of Globalping was not done in time",
    "up",
  ]);
  assert(clock.elapsed() > 20_000 && clock.elapsed() <= 23_000);
  assert(clock.waits.every((wait) => wait >= 500));
});

Deno.test("a place without a probe has no result", async () => {
  const places = ["Berlin", "Sao Paulo"];
  await using server = globalpingServer({ places, measure: () => answered() });
  const [results] = await check(server, [SHOP]);
  assertEquals(brief(results!), [
    "up",
    "unknown: Globalping has no probe there now: try a wider place",
    "up",
  ]);
});

const FAULTS: readonly [name: string, fault: GlobalpingOptions["fault"], reason: string][] = [
  [
    "a firewall",
    () => new Response("<html>Access denied", { status: 403 }),
    "Globalping answered 403 Forbidden: it blocks this machine's address",
  ],
  [
    "a wrong token",
    () =>
      Response.json({ error: { type: "unauthorized", message: "Unauthorized." } }, { status: 401 }),
    "Globalping answered 401 Unauthorized: Unauthorized.: save a new GLOBALPING_TOKEN",
  ],
  [
    "out of order",
    (method) => method === "POST" ? new Response("oops", { status: 502 }) : undefined,
    "Globalping answered 502 Bad Gateway",
  ],
  [
    "not JSON",
    (method) => method === "POST" ? new Response("ok", { status: 202 }) : undefined,
    "Globalping's answer has an unexpected format",
  ],
];

for (const [name, fault, reason] of FAULTS) {
  Deno.test(`Globalping's own faults leave sites unknown, and are asked for once: ${name}`, async () => {
    await using server = globalpingServer({ places: PLACES, measure: () => answered(), fault });
    const results = await check(server, [SHOP, SHOP, SHOP]);
    for (const one of results) {
      assertEquals(brief(one), PLACES.map(() => `unknown: ${reason}`));
    }
    assertEquals(server.asked.length, 1);
  });
}

Deno.test("if Globalping can't be reached, its locations have no result", async () => {
  const server = globalpingServer({ places: PLACES, measure: () => answered() });
  await server[Symbol.asyncDispose]();
  const results = await check(server, [SHOP, SHOP]);
  assertEquals(
    new Set(results.flatMap(brief)),
    new Set(["unknown: Globalping can't be reached: connection refused"]),
  );
});

Deno.test("a request that Globalping refuses concerns its site only", async () => {
  await using server = globalpingServer({ places: PLACES, measure: () => answered() });
  const headers = [`X-Long: ${"x".repeat(9_000)}`];
  const [wrong, right] = await check(server, [{ ...SHOP, headers }, SHOP]);
  const reason = "unknown: Globalping answered 400 Bad Request: Parameter validation failed.";
  assert(brief(wrong!).every((one) => one.startsWith(reason)));
  assertEquals(brief(right!), ["up", "up", "up"]);
});

Deno.test("polls wait as long as Globalping asks, and survive a fault", async () => {
  const faults = [
    new Response("", { status: 429, headers: { "Retry-After": "5" } }),
    new Response("", { status: 503 }),
  ];
  await using server = globalpingServer({
    places: ["Berlin"],
    measure: () => answered(),
    fault: (_, path) => path.startsWith("/v1/measurements/") ? faults.shift() : undefined,
  });
  const clock = new StillClock();
  const [results] = await check(server, [SHOP], { clock });
  assertEquals(results![0]!.state, "up");
  assertEquals(clock.waits, [500, 5_000, 550]);
});

Deno.test("measurements of many sites are started one after another, and awaited together", async () => {
  await using server = globalpingServer({
    places: PLACES,
    measure: (_, { target }) => ({ result: answered(), after: target === "s1.example" ? 9 : 1 }),
  });
  const sites = Array.from({ length: 20 }, (_, index) => ({ url: `http://s${index + 1}.example` }));
  const results = await check(server, sites);
  assertEquals(new Set(results.flatMap(brief)), new Set(["up"]));
  assertEquals([server.created.length, server.mostCreating()], [60, 1]);
  assertEquals(
    server.created.map(({ target }) => `http://${target}`),
    sites.flatMap(({ url }) => [url, url, url]),
  );
});

Deno.test("once the tests of an hour are used up, a run asks no more and says until when", async () => {
  const shared = ", which all users of this address share without a GLOBALPING_TOKEN";
  for (const [token, hint] of [[undefined, shared], ["t0ken", ""]] as const) {
    await using server = globalpingServer({ places: PLACES, measure: () => answered(), tests: 4 });
    const results = await check(server, [SHOP, SHOP, SHOP], { token });
    const refused = `unknown: Globalping's limit is used up until 10:30 UTC${hint}`;
    assertEquals(results.map(brief), [
      ["up", "up", "up"],
      ["up", refused, refused],
      [refused, refused, refused],
    ]);
    assertEquals(server.asked.filter(({ line }) => line.startsWith("POST")).length, 5);
    const authorization = token === undefined ? null : `Bearer ${token}`;
    assertEquals(server.asked[0]!.headers.get("authorization"), authorization);
  }
});

Deno.test("a run that is out of time asks nothing more", async () => {
  await using server = globalpingServer({ places: PLACES, measure: () => answered() });
  const [results] = await check(server, [SHOP], { signal: AbortSignal.abort() });
  assertEquals(results!.map(({ state }) => state), ["unknown", "unknown", "unknown"]);
  assertEquals(server.asked, []);
});

Deno.test("a name server at fault counts if other locations have to confirm it", async () => {
  const said = failed("resolver", "queryA ESERVFAIL");
  const alone = await look(said, SHOP, { quorum: 1 });
  assertEquals(brief([alone]), [
    "unknown: the probe of Globalping can't look up the name: queryA ESERVFAIL",
  ]);
  assertEquals(brief([await look(said)]), ["down: queryA ESERVFAIL"]);
});

const body = (length: number, end = "") => "x".repeat(length - end.length) + end;
const CUT = { rawBody: body(10_000, "error"), truncated: true };
const OPEN = "unknown: Globalping read the first 10000 characters only, which don't decide: ";

/** What a probe says, keys of the site, and the outcome. */
const OUTCOMES: readonly [
  said: Readonly<Record<string, unknown>>,
  keys: Keys,
  outcome: string,
][] = [
  [answered({ statusCode: 404 }), {}, "down: answered 404 Not Found"],
  [answered({ statusCode: 404 }), { expectedStatusCodes: [404] }, "up"],
  [answered({ statusCode: 429, headers: { "retry-after": "60" } }), {}, "up: rate limited"],
  [
    answered({ statusCode: 301, headers: { location: "https://www.shop.example" } }),
    {},
    "unknown: answered 301, and Globalping follows no redirects: check the address that it leads to, or set maxRedirects: 0",
  ],
  [answered({ statusCode: 301, headers: { location: "/" } }), { maxRedirects: 0 }, "up"],
  [answered(), { contains: "welcome" }, "up"],
  [answered(), { contains: "hello" }, 'down: body contains "hello": found a body of 7 characters'],
  [
    answered(),
    { contains: "hello", keepBody: true },
    'down: body contains "hello": found "welcome"',
  ],
  [answered(CUT), { contains: "hello" }, `${OPEN}body contains "hello"`],
  [answered(CUT), { contains: "error" }, "up"],
  [
    answered(CUT),
    { assert: ['body not contains "error"'], keepBody: true },
    `down: body not contains "error": found "…${"x".repeat(30)}error…"`,
  ],
  [answered(CUT), { assert: ['body not contains "oops"'] }, `${OPEN}body not contains "oops"`],
  [answered(CUT), { assert: ["json $.ok == true"] }, `${OPEN}json $.ok == true`],
  [answered(CUT), { assert: ["body matches /error$/"] }, `${OPEN}body matches /error$/`],
  [
    answered({ ...CUT, statusCode: 500 }),
    { contains: "hello" },
    "down: answered 500 Internal Server Error",
  ],
  [
    answered(CUT),
    { assert: [{ that: 'body contains "hello"', severity: "degraded" }] },
    `up: ${OPEN.slice(9)}body contains "hello"`,
  ],
  [
    answered({ rawBody: '{"ok":false}' }),
    { assert: ["json $.ok == true"] },
    "down: json $.ok == true: found a boolean",
  ],
  [answered({ rawBody: null }), { method: "HEAD" }, "up"],
  [
    answered(),
    { maxResponseTime: 100 },
    "degraded: answered after 120 ms, slower than the 100 ms allowed",
  ],
  [
    answered({ tls: { ...CERTIFICATE, authorized: false, error: "DEPTH_ZERO_SELF_SIGNED_CERT" } }),
    {},
    "down: certificate is self-signed",
  ],
  [
    answered({
      tls: {
        ...CERTIFICATE,
        authorized: false,
        error: "CERT_HAS_EXPIRED",
        expiresAt: "2026-11-20T10:00:00.000Z",
      },
    }),
    {},
    "down: certificate expired 3 days ago",
  ],
  [
    answered({
      tls: { ...CERTIFICATE, authorized: false, error: "ERR_TLS_CERT_ALTNAME_INVALID" },
    }),
    { url: "https://other.example" },
    "down: certificate is for shop.example, not for other.example",
  ],
  [answered({ tls: { ...CERTIFICATE, authorized: false } }), { insecure: true }, "up"],
  [answered({ tls: null }), { url: "http://shop.example" }, "up"],
  [answered({ tls: null }), {}, "unknown: Globalping's result has an unexpected format"],
  [
    answered(),
    { inverted: true },
    "down: the check succeeded, and inverted: true expects it to fail",
  ],
  [
    answered(),
    { assert: ["certificate expires in > 60d"] },
    "degraded: certificate expires in 38 days, not as asserted: certificate expires in > 60d",
  ],
  [failed("target", "timeout\nof 5000 ms"), {}, "down: timeout of 5000 ms"],
  [
    failed("target"),
    { expectedStatusCodes: [0] },
    "up: no answer, as expected: connect ECONNREFUSED",
  ],
  [failed("target"), { inverted: true }, "up: fails as expected: connect ECONNREFUSED"],
  [
    failed("internal", "The measurement timed out."),
    {},
    "unknown: the probe of Globalping failed: The measurement timed out.",
  ],
  [
    failed("target", "Private IP ranges are not allowed."),
    {},
    "unknown: the probe of Globalping failed: Private IP ranges are not allowed.",
  ],
  [failed(undefined, ""), {}, "unknown: the probe of Globalping failed: no reason given"],
  [{ status: "offline", rawOutput: "" }, {}, "unknown: the probe of Globalping has gone offline"],
  [
    { status: "finished", statusCode: "200" },
    {},
    "unknown: Globalping's result has an unexpected format",
  ],
  [pinged(3), { check: "tcp-ping", url: "shop.example:5432" }, "up"],
  [pinged(1), { check: "icmp", url: "shop.example" }, "up"],
  [pinged(0), { check: "icmp", url: "shop.example" }, "down: no answer to the ping"],
  [
    pinged(0),
    { check: "tcp-ping", url: "shop.example", port: 25 },
    "down: none of 3 connections opened",
  ],
  [resolved("A", ["203.0.113.5"]), { check: "dns", url: "shop.example" }, "up"],
  [
    resolved("A", ["203.0.113.5"]),
    { check: "dns", url: "shop.example", expect: "203.0.113.6" },
    "down: expected 203.0.113.6, found 203.0.113.5",
  ],
  [
    resolved("TXT", ['"v=spf1 " "-all"']),
    { check: "dns", url: "shop.example", record: "TXT", expect: "v=spf1 -all" },
    "up",
  ],
  [
    resolved("MX", ["10 Mail.shop.example."]),
    { check: "dns", url: "shop.example", record: "MX", expect: "mail.shop.example" },
    "up",
  ],
  [
    resolved("A", [], "NXDOMAIN"),
    { check: "dns", url: "shop.example" },
    "down: shop.example does not exist (NXDOMAIN)",
  ],
];

for (const [said, keys, outcome] of OUTCOMES) {
  Deno.test(`what a probe says: ${outcome} ${JSON.stringify(keys)}`, async () => {
    const { state, error } = await look(said, { ...SHOP, ...keys });
    assertEquals(error === undefined ? state : `${state}: ${error}`, outcome);
  });
}

/** Keys of a site and the request, or the key that keeps it from being checked. */
const REQUESTS: readonly [keys: Keys, request: unknown][] = [
  [{ check: "tcp-ping", url: "db.example:5432", ipv6: true }, {
    ...{ type: "ping", target: "db.example", timeout: 10 },
    measurementOptions: { protocol: "TCP", port: 5432, ipVersion: 6 },
  }],
  [{ check: "icmp", url: "203.0.113.5", ipv4: true }, {
    ...{ type: "ping", target: "203.0.113.5", timeout: 10, measurementOptions: {} },
  }],
  [{ check: "dns", url: "bücher.example", record: "AAAA", resolver: "9.9.9.9:5353" }, {
    ...{ type: "dns", target: "xn--bcher-kva.example", timeout: 10 },
    measurementOptions: { query: { type: "AAAA" }, resolver: "9.9.9.9", port: 5353 },
  }],
  [
    {
      url: "http://[2001:db8::1]:8080/",
      method: "options",
      headers: ["X-A: 1", "Host: shop.example", "x-b: 2", "User-Agent: me"],
      requestTimeout: 2,
      maxResponseTime: 1_000,
    },
    {
      ...{ type: "http", target: "2001:db8::1", timeout: 5 },
      measurementOptions: {
        ...{ protocol: "HTTP", port: 8080 },
        request: {
          ...{ method: "OPTIONS", path: "/", host: "shop.example" },
          headers: { "X-A": "1", "x-b": "2" },
        },
      },
    },
  ],
];

Deno.test("checks become measurements", async () => {
  for (const [keys, request] of REQUESTS) {
    const { target } = await siteOf(keys);
    assertEquals(toMeasurementRequest(target, new Secrets()), request as never);
  }
});

/** Keys of sites that Globalping can't or must not check. */
const OBSTACLES: readonly [keys: Keys, reason: string][] = [
  [{ url: "https://shop.example/?k=$KEY" }, "so $KEY is not sent"],
  [{ url: "https://me:pass@shop.example/" }, "so credentials are not sent"],
  [{ headers: ["X-Key: $KEY"] }, "so $KEY is not sent"],
  [{ headers: ["Authorization: Basic abc"] }, "so credentials are not sent"],
  [{ headers: ["X-Api-Key: abc"] }, "so credentials are not sent"],
  [{ headers: ["PRIVATE-TOKEN: abc"] }, "so credentials are not sent"],
  [{ method: "POST" }, "it knows only GET, HEAD, OPTIONS, not POST"],
  [{ method: "GET", body: "x" }, "it sends no bodies"],
  [{ steps: [{ url: "https://shop.example" }] }, "it makes one request"],
  [{ clientCertificate: "a.pem", clientKey: "b.pem" }, "it presents no certificates"],
  [{ ca: "ca.pem" }, "it trusts public certificate authorities only"],
  [{ proxy: "http://proxy.example:3128" }, "it uses no proxies"],
  [{ redirects: "anywhere" }, "it follows no redirects"],
  [{ url: "http://10.1.2.3" }, '"10.1.2.3" is not a public address'],
  [{ url: "http://[::1]/" }, '"::1" is not a public address'],
  [{ url: "http://0x7f.1/" }, '"127.0.0.1" is not a public address'],
  [{ url: "http://localhost:3000" }, '"localhost" is not a public address'],
  [{ url: "http://router.lan" }, '"router.lan" is not a public address'],
  [{ url: "http://nas" }, '"nas" is not a public address'],
  [{ check: "ssl", url: "shop.example" }, "it makes no checks of type ssl"],
  [{ check: "tcp-ping", url: "shop.example", port: "$PORT" }, "so $PORT is not sent"],
  [
    { check: "dns", url: "shop.example", resolver: "192.168.1.1" },
    '"192.168.1.1" is not a public address',
  ],
];

Deno.test("nothing is sent of sites that Globalping can't or must not check", async () => {
  await using server = globalpingServer({ places: PLACES, measure: () => answered() });
  for (const [keys, reason] of OBSTACLES) {
    const [results] = await check(server, [{ ...SHOP, ...keys }], { secrets: { KEY: "s3cret" } });
    for (const outcome of brief(results!)) {
      assert(outcome.startsWith("unknown: Globalping can't check this site: "), outcome);
      assert(outcome.includes(reason), outcome);
    }
  }
  // A value that is written out although it is a secret.
  const written = { url: "https://shop.example/s3cret" };
  // A name that is none of GitHub's.
  const lower = { ...SHOP, headers: ["X-Key: $key"] };
  const results = await check(server, [written, lower], {
    secrets: { KEY: "s3cret", key: "s3cret" },
  });
  assertEquals(
    new Set(results.flatMap(brief)),
    new Set(["unknown: Globalping is not asked: the request contains a secret"]),
  );
  assertEquals(server.asked, []);
});

Deno.test("a site that asks a probe to come later does not rest", async () => {
  const result = await look(answered({ statusCode: 429, headers: { "retry-after": "3600" } }));
  assertEquals([result.state, result.restUntil], ["up", undefined]);
});

Deno.test("texts of probes are redacted", async () => {
  const keys = { ...SHOP, contains: "ready", keepBody: true };
  const result = await look(answered({ rawBody: "token s3cret" }), keys, {
    secrets: { KEY: "s3cret" },
  });
  assertEquals(brief([result]), ['down: body contains "ready": found "token ***"']);
});
