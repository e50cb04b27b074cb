import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { alertRig } from "../helpers/alert_rig.ts";
import { mailServer, refusalOf } from "../helpers/mail_server.ts";
import { pendingAt } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

Deno.test("a credential that is written out in the configuration is repeated nowhere else", async () => {
  await using scratch = await makeScratch();
  let asked = 0;
  await using vendor = httpServer(async (request) => {
    asked++;
    const { headers } = request;
    const text = `${request.url} ${headers.get("dd-api-key")} ${await request.text()}`;
    return new Response(text.slice(0, 150), { status: 404 });
  });
  await using mail = await mailServer({
    hideSTARTTLS: true,
    onAuth: (_login, _session, done) => done(refusalOf("535 5.7.8 canary-word is wrong")),
  });
  const { url, port } = { url: vendor.url, port: String(mail.port) };
  await using rig = await alertRig(scratch, {
    notifications: [
      { type: "slack", "webhook-url": `${url}/services/T0/canary01234567` },
      { type: "telegram", url, "bot-token": "1:canary-token", "chat-id": "1" },
      { type: "pagerduty", url, "integration-key": "canary-integration" },
      { type: "datadog", url, "api-key": "canary-api-key" },
      {
        type: "email",
        "smtp-host": "127.0.0.1",
        "smtp-port": port,
        "smtp-username": "jo",
        "smtp-password": "canary-word",
        from: "jo@acme.example",
        to: ["jo@acme.example"],
      },
    ],
  });
  rig.turn(503);
  const { code, stdout, stderr } = await rig.update({ env: { GITHUB_ACTIONS: "true" } });
  assertEquals([code, asked], [1, 4]);
  const dry = await rig.update({ args: ["--dry-run", "--json"] });
  const job = await Deno.readTextFile(join(rig.folder, ".git/monitor/summary.md"));
  const memory = JSON.stringify([...await pendingAt(rig.remote)]);
  const state = await rig.run("state", { args: ["--json"] });
  const text = [stdout, stderr, dry.stdout, dry.stderr, job, memory, state.stdout].join("\n");
  assert(!text.includes("canary"), text.slice(text.indexOf("canary") - 300));
});
