import { CHANNEL_TYPES, type Notification } from "../lib/config/channels/keys.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import { hasUnusableChannel } from "../lib/io/problem.ts";
import { findSubscribers, type Subscriber } from "../lib/notifications/channel_list.ts";
import type { Sending } from "../lib/notifications/channels/channel.ts";
import { loadSender } from "../lib/notifications/channels/mod.ts";
import type { Message } from "../lib/notifications/message.ts";
import { channelName } from "../lib/notifications/routes.ts";
import { sampleMessages } from "../lib/notifications/sample_messages.ts";
import { toSampleNotification } from "../lib/setup/first_channel.ts";
import { type Options, UsageError } from "../lib/text/arguments.ts";
import { didYouMean } from "../lib/text/nearest.ts";
import { paint } from "../lib/text/paint.ts";
import { type Command, type Context, loadReported } from "./shared/context.ts";
import { createSending, deliver, testMessage } from "./shared/sending.ts";
import { formatCommand } from "../lib/text/invocation.ts";

interface Chosen {
  /** Its number among the configured channels; absent for a type of channel. */
  number?: number;
  notification: Notification;
}

function noChannelNote(): string {
  const preview = formatCommand("notify-test --preview slack");
  return `No channel is configured: nothing was sent. "${preview}" shows the messages of a channel type.`;
}

export const notifyTest: Command = async (context) => {
  const { root, dryRun, json, log, secrets, clock, options } = context;
  const { config, problems, file } = await loadReported(context);
  if (config === undefined) throw new UsageError(`Cannot send anything: see ${file}`);
  const { remoteUrl } = await readRepositoryInfo(root);
  const sending = await createSending(config, remoteUrl, context);
  const chosen = chooseChannels(findSubscribers(config, secrets), context);
  if (chosen.length === 0) log.line(noChannelNote());
  const exitCode = hasUnusableChannel(problems) ? 1 : 0;
  if (options.has("preview") || dryRun) {
    const messages = options.has("preview")
      ? sampleMessages(clock.now(), sending.language)
      : { test: testMessage(sending) };
    const previews = (await Promise.all(
      chosen.map((one) => previewMessages(one, messages, sending)),
    )).flat();
    for (const { number, channel, message, payload } of previews) {
      const name = number === undefined ? channel : `${number}. ${channel}`;
      const what = options.has("preview") ? `, ${message}:` : " would be sent";
      log.line(`${name}${what}\n\n${JSON.stringify(payload, null, 2)}\n`);
    }
    if (json) log.data(previews);
    return exitCode;
  }
  const message = testMessage(sending);
  const tests = await Promise.all(chosen.map(async ({ number, notification }) => {
    const { answer = null, failure = null } = await deliver(notification, message, sending);
    return { number, channel: channelName(notification), answer, failure };
  }));
  for (const { number, channel, answer, failure } of tests) {
    const name = `${number}. ${channel}`;
    if (failure !== null) log.error(`${name}: ${failure}`);
    else log.line(`${paint.green("✔")} ${name}: ${answer}`);
  }
  if (json) log.data(tests);
  return tests.some(({ failure }) => failure !== null) ? 1 : exitCode;
};

/** The data that a channel would be sent, for each of several messages by name. */
async function previewMessages(
  { number, notification }: Chosen,
  messages: Readonly<Record<string, Message>>,
  sending: Sending,
) {
  const { preview } = await loadSender(notification.type);
  return Object.entries(messages).map(([name, message]) => ({
    ...number === undefined ? {} : { number },
    channel: channelName(notification),
    message: name,
    payload: preview(notification, message, sending),
  }));
}

function chooseChannels(channels: readonly Subscriber[], { options, words }: Context): Chosen[] {
  if (words.length > 0) return [sampleChannel(words, options)];
  const wanted = options.text("channel");
  const all = channels.map(({ notification }, index) => ({ number: index + 1, notification }));
  if (wanted === undefined) return all;
  const found = all.filter(({ number }) => String(number) === wanted);
  if (found.length > 0) return found;
  const range = channels.length === 0 ? "none is configured" : `they are 1 to ${channels.length}`;
  throw new UsageError(`Cannot find channel ${wanted}: ${range}`);
}

/** A channel of a type, with secrets in place of all that it needs. */
function sampleChannel(words: readonly string[], options: Options): Chosen {
  const type = words.join(" ");
  if (!options.has("preview")) {
    throw new UsageError(`Cannot send to ${type}: a channel type is for notify-test --preview`);
  }
  const notification = toSampleNotification(type);
  if (notification !== undefined) return { notification };
  throw new UsageError(
    `Cannot preview ${type}: ${didYouMean(type, CHANNEL_TYPES)}types are ${
      CHANNEL_TYPES.join(", ")
    }`,
  );
}
