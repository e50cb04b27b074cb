import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { alertRig, heardBy } from "../helpers/alert_rig.ts";
import { mailServer } from "../helpers/mail_server.ts";
import { githubServer } from "../helpers/github_server.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { CANARIES, TRIED } from "../helpers/vendors/vendors.ts";
import { type VendorServer, vendorServer } from "../helpers/vendors/vendor_server.ts";
import { thoroughly } from "../helpers/thorough.ts";

const TAKEN = { status: 204 };

Deno.test("all eight kinds of channel hear of an outage and of its end; a run in which all is well tells none", async () => {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const mail = stack.use(await mailServer({ hideSTARTTLS: true }));
  const servers = new Map<string, VendorServer>();
  const notifications: Notification[] = [{
    type: "email",
    "smtp-host": "127.0.0.1",
    "smtp-port": String(mail.port),
    from: "monitor@acme.example",
    to: ["jo@acme.example"],
    on: ["down", "up"],
  }];
  for (const { type, yes, notification } of TRIED) {
    const server = stack.use(await vendorServer(yes));
    servers.set(type, server);
    notifications.push({ ...notification(server.url), on: ["down", "up"] });
  }
  const rig = stack.use(await alertRig(scratch, { notifications, secrets: CANARIES }));
  const counts =
    () => [mail.received.length, ...[...servers.values()].map(({ seen }) => seen.length)];
  const up = await rig.update();
  assertEquals([up.code, up.stderr, counts()], [0, "", Array(8).fill(0)]);
  rig.turn(503);
  const down = await rig.update();
  assertEquals([down.code, down.stderr, counts()], [0, "", Array(8).fill(1)]);
  for (const { type } of TRIED) {
    assertMatch(down.stdout, new RegExp(`^Done: tell ${type} about Shop$`, "m"));
    assertMatch(servers.get(type)!.seen[0]!.text, /Shop is down.*answered 503 Service Unav/s);
  }
  assertEquals((await rig.update()).code, 0);
  assertEquals(counts(), Array(8).fill(1));
  rig.turn(200);
  assertEquals((await rig.update()).code, 0);
  assertEquals(counts(), Array(8).fill(2));
  assertEquals(mail.received.map(({ mail: { subject } }) => subject), [
    "🛑 Shop is down",
    "✅ Shop is up again",
  ]);
  const pages = servers.get("pagerduty")!.seen.map(({ json }) => json);
  assertEquals(pages.map((json) => json.event_action), ["trigger", "resolve"]);
  assertEquals(pages[0].dedup_key, pages[1].dedup_key);
});

thoroughly(
  "on: says what a channel wants; one that is listed for all sites and at a site wants everything once",
  async () => {
    await using scratch = await makeScratch();
    await using ends = await vendorServer(TAKEN);
    await using both = await vendorServer(TAKEN);
    await using own = await vendorServer(TAKEN);
    const listed: Notification = { type: "webhook", url: both.url, on: ["down", "up"] };
    await using rig = await alertRig(scratch, {
      sites: {
        Shop: { notifications: [listed, { type: "webhook", url: own.url, on: ["down"] }] },
        Post: {},
      },
      notifications: [{ type: "webhook", url: ends.url, on: ["up"] }, listed],
    });
    rig.turn(503);
    await rig.update();
    assertEquals([heardBy(ends), heardBy(both), heardBy(own)], [
      [],
      ["shop down", "post down"],
      ["shop down"],
    ]);
    rig.turn(200);
    assertEquals((await rig.update()).code, 0);
    assertEquals([heardBy(ends), heardBy(both), heardBy(own)], [
      ["shop up", "post up"],
      ["shop down", "post down", "shop up", "post up"],
      ["shop down"],
    ]);
  },
);

thoroughly(
  "with group-notifications several sites that fall in one run are one message",
  async () => {
    await using scratch = await makeScratch();
    await using hook = await vendorServer(TAKEN);
    const sites = { Shop: {}, Post: {}, "Ünï": {} };
    const grouped = { type: "webhook" as const, url: hook.url, "group-notifications": true };
    await using rig = await alertRig(scratch, { sites, notifications: [grouped] });
    rig.turn(503);
    await rig.update();
    assertEquals(heardBy(hook), ["shop down, post down, ünï down"]);
    assertEquals(hook.seen[0]!.json.headline, "3 sites down");
  },
);

