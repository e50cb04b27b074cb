import type { ChannelType } from "../../config/channels/keys.ts";
import type { ChannelSender } from "./channel.ts";
import { datadog } from "./datadog.ts";
import { discord } from "./discord.ts";
import { email } from "./email.ts";
import { gotify } from "./gotify.ts";
import { ntfy } from "./ntfy.ts";
import { pagerduty } from "./pagerduty.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { webhook } from "./webhook.ts";

export const CHANNELS: Readonly<Record<ChannelType, ChannelSender>> = {
  email,
  webhook,
  slack,
  discord,
  telegram,
  teams,
  pagerduty,
  datadog,
  ntfy,
  gotify,
};
