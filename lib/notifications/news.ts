import type { Language } from "../text/language.ts";
import { isBefore } from "../time.ts";
import { toAcknowledgedNotice, toJoiningNotice, toMutedNotice } from "./acknowledgements.ts";
import type { Subscriber } from "./channel_list.ts";
import type { Notified, Patch } from "./channel_state.ts";
import {
  findAcknowledgementKey,
  isCritical,
  isOutage,
  type KnownState,
  type Outage,
  type SiteEvent,
} from "./message.ts";
import type { Subject } from "./subject.ts";

/** Something about a subject that a channel was not notified of yet. */
export interface News {
  /**
   * `was` is an outage that has ended before anything could be sent; `person` is an acknowledgement or mute by
   * somebody, or a further site that fails because of an acknowledged outage.
   */
  kind: "start" | "change" | "end" | "was" | "reminder" | "person";
  subject: Subject;
  event: SiteEvent;
  /** The alert that is already open for it at the vendor. */
  alert?: string;
  /** Changes to what the channel was notified of, once this is sent. */
  patch: Patch;
}

/** Time after the end of an outage in which channels are notified of it that were not notified of its start. */
const NEWS = { hours: 48 };

/** Compares a subject with what a channel was notified of, and returns what is new. */
export function findNews(
  subject: Subject,
  notified: Notified | undefined,
  channel: Subscriber,
  { now, language }: { now: Temporal.Instant; language: Language },
): News[] {
  const known = isKnown(notified) ? notified : undefined;
  if (subject.state === undefined) {
    // The end of an outage that a channel was notified of is sent even after a long mute.
    const isOld = known === undefined && isBefore(subject.end ?? now, now.subtract(NEWS));
    // A channel needs no message about what ended in an earlier run unless its state lists that.
    const isDone = notified === undefined ? !subject.hasJustEnded : notified.over;
    return isDone || isOld ? [] : findEnd(subject, known, channel);
  }
  if (subject.state === "notice") return findNotice(subject, known, channel);
  const { state, slug } = subject;
  const isResent = known?.unsure === true && knownState(known) === state;
  const before = isResent ? undefined : known;
  const takesResponses = channel.alerts !== "all" && channel.wants(slug).includes("up");
  const muted = takesResponses && before !== undefined ? findMuted(subject, before, language) : [];
  if (!subject.isUncertain && (before === undefined || knownState(before) !== state)) {
    const isWanted = before === undefined || channel.wants(slug).includes(outageKind(subject));
    if (isWanted) return [toOutage(subject, { known, before }, channel), ...muted];
  }
  if (before === undefined) return [];
  const acknowledged = takesResponses ? findAcknowledged(subject, before, language) : [];
  return [...findReminder(subject, before, channel, now), ...acknowledged, ...muted];
}

/** False if a channel was not notified of an outage yet, or was notified of its end. */
function isKnown(one: Notified | undefined): one is Notified & { kind: string } {
  return one?.kind !== undefined && !one.over;
}

function knownState({ kind, flapping }: Pick<Notified, "kind" | "flapping">): KnownState {
  return flapping ? "flapping" : kind === "degraded" ? kind : "down";
}

function outageKind({ event: { kind } }: Subject): Outage {
  return isOutage(kind) ? kind : "down";
}

/** `before` is absent if a killed run may not have sent what is `known`; no step holds that back again. */
function toOutage(
  subject: Subject,
  { known, before }: { known: Notified | undefined; before: Notified | undefined },
  channel: Subscriber,
): News {
  const { slug, state, start, event } = subject;
  const alert = known?.alert;
  const kind = outageKind(subject);
  const isEscalated = before === undefined && channel.delay(slug, kind) > 0;
  const affected = listJoining(subject, before);
  return {
    kind: known === undefined ? "start" : "change",
    subject,
    event: {
      ...withFormerly(event, before),
      affected: affected.length === 0 ? undefined : affected,
      ...isEscalated ? { escalated: true, start: `${start}` } : {},
    },
    alert,
    patch: {
      ...toPatch(subject),
      kind,
      flapping: state === "flapping" ? true : null,
      reminders: null,
      over: null,
      ...before === undefined ? { muted: null } : {},
      ...toAlert(channel, subject, alert),
    },
  };
}

/** Names of the sites that have started to fail because of an outage since the last message about it. */
function listJoining({ affected = [] }: Subject, known: Notified | undefined): string[] {
  return affected.slice(known?.affects ?? 0).flatMap(({ name, isFailing }) =>
    isFailing ? name : []
  );
}

/** What every message about an outage notifies a channel of: acknowledgements and dependencies. */
function toPatch({ slug, incident, event, affected = [] }: Subject): Patch {
  const { formerly } = event;
  return {
    slug,
    incident,
    acknowledged: findAcknowledgementKey(event) ?? null,
    affects: affected.length === 0 ? null : affected.length,
    ...formerly === undefined
      ? {}
      : { formerly: findAcknowledgementKey({ acknowledged: formerly })! },
  };
}

