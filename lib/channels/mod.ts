import type { ChannelType } from "../config/keys/notification_keys.ts";
import type { Channel } from "./channel.ts";
import { datadog } from "./datadog.ts";
import { discord } from "./discord.ts";
import { pagerduty } from "./pagerduty.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { webhook } from "./webhook.ts";

/** Every kind of channel by its name in the configuration. */
export const CHANNELS: Readonly<Record<Exclude<ChannelType, "email">, Channel>> = {
  webhook,
  slack,
  discord,
  telegram,
  teams,
  pagerduty,
  datadog,
};
