import type { Notification } from "../config/channels/keys.ts";
import { listChannelSecrets } from "../config/references.ts";
import type { Problem } from "../io/problem.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { EffectError } from "../outbox/effect.ts";
import { formatCommand } from "../text/invocation.ts";
import { shortHash } from "../text/words.ts";
import { formatTime } from "../time.ts";
import type { Subscriber } from "./channel_list.ts";
import { type Sending, SettingError } from "./channels/channel.ts";
import { loadSender } from "./channels/mod.ts";
import type { Message } from "./message.ts";
import type { Notice } from "./notices.ts";
import { channelName } from "./routes.ts";

/**
 * Returns the names of secrets that a channel needs and that have no value in this run. An empty value counts
 * as missing, because GitHub passes one for a secret that was never saved. Secrets in a template don't
 * count: a misspelled name there must not hold back an alert.
 */
export function findMissingSecrets(
  notification: Notification | undefined,
  secrets: Secrets,
): string[] {
  const names = listChannelSecrets({ ...notification, "message-template": undefined });
  return names.filter((name) => (secrets.value(name) ?? "").trim() === "");
}

/** A channel that can't be used; both texts are without secrets and without a full stop. */
interface UnusableChannel {
  key: string;
  /** Type and destination. */
  channel: string;
  /** The setting or secrets at fault. */
  reason: string;
}

interface LackingChannel extends Omit<UnusableChannel, "key" | "reason"> {
  /** Names of the secrets that it lacks. */
  missing: string[];
}

/** The channels that a run can't send to. */
export interface UnusableChannels {
  /** Those that lack secrets, and want anything. */
  lacking: (UnusableChannel & LackingChannel)[];
  /** Those that have all their secrets, but settings with which nothing can be sent. */
  unsendable: UnusableChannel[];
}

/** Finds channels without secrets, and by preparing a sample message those with unusable settings. Nothing is sent. */
export async function findUnusableChannels(
  channels: readonly Pick<Subscriber, "key" | "notification" | "wantsAnything">[],
  sending: Sending,
): Promise<UnusableChannels> {
  const found = await Promise.all(channels.map(async ({ key, notification, wantsAnything }) => {
    const channel = channelName(notification);
    const missing = findMissingSecrets(notification, sending.secrets);
    if (missing.length === 0) {
      const reason = await findWrongSetting(notification, sending);
      return { unsendable: reason === undefined ? [] : [{ key, channel, reason }] };
    }
    const names = missing.map((name) => `$${name}`).join(", ");
    const reason = `${names} ${missing.length === 1 ? "has" : "have"} no value`;
    return { lacking: wantsAnything ? [{ key, channel, reason, missing }] : [] };
  }));
  return {
    lacking: found.flatMap(({ lacking = [] }) => lacking),
    unsendable: found.flatMap(({ unsendable = [] }) => unsendable),
  };
}

/** The setting with which no message can be sent; `undefined` if there is none. */
async function findWrongSetting(
  notification: Notification,
  sending: Sending,
): Promise<string | undefined> {
  try {
    const { assertSendable } = await loadSender(notification.type);
    assertSendable(notification, sampleMessage(sending), sending);
    return undefined;
  } catch (error) {
    if (!(error instanceof EffectError)) throw error;
    return sending.secrets.redact(error instanceof SettingError ? error.reason : error.message);
  }
}

/** Reports a channel that lacks secrets in a run that has others, without a full stop. */
export function missingSecretsNote({ channel, missing }: LackingChannel): string {
  const names = missing.map((name) => `$${name}`).join(", ");
  const are = missing.length === 1 ? "is" : "are";
  return `Cannot send to ${channel}: ${names} ${are} not among the secrets of this run; save ${
    missing.length === 1 ? "it" : "them"
  } with "${
    formatCommand(`set-secret ${missing.length === 1 ? missing[0] : "NAME"}`)
  }", check the spelling, and run Setup CI, which adds a new name to uptime.yml`;
}

/** Reports all channels that a run without any secrets can't use, without a full stop. */
export function withoutSecretsNote(lacking: readonly LackingChannel[]): string {
  const list = lacking.map(({ channel, missing }) => {
    const names = missing.map((name) => `$${name}`);
    const others = names.filter((name) => !channel.includes(name));
    return others.length === 0 ? channel : `${channel} without ${others.join(", ")}`;
  });
  return `This run has no secrets, so its messages wait for a run that has them: ${
    list.join("; ")
  }`;
}

/** Reports a channel with unusable settings in a sentence without a full stop. */
export function unsendableNote({ channel, reason }: UnusableChannel): string {
  return `Notification channel ${channel} can't work: ${reason}`;
}

function sampleMessage({ clock }: Sending): Message {
  const found = { since: formatTime(clock.now()), code: 503, error: "", attempts: 1 };
  const site = { name: "Sample", slug: "sample", incident: "sample" };
  return { id: "sample", events: [{ id: "sample", kind: "down", ...site, ...found }] };
}

const CHANNEL = "channel/";

/** Plans the ends of notices about channels that work again, or are no longer configured. */
export function planEndedChannelNotices(
  open: readonly Notice[],
  notified: readonly string[],
): Notice[] {
  return notified.flatMap((key): Notice[] => {
    if (!key.startsWith(CHANNEL) || open.some((one) => one.key === key)) return [];
    const label = key.slice(CHANNEL.length, key.lastIndexOf("/"));
    const title = `${label} has no problem any more`;
    return [{ key, isOver: true, title, text: "It works, or is no longer configured" }];
  });
}

/** Makes a notice for each channel that problems of the configuration make unusable. */
export function planChannelNotices(problems: readonly Problem[], file: string): Notice[] {
  return problems.flatMap(({ channel, line, message, path }) => {
    if (channel === undefined) return [];
    const label = channel.charAt(0).toUpperCase() + channel.slice(1);
    const key = path.length > 1 ? path.at(-1) : undefined;
    const isNamed = typeof key === "string" && key !== "notifications";
    const place = line === undefined ? "" : ` (line ${line})`;
    return [toNotice(label, {
      title: `${label}${place} can't work`,
      text: `${isNamed ? `${key}: ` : ""}${message}; change it in ${file}`,
    })];
  });
}

/** Makes a notice for each channel with settings that nothing can be sent with. */
export function planUnusableNotices(channels: readonly UnusableChannel[]): Notice[] {
  return channels.map(({ channel, reason }) => {
    const label = `Notification channel ${channel}`;
    const text = `${reason}; change the setting or its secret`;
    return toNotice(label, { title: `${label} can't work`, text });
  });
}

/** A notice that a channel can't be used; `label` names it. */
function toNotice(label: string, { title, text }: Pick<Notice, "title" | "text">): Notice {
  return { key: `${CHANNEL}${label}/${shortHash(text)}`, title, text, isOfChannel: true };
}
