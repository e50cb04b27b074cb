import { UsageError } from "../lib/text/arguments.ts";
import { CHANNELS } from "../lib/notifications/channels/mod.ts";
import { hasUnusableChannel } from "../lib/io/problem.ts";
import { type Command, type Context, loadReported } from "./shared/context.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import { channelName } from "../lib/notifications/routes.ts";
import { findSubscribers, type Subscriber } from "../lib/notifications/channel_list.ts";
import { createSending } from "./shared/sending.ts";
import { deliver, testMessage } from "./shared/test_message.ts";
import { paint } from "../lib/text/paint.ts";

export const notifyTest: Command = async (context) => {
  const { root, dryRun, json, log, secrets } = context;
  const { config, problems, file } = await loadReported(context);
  if (config === undefined) throw new UsageError(`Cannot send anything: see ${file}`);
  const { remoteUrl } = await readRepositoryInfo(root);
  const sending = createSending(config, remoteUrl, context);
  const message = testMessage(sending);
  const chosen = chooseChannels(findSubscribers(config, secrets), context);
  const tests = await Promise.all(chosen.map(async ([number, { notification }]) => {
    const name = { number, channel: channelName(notification) };
    if (dryRun) {
      const payload = CHANNELS[notification.type].preview(notification, message, sending);
      return { ...name, payload };
    }
    const { answer = null, failure = null } = await deliver(notification, message, sending);
    return { ...name, answer, failure };
  }));
  for (const test of tests) {
    const name = `${test.number}. ${test.channel}`;
    if ("payload" in test) {
      log.line(`${name} would be sent\n\n${JSON.stringify(test.payload, null, 2)}\n`);
    } else if (test.failure !== null) log.error(`${name}: ${test.failure}`);
    else log.line(`${paint.green("✔")} ${name}: ${test.answer}`);
  }
  if (chosen.length === 0) log.line("No channel is configured: nothing was sent.");
  if (json) log.data(tests);
  const failed = tests.some((test) => "failure" in test && test.failure !== null);
  return failed || hasUnusableChannel(problems) ? 1 : 0;
};

function chooseChannels(
  channels: readonly Subscriber[],
  { options }: Context,
): [number: number, channel: Subscriber][] {
  const wanted = options.text("channel");
  const numbered = channels.map((one, index): [number, Subscriber] => [index + 1, one]);
  if (wanted === undefined) return numbered;
  const found = numbered.filter(([number]) => String(number) === wanted);
  if (found.length > 0) return found;
  const range = channels.length === 0 ? "none is configured" : `they are 1 to ${channels.length}`;
  throw new UsageError(`Cannot find channel ${wanted}: ${range}`);
}
