import type { ChannelType } from "../../config/channels/keys.ts";
import { apprise } from "./apprise.ts";
import type { ChannelSender } from "./channel.ts";
import { datadog } from "./datadog.ts";
import { discord } from "./discord.ts";
import { email } from "./email.ts";
import { googleChat } from "./google-chat.ts";
import { gotify } from "./gotify.ts";
import { mattermost } from "./mattermost.ts";
import { ntfy } from "./ntfy.ts";
import { incidentIo } from "./incident-io.ts";
import { jsm } from "./jsm.ts";
import { matrix } from "./matrix.ts";
import { pagerduty } from "./pagerduty.ts";
import { pushover } from "./pushover.ts";
import { rocketChat } from "./rocket-chat.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { twilio } from "./twilio.ts";
import { webhook } from "./webhook.ts";
import { zulip } from "./zulip.ts";

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
  matrix,
  pushover,
  jsm,
  "incident-io": incidentIo,
  twilio,
  apprise,
  "google-chat": googleChat,
  mattermost,
  "rocket-chat": rocketChat,
  zulip,
};
