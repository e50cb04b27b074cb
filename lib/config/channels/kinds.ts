import { createHash } from "node:crypto";
import { publicUrl } from "../../io/secrets/url_credentials.ts";
import { shortHash } from "../../text/words.ts";
import { CHANNEL_TYPES, type ChannelType, type Notification } from "./keys.ts";

/** Port of a mail server, unless one is configured. */
export const SUBMISSION_PORT = "587";

type Key = Exclude<keyof Notification, "type">;

interface ChannelKind {
  /**
   * Keys that it can't do without. The first one is the credential or server that messages go to; the others
   * identify its destination as well: two channels with the same are one.
   */
  needs: readonly [Key, ...Key[]];
  /** Optional keys that identify its destination as well. */
  places?: readonly Key[];
  uses?: readonly Key[];
  priorities?: readonly string[];
  /** True if each event is a request of its own: then it is a message of its own, which the outbox tracks. */
  sendsSingly?: true;
  /** True if it opens alerts, which are closed at their end without a message that people read. */
  alerts?: true;
}

export const CHANNEL_KINDS: Readonly<Record<ChannelType, ChannelKind>> = {
  email: {
    needs: ["smtp-host", "from", "to"],
    places: ["smtp-port"],
    uses: ["smtp-username", "smtp-password"],
  },
  webhook: { needs: ["url"], places: ["method", "headers", "body"] },
  slack: { needs: ["webhook-url"], places: ["channel"], uses: ["bot-token", "url", "short"] },
  discord: { needs: ["webhook-url"], uses: ["short", "silent"] },
  telegram: { needs: ["bot-token", "chat-id"], places: ["url"], uses: ["short", "silent"] },
  teams: { needs: ["webhook-url"], uses: ["short"] },
  pagerduty: {
    needs: ["integration-key"],
    places: ["url"],
    uses: ["severity", "component"],
    sendsSingly: true,
    alerts: true,
  },
  datadog: { needs: ["api-key"], places: ["site", "url"], uses: ["tags"], sendsSingly: true },
  matrix: { needs: ["token", "url", "room"], uses: ["short"] },
  pushover: {
    needs: ["token", "user"],
    places: ["url"],
    uses: ["priority", "retry", "expire", "short", "silent"],
    priorities: ["-2", "-1", "0", "1", "2"],
  },
  jsm: {
    needs: ["api-key"],
    places: ["url"],
    uses: ["priority", "tags"],
    priorities: ["P1", "P2", "P3", "P4", "P5"],
    sendsSingly: true,
    alerts: true,
  },
  "incident-io": { needs: ["token", "url"], sendsSingly: true, alerts: true },
  twilio: {
    needs: ["token", "account-sid", "from-number", "to-number"],
    places: ["url", "call"],
    uses: ["key-sid"],
  },
  apprise: { needs: ["url"], places: ["tags"], uses: ["short"] },
  ntfy: { needs: ["topic"], places: ["url"], uses: ["token", "short", "silent"] },
  gotify: {
    needs: ["token", "url"],
    uses: ["priority", "short"],
    priorities: Array.from({ length: 11 }, (_, number) => String(number)),
  },
  "google-chat": { needs: ["webhook-url"], uses: ["short"] },
  mattermost: { needs: ["webhook-url"], places: ["channel"], uses: ["short"] },
  "rocket-chat": { needs: ["webhook-url"], places: ["channel"], uses: ["short"] },
  zulip: {
    needs: ["api-key", "url", "bot-email"],
    places: ["channel", "topic"],
    uses: ["short"],
  },
};

/** Slack by the token of a bot, in place of a webhook. */
const SLACK_BOT: ChannelKind = { needs: ["bot-token", "channel"], places: ["url"] };

/** All keys of a kind that others may not have. */
function listKeys({ needs, places = [], uses = [] }: ChannelKind): readonly string[] {
  return [...needs, ...places, ...uses];
}

export function findKind(notification: Pick<Notification, "type" | "bot-token">): ChannelKind {
  const { type } = notification;
  const isBot = type === "slack" && notification["bot-token"] !== undefined;
  return isBot ? SLACK_BOT : CHANNEL_KINDS[type];
}

/** Placeholders in `message-template` and in the `url`, `headers` and `body` of a webhook. */
export const PLACEHOLDER_NAMES = [
  "SITE_NAME",
  "STATUS",
  "SITE_STATUS",
  "SITE_URL",
  "RESPONSE_CODE",
  "TIMESTAMP",
  "RESPONSE_TIME",
  "ERROR",
  "DURATION",
  "INCIDENT_URL",
  "DESCRIPTION",
  "RUNBOOK",
  "TAGS",
  "GROUP",
  "HINT",
  "BODY",
] as const;

export type PlaceholderName = typeof PLACEHOLDER_NAMES[number];

