import * as v from "valibot";
import type { Flaps } from "../evaluation/flapping.ts";
import { publicUrl } from "../io/secrets/url_credentials.ts";

/** Events of a site that a channel may want. */
export const SITE_NEWS = ["down", "degraded", "up"] as const;
export type SiteNews = typeof SITE_NEWS[number];
/** A state that is an incident. */
export type Outage = Exclude<SiteNews, "up">;

/**
 * Something that happened to a site, as channels tell it: plain values that wait in the memory between
 * runs, without secrets. `test` is what `notify-test` sends; a `notice` is about the monitor itself.
 */
export type SiteEvent = {
  /** The same whoever plans it, and no other event has it. */
  id: string;
  kind: SiteNews | "notice" | "test";
  /** Set for a repeated message about an ongoing outage. */
  reminder?: true;
  /**
   * State before this end if nobody was notified of it; code, error and attempts are then of that time.
   */
  was?: Outage;
  /** Set if the incident ends because the site is no longer monitored. */
  gone?: true;
  /** Name of the site; of the monitor in a test or notice. */
  name: string;
  /** Title of a notice. */
  title?: string;
  /** Slug of the site that a notice is about; absent if it is about the monitor as a whole. */
  site?: string;
  /** Present if a notice says that the problem of an earlier one with the same `incident` is over. */
  over?: true;
  slug: string;
  /** URL as configured, secrets by their names; absent if it is hidden. */
  url?: string;
  /** When the site came to be so, ISO 8601. */
  since: string;
  /** Length of the outage in milliseconds, for an end. */
  lasted?: number;
  /** HTTP status; 0 if there was none. */
  code: number;
  /** The reason in words; may be empty. */
  error: string;
  /** Remaining validity of the certificate in words, if the site is or was degraded because of it. */
  expiry?: string;
  /** Attempts that made it sure. */
  attempts: number;
  /** Milliseconds of the last attempt; absent if it failed. */
  responseTime?: number;
  /** Name of the incident. */
  incident: string;
  /** Number of its issue, if known. */
  issue?: number;
  /** Names of the sites that failed because of this one in the same run. */
  affected?: string[];
  /** The former root cause of a suppressed failure, and whether that is up again. */
  released?: { name: string; isBack: boolean };
  /** Number of recent changes, if the site starts to flap; also in the end of an outage in which it did. */
  flapping?: Flaps;
  /** The last state of this outage that the channel was sent before this event; absent if none was. */
  knew?: KnownState;
  /** Present if a run that was killed may have sent this outage, so that its end has to be sent. */
  maybeSent?: true;
  /** The part of this outage before this event, if a later state replaced it before it could be sent. */
  unsent?: UnsentPart;
  /** Outages of the site that had ended before this event could be sent, and were not sent on their own. */
  missed?: MissedOutages;
};

/** The state of a site that a channel was sent last. */
export type KnownState = Outage | "flapping";

/** The worst state of a part of an outage, with the start of that part. */
export type UnsentPart = Pick<SiteEvent, "since" | "code" | "error" | "attempts"> & {
  kind: Outage;
};

/** An outage that is not over: its site, incident and state. */
export interface OpenOutage {
  slug: string;
  incident: string;
  kind: Outage;
}

/** Several outages in sum: the worst state, how many there were, and their length in milliseconds. */
export type MissedOutages = {
  kind: Outage;
  times: number;
  lasted: number;
};

/** An event that is no test. */
export type NewsEvent = SiteEvent & { kind: SiteNews | "notice" };

/** True if an event is about a site, not about the monitor itself. */
export function isOfSite({ kind }: Pick<SiteEvent, "kind">): boolean {
  return kind !== "test" && kind !== "notice";
}

/** The subject of an event: its site, or of a notice the notice itself. */
export function subjectOf(event: Pick<SiteEvent, "kind" | "slug" | "id">): string {
  return isOfSite(event) ? event.slug : event.id;
}

/** Events that are sent to a channel together. */
export interface Message {
  /** Tells the message from all others, whoever sends it. */
  id: string;
  /** At least one, in the order in which they happened. */
  events: readonly SiteEvent[];
}

/** Links of a message. */
export interface MessagePlaces {
  /** URL of the repository. */
  home?: string;
  /** URL of the status page. */
  page?: string;
}

const OUTAGE = v.picklist(["down", "degraded"]);

const FIELDS = {
  id: v.string(),
  reminder: v.optional(v.literal(true)),
  was: v.optional(OUTAGE),
  gone: v.optional(v.literal(true)),
  name: v.string(),
  title: v.optional(v.string()),
  site: v.optional(v.string()),
  over: v.optional(v.literal(true)),
  slug: v.string(),
  url: v.optional(v.pipe(v.string(), v.transform(publicUrl))),
  since: v.pipe(v.string(), v.isoTimestamp()),
  lasted: v.optional(v.number()),
  code: v.number(),
  error: v.string(),
  expiry: v.optional(v.string()),
  attempts: v.number(),
  responseTime: v.optional(v.number()),
  incident: v.string(),
  issue: v.optional(v.number()),
  affected: v.optional(v.array(v.string())),
  released: v.optional(v.object({ name: v.string(), isBack: v.boolean() })),
  flapping: v.optional(v.object({ changes: v.number(), within: v.number() })),
  knew: v.optional(v.picklist(["down", "degraded", "flapping"])),
  maybeSent: v.optional(v.literal(true)),
  unsent: v.optional(
    v.object({
      kind: OUTAGE,
      since: v.pipe(v.string(), v.isoTimestamp()),
      code: v.number(),
      error: v.string(),
      attempts: v.number(),
    }),
  ),
  missed: v.optional(v.object({ kind: OUTAGE, times: v.number(), lasted: v.number() })),
};

/** An event of a site in the run state. */
export const STORED_NEWS = v.object({ ...FIELDS, kind: v.picklist([...SITE_NEWS, "notice"]) });

/** An event in the outbox. */
export const STORED_EVENT = v.object({
  ...FIELDS,
  kind: v.picklist([...SITE_NEWS, "notice", "test"]),
});
