import type { Mute } from "../history/run_state_schema.ts";
import { plainText } from "../text/plain_text.ts";
import { joinNames } from "../text/words.ts";
import { describeDuration, floorToMinute, formatTime, utcMinute } from "../time.ts";
import { type Acknowledged, findAcknowledgementKey, type SiteEvent } from "./message.ts";

/** The notice that somebody has acknowledged an outage, and which further sites fail because of it. */
export function toAcknowledgedNotice(
  event: SiteEvent,
  joining: readonly string[] = [],
): SiteEvent {
  const acknowledged = event.acknowledged!;
  return {
    ...outageNotice(event),
    news: "acknowledged",
    id: `${event.incident}/acknowledged@${findAcknowledgementKey(event)}`,
    title: `${plainText(acknowledged.by)} has acknowledged: ${describePresent(event)}`,
    error: describeDelay(acknowledged),
    acknowledged,
    ...joining.length === 0 ? {} : { affected: [...joining] },
  };
}

export function toMutedNotice(event: SiteEvent, { by, at, until }: Mute): SiteEvent {
  const length = describeDuration(until.since(at).total("milliseconds"));
  return {
    ...outageNotice(event),
    news: "muted",
    id: `${event.incident}/muted@${at}`,
    title: `${plainText(by)} has muted ${plainText(event.name)} for ${length}`,
    error: `${describePresent(event)}; the next message about it comes after ${
      utcMinute(until)
    } UTC`,
    muted: { by, until: formatTime(until) },
  };
}

/** The notice that further sites fail because of an outage that somebody has acknowledged; `count` are all of them. */
export function toJoiningNotice(
  event: SiteEvent,
  names: readonly string[],
  count: number,
): SiteEvent {
  const { name, acknowledged } = event;
  return {
    ...outageNotice(event),
    news: "joined",
    id: `${event.incident}/affects-${count}`,
    title: `${joinNames(names.map(plainText))} ${names.length === 1 ? "fails" : "fail"} as well`,
    error: `${plainText(name)} is down, which explains it`,
    acknowledged,
  };
}

function describePresent({ kind, name }: SiteEvent): string {
  return `${plainText(name)} ${kind === "down" ? "is down" : "has degraded performance"}`;
}

function outageNotice(event: SiteEvent): Omit<SiteEvent, "id"> {
  const { slug, since, incident, issue, name, severity } = event;
  const { url, description, runbook, group, tags } = event;
  return {
    kind: "notice",
    slug,
    site: slug,
    name,
    since,
    incident,
    issue,
    severity,
    url,
    description,
    runbook,
    group,
    tags,
    code: 0,
    error: "",
    attempts: 0,
  };
}

/** `12 minutes after the start`. */
function describeDelay({ at, after }: Pick<Acknowledged, "at" | "after">): string {
  if (after === undefined) return `at ${utcMinute(Temporal.Instant.from(at))} UTC`;
  const whole = floorToMinute(after);
  return whole < 1000 ? "at the start" : `${describeDuration(whole)} after the start`;
}

const ENDS = {
  worse: ", but it got worse",
  unassigned: ", but they are no longer assigned",
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
