import { plainText } from "../text/plain_text.ts";
import { describeDuration, MINUTE, utcMinute } from "../time.ts";
import { isAbout } from "./apply_event.ts";
import type { ChannelState, NotifiedOutage } from "./channel_state.ts";
import {
  type Acknowledged,
  type EventKind,
  findAcknowledgementKey,
  isSame,
  type Outage,
  type SiteEvent,
} from "./message.ts";

/**
 * Plans the notices to a channel that somebody has acknowledged an outage which it was notified of, each once. A
 * message about the outage that still waits says so itself, and after its end nothing does. A channel that
 * doesn't want recoveries gets no such notice: it is for bad news only.
 */
export function planAcknowledgements(
  state: ChannelState,
  ongoing: readonly SiteEvent[],
  wants: (slug: string) => readonly EventKind[],
): ChannelState {
  const { held, notified } = state;
  const findOngoing = (outage: Pick<NotifiedOutage, "slug" | "incident">) =>
    ongoing.find((one) => isSame(one, outage));
  const isPast = (event: SiteEvent) =>
    held.some(({ kind, slug }) => kind === "up" && slug === event.slug) ||
    (event.outage !== undefined && isReplaced(event.outage, findOngoing(event)));
  const waiting = held.filter((event) => event.news === undefined || !isPast(event)).map(
    (event) => {
      const acknowledged = isAbout(event, event.slug)
        ? findOngoing(event)?.acknowledged
        : undefined;
      const isKnown = acknowledged === undefined || event.acknowledged?.at === acknowledged.at;
      return isKnown ? event : { ...event, acknowledged };
    },
  );
  const notices: SiteEvent[] = [];
  const after = notified.map((one): NotifiedOutage => {
    const event = findOngoing(one);
    const { acknowledged: known, ...rest } = one;
    if (event === undefined || findAcknowledgementKey(event) === known) return one;
    const { slug, acknowledged } = event;
    if (acknowledged === undefined) return rest;
    const isWaiting = held.some((one) => isAbout(one, slug));
    if (!isWaiting && wants(slug).includes("up")) notices.push(toNotice(event, acknowledged));
    return { ...rest, acknowledged: findAcknowledgementKey(event) };
  });
  return { ...state, held: [...waiting, ...notices], notified: after };
}

/** True if another acknowledgement than the one that a notice says is in effect, or none. */
function isReplaced(
  told: Pick<SiteEvent, "acknowledged">,
  ongoing: SiteEvent | undefined,
): boolean {
  return ongoing !== undefined && findAcknowledgementKey(ongoing) !== findAcknowledgementKey(told);
}

/** The notice that somebody has acknowledged an outage. */
function toNotice(event: SiteEvent, acknowledged: Acknowledged): SiteEvent {
  const { kind, since, code, error, attempts, hint } = event;
  const state = kind === "down" ? "is down" : "has degraded performance";
  return {
    ...outageNotice(event),
    news: "acknowledged",
    outage: { kind: kind as Outage, since, code, error, attempts, hint, acknowledged },
    id: `${event.incident}/acknowledged@${findAcknowledgementKey({ acknowledged })}`,
    title: `${plainText(acknowledged.by)} has acknowledged: ${plainText(event.name)} ${state}`,
    error: describeDelay(acknowledged),
  };
}

/** The notice that further sites fail because of an outage that somebody has acknowledged. */
export function toJoiningNotice(event: SiteEvent): SiteEvent {
  const { id, name, affected = [], acknowledged } = event;
  const verb = affected.length === 1 ? "fails" : "fail";
  return {
    ...outageNotice(event),
    news: "joined",
    id,
    title: `${affected.map(plainText).join(", ")} ${verb} as well`,
    error: `${plainText(name)} is down, which explains it`,
    acknowledged,
  };
}

/** A notice about an outage, with what the configuration says about its site. */
function outageNotice(event: SiteEvent): Omit<SiteEvent, "id"> {
  const { slug, since, incident, issue, name, severity } = event;
  const { url, description, runbook, group, tags } = event;
  return {
    ...{ kind: "notice", slug, site: slug, name, since, incident, issue, severity },
    ...{ url, description, runbook, group, tags },
    ...{ code: 0, error: "", attempts: 0 },
  };
}

/** `12 minutes after the start`. */
function describeDelay({ at, after }: Pick<Acknowledged, "at" | "after">): string {
  if (after === undefined) return `at ${utcMinute(Temporal.Instant.from(at))} UTC`;
  const whole = after < MINUTE ? after : Math.floor(after / MINUTE) * MINUTE;
  return whole < 1000 ? "at the start" : `${describeDuration(whole)} after the start`;
}

const ENDS = {
  worse: ", but it got worse",
  unassigned: ", but is no longer assigned",
  expired: ", but the acknowledgement has expired",
} as const;

/**
 * Describes who has acknowledged an outage; empty if nobody has.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const ann = { by: "ann", at: "2026-11-21T10:17:00.000Z", after: 720_000 };
 * assertEquals(describeAcknowledgement({ acknowledged: ann }), "Acknowledged by ann 12 minutes after the start");
 * const formerly = { ...ann, why: "expired" } as const;
 * assertEquals(describeAcknowledgement({ formerly }), "Acknowledged by ann 12 minutes after the start, but the acknowledgement has expired");
 * ```
 */
export function describeAcknowledgement(
  { acknowledged, formerly }: Pick<SiteEvent, "acknowledged" | "formerly">,
): string {
  const one = acknowledged ?? formerly;
  if (one === undefined) return "";
  const end = acknowledged === undefined && formerly !== undefined ? ENDS[formerly.why] : "";
  return `Acknowledged by ${plainText(one.by)} ${describeDelay(one)}${end}`;
}
