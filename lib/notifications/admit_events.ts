import { applyEvent, isAbout } from "./apply_event.ts";
import type { Subscriber } from "./channel_list.ts";
import type { ChannelState } from "./channel_state.ts";
import { gate, type Passage, toFacts } from "./gate.ts";
import { type EventKind, isSame, type SiteEvent } from "./message.ts";

/** The gate of a channel in a run; `notified` is what the channel knows without the event. */
export type ChannelGate = (event: SiteEvent, notified: ChannelState["notified"]) => Passage;

export function createGate(
  channel: Subscriber,
  run: {
    isQuiet: boolean;
    isAcknowledged(event: SiteEvent): boolean;
    muted?: ReadonlySet<string>;
    now: Temporal.Instant;
  },
): ChannelGate {
  return (event, notified) => gate(toFacts(event, { channel, notified, ...run }));
}

/**
 * Applies the events of a run that pass the gate of a channel, and the ongoing outages that have waited for it.
 * Messages that could not be sent are withdrawn if they have to wait meanwhile.
 */
export function admitEvents(
  before: ChannelState,
  { channel, gate, events, ongoing, now }: {
    channel: Subscriber;
    gate: ChannelGate;
    events: readonly SiteEvent[];
    ongoing: readonly SiteEvent[];
    now: Temporal.Instant;
  },
): ChannelState {
  const waited = ongoing.filter((event) => before.waiting?.some((one) => isSame(one, event)));
  const state = [...events, ...waited].reduce((state, event) => {
    const passage = gate(event, state.notified);
    if (passage === "skip") return state;
    if (passage === "wait") return withWaiting(state, event);
    const others = state.waiting?.filter(({ slug }) => slug !== event.slug);
    const wanted = findWanted(channel, event, state);
    return applyEvent({ ...state, waiting: others }, event, { wanted, now });
  }, before);
  return state.held.filter((event) => gateHeld(event, state, gate) === "wait").reduce(
    (state, event) =>
      withWaiting({
        ...state,
        held: state.held.filter((one) => one !== event),
        notified: state.notified.filter((one) => !isSame(one, event)),
      }, event),
    state,
  );
}

/** Splits what a channel holds into what can be sent now and what is collected; reminders are never collected. */
export function splitHeld(
  state: ChannelState,
  gate: ChannelGate,
): { due: SiteEvent[]; collected: SiteEvent[] } {
  const passages = new Map(state.held.map((event) => [event, gateHeld(event, state, gate)]));
  return {
    due: state.held.filter((event) =>
      passages.get(event) === "send" || (passages.get(event) === "skip" && !event.reminder)
    ),
    collected: state.held.filter((event) => passages.get(event) === "collect"),
  };
}

/** The events that a channel wants of a site; if it is no longer notified of it, the end of what it was notified of. */
function findWanted(
  { wants, wantsEnds }: Subscriber,
  event: SiteEvent,
  { notified }: ChannelState,
): readonly EventKind[] {
  const wanted = wants(event.slug);
  const isEnd = wantsEnds && event.kind === "up" && notified.some((one) => isSame(one, event));
  return wanted.length === 0 && isEnd ? ["up"] : wanted;
}

/** Decides about an event that a channel already counts as notified of. */
function gateHeld(event: SiteEvent, { notified }: ChannelState, gate: ChannelGate): Passage {
  const isNew = event.knew === undefined && !event.mayBeSent && !event.reminder;
  return gate(event, isNew ? [] : notified);
}

function withWaiting(state: ChannelState, { slug, incident }: SiteEvent): ChannelState {
  const others = state.waiting?.filter((one) => one.slug !== slug) ?? [];
  return { ...state, waiting: [...others, { slug, incident }] };
}

/**
 * Removes outages of muted sites that are over before they were sent: once the site is not muted any more, its
 * state is the one that was sent last. `before` are the events that waited before this run.
 */
export function withoutMutedPast(
  held: readonly SiteEvent[],
  before: readonly SiteEvent[],
  muted: ReadonlySet<string> = new Set(),
): SiteEvent[] {
  return held.filter((event) => {
    if (event.was === undefined || !muted.has(event.slug) || before.includes(event)) return true;
    const outage = before.find((one) => isAbout(one, event.slug) && one.kind !== "up");
    return outage !== undefined && (outage.knew !== undefined || outage.mayBeSent === true);
  });
}