/** Placeholders for all events of a message, in the `url`, `headers` and `body` of a webhook. */
export const GROUP_PLACEHOLDER_NAMES = ["EVENTS", "SUMMARY"] as const;

/** Keys that choose events, except at channels that use them otherwise. */
const CHOOSING_KEYS: readonly string[] = ["tags", "severity"];

/** True for such a key at a channel that sends it with each event. */
export function isPayloadKey(type: ChannelType, key: string): boolean {
  return CHOOSING_KEYS.includes(key) && listKeys(CHANNEL_KINDS[type]).includes(key);
}

export function isKeyOfOthers(key: string, type: ChannelType): boolean {
  if (CHOOSING_KEYS.includes(key)) return false;
  const types = CHANNEL_TYPES.filter((one) => listKeys(CHANNEL_KINDS[one]).includes(key));
  return types.length > 0 && !types.includes(type);
}

/** The destination without secrets and credentials: two channels with the same destination are one. */
export function describeDestination(notification: Notification): string {
  const { type } = notification;
  if (type === "email") {
    const { from = "", to = [] } = notification;
    return ["email", mailServer(notification), from, [...to].sort().join(", ")].join(" ");
  }
  const { needs: [credential, ...others], places = [] } = findKind(notification);
  const values = [...others, ...places].map((key) =>
    key === "url" ? publicUrl(notification.url ?? "") || undefined : notification[key]
  );
  // A request may also name its recipients, or whether it opens or closes an alert.
  const rest = type !== "webhook"
    ? values.filter((value) => value !== undefined && value !== false)
    : values.every((value) => value === undefined)
    ? []
    : [`#${shortHash(JSON.stringify(values))}`];
  return [type, fingerprint(String(notification[credential] ?? "")), ...rest].join(" ");
}

export function mailServer({ "smtp-host": host, "smtp-port": port }: Notification): string {
  return `${host}:${port ?? SUBMISSION_PORT}`;
}

/** True if each event is a message of its own. */
export function isSentPerEvent(notification: Notification): boolean {
  const { type } = notification;
  if (type === "webhook") return isPerEvent(notification);
  return CHANNEL_KINDS[type].sendsSingly === true;
}

/** True if a channel opens alerts, which are closed at their end without a message that people read. */
export function endsSilently({ type }: Pick<Notification, "type">): boolean {
  return CHANNEL_KINDS[type].alerts === true;
}

/** True for a channel of Pushover whose messages about critical outages are repeated until they are cancelled. */
export function isEmergency({ type, priority }: Pick<Notification, "type" | "priority">): boolean {
  return type === "pushover" && priority === "2";
}

/** True if a channel can be sent a report: services for incidents and calls can't. */
export function takesReports(
  notification: Pick<Notification, "type" | "bot-token" | "call">,
): boolean {
  return findKind(notification).sendsSingly !== true && notification.call !== true;
}

/** True for a webhook of which something is about one event, and nothing about all. */
export function isPerEvent(
  { url = "", method = "POST", headers = {}, body }: Pick<
    Notification,
    "url" | "method" | "headers" | "body"
  >,
): boolean {
  const sent = isBodiless(method) ? "" : body ?? "";
  const names = [url, ...Object.values(headers), sent].flatMap((template) =>
    [...template.matchAll(/\$([A-Za-z_]\w*)/g)].map(([, name]) => name!)
  );
  const uses = (placeholders: readonly string[]) =>
    names.some((name) => placeholders.includes(name));
  if (uses(GROUP_PLACEHOLDER_NAMES)) return false;
  return body !== undefined || isBodiless(method) || uses(PLACEHOLDER_NAMES);
}

export function isBodiless(method: string): boolean {
  return /^\s*(?:GET|HEAD)\s*$/i.test(method);
}

const REFERENCE = /\$[A-Za-z_]/;
const MASK = "***";

/** A credential as it may be shown: by the name of its secret, else masked. */
export function shownCredential(template: string): string {
  return REFERENCE.test(template) ? template : MASK;
}

/** The same for an address that is a credential: its origin may be shown. */
export function shownAddress(template: string): string {
  if (REFERENCE.test(template)) return publicUrl(template);
  const origin = URL.parse(template)?.origin ?? "null";
  return origin === "null" ? MASK : `${origin}/${MASK}`;
}

/**
 * A credential as it may be shown, distinguishable from others.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(fingerprint("$SLACK_WEBHOOK_URL"), "$SLACK_WEBHOOK_URL");
 * assertEquals(fingerprint("https://a.example/in/7f3a"), "https://a.example/***#f981e066");
 * ```
 */
export function fingerprint(template: string): string {
  if (REFERENCE.test(template)) return template;
  const hash = createHash("sha256").update(template).digest("hex").slice(0, 8);
  return `${shownAddress(template)}#${hash}`;
}
