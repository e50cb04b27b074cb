import type { Sending } from "../notifications/channels/channel.ts";
import type { Notification } from "../config/channels/keys.ts";
import type { Clock } from "../io/clock.ts";
import type { GitHub } from "../github/github.ts";
import type { IssueNumbers } from "../incidents/issue_numbers.ts";

/** What carriers carry out effects with. */
export interface Means {
  /** Absent where there is no token, or no repository of GitHub. */
  github?: GitHub;
  /** Absent where no messages are sent. */
  messages?: MessageMeans;
  /** Gets the numbers of issues that are opened; absent if nobody asks for them. */
  issues?: IssueNumbers;
  clock: Clock;
}

/** What messages are sent with. */
export interface MessageMeans {
  /** The channels that are configured, by what memory and outbox know them by. */
  channels: ReadonlyMap<string, Notification>;
  /** Whether there may be others, whose messages wait for a run that knows them. */
  isPartial?: boolean;
  sending: Sending;
  /** Numbers of issues by incident; a message waits for those that are being opened. */
  issues: { get(incident: string): number | undefined } & Partial<Pick<IssueNumbers, "settled">>;
}

/** What an effect on GitHub lacks where {@linkcode Means.github} is absent. */
export const NO_PLATFORM = "a token (HOST_PAT or GITHUB_TOKEN) and a repository of GitHub";
