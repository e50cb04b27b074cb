import type { Notification } from "../../lib/config/read_notifications.ts";
import { channelName } from "../../lib/notifications/routes.ts";
import { paint } from "../../lib/text/paint.ts";

/** What came of trying a channel. */
export interface ChannelTest {
  /** Which of the configured channels it is, counted from 1. */
  number: number;
  notification: Notification;
  /** What it answered. */
  answer?: string;
  /** Why it took nothing. */
  failure?: string;
  /** What would be sent. */
  preview?: unknown;
}

/** What came of trying a channel, for the terminal. */
export function channelTestLine(
  { number, notification, answer, failure, preview }: ChannelTest,
): string {
  const name = `${number}. ${channelName(notification)}`;
  if (failure !== undefined) return `${name}: ${failure}`;
  if (answer !== undefined) return `${paint.green("✔")} ${name}: ${answer}`;
  return `${name} would be sent\n\n${JSON.stringify(preview, null, 2)}\n`;
}

/** The same as data. */
export function channelTestsJson(tests: readonly ChannelTest[]): unknown {
  return tests.map(({ number, notification, answer, failure, preview }) => ({
    number,
    channel: channelName(notification),
    ...preview === undefined
      ? { answer: answer ?? null, failure: failure ?? null }
      : { payload: preview },
  }));
}
