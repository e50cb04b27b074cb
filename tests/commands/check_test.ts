import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { makeAuthority, makeCertificate } from "../helpers/certificates.ts";
import { nameServer } from "../helpers/name_server.ts";
import { runTask } from "../helpers/program.ts";
import { makeScratch, type Scratch } from "../helpers/scratch.ts";
import { closedPort, httpServer, tlsServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

const AUTHORITY = makeAuthority("Own Authority");

async function folderOf(sites: unknown, others: Record<string, string> = {}): Promise<Scratch> {
  const scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", JSON.stringify({ sites }));
  for (const [name, text] of Object.entries(others)) await scratch.write(name, text);
  return scratch;
}

async function filesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}

Deno.test("check shows redirects, address, headers, phases and verdict of one site, and writes nothing", async () => {
  await using server = httpServer(({ url }) =>
    url.endsWith("/old")
      ? new Response(null, { status: 301, headers: { Location: "/new" } })
      : new Response("hello", { headers: { "Content-Type": "text/x-hello" } })
  );
  await using scratch = await folderOf([
    { name: "Shop", url: `${server.url}/old`, description: "Where people buy" },
    { name: "Other", url: "http://127.0.0.1:1" },
  ]);
  for (const name of ["Shop", "shop", "SHOP"]) {
    const { code, stdout, stderr } = await runTask("check", { folder: scratch.path, args: [name] });
    assertEquals([code, stderr], [0, ""]);
    assertStringIncludes(stdout, "Shop  http  Where people buy\n");
    assertStringIncludes(
      stdout,
      "    Accept: */*\n    Accept-Encoding: identity\n" +
        `    → 301 Moved Permanently\n  GET ${server.url}/new\n    → 200 OK\n`,
    );
    assertMatch(stdout, /^ {2}address +127\.0\.0\.1:\d+$/m);
    assertMatch(stdout, /^ {2}content-type +text\/x-hello$/m);
    assertMatch(stdout, /^ {2}body +5 bytes$/m);
    assertMatch(stdout, /^ {2}first byte +[\d.]+ ms/m);
    assertMatch(stdout, /^ {2}together +[\d.]+ ms$/m);
    assert(stdout.endsWith("\n✔ up\n"), stdout);
  }
  assertEquals(await filesIn(scratch.path), [".monitorrc.yml"]);
});

thoroughly("check shows the certificate, whether it is accepted or not", async () => {
  await using good = httpServer(() => new Response(), {
    certificate: makeCertificate({ issuer: AUTHORITY, to: 20.5 }),
  });
  await using old = httpServer(() => new Response(), {
    certificate: makeCertificate({ issuer: AUTHORITY, from: -30, to: -2.5 }),
  });
  await using scratch = await folderOf([
    { name: "Good", url: good.url, ca: "ca.pem" },
    { name: "Old", url: old.url, ca: "ca.pem" },
  ], { "ca.pem": AUTHORITY.cert });
  const fine = await runTask("check", { folder: scratch.path, args: ["Good"] });
  assertMatch(fine.stdout, /^ {2}TLS +TLSv1\.[23]$/m);
  assertMatch(fine.stdout, /^ {2}certificate +.*, issued by Own Authority$/m);
  assertMatch(fine.stdout, /valid from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \(20 days left\)/);
  const bad = await runTask("check", { folder: scratch.path, args: ["Old"] });
  assertEquals(bad.code, 0);
  assertStringIncludes(bad.stdout, "(expired 2 days ago)");
  assertStringIncludes(bad.stdout, "✘ down: certificate expired 2 days ago");
});

thoroughly("check shows the chain of an ssl check, and what is about to expire", async () => {
  const between = makeAuthority("R11", { to: 5.5, issuer: AUTHORITY });
  await using server = await tlsServer(makeCertificate({ issuer: between, to: 60.5 }));
  await using scratch = await folderOf([
    { name: "Mail", check: "ssl", url: "localhost", port: server.port, ca: "ca.pem" },
  ], { "ca.pem": AUTHORITY.cert });
  const { stdout } = await runTask("check", { folder: scratch.path, args: ["Mail"] });
  assertStringIncludes(stdout, `  TLS localhost:${server.port}\n    → handshake done\n`);
  assertMatch(stdout, /^ {2}certificate +localhost, issued by R11\n +valid .* \(60 days left\)$/m);
  assertMatch(stdout, /^ {2}signed by +R11, issued by Own Authority\n +valid .* \(5 days left\)$/m);
  assertMatch(
    stdout,
    /^\S+ degraded: certificate expires in 5 days \([\d-]+\): the intermediate certificate "R11"$/m,
  );
});

