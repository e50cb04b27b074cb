import * as v from "valibot";
import { findKind } from "../config/channels/kinds.ts";
import type { Entry } from "../outbox/outbox.ts";
import type { Subscriber } from "./channel_list.ts";
import type { ChannelState, ChannelStates, NotifiedOutage } from "./channel_state.ts";
import { isOutage, isSame, type SiteEvent } from "./message.ts";

const POSTED = v.object({
  /** Id of a message, as its vendor gave it. */
  id: v.string(),
  /** Incidents that the message is about. */
  incidents: v.array(v.string()),
});

/** The incidents of a message for which its id is worth keeping; none if it can't be updated for each of them. */
export function listPostedIncidents(
  events: readonly SiteEvent[],
  { canUpdate }: { canUpdate: boolean },
): string[] {
  if (canUpdate && events.length > 1) return [];
  return events.filter(({ kind }) => isOutage(kind)).map(({ incident }) => incident);
}

/**
 * Adds the ids of sent messages to what channels know of ongoing outages: of a channel whose messages can be
 * updated the first one, of others the last one.
 */
export function rememberPosted(
  states: ChannelStates | undefined,
  outbox: readonly Entry[],
  channels: ReadonlyMap<string, Subscriber>,
): ChannelStates | undefined {
  if (states === undefined) return undefined;
  const after = { ...states };
  for (const { queue = "", done } of outbox) {
    const posted = v.safeParse(POSTED, done?.receipt?.["posted"]);
    const key = queue.replace(/^message\//, "");
    const state = after[key];
    const channel = channels.get(key);
    if (!posted.success || state === undefined || channel === undefined) continue;
    const { id, incidents } = posted.output;
    const keepsFirst = findKind(channel.notification).updates === true;
    const notified = state.notified.map((one): NotifiedOutage =>
      incidents.includes(one.incident) && !(keepsFirst && one.posted !== undefined)
        ? { ...one, posted: id }
        : one
    );
    after[key] = { ...state, notified };
  }
  return after;
}

/** Carries the message of an outage that a channel knew to what replaces it, and to events about it. */
export function createCarrier(
  { notified }: ChannelState,
): <T extends Pick<SiteEvent, "slug" | "incident" | "posted">>(one: T) => T {
  return (one) => {
    const posted = one.posted ?? notified.find((known) => isSame(known, one))?.posted;
    return posted === undefined ? one : { ...one, posted };
  };
}
