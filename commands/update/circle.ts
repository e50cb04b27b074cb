import type { Config } from "../../lib/config/config.ts";
import type { Problem } from "../../lib/io/problem.ts";
import type { Context } from "../shared/context.ts";
import type { Surroundings } from "../../lib/git/repository.ts";
import type { GitHub } from "../../lib/github/github.ts";
import type { Listeners } from "../../lib/pipeline/owed.ts";
import { IssueNumbers } from "../../lib/incidents/issue_numbers.ts";
import { channelsByKey } from "../../lib/notifications/channel_list.ts";
import { channelNotices } from "../../lib/notifications/notices.ts";
import {
  findUnsendableChannels,
  type UnsendableChannel,
  unsendableNotices,
} from "../../lib/notifications/channel_problems.ts";
import { sendingOf } from "../shared/sending_of.ts";
import type { Carriers } from "../../lib/outbox/effect.ts";
import type { MessageMeans } from "../../lib/outbox/means.ts";
import { carriersWith } from "../../lib/pipeline/effect_handlers.ts";
import { reachGitHub } from "../shared/reach_github.ts";
import { listenersOf } from "./listeners.ts";

/** Who a run has to do with outside of the repository, and what it reaches them with. */
export interface Circle {
  /** Absent where there is no token, or no repository of GitHub. */
  github?: GitHub;
  listeners: Listeners;
  /** Channels that nothing can be sent to with their settings. */
  unsendable: readonly UnsendableChannel[];
  carriers: Carriers;
  messages: MessageMeans;
  /** Numbers of issues by incident; those that are opened are added. */
  issues: IssueNumbers;
  /** What requests call themselves. */
  agent: string;
  /** Page of the repository. */
  home?: string;
  /** The monitored folder in the repository, empty for its top. */
  folder: string;
}

/** What a circle is made by, beside the configuration. */
export interface CircleSources extends Surroundings {
  /** Whether the configuration does not tell all, because some of it can't be read or it is another one. */
  isPartial: boolean;
  /** Problems of the configuration, and the name of its file. */
  problems: readonly Problem[];
  file: string;
}

/** Who there is to tell, and whether they can be reached: issues and workflows are those of the repository that the token is for. */
export function circleOf(
  config: Config,
  { origin, prefix, isPartial: tellsNotAll, problems, file }: CircleSources,
  context: Context,
): Circle {
  const { environment, secrets, clock } = context;
  const usual = sendingOf(config, origin, context);
  const { places: { home: configured, page }, userAgent: agent } = usual;
  const github = reachGitHub({ config, origin }, context);
  const home = github === undefined ? configured : `${environment.server}/${github.repository}`;
  const places = home === undefined ? undefined : { repository: home, folder: prefix, page };
  const { monitor } = usual;
  const reached = listenersOf(config, {
    github,
    places,
    secrets,
    isPartial: tellsNotAll,
    monitor,
  });
  const unsendable = findUnsendableChannels(reached.channels, usual);
  const listeners = {
    ...reached,
    channels: reached.channels.map((channel) =>
      unsendable.some(({ key }) => key === channel.key)
        ? { ...channel, isUnsendable: true as const }
        : channel
    ),
    notices: [
      ...channelNotices(problems, { file, monitor }),
      ...unsendableNotices(unsendable, monitor),
    ],
  };
  const issues = new IssueNumbers();
  const channels = channelsByKey(listeners.channels);
  const sending = { ...usual, places: { home, page } };
  const messages = { channels, isPartial: listeners.isPartial, sending, issues };
  const carriers = carriersWith({ github, messages, issues, clock });
  return {
    github,
    listeners,
    unsendable,
    carriers,
    messages,
    issues,
    agent,
    home,
    folder: prefix,
  };
}
