import type { ChannelType } from "../../config/channels/keys.ts";
import type { ChannelSender } from "./channel.ts";

/** Senders by channel type, which are loaded on demand: few configurations need more than two. */
const SENDERS: Readonly<Record<ChannelType, () => Promise<ChannelSender>>> = {
  email: async () => (await import("./email.ts")).email,
  webhook: async () => (await import("./webhook.ts")).webhook,
  slack: async () => (await import("./slack.ts")).slack,
  discord: async () => (await import("./discord.ts")).discord,
  telegram: async () => (await import("./telegram.ts")).telegram,
  teams: async () => (await import("./teams.ts")).teams,
  pagerduty: async () => (await import("./pagerduty.ts")).pagerduty,
  datadog: async () => (await import("./datadog.ts")).datadog,
  ntfy: async () => (await import("./ntfy.ts")).ntfy,
  gotify: async () => (await import("./gotify.ts")).gotify,
  matrix: async () => (await import("./matrix.ts")).matrix,
  pushover: async () => (await import("./pushover.ts")).pushover,
  jsm: async () => (await import("./jsm.ts")).jsm,
  "incident-io": async () => (await import("./incident-io.ts")).incidentIo,
  twilio: async () => (await import("./twilio.ts")).twilio,
  apprise: async () => (await import("./apprise.ts")).apprise,
  "google-chat": async () => (await import("./google-chat.ts")).googleChat,
  mattermost: async () => (await import("./mattermost.ts")).mattermost,
  "rocket-chat": async () => (await import("./rocket-chat.ts")).rocketChat,
  zulip: async () => (await import("./zulip.ts")).zulip,
};

export function loadSender(type: ChannelType): Promise<ChannelSender> {
  return SENDERS[type]();
}
