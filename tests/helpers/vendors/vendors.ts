import { CHANNELS } from "../../../lib/notifications/channels/mod.ts";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import type { VendorAnswer } from "./vendor_server.ts";

/** Every secret that the notifications below refer to: none of them is to be seen anywhere. */
export const CANARIES = {
  HOOK_PATH: "T0CANARY/B0canary/XqZ-canary+path==",
  TOKEN: "123456:AAcanary-bot_token~X",
  CHAT: "-1009876543210",
  KEY: "canary0integration0key0123456789",
  API_KEY: 'canary&api key"0123456789abcdef',
  LOGIN: "canary:p@ss word/1",
  TEXT: 'canary in a <text> & "more"',
};

/** How a channel is tried: what it is configured with, and what its vendor answers to say yes. */
export interface TriedVendor {
  /** A notification that sends to a server on the loopback. */
  notification(url: string): Notification;
  yes: VendorAnswer;
}

const json = (value: unknown) => ({
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(value),
});

/** Every channel that speaks HTTP. */
export const VENDORS: Readonly<Record<Exclude<keyof typeof CHANNELS, "email">, TriedVendor>> = {
  webhook: {
    notification: (url) => ({
      type: "webhook",
      url: `${url.replace("//", "//$LOGIN@")}/in?key=$KEY`,
      headers: { Authorization: "Bearer $API_KEY" },
    }),
    yes: { status: 204 },
  },
  slack: {
    notification: (url) => ({ type: "slack", "webhook-url": `${url}/services/$HOOK_PATH` }),
    yes: { status: 200, body: "ok" },
  },
  discord: {
    notification: (url) => ({ type: "discord", "webhook-url": `${url}/api/webhooks/1/$HOOK_PATH` }),
    yes: { status: 200, ...json({ id: "1", type: 0 }) },
  },
  telegram: {
    notification: (url) => ({ type: "telegram", url, "bot-token": "$TOKEN", "chat-id": "$CHAT" }),
    yes: { status: 200, ...json({ ok: true, result: { message_id: 1 } }) },
  },
  teams: {
    notification: (url) => ({
      type: "teams",
      "webhook-url": `${url}/workflows/a/triggers/manual/paths/invoke?api-version=1&sig=$HOOK_PATH`,
    }),
    yes: { status: 202 },
  },
  pagerduty: {
    notification: (url) => ({ type: "pagerduty", url, "integration-key": "$KEY" }),
    yes: {
      status: 202,
      ...json({ status: "success", message: "Event processed", dedup_key: "a" }),
    },
  },
  datadog: {
    notification: (url) => ({ type: "datadog", url, "api-key": "$API_KEY" }),
    yes: { status: 202, ...json({ status: "ok", event: { id: 1 } }) },
  },
};

/** The channels over HTTP with how each is tried. */
export const TRIED = Object.entries(VENDORS).map(([type, vendor]) => ({
  type,
  channel: CHANNELS[type as keyof typeof VENDORS],
  ...vendor,
}));
