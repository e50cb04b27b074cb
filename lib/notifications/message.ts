import * as v from "valibot";
import { publicUrl } from "../io/secrets/url_credentials.ts";
import type { TimeView } from "./stored_times.ts";

/** Kinds of events of a site that a channel may want. */
export const EVENT_KINDS = ["down", "degraded", "up"] as const;
export type EventKind = typeof EVENT_KINDS[number];

/** Kinds of events that are no state of a site, which a channel gets by naming them in `on`. */
export const NOTICE_TOPICS = ["maintenance", "certificate", "unknown"] as const;
export type NoticeTopic = typeof NOTICE_TOPICS[number];

const OUTAGE_KIND = v.picklist(["down", "degraded"]);
/** A state that is an incident. */
export type Outage = v.InferOutput<typeof OUTAGE_KIND>;

const SET = v.optional(v.literal(true));
const TIME = v.pipe(v.string(), v.isoTimestamp());

const FOUND = {
  /** Time since when the site has this state, ISO 8601. */
  since: TIME,
  /** HTTP status; 0 if there was none. */
  code: v.number(),
  /** The reason in words; may be empty. */
  error: v.string(),
  attempts: v.number(),
};

/** For the people who are notified; the first ones as configured. */
const CONTEXT = {
  description: v.optional(v.string()),
  /** An address, or instructions. */
  runbook: v.optional(v.string()),
  group: v.optional(v.string()),
  tags: v.optional(v.array(v.string())),
  /** Help with the error. */
  hint: v.optional(v.string()),
  /** Start of a failed answer's body, with line breaks; absent if it may not be kept. */
  body: v.optional(v.string()),
};

const ACKNOWLEDGED = v.object({
  /** The person, as GitHub or the command `ack` names them. */
  by: v.string(),
  /** Time of the acknowledgement. */
  at: TIME,
  /** Milliseconds to the acknowledgement from the start of the outage in which it was made. */
  after: v.optional(v.number()),
});
/** An acknowledgement of an outage. */
export type Acknowledged = v.InferOutput<typeof ACKNOWLEDGED>;

