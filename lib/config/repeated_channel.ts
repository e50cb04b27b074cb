import { CHANNELS } from "../notifications/channels/mod.ts";
import { formatPath, type Problem } from "../io/problem.ts";
import type { Notification } from "./read_notifications.ts";

/** A channel, and where it stands in the configuration. */
export interface PlacedChannel {
  notification: Notification;
  path: Problem["path"];
}

/**
 * The keys of a channel that count for nothing, because one of those before it in its list leads to the
 * same place and says otherwise; with that one. Both are heard of in `on`.
 */
export function unusedKeys(
  before: readonly PlacedChannel[],
  notification: Notification,
): { key: string; first: string }[] {
  const destination = CHANNELS[notification.type].destination(notification);
  const first = before.find(({ notification: { type }, notification: other }) =>
    type === notification.type && CHANNELS[type].destination(other) === destination
  );
  if (first === undefined) return [];
  const said = new Map<string, unknown>(Object.entries(first.notification));
  return Object.entries(notification)
    .filter(([key, value]) =>
      key !== "on" && JSON.stringify(value) !== JSON.stringify(said.get(key))
    )
    .map(([key]) => ({ key, first: formatPath(first.path) }));
}
