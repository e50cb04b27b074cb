import { describeDestination } from "../../../../lib/config/channels/kinds.ts";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { CHANNELS } from "../../../helpers/senders.ts";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import { messageOf, sendingWith } from "../../../helpers/vendors/messages.ts";
import { type VendorAnswer, vendorServer } from "../../../helpers/vendors/vendor_server.ts";
import { CANARIES, TRIED } from "../../../helpers/vendors/vendors.ts";

/** Every spelling of a secret in a text. */
function spellings(value: string): string[] {
  return [
    value,
    encodeURIComponent(value),
    encodeURI(value),
    new URLSearchParams([["", value]]).toString().slice(1),
    btoa(value),
    btoa(value).replace(/=+$/, ""),
    JSON.stringify(value).slice(1, -1),
  ];
}

function assertHoldsNone(text: string, what: string): void {
  for (const [name, value] of Object.entries(CANARIES)) {
    for (const spelling of spellings(value)) {
      assert(!text.includes(spelling), `${what} holds ${name} as ${spelling}: ${text}`);
    }
  }
}

/** A vendor that repeats its request. */
function echoes(status: number): VendorAnswer[] {
  const all = Object.values(CANARIES).flatMap(spellings);
  return [
    { status, body: all.join(" ") },
    { status, body: JSON.stringify({ message: all.join(" "), errors: all }) },
    { status, body: JSON.stringify({ error: { message: all[0] }, description: all.join("/") }) },
    { status, headers: { Location: `https://a.example/${encodeURIComponent(all[0]!)}` } },
  ];
}

Deno.test("no error and no answer holds a secret, whatever a vendor repeats", async () => {
  const sending = sendingWith(CANARIES);
  for (const { channel, notification, yes, type } of TRIED) {
    await using server = await vendorServer(yes);
    const configured: Notification = {
      ...notification(server.url),
      "message-template": "$TEXT $SITE_NAME",
    };
    for (const [index, status] of [200, 400, 302, 401, 403, 404, 429, 500].entries()) {
      const all = echoes(status);
      // Each form of an answer with the first two, and each other status with one of them.
      for (const answer of index < 2 ? all : [all[index % all.length]!]) {
        server.answers.splice(0, 9, answer, answer, answer);
        const work = channel.send(configured, messageOf(), sending);
        assertHoldsNone(await work.catch((error) => Deno.inspect(error)), `${type} ${status}`);
      }
    }
  }
});

Deno.test("a preview contains the whole request with every secret by name", async () => {
  for (const { channel, notification, yes, type } of TRIED) {
    await using server = await vendorServer(yes);
    const configured: Notification = {
      ...notification(server.url),
      "message-template": "$TEXT $SITE_NAME",
    };
    const sending = sendingWith(CANARIES);
    const preview = JSON.stringify(channel.preview(configured, messageOf(), sending));
    assertHoldsNone(preview, type);
    const names = JSON.stringify(configured).match(/\$[A-Z_]+/g)!.filter((name) =>
      Object.hasOwn(CANARIES, name.slice(1))
    );
    for (const name of names) {
      const isUnshown = name === "$TEXT" && type === "pagerduty" && !preview.includes("summary");
      assert(preview.includes(name) || isUnshown, `${type} ${name}: ${preview}`);
    }
    await channel.send(configured, messageOf(), sending);
    assertEquals(server.seen[0]!.method, type === "matrix" ? "PUT" : "POST");
  }
});

