import { EffectError } from "../outbox/effect.ts";
import type { Entry } from "../outbox/outbox.ts";
import { HOUR } from "../time.ts";
import { channelsByKey, type Subscriber } from "./channel_list.ts";
import type { ChannelStates } from "./channel_state.ts";
import type { Acknowledgement, Sending } from "./channels/channel.ts";
import { loadSender } from "./channels/mod.ts";
import { rememberPosted } from "./posted_messages.ts";

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
