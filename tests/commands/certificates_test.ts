import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { recordPath } from "../../lib/config/record_path.ts";
import { parseIncident } from "../../lib/history/incident.ts";
import { type HistoryRecord, parseRecord } from "../../lib/history/record.ts";
import { machineClock } from "../helpers/calendar.ts";
import { type Certificate, makeAuthority, makeCertificate } from "../helpers/certificates.ts";
import { runTask } from "../helpers/program.ts";
import { git, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { closedPort } from "../helpers/servers.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

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

/** The record of a site after a run. */
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
  const { code, stderr } = await runTask("update", { folder: scratch.path, clock: machineClock });
  assertEquals(code, 0, stderr);
  return parseRecord(await Deno.readTextFile(join(scratch.path, recordPath("shop"))))!;
}

async function statusOf(scratch: Scratch): Promise<string> {
  const options = { folder: scratch.path, args: ["shop"], clock: machineClock };
  return (await runTask("status", options)).stdout;
}

function daysLeft({ certificate }: HistoryRecord): number | undefined {
  return certificate &&
    Math.round((certificate.epochMilliseconds - machineClock.now().epochMilliseconds) / DAY);
}

Deno.test("update stores a certificate's end, keeps it while nothing answers, and replaces it by a new one", async () => {
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
  const shown = await statusOf(scratch);
  assertStringIncludes(shown, "Certificate expired ");
  await second.shutdown();
});

Deno.test("an expiring certificate is neither a degradation nor an outage, whatever check type finds it", async () => {
  const checks = [{ assert: ["certificate expires in > 14d"] }, { check: "ssl" }];
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
    const shown = await runTask("incidents", { folder: scratch.path, clock: machineClock });
    assertStringIncludes(shown.stdout, "certificate expires in 4 days");
  }
});

Deno.test("channels without on are notified of a certificate that expires, others if they list it", async () => {
  await using scratch = await makeScratch();
  await using secure = httpsServer(certificate(6.5));
  await using hooks = await vendorServer({ status: 204 });
  const at = (name: string, keys: object) => ({
    ...{ type: "webhook", url: `${hooks.url}/${name}` },
    ...keys,
  });
  await recordAfter(scratch, {
    url: secure.url,
    notifications: [
      at("usual", {}),
      at("listed", { on: ["certificate"] }),
      at("outages", { on: ["down", "up", "degraded"] }),
      at("critical", { severity: "critical" }),
    ],
  });
  assertEquals(hooks.seen.map(({ path, json }) => `${path} ${json.type}`).sort(), [
    "/listed notice",
    "/usual notice",
  ]);
  assertStringIncludes(hooks.seen[0]!.json.headline, "Shop: certificate expires in 6 days");
});

Deno.test("update drops a certificate if the site's address changes", async () => {
  await using scratch = await makeScratch();
  await using secure = httpsServer(certificate(30));
  assertEquals(daysLeft(await recordAfter(scratch, { url: secure.url })), 30);
  assertStringIncludes(await statusOf(scratch), "Certificate valid until ");
  const moved = await recordAfter(scratch, { url: `http://127.0.0.1:${closedPort()}/` });
  assertEquals([moved.status, moved.certificate], ["down", undefined]);
});

Deno.test("update also stores the certificates of ssl and wss", async () => {
  await using scratch = await makeScratch();
  await using secure = httpsServer(certificate(40));
  const address = new URL(secure.url).host;
  const overSsl = await recordAfter(scratch, { url: address, check: "ssl" });
  assertEquals([overSsl.status, daysLeft(overSsl)], ["up", 40]);
  const overWss = await recordAfter(scratch, { url: `wss://${address}/`, check: "ws" });
  assertEquals([overWss.status, daysLeft(overWss)], ["down", 40]);
});

Deno.test("validate and doctor name the line to add certificate to, if no channel is notified of one", async () => {
  await using scratch = await makeScratch();
  await git(scratch.path, "init", "-q");
  const run = async (task: string, ...args: string[]) =>
    (await runTask(task, { folder: scratch.path, args })).stdout;
  const config = `sites:
  - { name: Shop, url: https://shop.example }
  - { name: Blog, url: http://blog.example }
notifications:
  - { type: pagerduty, integration-key: $PAGER, on: [down, up] }
  - type: slack
    webhook-url: $SLACK
    on: [down, up]
`;
  await scratch.write(".monitorrc.yml", config);
  const [says, cure] = [
    "o channel is notified before the certificate of Shop expires",
    "add certificate to on: of slack ($SLACK) (line 8)",
  ];
  assertStringIncludes(await run("validate"), `▲ N${says}: ${cure}.\n`);
  const { unwarned } = JSON.parse(await run("validate", "--json"));
  assertEquals(unwarned, [{ sites: ["Shop"], channel: "slack ($SLACK)", line: 8 }]);
  const { findings } = JSON.parse(await run("doctor", "--json"));
  assert(
    findings.some((one: { says: string; cure: string }) =>
      one.says === `n${says}` && one.cure === cure
    ),
    JSON.stringify(findings),
  );
  await scratch.write(".monitorrc.yml", config.replace(/up\]\n$/, "up, certificate]\n"));
  const cured = await run("validate");
  assert(!cured.includes("o channel is notified"), cured);
});
