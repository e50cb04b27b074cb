import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { makeAuthority, makeCertificate } from "../../helpers/certificates.ts";
import { makeScratch } from "../../helpers/scratch.ts";
import { httpServer, rawServer } from "../../helpers/servers.ts";
import { type Keys, observe, type ObserveOptions } from "../../helpers/sites.ts";

const MIB = 1024 * 1024;

/** Kind and reason of a failure; undefined if the site is up. */
async function wrongWith(keys: Keys, options?: ObserveOptions): Promise<string | undefined> {
  const { failure, degradation } = await observe(keys, options);
  assert(failure === undefined || degradation === undefined);
  if (degradation !== undefined) return `degraded: ${degradation}`;
  return failure === undefined ? undefined : `${failure.kind}: ${failure.reason}`;
}

/** A server whose every answer is the same. */
function answering(body: BodyInit | null, headers: HeadersInit = {}, status = 200) {
  return httpServer(() => new Response(body, { headers, status }));
}

Deno.test("http asserts status, body, JSON, headers and response time", async () => {
  await using server = answering('{"status": "red"}', { "Content-Type": "application/json" });
  const cases: [assertion: string, wrong?: string][] = [
    ["status in 200..299"],
    ["status == 204", "answer: status == 204: found 200"],
    ['body contains "red"'],
    ['body contains "green"', 'answer: body contains "green": found a body of 17 characters'],
    ["body matches /gr[e]+n/", "answer: body matches /gr[e]+n/: found a body of 17 characters"],
    ['json $.status == "green"', 'answer: json $.status == "green": found a text of 3 characters'],
    ["header content-type contains json"],
    ["header x-cache exists", "answer: header x-cache exists: the header is missing"],
    ["responseTime < 10s"],
    [
      "certificate expires in > 14d",
      "degraded: certificate expires in > 14d: no certificate was presented",
    ],
  ];
  for (const [assertion, wrong] of cases) {
    assertEquals(await wrongWith({ url: server.url, assert: [assertion] }), wrong);
  }
});

Deno.test("the first assertion that means down decides, else the first that means degraded", async () => {
  await using server = answering("ok");
  const late = { that: "body contains late", severity: "degraded" };
  const slow = { that: "body contains slow", severity: "degraded" };
  const gone = { that: "body contains gone", severity: "down" };
  const { url } = server;
  assertEquals(
    await wrongWith({ url, assert: ["body contains ok", late, slow] }),
    "degraded: body contains late: found a body of 2 characters",
  );
  assertEquals(
    await wrongWith({ url, assert: [late, gone, "body contains more"] }),
    "answer: body contains gone: found a body of 2 characters",
  );
});

Deno.test("assertions that define a down status replace the default status codes", async () => {
  await using server = answering("here", {}, 404);
  const { url } = server;
  const degraded = { that: "status == 200", severity: "degraded" };
  const cases: [keys: Keys, wrong?: string][] = [
    [{ assert: ["body contains here"] }, "answer: answered 404 Not Found"],
    [{ assert: [degraded] }, "answer: answered 404 Not Found"],
    [{ assert: ["status in 404, 410"] }],
    [{ assert: ["status in 200..299"] }, "answer: status in 200..299: found 404"],
    [
      { assert: ["status < 500"], expectedStatusCodes: [200] },
      "answer: answered 404 Not Found, expected 200",
    ],
    [{ assert: [degraded], expectedStatusCodes: [404] }, "degraded: status == 200: found 404"],
  ];
  for (const [keys, wrong] of cases) assertEquals(await wrongWith({ url, ...keys }), wrong);
});

Deno.test("assertions are about the last answer", async () => {
  await using server = httpServer(({ url }) =>
    url.endsWith("/old")
      ? new Response("moved", { status: 302, headers: { Location: "/new", "X-Old": "yes" } })
      : new Response("here")
  );
  const url = `${server.url}/old`;
  const assertions = ["status == 200", "body == here", "header x-old not exists"];
  assertEquals(await wrongWith({ url, assert: assertions }), undefined);
  assertEquals(
    await wrongWith({ url, assert: assertions, maxRedirects: 0 }),
    "answer: status == 200: found 302",
  );
});