Deno.test("literal credentials are masked in a preview, and distinguished by a fingerprint", () => {
  const plain: Notification[] = [
    { type: "slack", "webhook-url": "https://hooks.slack.com/services/T0/B0/canary0123" },
    { type: "telegram", "bot-token": "1:canary0123", "chat-id": "-100" },
    { type: "pagerduty", "integration-key": "canary0123" },
    { type: "datadog", "api-key": "canary0123" },
    { type: "ntfy", topic: "canary0123", token: "tk_canary0123" },
    { type: "gotify", url: "https://gotify.example", token: "canary0123" },
    {
      type: "google-chat",
      "webhook-url": "https://chat.googleapis.com/v1/spaces/A/messages?key=canary0123",
    },
    { type: "mattermost", "webhook-url": "https://chat.example/hooks/canary0123" },
    { type: "rocket-chat", "webhook-url": "https://chat.example/hooks/1/canary0123" },
    {
      type: "zulip",
      url: "https://z.example",
      "bot-email": "b@z.example",
      "api-key": "canary0123",
    },
    { type: "discord", "webhook-url": "https://discord.com/api/webhooks/1/canary0123" },
    { type: "teams", "webhook-url": "https://a.logic.azure.com/workflows/1?sig=canary0123" },
    { type: "matrix", url: "https://a.example", token: "canary0123", room: "!a:a.example" },
    { type: "pushover", token: "canary0123", user: "u0" },
    { type: "jsm", "api-key": "canary0123" },
    { type: "incident-io", url: "https://a.example/1", token: "canary0123" },
    {
      type: "twilio",
      token: "canary0123",
      "account-sid": "AC1",
      "from-number": "+1500",
      "to-number": "+1501",
    },
  ];
  for (const notification of plain) {
    const channel = CHANNELS[notification.type as keyof typeof CHANNELS];
    const shown = JSON.stringify(channel.preview(notification, messageOf(), sendingWith())) +
      describeDestination(notification);
    assert(!shown.includes("canary0123"), shown);
    const other = JSON.parse(JSON.stringify(notification).replaceAll("canary0123", "canary9"));
    assertNotEquals(describeDestination(notification), describeDestination(other));
  }
});

Deno.test("a credential in the headers of a webhook is masked in a preview, and sent", async () => {
  await using server = await vendorServer({ status: 204 });
  const headers = { "X-Api-Key": "canary0123", Accept: "text/plain" };
  const notification: Notification = { type: "webhook", url: server.url, headers };
  const [preview] = CHANNELS.webhook.preview(notification, messageOf(), sendingWith()) as [
    { headers: Record<string, string> },
  ];
  assertEquals([preview.headers["X-Api-Key"], preview.headers["Accept"]], ["***", "text/plain"]);
  await CHANNELS.webhook.send(notification, messageOf(), sendingWith());
  assertEquals(server.seen[0]!.headers["x-api-key"], "canary0123");
});

Deno.test("a destination is the kind of channel with its address, key or chat as configured", () => {
  const destinations: [notification: Notification, destination: string][] = [
    [{ type: "slack", "webhook-url": "$HOOK" }, "slack $HOOK"],
    [{ type: "slack", "webhook-url": "$HOOK", channel: "#ops" }, "slack $HOOK #ops"],
    [{ type: "discord", "webhook-url": "$HOOK" }, "discord $HOOK"],
    [{ type: "teams", "webhook-url": "$HOOK" }, "teams $HOOK"],
    [{ type: "ntfy", topic: "$T", url: "https://a:canary@n.example" }, "ntfy $T https://n.example"],
    [{ type: "google-chat", "webhook-url": "$HOOK" }, "google-chat $HOOK"],
    [
      { type: "zulip", "api-key": "$K", url: "$Z", "bot-email": "b@z.example", channel: "ops" },
      "zulip $K $Z b@z.example ops",
    ],
    [{ type: "telegram", "bot-token": "$TOKEN", "chat-id": "-100" }, "telegram $TOKEN -100"],
    [{ type: "pagerduty", "integration-key": "$KEY", severity: "error" }, "pagerduty $KEY"],
    [{ type: "datadog", "api-key": "$KEY", site: "datadoghq.eu" }, "datadog $KEY datadoghq.eu"],
    [{ type: "webhook", url: "https://a.example/$PATH" }, "webhook https://a.example/$PATH"],
  ];
  for (const [notification, destination] of destinations) {
    assertEquals(describeDestination(notification), destination);
  }
});

Deno.test("an address with a key that is written out is masked in previews, and its key in errors", async () => {
  const key = "written0out0key0123456789";
  for (const type of ["apprise", "mattermost", "rocket-chat"] as const) {
    await using server = await vendorServer({ status: 400, body: `no hook ${key}` });
    const address = type === "apprise" ? "url" : "webhook-url";
    const notification: Notification = { type, [address]: `${server.url}/hooks/${key}` };
    const shown = JSON.stringify(CHANNELS[type].preview(notification, messageOf(), sendingWith()));
    const work = CHANNELS[type].send(notification, messageOf(), sendingWith());
    const error = await work.catch((error) => error);
    for (const text of [shown, error.message]) assert(!text.includes(key), `${type}: ${text}`);
    assert(error.message.includes("no hook ***"), error.message);
  }
});
