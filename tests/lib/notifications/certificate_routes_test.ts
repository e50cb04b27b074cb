import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { findSubscribers, toSubscribers } from "../../../lib/notifications/channel_list.ts";
import {
  describeUnwarned,
  findUnwarned,
  type UnwarnedSites,
} from "../../../lib/notifications/certificate_routes.ts";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";
import type { NoticeTopic } from "../../../lib/notifications/message.ts";

const SLACK = "type: slack, webhook-url: $SLACK";
const SHOP = "{ name: Shop, url: https://shop.example }";

async function unwarned(
  { sites = [SHOP], channels, secrets = {} }: {
    sites?: readonly string[];
    channels: readonly string[];
    secrets?: Record<string, string>;
  },
): Promise<UnwarnedSites[]> {
  const list = channels.length === 0 ? "[]" : channels.map((one) => `\n  - { ${one} }`).join("");
  const text = `sites:\n${sites.map((one) => `  - ${one}\n`).join("")}notifications: ${list}\n`;
  const { config, problems } = await parseConfig(text);
  const known = new Secrets(secrets);
  return await findUnwarned(findSubscribers(config!, known), { config: config!, problems, text });
}

/** The topics that a channel gets of a site. */
async function topicsOf(channel: string): Promise<readonly NoticeTopic[]> {
  const { config } = await parseConfig(`sites: [${SHOP}]\nnotifications: [{ ${channel} }]\n`);
  return toSubscribers(config!)[0]!.topics("shop");
}

Deno.test("a channel without on gets certificates, others what they list, and critical ones no warnings", async () => {
  const cases: [keys: string, topics: NoticeTopic[]][] = [
    ["", ["certificate"]],
    [", severity: warning", ["certificate"]],
    [", severity: critical", []],
    [", severity: critical, on: [down, certificate]", []],
    [", on: [down, up, degraded]", []],
    [", on: []", []],
    [", on: [unknown, certificate, maintenance]", ["maintenance", "certificate", "unknown"]],
  ];
  for (const [keys, topics] of cases) assertEquals(await topicsOf(SLACK + keys), topics, keys);
  assertEquals(await topicsOf("type: pagerduty, integration-key: $P, severity: critical"), [
    "certificate",
  ]);
});

Deno.test("each monitored site whose check sees a certificate needs a channel for it", async () => {
  const sites = [
    "{ name: Web, url: https://web.example }",
    "{ name: Plain, url: http://plain.example }",
    "{ name: Old, url: https://old.example, paused: true }",
    "{ name: Careless, url: https://careless.example, warnAt: [] }",
    "{ name: Socket, url: wss://ws.example, check: ws }",
    "{ name: Port, url: port.example, check: tcp-ping, port: 443 }",
    "{ name: Chain, url: chain.example, check: ssl }",
    "{ name: Mail, url: mail.example, check: smtp }",
    "{ name: Open mail, url: open.example, check: smtp, tls: none }",
    "{ name: Calls, url: calls.example, check: grpc }",
    "{ name: Open calls, url: grpc://calls.example:5000, check: grpc }",
    "{ name: Secret, url: $ADDRESS }",
  ];
  const [found, ...others] = await unwarned({ sites, channels: [`${SLACK}, on: [down]`] });
  assertEquals(found?.sites, ["Web", "Socket", "Chain", "Mail", "Calls"]);
  assertEquals(others, []);
  assertEquals(describeUnwarned(found!), {
    says:
      "no channel is notified before the certificates of Web, Socket, Chain, Mail, Calls expire",
    cure: "add certificate to on: of slack ($SLACK) (line 15)",
  });
});

Deno.test("nothing is to be added without channels, or if one of them is notified of certificates", async () => {
  assertEquals(await unwarned({ channels: [] }), []);
  assertEquals(await unwarned({ channels: [SLACK] }), []);
  assertEquals(await unwarned({ channels: [`${SLACK}, on: []`] }), []);
  const mail = "type: email, smtp-host: m.example, from: a@m.example, to: [b@m.example]";
  const both = [`${SLACK}, on: [down]`, `${mail}, on: [certificate]`];
  assertEquals(await unwarned({ channels: both }), []);
  const secrets = { NOTIFICATION_DISCORD_WEBHOOK_URL: "https://discord.example/api/webhooks/1/a" };
  assertEquals(await unwarned({ channels: [`${SLACK}, on: [down]`], secrets }), []);
});

Deno.test("the channel to add the word to is one of the site, and read by people if there is such a one", async () => {
  const sites = [SHOP, "{ name: API, url: https://api.example, tags: [backend] }"];
  const channels = [
    "type: pagerduty, integration-key: $PAGER, on: [down, up]",
    `${SLACK}, on: [down, up], tags: [backend]`,
  ];
  assertEquals(await unwarned({ sites, channels }), [
    { sites: ["Shop"], channel: "pagerduty ($PAGER)", line: 5 },
    { sites: ["API"], channel: "slack ($SLACK)", line: 6 },
  ]);
  const broken = await unwarned({ channels: ["type: slak", `${SLACK}, on: [down]`] });
  assertEquals(broken, [{ sites: ["Shop"], channel: "slack ($SLACK)" }]);
});

Deno.test("a channel for critical outages only is not the one to add the word to", async () => {
  const critical = `${SLACK}, severity: critical, on: [down, certificate]`;
  const [found] = await unwarned({ channels: [critical] });
  assertEquals(
    describeUnwarned(found!).cure,
    "add a channel without severity: critical, which excludes them from slack ($SLACK) (line 4)",
  );
  const pager = "type: pagerduty, integration-key: $PAGER, severity: critical, on: [down]";
  assertEquals(await unwarned({ channels: [pager] }), [
    { sites: ["Shop"], channel: "pagerduty ($PAGER)", line: 4 },
  ]);
});
