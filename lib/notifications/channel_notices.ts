import type { Problem } from "../io/problem.ts";
import { shortHash } from "../text/words.ts";
import type { UnsendableChannel } from "./channel_problems.ts";
import type { Notice } from "./notices.ts";

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
export function planUnsendableNotices(channels: readonly UnsendableChannel[]): Notice[] {
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
