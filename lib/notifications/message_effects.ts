import * as v from "valibot";
import { time } from "../history/yaml_file.ts";
import type { Effect } from "../outbox/effect.ts";
import { type Entry, isClaimed } from "../outbox/outbox.ts";
import { latest } from "../time.ts";
import type { Subscriber } from "./channel_list.ts";
import {
  applyPatches,
  type ChannelState,
  type ChannelStates,
  PATCH,
  type Patch,
} from "./channel_state.ts";
import { byIncident } from "./subject.ts";
import { SITE_EVENT, toAbout } from "./message.ts";
import { type MessageCauses, planMessages, type PlannedMessage } from "./plan_messages.ts";

const MESSAGE_EFFECT = v.object({
  channel: v.string(),
  message: v.object({ id: v.string(), events: v.array(SITE_EVENT) }),
  patches: v.optional(v.array(PATCH), []),
  opensWindow: v.optional(v.boolean(), false),
  /** Start of the run that planned it. */
  at: v.optional(time()),
});

export type MessageEffect = v.InferOutput<typeof MESSAGE_EFFECT>;

/** Parses the data of an effect; `undefined` if another version of the program wrote it. */
export function parseMessageEffect(data: unknown): MessageEffect | undefined {
  const result = v.safeParse(MESSAGE_EFFECT, data);
  return result.success ? result.output : undefined;
}

/** A message of this version of the program. */
type OwnEffect = MessageEffect & { at: Temporal.Instant };

function isOwn(effect: MessageEffect): effect is OwnEffect {
  return effect.at !== undefined;
}

function parseMessage({ handler, data }: Entry): MessageEffect | undefined {
  return handler === "message" ? parseMessageEffect(data) : undefined;
}

interface EffectCauses extends Omit<MessageCauses, "hasChat"> {
  channels: readonly Subscriber[];
  /** True if the configuration may have other channels; their state and messages are kept. */
  isPartial: boolean;
  states: ChannelStates;
}

/**
 * Plans messages as effects. A message that another run has claimed is left to it. Unclaimed ones are dropped from
 * `outbox`, because the difference that they came from is planned anew.
 */
export function planMessageEffects(
  causes: EffectCauses,
  outbox: readonly Entry[],
): { effects: Effect[]; channels: ChannelStates; outbox: Entry[] } {
  const { channels, isPartial, states, now } = causes;
  const hasChat = channels.some(({ isChat, wantsAnything, wantsWarnings, isUnsendable }) =>
    isChat && wantsAnything && wantsWarnings && isUnsendable === undefined
  );
  const open = outbox.flatMap((entry) => {
    const effect = entry.done === undefined ? parseMessage(entry) : undefined;
    // One of an earlier version of the program is sent as it is.
    return effect === undefined || !isOwn(effect) ? [] : [{ entry, effect }];
  });
  const planned = channels.map((channel) => {
    const own = open.filter(({ effect }) => effect.channel === channel.key);
    return {
      channel,
      ...planForChannel(channel, states[channel.key], own, { ...causes, hasChat }),
    };
  });
  const effects = planned.flatMap(({ effects }) => effects);
  const byId = new Map(effects.map((effect) => [effect.id, effect]));
  const known = new Set(channels.map(({ key }) => key));
  const others = isPartial
    ? withUnsent(states, open.map(({ effect }) => effect)).filter(([key]) => !known.has(key))
    : [];
  const used = planned.filter(({ state }) => state.last !== undefined || state.notified.length > 0);
  const replaced = new Set(
    open.filter(({ entry, effect }) =>
      !isClaimed(entry.claim, now) && (known.has(effect.channel) || !isPartial)
    ).map(({ entry }) => entry),
  );
  return {
    effects,
    channels: {
      ...Object.fromEntries(others),
      ...Object.fromEntries(used.map(({ channel, state }) => [channel.key, state])),
    },
    outbox: outbox.flatMap((entry) => {
      if (!replaced.has(entry)) return [entry];
      // A message with the same id keeps its failures and the time when it was first planned.
      const effect = byId.get(entry.id);
      return effect === undefined ? [] : [{ ...entry, data: effect.data }];
    }),
  };
}

interface OpenMessage {
  entry: Entry;
  effect: OwnEffect;
}

