import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { recordPath } from "../../lib/config/record_path.ts";
import { type HistoryRecord, parseRecord } from "../../lib/history/record.ts";
import { machineClock } from "../helpers/calendar.ts";
import { type Certificate, makeAuthority, makeCertificate } from "../helpers/certificates.ts";
import { runTask } from "../helpers/program.ts";
import { git, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { closedPort } from "../helpers/servers.ts";

const AUTHORITY = makeAuthority();

const DAY = 86_400_000;

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

Deno.test("update stores a certificate's end, keeps it while nothing answers, replaces it by a new one, and drops it with the address", async () => {
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
  const moved = await recordAfter(scratch, { url: `http://127.0.0.1:${port}/` });
  assertEquals([moved.status, moved.certificate], ["down", undefined]);
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
