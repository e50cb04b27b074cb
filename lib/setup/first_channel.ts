import { CHANNEL_KINDS } from "../config/channels/kinds.ts";
import { CHANNEL_TYPES, type ChannelType, type Notification } from "../config/channels/keys.ts";

/** A channel of a first configuration, whose settings are all secrets. */
export interface FirstChannel {
  type: ChannelType;
  secrets: Readonly<Record<string, string>>;
  /** The webhook's address, if it is known; it is never written into a file. */
  address?: string;
}

const HOSTS: readonly [ChannelType, RegExp][] = [
  ["slack", /^hooks\.slack(?:-gov)?\.com$/],
  ["discord", /(?:^|\.)discord(?:app)?\.com$/],
  ["google-chat", /^chat\.googleapis\.com$/],
  ["teams", /\.(?:webhook\.office\.com|logic\.azure\.com|powerplatform\.com)$/],
];

/**
 * The channel that an answer means: the address of a webhook, or a type of channel; `undefined` for other
 * texts.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(toFirstChannel("https://hooks.slack.com/services/T0/B0/x")?.secrets, {
 *   "webhook-url": "SLACK_WEBHOOK_URL",
 * });
 * assertEquals(toFirstChannel("PagerDuty"), {
 *   type: "pagerduty",
 *   secrets: { "integration-key": "PAGERDUTY_INTEGRATION_KEY" },
 * });
 * ```
 */
export function toFirstChannel(answer: string): FirstChannel | undefined {
  const isAddress = /^https?:\/\//i.test(answer) && URL.canParse(answer);
  const host = isAddress ? new URL(answer).hostname : "";
  const named = Object.keys(CHANNEL_KINDS).find((type) => type === answer.toLowerCase());
  const type = isAddress
    ? HOSTS.find(([, pattern]) => pattern.test(host))?.[0] ?? "webhook"
    : named as ChannelType | undefined;
  if (type === undefined) return undefined;
  const { needs } = CHANNEL_KINDS[type];
  const keys = type === "email" ? [...needs, "smtp-username", "smtp-password"] : needs;
  const toSecretName = (key: string) => `${type}_${key}`.toUpperCase().replaceAll("-", "_");
  const secrets = Object.fromEntries(keys.map((key) => [key, toSecretName(key)]));
  return { type, secrets, ...isAddress ? { address: answer } : {} };
}

/** A channel of a type whose settings are secrets by their usual names; `undefined` if the type is unknown. */
export function toSampleNotification(type: string): Notification | undefined {
  const isType = CHANNEL_TYPES.some((one) => one === type);
  const channel = isType ? toFirstChannel(type) : undefined;
  if (channel === undefined) return undefined;
  const settings = Object.entries(channel.secrets).map(([key, name]) => [
    key,
    key === "to" ? [`$${name}`] : `$${name}`,
  ]);
  return { type: channel.type, ...Object.fromEntries(settings) };
}