function planForChannel(
  channel: Subscriber,
  before: ChannelState = { notified: [] },
  open: readonly OpenMessage[],
  causes: MessageCauses,
): { state: ChannelState; effects: Effect[] } {
  const { now } = causes;
  const stored = withInterrupted(before, open, now);
  const sending = open.filter(({ entry }) => isClaimed(entry.claim, now))
    .reduce((state, { effect }) => applySent(state, effect), stored);
  const { messages, state } = planMessages(channel, { stored, sending }, causes);
  // A pause that a vendor asks for is for all messages of the channel, a refusal for one.
  const pauses = open.flatMap(({ entry: { isRefused, notBefore } }) =>
    isRefused ? [] : notBefore ?? []
  );
  const pause = pauses.length === 0 ? {} : { notBefore: latest(...pauses as [typeof now]) };
  const effects = messages.map((message) => ({
    ...messageEffect(channel, message, now),
    ...pause,
  }));
  return { state, effects };
}

/** Remembers the outages of unsent messages, so that a channel which is unknown for a while is notified of them. */
function withUnsent(
  states: ChannelStates,
  unsent: readonly OwnEffect[],
): [key: string, state: ChannelState][] {
  const after = new Map(Object.entries(states));
  for (const { channel, patches, at } of unsent) {
    const state = after.get(channel) ?? { notified: [] };
    const known = byIncident(state.notified);
    const isNew = ({ kind, incident }: Patch) => kind && !known.has(incident);
    const added = patches.filter(isNew).map(({ slug, incident }) => ({ slug, incident, at }));
    after.set(channel, { ...state, notified: [...state.notified, ...added] });
  }
  return [...after];
}

/** Marks as unsure what messages of killed runs may have notified a channel of. */
function withInterrupted(
  state: ChannelState,
  open: readonly OpenMessage[],
  now: Temporal.Instant,
): ChannelState {
  const interrupted = open.filter(({ entry: { claim } }) =>
    claim !== undefined && !isClaimed(claim, now)
  );
  return interrupted.reduce((before, { effect: { patches, at = now } }) => {
    const starts = patches.filter(({ kind }) => kind !== undefined);
    return applyPatches(before, starts, { at, unsure: true });
  }, state);
}

export function applySent(
  state: ChannelState,
  { message: { events }, patches, opensWindow, at }: Omit<OwnEffect, "channel">,
): ChannelState {
  const after = applyPatches(state, patches, { at });
  if (events.every(({ silent }) => silent)) return after;
  return { last: at, ...opensWindow ? { window: true } : {}, notified: after.notified };
}

/** Updates the states of channels by the messages that were sent; `sent` are their entries in the outbox. */
export function applyReceipts(
  channels: ChannelStates,
  sent: readonly Entry[],
): ChannelStates {
  const after = { ...channels };
  for (const entry of sent) {
    const effect = parseMessage(entry);
    if (effect === undefined || !isOwn(effect)) continue;
    after[effect.channel] = applySent(after[effect.channel] ?? { notified: [] }, effect);
  }
  return after;
}

/** Time after which an unsent message is dropped; if its news still apply, it is planned as a new one. */
const EXPIRY = { hours: 48 };

/** Makes an effect of a message, which waits for earlier ones of its channel about the same sites. */
export function messageEffect(
  { key, notification: { type } }: Pick<Subscriber, "key" | "notification">,
  { id, events, patches, opensWindow }: PlannedMessage,
  now: Temporal.Instant,
): Effect {
  return {
    id: `message/${key}/${id}`,
    handler: "message",
    queue: `message/${key}`,
    about: [...new Set(events.map(toAbout))],
    description: `notify ${type} about ${namesInShort(events.map(({ name }) => name))}`,
    expires: now.add(EXPIRY),
    data: {
      channel: key,
      message: { id, events: events.map((event) => ({ ...event })) },
      patches: patches.map((patch) => ({ ...patch })),
      opensWindow,
      at: `${now}`,
    },
  };
}

function namesInShort(names: readonly string[]): string {
  const [first, second, ...others] = new Set(names);
  if (second === undefined) return first ?? "nothing";
  if (others.length === 0) return `${first} and ${second}`;
  return `${first} and ${others.length + 1} others`;
}
