import { UsageError } from "../lib/text/arguments.ts";
import { CHANNELS } from "../lib/notifications/channels/mod.ts";
import { loadConfig } from "../lib/config/load.ts";
import { hasUnusableChannel } from "../lib/io/problem.ts";
import type { Command, Context } from "./shared/context.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { findSubscribers, type Subscriber } from "../lib/notifications/channel_list.ts";
import { sendingOf } from "./shared/sending_of.ts";
import { deliver, testMessage } from "./shared/test_message.ts";
import {
  type ChannelTest,
  channelTestLine,
  channelTestsJson,
} from "../templates/terminal/results.ts";

/** Sends a test event to every channel, or to one, and shows what each answered. */
export const notifyTest: Command = async (context) => {
  const { root, dryRun, json, log, secrets } = context;
  const workspace = folderWorkspace(root);
  const { config, problems, file } = await loadConfig(workspace, context);
  for (const problem of problems) log.problem(problem, file);
  if (config === undefined) throw new UsageError(`Cannot send anything: see ${file}`);
  const { remoteUrl } = await readRepositoryInfo(root);
  const sending = sendingOf(config, remoteUrl, context);
  const message = testMessage(sending);
  const chosen = chosenChannels(findSubscribers(config, secrets), context);
  const tests = await Promise.all(chosen.map(async ([number, { notification }]) => {
    const channel = CHANNELS[notification.type];
    const test = { number, notification };
    if (dryRun) return { ...test, preview: channel.preview(notification, message, sending) };
    return { ...test, ...await deliver(notification, message, sending) };
  }));
  for (const test of tests) tell(test, context);
  if (chosen.length === 0) log.line("No channel is configured: there is nobody to tell.");
  if (json) log.data(channelTestsJson(tests));
  return hasUnusableChannel(problems) ||
      tests.some(({ failure }: ChannelTest) => failure !== undefined)
    ? 1
    : 0;
};

function tell(test: ChannelTest, { log }: Context): void {
  if (test.failure === undefined) log.line(channelTestLine(test));
  else log.error(channelTestLine(test));
}

/** The channels with their numbers, all of them or the one that was asked for. */
function chosenChannels(
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
