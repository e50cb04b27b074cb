import type { Language } from "../text/language.ts";
import { formatTime, latest } from "../time.ts";
import { toAcknowledgedNotice, toMutedNotice } from "./acknowledgements.ts";
import type { Subscriber } from "./channel_list.ts";
import type { Notified, Patch } from "./channel_state.ts";
import type { SiteEvent } from "./message.ts";
import { byIncident, type Subject } from "./subject.ts";

/** Ends or acknowledges an alert at the vendor of a channel; nobody reads it. */
interface SilentEnd {
  event: SiteEvent;
  patches: Patch[];
}

/**
 * Plans the ends of the alerts that are open at the vendor of a channel. They make no sound, so nothing holds them
 * back: an alert is ended once everything that it is about is over, and acknowledged once somebody has acknowledged or
 * muted what is left.
 */
export function planSilentEnds(
  notified: readonly Notified[],
  { alerts }: Pick<Subscriber, "alerts">,
  { subjects, isKnown, now, language }: {
    subjects: readonly Subject[];
    /** True if there is a file of an incident. */
    isKnown(incident: string): boolean;
    now: Temporal.Instant;
    language: Language;
  },
): SilentEnd[] {
  if (alerts === undefined) return [];
  const bySubject = byIncident(subjects);
  const open = notified.flatMap((one) => {
    const { alert } = one;
    if (alert === undefined) return [];
    const subject = bySubject.get(one.incident) ??
      (isKnown(one.incident) ? undefined : toLost(one, now));
    return subject === undefined ? [] : [{ alert, one, subject }];
  });
  return [...Map.groupBy(open, ({ alert }) => alert)].flatMap(([alert, own]): SilentEnd[] => {
    const toPatches = (changes: Partial<Patch>) =>
      own.map(({ one: { slug, incident } }) => ({ slug, incident, ...changes }));
    // If the alert is opened again, the next silent event has another id.
    const at = latest(...own.map(({ one }) => one.at) as [Temporal.Instant]);
    const toSilent = (event: SiteEvent): SiteEvent => ({
      ...event,
      id: `${event.id}/silent@${formatTime(at)}`,
      silent: true,
      ...alert === event.incident ? {} : { alert },
    });
    if (own.every(({ subject: { state } }) => state === undefined)) {
      const patches = toPatches({
        alert: null,
        silenced: null,
        ...alerts === "all" ? { over: true } : {},
      });
      return [{ event: toSilent(own.at(-1)!.subject.event), patches }];
    }
    const left = own.filter(({ subject: { state } }) => state !== undefined);
    const notices = left.map(({ subject }) => toPersonNotice(subject, language));
    const isSilenced = left.every(({ one }) => one.silenced);
    if (isSilenced || notices.some((notice) => notice === undefined)) return [];
    // Once Pushover has stopped repeating an emergency, nothing is open there.
    const patches = toPatches(alerts === "emergencies" ? { alert: null } : { silenced: true });
    return [{ event: toSilent(notices[0]!), patches }];
  });
}

function toPersonNotice({ event, mute }: Subject, language: Language): SiteEvent | undefined {
  if (event.acknowledged !== undefined) return toAcknowledgedNotice(event, language);
  return mute && toMutedNotice(event, mute, language);
}

/** The end of an incident whose file is gone; `undefined` for a notice, which a run may not know. */
function toLost({ slug, incident, kind }: Notified, now: Temporal.Instant): Subject | undefined {
  if (kind === "notice") return undefined;
  const event: SiteEvent = {
    id: `${incident}/lost`,
    kind: "up",
    name: slug,
    slug,
    incident,
    since: formatTime(now),
    code: 0,
    error: "",
    attempts: 0,
  };
  return { slug, incident, event, start: now, end: now, reason: "" };
}