Deno.test("a body is read in the charset that its content type names, else as UTF-8", async () => {
  const latin = Uint8Array.from("caf\xe9", (character) => character.charCodeAt(0));
  const utf8 = new TextEncoder().encode("\ufeffcafé");
  const cases: [body: Uint8Array<ArrayBuffer>, type: string][] = [
    [latin, "text/html; charset=iso-8859-1"],
    [latin, 'text/html; foo=bar; Charset="Windows-1252"'],
    [utf8, "text/html"],
    [utf8, "text/html; charset=klingon"],
    [
      Uint8Array.from([...'"café"'].flatMap((one) => [one.charCodeAt(0), 0])),
      "a/b; charset=utf-16le",
    ],
  ];
  for (const [body, type] of cases) {
    await using server = answering(body, { "Content-Type": type });
    assertEquals(
      await wrongWith({ url: server.url, assert: ["body contains café"] }),
      undefined,
      type,
    );
  }
});

Deno.test("an empty body and one that is not JSON are reported", async () => {
  const of = 'json $.a == "b"';
  for (const [body, status] of [["", 200], [null, 204]] as const) {
    await using server = answering(body, {}, status);
    assertEquals(
      await wrongWith({ url: server.url, assert: [of] }),
      `answer: ${of}: the body is empty`,
    );
    assertEquals(
      await wrongWith({ url: server.url, assert: ["body contains ok"] }),
      "answer: body contains ok: found an empty body",
    );
  }
  await using server = answering("<h1>Hello</h1>");
  assertEquals(
    await wrongWith({ url: server.url, assert: [of] }),
    `answer: ${of}: the body is not JSON`,
  );
});

Deno.test("assertions see the first MiB of a body", async () => {
  const begin = '{"status": "green", "padding": "';
  const body = `${begin}${"x".repeat(MIB - begin.length - 3)}end${"y".repeat(500)}"}`;
  await using server = answering(body);
  const { url } = server;
  assertEquals(
    await wrongWith({ url, assert: ["body contains end", "body not contains y"] }),
    undefined,
  );
  const of = "json $.status == green";
  assertEquals(
    await wrongWith({ url, assert: [of] }),
    `answer: ${of}: the body is longer than the 1 MiB that is read`,
  );
  const wrong = await wrongWith({ url, keepBody: true, assert: ["body not contains end"] });
  assertEquals(wrong, `answer: body not contains end: found "…${"x".repeat(30)}end…"`);
});

Deno.test("a repeated header is asserted as one value, joined by commas", async () => {
  await using server = await rawServer((socket) =>
    socket.once(
      "data",
      () => socket.end("HTTP/1.1 200 OK\r\nX-A: one\r\nX-A: two\r\nContent-Length: 0\r\n\r\n"),
    )
  );
  assertEquals(
    await wrongWith({
      url: server.url,
      assert: ['header x-a == "one, two"', "header x-a contains none"],
    }),
    'answer: header x-a contains none: found "one, two"',
  );
});

Deno.test("the remaining validity of a certificate is asserted, accepted or not", async () => {
  const authority = makeAuthority();
  await using server = httpServer(() => new Response("ok"), {
    certificate: makeCertificate({ issuer: authority, to: 9.5 }),
  });
  await using scratch = await makeScratch();
  await scratch.write("ca.pem", authority.cert);
  for (const trust of [{ ca: `${scratch.path}/ca.pem` }, { insecure: true }]) {
    const site = { url: server.url, ...trust };
    assertEquals(await wrongWith({ ...site, assert: ["certificate expires in > 9d"] }), undefined);
    assertEquals(
      await wrongWith({ ...site, assert: ["certificate expires in > 14d"] }),
      "degraded: certificate expires in 9 days, not as asserted: certificate expires in > 14d",
    );
    const strict = { that: "certificate expires in > 14d", severity: "down" };
    assertEquals(
      await wrongWith({ ...site, assert: [strict] }),
      "answer: certificate expires in 9 days, not as asserted: certificate expires in > 14d",
    );
  }
});

Deno.test("secrets are put into assertions, and shown by name", async () => {
  await using server = answering("token s3cr.t-value", { "X-Key": "s3cr.t-value" });
  const { url } = server;
  const secrets = { KEY: "s3cr.t-value", CODE: "7" };
  const good = ["body contains $KEY", 'header x-key == "$KEY"', "body matches /^token $KEY$/"];
  assertEquals(await wrongWith({ url, assert: good }, { secrets }), undefined);
  const cases: [assertion: string, wrong: string][] = [
    ["body not contains $KEY", 'answer: body not contains $KEY: found "token ***"'],
    ["body matches /$KEY!/", 'answer: body matches /$KEY!/: found "token ***"'],
    ["body matches /\\$KEY/", 'answer: body matches /\\$KEY/: found "token ***"'],
    ["header x-key != $KEY", 'answer: header x-key != $KEY: found "***"'],
    [
      "body contains $OTHER",
      "configuration: secret OTHER is missing: pass --secrets FILE, or save it with gh secret set OTHER",
    ],
  ];
  for (const [assertion, wrong] of cases) {
    const keys = { url, assert: [assertion], keepBody: true };
    assertEquals(await wrongWith(keys, { secrets }), wrong);
  }
});

