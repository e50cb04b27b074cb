import type { Notification } from "../config/channels/keys.ts";
import { listChannelSecrets } from "../config/references.ts";
import type { Problem } from "../io/problem.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { EffectError } from "../outbox/effect.ts";
import { formatCommand } from "../text/invocation.ts";
import type { Language } from "../text/language.ts";
import { shortHash } from "../text/words.ts";
import { formatTime } from "../time.ts";
import type { Subscriber } from "./channel_list.ts";
import { type Sending, SettingError } from "./channels/channel.ts";
import { loadSender } from "./channels/mod.ts";
import type { Message } from "./message.ts";
import type { Notice } from "./notices.ts";
import { sayEvidence } from "./recorded_words.ts";
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
  language: Language,
): Notice[] {
  const { say } = language;
  return notified.flatMap((key): Notice[] => {
    if (!key.startsWith(CHANNEL) || open.some((one) => one.key === key)) return [];
    const label = key.slice(CHANNEL.length, key.lastIndexOf("/"));
    const title = say("worksAgain", { NAME: sayLabel(label, language) });
    return [{ key, isOver: true, title, text: say("worksOrRemoved") }];
  });
}

/** Makes a notice for each channel that problems of the configuration make unusable. */
export function planChannelNotices(
  problems: readonly Problem[],
  file: string,
  language: Language,
): Notice[] {
  const { say } = language;
  return problems.flatMap(({ channel, line, message, path }) => {
    if (channel === undefined) return [];
    const label = channel.charAt(0).toUpperCase() + channel.slice(1);
    const key = path.length > 1 ? path.at(-1) : undefined;
    const isNamed = typeof key === "string" && key !== "notifications";
    const problem = `${isNamed ? `${key}: ` : ""}${message}`;
    const name = sayLabel(label, language);
    return [toNotice(label, `${problem}; change it in ${file}`, {
      title: say("cannotWork", {
        NAME: line === undefined ? name : say("inLine", { NAME: name, LINE: String(line) }),
      }),
      text: say("changeInFile", {
        TEXT: sayEvidence(problem, language),
        FILE: language.isolate(file),
      }),
    })];
  });
}

/** Makes a notice for each channel that lacks secrets, or has settings that nothing can be sent with. */
export function planUnusableNotices(
  channels: readonly (UnusableChannel & Partial<LackingChannel>)[],
  language: Language,
): Notice[] {
  const { say } = language;
  return channels.map(({ channel, reason, missing }) => {
    const label = `Notification channel ${channel}`;
    const text = missing === undefined ? sayEvidence(reason, language) : say("secretsEmpty", {
      COUNT: missing.length,
      NAMES: language.isolate(missing.map((name) => `$${name}`).join(", ")),
    });
    return toNotice(label, `${reason}; change the setting or its secret`, {
      title: say("cannotWork", { NAME: sayLabel(label, language) }),
      text: say("changeSetting", { TEXT: text }),
    });
  });
}

/** The name of a channel in words: that of a {@linkcode Problem}, which is a part of the notice's key. */
function sayLabel(label: string, { say, isolate }: Language): string {
  const [, name] = /^Notification channel (.*)$/.exec(label) ?? [];
  if (name !== undefined) return say("channelNamed", { NAME: isolate(name) });
  return say(label.startsWith("A ") ? "aChannel" : "channelList");
}

/** A notice that a channel can't be used. Its key, of which `problem` is a part, is the same in every language. */
function toNotice(
  label: string,
  problem: string,
  { title, text }: Pick<Notice, "title" | "text">,
): Notice {
  return { key: `${CHANNEL}${label}/${shortHash(problem)}`, title, text, isOfChannel: true };
}
