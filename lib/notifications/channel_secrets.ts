import type { Notification } from "../config/channels/keys.ts";
import { secretNamesOf } from "../config/secrets/secret_names.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import type { ListeningChannel } from "./listener.ts";
import { channelName } from "./routes.ts";

/**
 * Returns the names of secrets that a channel needs and that have no value in this run. An empty value counts
 * as missing, because GitHub passes one for a secret that nobody has saved. Secrets in a template don't
 * count: a misspelt name there must not hold back an alert.
 */
export function missingSecretsOf(
  notification: Notification | undefined,
  secrets: Secrets,
): string[] {
  const names = secretNamesOf({ ...notification, "message-template": undefined });
  return names.filter((name) => (secrets.value(name) ?? "").trim() === "");
}

/** A channel that a run can't send to, and the secrets that it lacks. */
export interface LackingChannel {
  /** Type and destination, without secrets. */
  channel: string;
  missing: string[];
}

/** The channels that a run can't send to because it lacks secrets. */
export function lackingChannels(
  channels: readonly Pick<ListeningChannel, "notification">[],
  secrets: Secrets,
): LackingChannel[] {
  return channels.map(({ notification }) => ({
    channel: channelName(notification),
    missing: missingSecretsOf(notification, secrets),
  })).filter(({ missing }) => missing.length > 0);
}

/** Reports a channel that lacks secrets in a run that has others, without a full stop. */
export function lackingNote({ channel, missing }: LackingChannel): string {
  const names = missing.map((name) => `$${name}`).join(", ");
  const are = missing.length === 1 ? "is" : "are";
  return `Cannot send to ${channel}: ${names} ${are} not among the secrets of this run; save ${
    missing.length === 1 ? "it" : "them"
  } with set-secret, check the spelling, and run Setup CI, which adds a new name to uptime.yml`;
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
