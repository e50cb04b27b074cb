import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { parseIncident } from "../../lib/history/incident.ts";
import { type HistoryRecord, parseRecord, recordPath } from "../../lib/history/record.ts";
import { type Certificate, makeAuthority, makeCertificate } from "../helpers/certificates.ts";
import { runTask } from "../helpers/program.ts";
import { makeScratch, type Scratch } from "../helpers/scratch.ts";
import { closedPort } from "../helpers/servers.ts";

const AUTHORITY = makeAuthority();
const DAY = 86_400_000;

function httpsServer(certificate: Certificate) {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {}, ...certificate },
    () => new Response("ok"),
  );
  return {
    url: `https://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function certificate(days: number): Certificate {
  return makeCertificate({ issuer: AUTHORITY, to: days });
}

/** What a run leaves of a site. */
async function recordAfter(scratch: Scratch, site: object): Promise<HistoryRecord> {
  await scratch.write("ca.pem", AUTHORITY.cert);
  await scratch.write(
    ".monitorrc.yml",
    JSON.stringify({
      canaries: [],
      retry: { delays: [] },
      sites: [{ name: "Shop", ca: "ca.pem", ...site }],
    }),
  );
  const { code, stderr } = await runTask("update", { folder: scratch.path });
  assertEquals(code, 0, stderr);
  return parseRecord(await Deno.readTextFile(join(scratch.path, recordPath("shop"))))!;
}

function daysLeft({ certificate }: HistoryRecord): number | undefined {
  return certificate && Math.round((certificate.epochMilliseconds - Date.now()) / DAY);
}

Deno.test("update keeps until when a certificate is valid, also while nothing answers, and takes on a new one", async () => {
  await using scratch = await makeScratch();
  const port = closedPort();
  const url = `https://127.0.0.1:${port}/`;
  const serve = (days: number) =>
    Deno.serve(
      { port, hostname: "127.0.0.1", onListen() {}, ...certificate(days) },
      () => new Response("ok"),
    );
  const first = serve(74);
  assertEquals(daysLeft(await recordAfter(scratch, { url })), 74);
  await first.shutdown();
  const down = await recordAfter(scratch, { url });
  assertEquals([down.status, daysLeft(down)], ["down", 74]);
  const second = serve(-2);
  const expired = await recordAfter(scratch, { url });
  assertEquals([expired.status, daysLeft(expired)], ["down", -2]);
  const told = await runTask("status", { folder: scratch.path, args: ["shop"] });
  assertStringIncludes(told.stdout, "Certificate expired ");
  await second.shutdown();
});

Deno.test("a certificate that is about to expire is no slow site and no outage, whatever check sees it", async () => {
  const checks = [
    { assert: ["certificate expires in > 14d"] },
    { check: "ssl" },
  ];
  for (const check of checks) {
    await using scratch = await makeScratch();
    await using secure = httpsServer(certificate(4.5));
    const site = { url: secure.url, degradedRuns: [1, 1], ...check };
    const record = await recordAfter(scratch, site);
    assertEquals([record.status, record.degraded], ["up", true]);
    const folder = join(scratch.path, "history/incidents");
    const [file] = await Array.fromAsync(Deno.readDir(folder));
    const incident = parseIncident(await Deno.readTextFile(join(folder, file!.name)));
    assertEquals([incident!.kind, incident!.expiry], ["degraded", "certificate expires in 4 days"]);
    const told = await runTask("incidents", { folder: scratch.path });
    assertStringIncludes(told.stdout, "certificate expires in 4 days");
  }
});

Deno.test("update forgets a certificate with the address that showed it", async () => {
  await using scratch = await makeScratch();
  await using secure = httpsServer(certificate(30));
  assertEquals(daysLeft(await recordAfter(scratch, { url: secure.url })), 30);
  const told = await runTask("status", { folder: scratch.path, args: ["shop"] });
  assertStringIncludes(told.stdout, "Certificate valid until ");
  const moved = await recordAfter(scratch, { url: `http://127.0.0.1:${closedPort()}/` });
  assertEquals([moved.status, moved.certificate], ["down", undefined]);
});

Deno.test("update keeps the certificates of ssl and wss as well", async () => {
  await using scratch = await makeScratch();
  await using secure = httpsServer(certificate(40));
  const address = new URL(secure.url).host;
  const overSsl = await recordAfter(scratch, { url: address, check: "ssl" });
  assertEquals([overSsl.status, daysLeft(overSsl)], ["up", 40]);
  const overWss = await recordAfter(scratch, { url: `wss://${address}/`, check: "ws" });
  assertEquals([overWss.status, daysLeft(overWss)], ["down", 40]);
});