thoroughly("check shows what a name server answered, and what a WebSocket said", async () => {
  await using server = await nameServer({ records: { "A shop.example": ["203.0.113.7"] } });
  await using sockets = httpServer((request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => socket.send(`you said ${data}`);
    return response;
  });
  const { resolver } = server;
  const expect = "203.0.113.9";
  await using scratch = await folderOf([
    { name: "Name", check: "dns", url: "shop.example", resolver, expect },
    {
      name: "Socket",
      check: "ws",
      url: `ws://127.0.0.1:${sockets.port}`,
      body: "$KEY",
      expect: "y",
    },
  ], { ".env": "KEY=s3cr3t-value\n" });
  const name = await runTask("check", { folder: scratch.path, args: ["Name"] });
  assertStringIncludes(name.stdout, "  A shop.example\n    → NOERROR\n");
  assertMatch(name.stdout, new RegExp(`^ {2}resolver +${resolver}\n {2}answer +203.0.113.7$`, "m"));
  assertStringIncludes(name.stdout, "✘ down: expected 203.0.113.9, found 203.0.113.7\n");
  const args = ["Socket", "--secrets", ".env"];
  const socket = await runTask("check", { folder: scratch.path, args });
  assertStringIncludes(socket.stdout, "    → 101 Switching Protocols\n");
  assertMatch(socket.stdout, /^ {2}answer +you said \*\*\*$/m);
  assert(!socket.stdout.includes("bytes"), socket.stdout);
  assert(socket.stdout.endsWith("\n✔ up\n"), socket.stdout);
});

thoroughly("check shows no secret, neither its own nor what a server makes of it", async () => {
  await using server = httpServer(({ url }) => {
    const key = new URL(url).searchParams.get("key");
    return key === null
      ? new Response("ok", { headers: { Server: "echo s3cr3t-value" } })
      : new Response(null, {
        status: 302,
        headers: { Location: `/${key}-${key.toUpperCase()}` },
      });
  });
  await using scratch = await folderOf([{ name: "A", url: `${server.url}/?key=$KEY` }], {
    ".env": "KEY=s3cr3t-value\n",
  });
  for (const args of [["A", "--secrets", ".env"], ["A", "--json", "--secrets", ".env"]]) {
    const { code, stdout, stderr } = await runTask("check", { folder: scratch.path, args });
    assertEquals(code, 0);
    assert(!/s3cr3t/i.test(stdout + stderr), stdout);
    assertStringIncludes(stdout, "?key=$KEY");
  }
});

Deno.test("check --json gives the same as data", async () => {
  await using server = httpServer(() => new Response("ok", { status: 503 }));
  await using scratch = await folderOf([{ name: "A", url: server.url }]);
  const { code, stdout } = await runTask("check", { folder: scratch.path, args: ["A", "--json"] });
  const { name, state, code: status, error, details } = JSON.parse(stdout);
  assertEquals([code, name, state, status, error], [
    0,
    "A",
    "down",
    503,
    "answered 503 Service Unavailable",
  ]);
  assertEquals(details.hops, [{
    method: "GET",
    url: server.url,
    status: 503,
    words: "Service Unavailable",
  }]);
});

Deno.test("check lists every assertion with what was found, and masks secrets in it", async () => {
  await using server = httpServer(() => new Response(`${"-".repeat(90)}s3cr3t-value`));
  await using scratch = await folderOf([{
    name: "A",
    url: server.url,
    assert: [
      "status == 200",
      "body contains $KEY",
      { that: "header x-cache exists", severity: "degraded" },
      "body contains ok",
    ],
  }], { ".env": "KEY=s3cr3t-value\n" });
  const { code, stdout } = await runTask("check", {
    folder: scratch.path,
    args: ["A", "--secrets", ".env"],
  });
  assertEquals(code, 0);
  const found = `found "${"-".repeat(90)}***"`;
  assertStringIncludes(
    stdout,
    `
  ✔ status == 200
    found 200
  ✔ body contains $KEY
    ${found}
  ✘ header x-cache exists (degraded)
    there is no such header
  ✘ body contains ok
    ${found}

✘ down: body contains ok: ${found}
`,
  );
});

Deno.test("check tries a TCP port, and looks at a site once, without confirming", async () => {
  await using server = httpServer(() => new Response());
  await using scratch = await folderOf([
    { name: "Open", check: "tcp-ping", url: new URL(server.url).host },
    { name: "Closed", check: "tcp-ping", url: `127.0.0.1:${closedPort()}` },
  ]);
  const open = await runTask("check", { folder: scratch.path, args: ["Open"] });
  assertMatch(open.stdout, /^ {2}CONNECT 127\.0\.0\.1:\d+\n {4}→ connected$/m);
  assertMatch(open.stdout, /address +127\.0\.0\.1:\d+/);
  const closed = await runTask("check", { folder: scratch.path, args: ["Closed"] });
  assertStringIncludes(closed.stdout, "→ no answer\n\n✘ down: connection refused (127.0.0.1:");
});

thoroughly("check names the sites there are where it can't find one", async () => {
  await using scratch = await folderOf([
    { name: "Website", url: "https://example.com" },
    { name: "Broken", url: "hhttps://nowhere" },
  ]);
  const cases: [args: string[], message: string][] = [
    [[], "Cannot check a site without its name: the sites are Website"],
    [["Websit"], 'Cannot find a site "Websit": did you mean "Website"? the sites are Website'],
    [["Elsewhere"], 'Cannot find a site "Elsewhere": the sites are Website'],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runTask("check", { folder: scratch.path, args });
    assertEquals(code, 2);
    assertStringIncludes(stderr, `error: ${message}\n`);
    assertStringIncludes(stderr, "sites[1].url: expected an address");
  }
});

