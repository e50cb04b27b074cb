import * as v from "valibot";
import { flag, integer, list, text, texts, word } from "./values.ts";

/** The kinds of channel a notification may name. */
export const CHANNEL_TYPES = [
  "email",
  "webhook",
  "slack",
  "discord",
  "telegram",
  "teams",
  "pagerduty",
  "datadog",
] as const;

/** Events a channel may listen to. */
export const NOTIFICATION_EVENTS = ["down", "up", "degraded"] as const;

/** Keys of a notification, whatever its type. */
export const NOTIFICATION_KEYS = {
  type: word(CHANNEL_TYPES),
  "webhook-url": v.optional(text("an address or a $SECRET")),
  channel: v.optional(text()),
  "bot-token": v.optional(text()),
  "chat-id": v.optional(v.pipe(v.union([text(), v.number()]), v.transform(String))),
  "smtp-host": v.optional(text()),
  "smtp-port": v.optional(v.union([integer(1, 65535), text()], "expected a port from 1 to 65535")),
  "smtp-username": v.optional(text()),
  "smtp-password": v.optional(text()),
  from: v.optional(text()),
  to: v.optional(list(text(), "a list of addresses")),
  url: v.optional(text()),
  method: v.optional(text()),
  headers: v.optional(texts()),
  body: v.optional(text()),
  "integration-key": v.optional(text()),
  severity: v.optional(text()),
  component: v.optional(text()),
  "api-key": v.optional(text()),
  site: v.optional(text()),
  tags: v.optional(list(text(), "a list of tags")),
  on: v.optional(list(word(NOTIFICATION_EVENTS), "a list of events")),
  "message-template": v.optional(text()),
  "min-interval": v.optional(integer(0, 31_536_000)),
  "group-notifications": v.optional(flag()),
  "group-interval": v.optional(integer(0, 31_536_000)),
};

/** One notification channel; intervals in seconds. */
export const NOTIFICATION = v.object(NOTIFICATION_KEYS);
