import { assertEquals } from "@std/assert";
import { CHANNELS } from "../senders.ts";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import type { SiteEvent } from "../../../lib/notifications/message.ts";
import {
  checkApprise,
  checkIncidentIo,
  checkJsm,
  checkMatrix,
  checkPushover,
  checkTwilio,
} from "./alerting.ts";
import { checkDiscord } from "./discord.ts";
import { checkDatadog, checkPagerduty } from "./paging.ts";
import { checkGotify, checkNtfy } from "./push.ts";
import { checkGoogleChat, checkMattermost, checkRocketChat, checkZulip } from "./rooms.ts";
import { checkSlack } from "./slack.ts";
import { checkTeams } from "./teams.ts";
import { checkTelegram } from "./telegram.ts";
import { messageOf, sendingWith, siteEvent } from "./messages.ts";
import { type SeenRequest, type VendorAnswer, vendorServer } from "./vendor_server.ts";

/** Every secret that the notifications below refer to: none of them is to be seen anywhere. */
export const CANARIES = {
  HOOK_PATH: "T0CANARY/B0canary/XqZ-canary+path==",
  TOKEN: "123456:AAcanary-bot_token~X",
  CHAT: "-1009876543210",
  PHONE: "+15005550009",
  KEY: "canary0integration0key0123456789",
  API_KEY: 'canary&api key"0123456789abcdef',
  LOGIN: "canary:p@ss word/1",
  TOPIC: "canary_topic-0123456789",
  TEXT: 'canary in a <text> & "more"',
};