Deno.test("values are shown on one line, redacted before they are cut, without control characters", async () => {
  const secret = "s3cret-value-of-the-site";
  await using server = answering(
    `error:\n\x1b[31m database\u202egone ${"-".repeat(60)}${secret}${"z".repeat(300)}`,
  );
  const keys = { url: server.url, assert: ["body contains ok"], keepBody: true };
  const wrong = await wrongWith(keys, {
    secrets: { KEY: secret },
  });
  assertEquals(
    wrong,
    `answer: body contains ok: found "error: [31m database gone ${"-".repeat(60)}***${
      "z".repeat(10)
    }…"`,
  );
});

Deno.test("a secret is redacted also where the part of a body that is read ends within it", async () => {
  const secret = "s3cret-value-of-the-site";
  await using server = answering(" ".repeat(MIB - 10) + secret);
  for (const assertion of ["body contains ok", "body not contains s3cret"]) {
    const keys = { url: server.url, assert: [assertion], keepBody: true };
    assertEquals(
      await wrongWith(keys, { secrets: { KEY: secret } }),
      `answer: ${assertion}: found "***…"`,
    );
  }
});

Deno.test("a pattern that takes too long is an internal fault, which hides no failure", async () => {
  await using server = answering("a".repeat(MIB - 1) + "b");
  const { url } = server;
  const endless = "body matches /^(a+)+$/";
  const tooLong = `configuration: ${endless}: the pattern took over 500 ms: make it simpler`;
  const degraded = { that: endless, severity: "degraded" };
  const { failure, details } = await observe({
    url,
    assert: [degraded, "body contains ab", "body matches /b$/"],
  }, { detailed: true });
  assertEquals(`${failure!.kind}: ${failure!.reason}`, tooLong);
  assertEquals(
    details!.assertions!.at(-1)!.found,
    "not tried, other patterns took the 500 ms that there are",
  );
  assertEquals(
    await wrongWith({ url, assert: [endless, "status == 204"] }),
    "answer: status == 204: found 200",
  );
});

Deno.test("Upptime's texts in the body are assertions", async () => {
  await using server = answering("all is fine");
  const { url } = server;
  const cases: [keys: Keys, wrong?: string][] = [
    [
      { __dangerous__body_down: "fine" },
      'answer: body not contains "fine": found a body of 11 characters',
    ],
    [{ __dangerous__body_down: "bad" }],
    [
      { __dangerous__body_down: ["bad", "fine"] },
      'answer: body not contains "fine": found a body of 11 characters',
    ],
    [
      { __dangerous__body_degraded: "fine" },
      'degraded: body not contains "fine": found a body of 11 characters',
    ],
    [
      { __dangerous__body_down_if_text_missing: 'the "best"' },
      'answer: body contains "the \\"best\\"": found a body of 11 characters',
    ],
    [{ __dangerous__body_down_if_text_missing: ["all", "fine"] }],
    [{ contains: "fine" }],
    [{ contains: ["all", 7] }, 'answer: body contains "7": found a body of 11 characters'],
    [
      { __dangerous__body_degraded_if_text_missing: 7 },
      'degraded: body contains "7": found a body of 11 characters',
    ],
    [
      { __dangerous__body_degraded: "fine", __dangerous__body_down_if_text_missing: "great" },
      'answer: body contains "great": found a body of 11 characters',
    ],
    [
      { assert: ["body contains well"], __dangerous__body_down: "fine" },
      "answer: body contains well: found a body of 11 characters",
    ],
  ];
  for (const [keys, wrong] of cases) assertEquals(await wrongWith({ url, ...keys }), wrong);
});

Deno.test("the details contain every assertion and if it holds", async () => {
  await using server = answering("ok");
  const { details } = await observe({
    url: server.url,
    assert: ["status == 200", { that: "body contains fine", severity: "degraded" }],
    keepBody: true,
  }, { detailed: true });
  assertEquals(details!.assertions, [
    { text: "status == 200", severity: "down", holds: true, found: "found 200" },
    { text: "body contains fine", severity: "degraded", holds: false, found: 'found "ok"' },
  ]);
  const { failure } = await observe({ url: "http://127.0.0.1:1/", assert: ["body contains ok"] });
  assertStringIncludes(failure!.reason, "connection refused");
});
