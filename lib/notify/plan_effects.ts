import type { Effect } from "../outbox/effect.ts";
import type { Entry } from "../outbox/outbox.ts";
import type { ChannelMemories } from "./memory.ts";
import { messageEffect } from "./message_effect.ts";
import { planMessages, type Tidings } from "./plan.ts";
import { unsentMessages, withoutGivenUp } from "./unsent.ts";

/** Messages to send now, and the outbox without those that they replace. */
export interface PlannedEffects {
  /** Messages, including unchanged ones of earlier runs. */
  effects: Effect[];
  channels: ChannelMemories;
  /** The outbox of earlier runs, without messages that are condensed into others. */
  outbox: Entry[];
}

/**
 * Plans messages as effects. Unsent messages of earlier runs are condensed with the events since, so that a
 * channel is sent the present state and no backlog; messages that another run has claimed stay as they
 * are. `present` is the time at which claims are compared.
 */
export function planMessageEffects(
  tidings: Tidings,
  before: readonly Entry[],
  present: Temporal.Instant = tidings.now,
): PlannedEffects {
  const { channels, now } = tidings;
  const byKey = new Map(channels.map((channel) => [channel.key, channel]));
  const { memory, outbox } = withoutGivenUp(tidings.memory, before, present);
  const unsent = unsentMessages(outbox, new Set(byKey.keys()), present);
  const planned = planMessages({ ...tidings, memory, unsent: unsent.events });
  const effects = planned.messages.map(({ channel, message }): Effect => {
    const notBefore = unsent.notBefore.get(channel);
    const effect = messageEffect(byKey.get(channel)!, message, now);
    return notBefore === undefined ? effect : { ...effect, notBefore };
  });
  const byId = new Map(effects.map((effect) => [effect.id, effect]));
  const replanned = new Set(unsent.entries);
  return {
    effects,
    channels: planned.memory,
    outbox: outbox.flatMap((entry) => {
      if (!replanned.has(entry)) return [entry];
      // The same message may contain more than before: earlier states of this outage.
      const effect = byId.get(entry.id);
      return effect === undefined ? [] : [{ ...entry, data: effect.data }];
    }),
  };
}