/** Markup and mentions that no name or error may have in a chat with Markdown; our own links are ours. */
const ROOM_MARKUP =
  /<(?!time:)|@(?:everyone|here|all|channel|\*|_)|\]\(https:\/\/evil|`|\*[bi]\*|~s~|\$\$|\|\||&lt;|^(?:# |\/me|- )/m;

/** The configuration of a tested channel, and its vendor's answer on success. */
export interface TriedVendor {
  /** A notification that sends to a server on the loopback. */
  notification(url: string): Notification;
  yes: VendorAnswer;
  /** Fails if the vendor would not accept this body. */
  // deno-lint-ignore no-explicit-any
  check(body: any): void;
  /** Markup that the vendor would act on in any text of a body; absent if some of its texts are plain. */
  acts?: RegExp;
  /** The key of a request, for a vendor that treats two with the same key as one. */
  repeatKey?(request: SeenRequest): string;
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
    check: (body) => assertEquals(body.version, "1"),
  },
  slack: {
    notification: (url) => ({ type: "slack", "webhook-url": `${url}/services/$HOOK_PATH` }),
    yes: { status: 200, body: "ok" },
    check: checkSlack,
  },
  discord: {
    notification: (url) => ({ type: "discord", "webhook-url": `${url}/api/webhooks/1/$HOOK_PATH` }),
    yes: { status: 200, ...json({ id: "1", type: 0 }) },
    check: checkDiscord,
    acts: /(?<!\\)(?:\[click|<|`)(?!t:|https:\/\/(?:github|status))/,
  },
  telegram: {
    notification: (url) => ({ type: "telegram", url, "bot-token": "$TOKEN", "chat-id": "$CHAT" }),
    yes: { status: 200, ...json({ ok: true, result: { message_id: 1 } }) },
    check: checkTelegram,
    acts: /<(?!\/?(?:b|code)>|\/a>|a href="https:\/\/(?:github|status))/,
  },
  teams: {
    notification: (url) => ({
      type: "teams",
      "webhook-url": `${url}/workflows/a/triggers/manual/paths/invoke?api-version=1&sig=$HOOK_PATH`,
    }),
    yes: { status: 202 },
    check: checkTeams,
  },
  pagerduty: {
    notification: (url) => ({ type: "pagerduty", url, "integration-key": "$KEY" }),
    yes: {
      status: 202,
      ...json({ status: "success", message: "Event processed", dedup_key: "a" }),
    },
    check: checkPagerduty,
    repeatKey: ({ json }) => `${json.event_action} ${json.dedup_key}`,
  },
  datadog: {
    notification: (url) => ({ type: "datadog", url, "api-key": "$API_KEY" }),
    yes: { status: 202, ...json({ status: "ok", event: { id: 1 } }) },
    check: checkDatadog,
    acts: /@(?:everyone|here|all|channel)/,
  },
  ntfy: {
    notification: (url) => ({ type: "ntfy", url, topic: "$TOPIC", token: "$API_KEY" }),
    yes: { status: 200, ...json({ id: "hwQ2YpKdmg", time: 1795255203, event: "message" }) },
    check: checkNtfy,
  },
  gotify: {
    notification: (url) => ({ type: "gotify", url, token: "$KEY" }),
    yes: { status: 200, ...json({ id: 25, appid: 1, message: "a", title: "b", priority: 8 }) },
    check: checkGotify,
  },
  matrix: {
    notification: (url) => ({ type: "matrix", url, token: "$TOKEN", room: "!a:acme.example" }),
    yes: { status: 200, ...json({ event_id: "$a" }) },
    check: checkMatrix,
    repeatKey: ({ path }) => path,
  },
  pushover: {
    notification: (url) => ({ type: "pushover", url, token: "$TOKEN", user: "$KEY" }),
    yes: { status: 200, ...json({ status: 1, request: "647d2300" }) },
    check: checkPushover,
  },
  jsm: {
    notification: (url) => ({ type: "jsm", url, "api-key": "$KEY" }),
    yes: { status: 202, ...json({ result: "Request will be processed", took: 0.3 }) },
    check: checkJsm,
    repeatKey: ({ path, json }) => `${path} ${json.alias}`,
  },
  "incident-io": {
    notification: (url) => ({
      type: "incident-io",
      url: `${url}/v2/alert_events/http/01GW`,
      token: "$KEY",
    }),
    yes: { status: 202, ...json({ status: "success", deduplication_key: "a" }) },
    check: checkIncidentIo,
    repeatKey: ({ json }) => `${json.status} ${json.deduplication_key}`,
  },
  twilio: {
    notification: (url) => ({
      type: "twilio",
      url,
      token: "$API_KEY",
      "account-sid": "$KEY",
      "from-number": "+15005550006",
      "to-number": "$PHONE",
    }),
    yes: { status: 201, ...json({ sid: "SM1", status: "queued", error_code: null }) },
    check: checkTwilio,
  },
  apprise: {
    notification: (url) => ({ type: "apprise", url: `${url}/notify/$KEY` }),
    yes: { status: 200, ...json({ error: null, details: [] }) },
    check: checkApprise,
    acts: /@(?:everyone|here|all|channel)/,
  },
  "google-chat": {
    notification: (url) => ({
      type: "google-chat",
      "webhook-url": `${url}/v1/spaces/AAAA/messages?key=$KEY&token=$HOOK_PATH`,
    }),
    yes: { status: 200, ...json({ name: "spaces/AAAA/messages/BBBB.BBBB" }) },
    check: checkGoogleChat,
    acts: /<(?!a href="https:\/\/(?:github|status)|\/a>|https:\/\/(?:github|status)[^|<>]*\|)/,
    repeatKey: ({ query }) => query.get("requestId")!,
  },
  mattermost: {
    notification: (url) => ({ type: "mattermost", "webhook-url": `${url}/hooks/$HOOK_PATH` }),
    yes: { status: 200, body: "ok" },
    check: checkMattermost,
    acts: ROOM_MARKUP,
  },
  "rocket-chat": {
    notification: (url) => ({ type: "rocket-chat", "webhook-url": `${url}/hooks/1/$HOOK_PATH` }),
    yes: { status: 200, ...json({ success: true }) },
    check: checkRocketChat,
    acts: ROOM_MARKUP,
  },
  zulip: {
    notification: (url) => ({
      type: "zulip",
      url,
      "bot-email": "monitor-bot@zulip.example",
      "api-key": "$API_KEY",
      channel: "ops",
    }),
    yes: { status: 200, ...json({ result: "success", msg: "", id: 42 }) },
    check: checkZulip,
  },
};

/** The channels over HTTP with how each is tried. */
export const TRIED = Object.entries(VENDORS).map(([type, vendor]) => ({
  type,
  channel: CHANNELS[type as keyof typeof VENDORS],
  ...vendor,
}));

/** Sends events to a vendor with these answers; returns the result, the waits and the requests. */
export async function sendTo(
  notification: (url: string) => Notification,
  { events = [siteEvent()], answers = [], secrets = CANARIES }: {
    events?: SiteEvent[];
    answers?: VendorAnswer[];
    secrets?: Readonly<Record<string, string>>;
  } = {},
) {
  const { type } = notification("");
  await using server = await vendorServer(VENDORS[type as keyof typeof VENDORS].yes, answers);
  const refused: string[] = [];
  const sending = sendingWith(secrets, { onRefused: (text) => refused.push(text) });
  const work = CHANNELS[type].send(notification(server.url), messageOf(...events), sending);
  const result = await work.catch((error) => error);
  const { seen } = server;
  const forms = seen.map(({ text }) => Object.fromEntries(new URLSearchParams(text)));
  return {
    result,
    refused,
    forms,
    bodies: seen.map(({ json }) => json),
    seen,
    waits: sending.clock.waits,
  };
}
