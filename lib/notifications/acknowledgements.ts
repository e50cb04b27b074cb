import type { Mute } from "../history/run_state_schema.ts";
import type { Language } from "../text/language.ts";
import { plainText } from "../text/plain_text.ts";
import { floorToMinute, formatTime } from "../time.ts";
import { type Acknowledged, findAcknowledgementKey, type SiteEvent } from "./message.ts";
import { storedTime, type TimeView } from "./stored_times.ts";

/** The notice that somebody has acknowledged an outage, and which further sites fail because of it. */
export function toAcknowledgedNotice(
  event: SiteEvent,
  language: Language,
  joining: readonly string[] = [],
): SiteEvent {
  const { say } = language;
  const acknowledged = event.acknowledged!;
  const { by, at, after } = acknowledged;
  return {
    ...outageNotice(event),
    news: "acknowledged",
    id: `${event.incident}/acknowledged@${findAcknowledgementKey(event)}`,
    title: say("hasAcknowledged", {
      PERSON: isolated(by, language),
      TEXT: describePresent(event, language),
    }),
    error: after === undefined
      ? say("atTime", { TIME: storedTime(Temporal.Instant.from(at)) })
      : floorToMinute(after) < 1000
      ? say("atStart")
      : say("afterStart", { TIME: language.duration(floorToMinute(after)) }),
    acknowledged,
    ...joining.length === 0 ? {} : { affected: [...joining] },
  };
}

export function toMutedNotice(
  event: SiteEvent,
  { by, at, until }: Mute,
  language: Language,
): SiteEvent {
  const { say, duration } = language;
  return {
    ...outageNotice(event),
    news: "muted",
    id: `${event.incident}/muted@${at}`,
    title: say("hasMuted", {
      PERSON: isolated(by, language),
      NAME: isolated(event.name, language),
      TIME: duration(until.since(at).total("milliseconds")),
    }),
    error: say("mutedUntil", { TEXT: describePresent(event, language), TIME: storedTime(until) }),
    muted: { by, until: formatTime(until) },
  };
}

/** The notice that further sites fail because of an outage that somebody has acknowledged; `count` are all of them. */
export function toJoiningNotice(
  event: SiteEvent,
  { names, count }: { names: readonly string[]; count: number },
  language: Language,
): SiteEvent {
  const { name, acknowledged } = event;
  const { say, list } = language;
  return {
    ...outageNotice(event),
    news: "joined",
    id: `${event.incident}/affects-${count}`,
    title: say("failsAsWell", {
      COUNT: names.length,
      NAMES: list(names.map((name) => isolated(name, language))),
    }),
    error: say("isExplained", { NAME: isolated(name, language) }),
    acknowledged,
  };
}

function describePresent({ kind, name }: SiteEvent, language: Language): string {
  const values = { NAME: isolated(name, language), NAMES: isolated(name, language), COUNT: 1 };
  return language.say(kind === "down" ? "sitesDown" : "siteDegraded", values);
}

function isolated(name: string, { isolate }: Language): string {
  return isolate(plainText(name));
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

const ENDS = {
  worse: "acknowledgedButWorse",
  unassigned: "acknowledgedButUnassigned",
  expired: "acknowledgedButExpired",
} as const;

/**
 * Describes who has acknowledged an outage; empty if nobody has.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createLanguage } from "../text/language.ts";
 * import { mergeMessages } from "../text/messages.ts";
 * const now = Temporal.Instant.from("2026-11-21T11:00:00Z");
 * const view = { timezone: "UTC", now, language: createLanguage("en", mergeMessages()) };
 * const ann = { by: "ann", at: "2026-11-21T10:17:00.000Z", after: 720_000 };
 * assertEquals(describeAcknowledgement({ acknowledged: ann }, view), "Acknowledged by ann 12 minutes after the start");
 * const formerly = { ...ann, why: "expired" } as const;
 * assertEquals(describeAcknowledgement({ formerly }, view), "Acknowledged by ann 12 minutes after the start, but the acknowledgement has expired");
 * ```
 */
export function describeAcknowledgement(
  { acknowledged, formerly }: Pick<SiteEvent, "acknowledged" | "formerly">,
  view: TimeView,
): string {
  const one = acknowledged ?? formerly;
  if (one === undefined) return "";
  const text = sayWhen(one, view);
  return acknowledged === undefined && formerly !== undefined
    ? view.language.say(ENDS[formerly.why], { TEXT: text })
    : text;
}

function sayWhen(
  { by, at, after }: Acknowledged,
  view: TimeView,
): string {
  const { language, language: { say, duration, moment } } = view;
  const PERSON = isolated(by, language);
  if (after === undefined) {
    return say("acknowledgedAt", { PERSON, TIME: moment(Temporal.Instant.from(at), view) });
  }
  const length = floorToMinute(after);
  return length < 1000
    ? say("acknowledgedAtStart", { PERSON })
    : say("acknowledgedAfter", { PERSON, TIME: duration(length) });
}