thoroughly(
  "a site that is down when it is first looked at is told, one that is up is not",
  async () => {
    await using scratch = await makeScratch();
    await using hook = await vendorServer(TAKEN);
    const notifications: Notification[] = [{ type: "webhook", url: hook.url, on: ["down", "up"] }];
    await using rig = await alertRig(scratch, { sites: { Shop: {}, Post: {} }, notifications });
    rig.turn(500, "Shop");
    await rig.update();
    assertEquals(heardBy(hook), ["shop down"]);
  },
);

thoroughly(
  "where a site that is down is taken out of the configuration, who heard of it wants that",
  async () => {
    await using scratch = await makeScratch();
    await using hook = await vendorServer(TAKEN);
    await using downs = await vendorServer(TAKEN);
    const notifications: Notification[] = [
      { type: "webhook", url: hook.url, on: ["down", "up"] },
      { type: "webhook", url: downs.url, on: ["down"] },
    ];
    await using rig = await alertRig(scratch, { sites: { Shop: {}, Post: {} }, notifications });
    rig.turn(500, "Shop");
    await rig.update();
    await rig.configure({ sites: { Post: {} }, notifications });
    const { code, stderr } = await rig.update();
    assertEquals([code, stderr], [0, ""]);
    assertEquals([heardBy(hook), heardBy(downs)], [["shop down", "shop up"], ["shop down"]]);
    assertEquals(hook.seen[1]!.json.headline, "shop is no longer monitored");
  },
);

thoroughly("hostile names stand in a template as text, escaped for where they land", async () => {
  await using scratch = await makeScratch();
  const name = `<b>&"$STATUS" @everyone <!channel> *x* \`y\``;
  const template = "$SITE_NAME is $STATUS: $ERROR $SITE_NAM";
  await using stack = new AsyncDisposableStack();
  const servers = new Map<string, VendorServer>();
  const notifications: Notification[] = [];
  for (const { type, yes, notification } of TRIED) {
    const server = stack.use(await vendorServer(yes));
    servers.set(type, server);
    notifications.push({ ...notification(server.url), on: ["down"], "message-template": template });
  }
  await using body = await vendorServer(TAKEN);
  notifications.push({ type: "webhook", url: body.url, on: ["down"], body: '{"n":"$SITE_NAME"}' });
  await using rig = await alertRig(scratch, {
    sites: { [name]: { slug: "odd" } },
    notifications,
    secrets: CANARIES,
  });
  rig.turn(503);
  const { code, stderr } = await rig.update();
  assertEquals([code, stderr], [0, ""]);
  assertEquals(body.seen[0]!.json, { n: name });
  const text = (type: string) => servers.get(type)!.seen[0]!.text;
  assertStringIncludes(servers.get("webhook")!.seen[0]!.json.events[0].text, `${name} is down`);
  assert(!text("slack").includes("<!channel>"), text("slack"));
  assert(!servers.get("telegram")!.seen[0]!.json.text.includes("<b>&"), text("telegram"));
  for (const { type } of TRIED) assertStringIncludes(text(type), "$SITE_NAM");
});

thoroughly("messages link to the issue that the same run has opened", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await using hook = await vendorServer(TAKEN);
  await using slack = await vendorServer({ status: 200, body: "ok" });
  await using rig = await alertRig(scratch, {
    notifications: [
      { type: "webhook", url: hook.url, on: ["down", "up"] },
      { type: "slack", "webhook-url": slack.url, on: ["down", "up"] },
    ],
  });
  const update = () => rig.update({ env: github.env });
  for (const code of [503, 200]) {
    rig.turn(code);
    assertEquals((await update()).code, 0);
  }
  const issue = "https://github.com/acme/status/issues/1";
  assertEquals(hook.seen.map(({ json }) => json.events[0].incident.url), [issue, issue]);
  for (const { text } of slack.seen) assertStringIncludes(text, issue);
  assertEquals((await github.issues()).length, 1);
});

thoroughly(
  "the summary of a run names the channels that hear everything because nothing says what",
  async () => {
    await using scratch = await makeScratch();
    await using rig = await alertRig(scratch, {
      notifications: [
        { type: "slack", "webhook-url": "https://hooks.slack.com/services/T0/B0/x" },
        { type: "webhook", url: "https://in.example/x", on: ["down"] },
      ],
    });
    const { code, stdout } = await rig.update({ env: { GITHUB_ACTIONS: "true" } });
    assertEquals(code, 0);
    const summary = await Deno.readTextFile(join(rig.folder, ".git/monitor/summary.md"));
    const notes = summary.split("\n").filter((line) => line.startsWith("- "));
    assertEquals(notes, ["- slack (hooks.slack.com) has no on:, so it is notified of every event"]);
    assert(!stdout.includes("has no on:"), stdout);
  },
);