Deno.test("check shows of a request what was configured, with the names of secrets", async () => {
  await using server = httpServer(() => new Response("ok"));
  const { host } = new URL(server.url);
  await using scratch = await folderOf([{
    name: "A",
    url: `http://me:$KEY@${host}/?key=$KEY`,
    headers: ["X-Key: $KEY", "X-Plan: gold", "x-key: twice"],
    body: "token=$KEY",
  }], { ".env": "KEY=s3cr3t-value\n" });
  const { code, stdout } = await runTask("check", {
    folder: scratch.path,
    args: ["A", "--secrets", ".env"],
  });
  assertEquals(code, 0);
  assertStringIncludes(
    stdout,
    `  POST http://me:$KEY@${host}/?key=$KEY\n    X-Key: $KEY\n    X-Plan: gold\n    x-key: twice\n`,
  );
  assertStringIncludes(stdout, "\n    Authorization: ***\n");
  assert(!/s3cr3t|content-length/i.test(stdout.split("→")[0]!), stdout);
});

thoroughly("check masks a secret before it cuts a text, and steers no terminal", async () => {
  await using server = httpServer(() =>
    new Response(null, {
      status: 401,
      headers: { "WWW-Authenticate": `Basic realm="${"r".repeat(175)}s3cr3t-value"` },
    })
  );
  await using scratch = await folderOf([{ name: "A", url: server.url, headers: ["X-Key: $KEY"] }], {
    ".env": "KEY=s3cr3t-value\n",
  });
  for (const args of [["A"], ["A", "--json"]]) {
    const { stdout } = await runTask("check", {
      folder: scratch.path,
      args: [...args, "--secrets", ".env"],
    });
    assertStringIncludes(stdout, "rrr***");
    assert(!stdout.includes("s3cr"), stdout);
  }
});

thoroughly(
  "check shows nothing that tells a host that is secret, but how long its certificate lasts",
  async () => {
    await using server = httpServer(
      () => new Response("ok", { headers: { Server: "at 127.0.0.1" } }),
      { certificate: makeCertificate({ issuer: AUTHORITY, to: 20.5 }) },
    );
    await using scratch = await folderOf([
      { name: "Web", url: "https://$HOST/", ca: "ca.pem" },
      { name: "Port", check: "tcp-ping", url: "$HOST" },
    ], { "ca.pem": AUTHORITY.cert, ".env": `HOST=localhost:${server.port}\n` });
    const [web, port] = await Promise.all(
      ["Web", "Port"].map((name) =>
        runTask("check", { folder: scratch.path, args: [name, "--secrets", ".env"] })
      ),
    );
    assertStringIncludes(web!.stdout, "  GET https://$HOST/\n");
    assertMatch(web!.stdout, /certificate +valid from .* \(20 days left\)\n/);
    assertStringIncludes(port!.stdout, "  CONNECT $HOST\n    → connected\n");
    for (const { stdout } of [web!, port!]) {
      assert(stdout.endsWith("✔ up\n"), stdout);
      assert(!/127\.0\.0\.1|::1|localhost|Own Authority/.test(stdout), stdout);
    }
  },
);

thoroughly("check says of the last connection only what was seen of it", async () => {
  const certificate = makeCertificate({ issuer: AUTHORITY });
  await using plain = httpServer(() => new Response("ok"));
  const refused = `http://127.0.0.1:${closedPort()}/`;
  await using first = httpServer(
    ({ url }) => Response.redirect(url.endsWith("/refused") ? refused : plain.url, 302),
    { certificate },
  );
  await using scratch = await folderOf([
    { name: "Plain", url: first.url, ca: "ca.pem" },
    { name: "Refused", url: `${first.url}/refused`, ca: "ca.pem" },
  ], { "ca.pem": AUTHORITY.cert });
  const leftTls = await runTask("check", { folder: scratch.path, args: ["Plain"] });
  assertMatch(leftTls.stdout, new RegExp(`address +127\\.0\\.0\\.1:${plain.port}\n`));
  assert(!/certificate|TLSv1/.test(leftTls.stdout), leftTls.stdout);
  const { stdout } = await runTask("check", { folder: scratch.path, args: ["Refused"] });
  assertStringIncludes(stdout, `  GET ${refused}\n    → no answer\n`);
  assert(!/address|certificate|body/.test(stdout), stdout);
});

Deno.test("check fails where a fault of our own keeps it from looking", async () => {
  await using scratch = await folderOf([{ name: "A", url: "http://127.0.0.1/$NOPE" }]);
  const { code, stdout } = await runTask("check", { folder: scratch.path, args: ["A"] });
  assertEquals(code, 2);
  assertStringIncludes(stdout, "? unknown: $NOPE is not among the secrets");
});
