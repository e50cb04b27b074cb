import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { machineClock } from "../helpers/calendar.ts";
import { makeAuthority, makeCertificate } from "../helpers/certificates.ts";
import { githubServer } from "../helpers/github_server.ts";
import { nameServer } from "../helpers/name_server.ts";
import { runTask } from "../helpers/program.ts";
import { makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer, tlsServer } from "../helpers/servers.ts";

Deno.test("dispatch says what is missing, and what to change if GitHub refuses", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const folder = scratch.path;
  const dispatch = (args: string[], env: Record<string, string> = {}) =>
    runTask("dispatch", { folder, args, env: { ...github.env, ...env } });
  const refusals: [args: string[], env: Record<string, string>, message: RegExp][] = [
    [[], {}, /an event is missing \(the events are uptime, response_time, graphs, static_site,/],
    [["sumary"], {}, /"sumary" is not an event, did you mean "summary"\? \(the events are/],
    [["up", "time"], {}, /"up time" is not an event, did you mean "uptime"\?/],
    [["summary"], { GITHUB_REPOSITORY: "" }, /the repository is unknown; set GITHUB_REPOSITORY/],
    [["summary"], { HOST_PAT: "" }, /no token is set; set HOST_PAT or GITHUB_TOKEN/],
  ];
  for (const [args, env, message] of refusals) {
    const { code, stderr } = await dispatch(args, env);
    assertEquals(code, 2);
    assertMatch(stderr, message);
  }
  github.account("monitor-bot").permissions = { issues: "write" };
  const { code, stderr } = await dispatch(["summary"]);
  assertEquals(code, 1);
  assertMatch(
    stderr,
    /^error: Cannot start the workflows for "summary" in acme\/status: .*"contents: write" under permissions:/,
  );
});

const AUTHORITY = makeAuthority("Own Authority");

async function folderOf(sites: unknown, others: Record<string, string> = {}): Promise<Scratch> {
  const scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", JSON.stringify({ sites }));
  for (const [name, text] of Object.entries(others)) await scratch.write(name, text);
  return scratch;
}

Deno.test("check shows the certificate chain of an ssl check, and which certificate expires soon", async () => {
  const between = makeAuthority("R11", { to: 5.5, issuer: AUTHORITY });
  await using server = await tlsServer(makeCertificate({ issuer: between, to: 60.5 }));
  await using scratch = await folderOf([
    { name: "Mail", check: "ssl", url: "localhost", port: server.port, ca: "ca.pem" },
  ], { "ca.pem": AUTHORITY.cert });
  const { stdout } = await runTask("check", {
    folder: scratch.path,
    args: ["Mail"],
    clock: machineClock,
  });
  assertStringIncludes(stdout, `  TLS localhost:${server.port}\n    → handshake done\n`);
  assertMatch(stdout, /^ {2}certificate +localhost, issued by R11\n +valid .* \(60 days left\)$/m);
  assertMatch(stdout, /^ {2}signed by +R11, issued by Own Authority\n +valid .* \(5 days left\)$/m);
  assertMatch(
    stdout,
    /^\S+ degraded: certificate expires in 5 days \([\d-]+\): the intermediate certificate "R11"$/m,
  );
});

Deno.test("check shows the answers of a name server and of a WebSocket", async () => {
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

Deno.test("check masks a secret before it cuts a text, and steers no terminal", async () => {
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

Deno.test("check hides everything that reveals a secret host, but shows how long its certificate is valid", async () => {
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
      runTask("check", {
        folder: scratch.path,
        args: [name, "--secrets", ".env"],
        clock: machineClock,
      })
    ),
  );
  assertStringIncludes(web!.stdout, "  GET https://$HOST/\n");
  assertMatch(web!.stdout, /certificate +from .* \(20 days left\)\n/);
  assertStringIncludes(port!.stdout, "  CONNECT $HOST\n    → connected\n");
  for (const { stdout } of [web!, port!]) {
    assert(stdout.endsWith("✔ up\n"), stdout);
    assert(!/127\.0\.0\.1|::1|localhost|Own Authority/.test(stdout), stdout);
  }
});

Deno.test("validate warns once of more than 1,000 sites, and of more than 5,000 recommends a second repository", async () => {
  await using scratch = await makeScratch();
  const warningsOf = async (count: number) => {
    const sites = Array.from(
      { length: count },
      (_, index) => ({ name: `S${index}`, url: "https://a.example" }),
    );
    await scratch.write(".monitorrc.yml", JSON.stringify({ sites }));
    const { code, stderr } = await runTask("validate", { folder: scratch.path });
    assertEquals(code, 0);
    return stderr;
  };
  assertEquals(await warningsOf(1000), "");
  assertEquals(
    await warningsOf(1001),
    "warning: .monitorrc.yml sites: 1,001 are more than the 1,000 files of a folder that GitHub shows: open the others by their path\n",
  );
  assertEquals(
    await warningsOf(5001),
    "warning: .monitorrc.yml sites: 5,001 are too many for one repository: monitor some of them in a second one\n",
  );
});