export const SITE_EVENT = v.object({
  ...FOUND,
  ...CONTEXT,
  /** The same in every run that plans it; no other event has it. */
  id: v.string(),
  /** `test` is what `notify-test` sends; a `notice` is about the monitor itself, a `report` about past days. */
  kind: v.picklist([...EVENT_KINDS, "notice", "report", "test"]),
  /** Set for a repeated message about an ongoing outage. */
  reminder: SET,
  /** Worst state before this end if no message about it was sent; code, error and attempts are of that time. */
  was: v.optional(OUTAGE_KIND),
  /** Set if the incident ends because the site is no longer monitored. */
  gone: SET,
  /** Name of the site; of the monitor in a test or notice. */
  name: v.string(),
  title: v.optional(v.string()),
  /** Figures of the sites in a report, the worst first. */
  figures: v.optional(v.array(v.object({ name: v.string(), text: v.string() }))),
  /** Slug of the site that a notice is about; absent if it is about the monitor as a whole. */
  site: v.optional(v.string()),
  /** Kind of a notice; absent if it is about the monitor itself. */
  topic: v.optional(v.picklist(NOTICE_TOPICS)),
  /** Slugs of the sites that maintenance is about; empty for all. */
  about: v.optional(v.array(v.string())),
  /** Set if a notice says that the problem of an earlier one with the same `incident` is over. */
  over: SET,
  slug: v.string(),
  /** URL as configured, secrets by their names; absent if it is hidden. */
  url: v.optional(v.pipe(v.string(), v.transform(publicUrl))),
  /** Start of the outage, if it has changed since then. */
  start: v.optional(TIME),
  /** Set if the site is configured as such: then its outages are no critical events. */
  severity: v.optional(v.literal("warning")),
  /** Length of the outage in milliseconds, for an end. */
  lasted: v.optional(v.number()),
  /** What was wrong until this end: the worst state, and the last reason. */
  failed: v.optional(v.object({ kind: OUTAGE_KIND, code: v.number(), error: v.string() })),
  /** Set for the first message of a channel that is notified later, because nobody has acknowledged. */
  escalated: SET,
  /** Remaining validity of the certificate in words, if the site is or was degraded because of it. */
  expiry: v.optional(v.string()),
  /** Milliseconds of the last attempt; absent if it failed. */
  responseTime: v.optional(v.number()),
  incident: v.string(),
  /** Id of the alert that several incidents share at the vendor; absent if the incident has its own. */
  alert: v.optional(v.string()),
  /** Set if the event only ends or acknowledges an alert at the vendor, and is nothing that people read. */
  silent: SET,
  issue: v.optional(v.number()),
  /** Names of the sites that failed because of this one in the same run. */
  affected: v.optional(v.array(v.string())),
  /** The former root cause of a suppressed failure, and whether that is up again. */
  released: v.optional(v.object({ name: v.string(), isBack: v.boolean() })),
  /** Number of recent changes, if the site starts to flap; also in the end of an outage in which it did. */
  flapping: v.optional(v.object({ changes: v.number(), within: v.number() })),
  /** The last state of this outage that the channel was sent before this event; absent if none was. */
  knew: v.optional(v.picklist(["down", "degraded", "flapping"])),
  /** Set while an acknowledgement of the outage is in effect. */
  acknowledged: v.optional(ACKNOWLEDGED),
  /** The last acknowledgement of the outage that is no longer in effect, and the reason. */
  formerly: v.optional(
    v.object({
      ...ACKNOWLEDGED.entries,
      why: v.picklist(["worse", "unassigned", "expired"]),
    }),
  ),
  /** Set if a notice is about an outage, and goes to the channels that were notified of it. */
  news: v.optional(v.picklist(["acknowledged", "joined", "muted"])),
  /** The person who has muted the site, and the end of the mute. */
  muted: v.optional(v.object({ by: v.string(), until: TIME })),
});

/**
 * Something that channels are notified of: plain values without secrets that are stored in the run state
 * and the outbox.
 */
export type SiteEvent = v.InferOutput<typeof SITE_EVENT>;

/** The last state of a site that a channel was sent. */
export type KnownState = NonNullable<SiteEvent["knew"]>;

/** Identifies the acknowledgement in effect: times are whole seconds, in which several people may act. */
export function findAcknowledgementKey(
  { acknowledged }: Pick<SiteEvent, "acknowledged">,
): string | undefined {
  return acknowledged && `${acknowledged.at} ${acknowledged.by}`;
}

/** True if an event is about a site, not about the monitor itself. */
export function isOfSite({ kind }: Pick<SiteEvent, "kind">): boolean {
  return EVENT_KINDS.some((one) => one === kind);
}

export function isOutage(kind: SiteEvent["kind"]): kind is Outage {
  return kind === "down" || kind === "degraded";
}

/** True for an outage of a critical site, and for its end. */
export function isCritical(
  { kind, was, knew, severity }: Pick<SiteEvent, "kind" | "was" | "knew" | "severity">,
): boolean {
  const state = kind === "up" ? was ?? knew : kind;
  return severity === undefined && (state === "down" || state === "flapping");
}

/** The subject of an event for the outbox: the slug of its site, or the id of a notice. */
export function toAbout(event: Pick<SiteEvent, "kind" | "slug" | "id">): string {
  return isOfSite(event) ? event.slug : event.id;
}

/** Name of a monitor whose repository and status page have none. */
export const UNNAMED_MONITOR = "monitor";

export interface Message {
  /** Unique over all channels and runs. */
  id: string;
  /** At least one, in the order in which they happened. */
  events: readonly SiteEvent[];
}

export interface MessagePlaces {
  home?: string;
  page?: string;
}

/** What the text of a message depends on besides its events; `now` is when it is sent. */
export interface MessageView extends MessagePlaces, TimeView {}