/** The alert that is open at the vendor after a message about a subject: the one that is already `open`, or a new one. */
function toAlert(
  channel: Subscriber,
  { incident, event }: Subject,
  open: string | undefined,
): Partial<Patch> {
  return opensAlert(channel, event) ? { alert: open ?? incident, silenced: null } : {};
}

/** True if an event opens an alert at the vendor of a channel, which lasts until it is ended there. */
export function opensAlert({ alerts }: Subscriber, event: SiteEvent): boolean {
  if (alerts === undefined || event.kind === "up" || event.over) return false;
  if (alerts === "all") return true;
  return event.kind === "down" && isCritical(event) && event.acknowledged === undefined;
}

/** Leaves out an acknowledgement that is over if an earlier message has mentioned it. */
function withFormerly(event: SiteEvent, before: Notified | undefined): SiteEvent {
  const { formerly, ...rest } = event;
  const isMentioned = formerly === undefined ||
    before?.formerly === findAcknowledgementKey({ acknowledged: formerly });
  return isMentioned ? rest : event;
}

function findEnd(subject: Subject, known: Notified | undefined, channel: Subscriber): News[] {
  const { slug, incident, event, worst } = subject;
  const patch: Patch = { slug, incident, over: true };
  // Alerts are ended silently; some notices end without a message.
  if (channel.alerts === "all" || (event.kind === "notice" && event.title === "")) return [];
  if (known !== undefined) {
    const knew = event.kind === "notice" ? undefined : knownState(known);
    return [{ kind: "end", subject, event: { ...withFormerly(event, known), knew }, patch }];
  }
  const wanted = channel.wants(slug);
  if (worst === undefined) return [];
  if (wanted.every((kind) => kind === "up")) {
    return wanted.length === 0 ? [] : [{ kind: "end", subject, event, patch }];
  }
  const { kind, code, error, attempts } = worst;
  const was = subject.hasChanged && !wanted.includes("down") ? "degraded" : kind;
  const affected = subject.affected?.map(({ name }) => name) ?? [];
  const found = {
    was,
    code,
    error,
    attempts,
    responseTime: undefined,
    ...affected.length === 0 ? {} : { affected },
  };
  return [{ kind: "was", subject, event: { ...event, ...found }, patch }];
}

function findNotice(
  subject: Subject,
  known: Notified | undefined,
  channel: Subscriber,
): News[] {
  const { slug, incident, level, event } = subject;
  const isNew = known === undefined || known.unsure === true || known.level !== level;
  if (!isNew || event.title === "") return [];
  return [{
    kind: known === undefined ? "start" : "change",
    subject,
    event,
    alert: known?.alert,
    patch: {
      slug,
      incident,
      kind: "notice",
      level: level ?? null,
      over: null,
      ...toAlert(channel, subject, known?.alert),
    },
  }];
}

/** Finds a reminder of a site that is still down or degraded; its delay counts from the last message about it. */
function findReminder(
  subject: Subject,
  known: Notified,
  channel: Subscriber,
  now: Temporal.Instant,
): News[] {
  const { state, event, isUncertain } = subject;
  const { reminders: delays } = channel;
  const { at, reminders: count = 0 } = known;
  const delay = delays[Math.min(count, delays.length - 1)] ?? Infinity;
  const isDue = now.epochMilliseconds - at.epochMilliseconds >= delay;
  if (!isDue || isUncertain || state !== known.kind || knownState(known) !== state) return [];
  const id = `${event.id}/reminder-${count + 1}`;
  return [{
    kind: "reminder",
    subject,
    event: { ...withFormerly(event, known), id, reminder: true },
    alert: known.alert,
    patch: {
      ...toPatch(subject),
      reminders: count + 1,
      ...toAlert(channel, subject, known.alert),
    },
  }];
}

/** Finds an acknowledgement since the last message, or further sites that fail because of an acknowledged outage. */
function findAcknowledged(subject: Subject, known: Notified, language: Language): News[] {
  const { slug, incident, event } = subject;
  const key = findAcknowledgementKey(event);
  if (key === undefined) return [];
  const joining = listJoining(subject, known);
  const isNew = key !== known.acknowledged;
  if (!isNew && joining.length === 0) return [];
  return [{
    kind: "person",
    subject,
    event: isNew
      ? toAcknowledgedNotice(event, language, joining)
      : toJoiningNotice(event, { names: joining, count: subject.affected!.length }, language),
    patch: { slug, incident, acknowledged: key, affects: toPatch(subject).affects },
  }];
}

function findMuted(subject: Subject, known: Notified, language: Language): News[] {
  const { mute } = subject;
  if (mute === undefined || `${mute.at}` === known.muted) return [];
  const { slug, incident, event } = subject;
  const patch = { slug, incident, muted: `${mute.at}` };
  return [{ kind: "person", subject, event: toMutedNotice(event, mute, language), patch }];
}
