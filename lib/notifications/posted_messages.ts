import * as v from "valibot";
import { findKind } from "../config/channels/kinds.ts";
import type { Entry } from "../outbox/outbox.ts";
import { channelsByKey, type Subscriber } from "./channel_list.ts";
import type { ChannelState, ChannelStates, NotifiedOutage } from "./channel_state.ts";
import { isOutage, isSame, type SiteEvent } from "./message.ts";
import { EffectError } from "../outbox/effect.ts";
import { HOUR } from "../time.ts";
import type { Acknowledgement, Sending } from "./channels/channel.ts";
import { loadSender } from "./channels/mod.ts";

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

/** An acknowledgement of an incident in a channel. */
export interface ChannelAcknowledgement extends Acknowledgement {
  incident: string;
}

/** Milliseconds after a message in which it is asked about: repetitions last for 3 hours. */
const LONGEST_REPETITION = 4 * HOUR;

/**
 * Asks the channels in which a message can be acknowledged about those of incidents that somebody is to
 * acknowledge, one request for each. After a failure a channel is not asked again in this run, and a note says why.
 */
export async function readChannelAcknowledgements(
  { channels, states, outbox, isOpen }: {
    channels: readonly Subscriber[];
    states?: ChannelStates;
    /** Receipts of messages that the states don't contain yet. */
    outbox: readonly Entry[];
    /** True if nobody has acknowledged the incident, and it is not over. */
    isOpen(incident: string): boolean;
  },
  sending: Sending,
): Promise<{ acknowledgements: ChannelAcknowledgement[]; notes: string[] }> {
  const now = sending.clock.now().epochMilliseconds;
  const byKey = new Map(channels.map((channel) => [channel.key, channel]));
  const known = rememberPosted(states, outbox, byKey) ?? {};
  const acknowledgements: ChannelAcknowledgement[] = [];
  const notes: string[] = [];
  for (const [key, notification] of channelsByKey(channels)) {
    const asked = (known[key]?.notified ?? []).filter(({ incident, posted, at }) =>
      posted !== undefined && now - at.epochMilliseconds < LONGEST_REPETITION && isOpen(incident)
    );
    if (asked.length === 0) continue;
    const { findAcknowledgement } = await loadSender(notification.type);
    if (findAcknowledgement === undefined) continue;
    for (const { incident, posted } of asked) {
      try {
        const found = await findAcknowledgement(posted!, notification, sending);
        if (found !== undefined) acknowledgements.push({ incident, ...found });
      } catch (error) {
        if (!(error instanceof EffectError)) throw error;
        notes.push(`Who has acknowledged in ${notification.type} is unknown: ${error.message}`);
        break;
      }
    }
  }
  return { acknowledgements, notes };
}
