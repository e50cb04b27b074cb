import type { Mute } from "../history/run_state_schema.ts";
import type { KnownState, Outage, SiteEvent } from "./message.ts";

/** Something that opens and may end, as it is now: an incident of a site, or a notice. */
export interface Subject {
  /** Slug of the site; `notice` for a notice. */
  slug: string;
  /** Id of the incident, or of the notice. */
  incident: string;
  /** Its present state; absent once it has ended. */
  state?: KnownState | "notice";
  /** What a message says about it: its present state, or its end. */
  event: SiteEvent;
  /** Its first start, from which steps count. */
  start: Temporal.Instant;
  end?: Temporal.Instant;
  /** Set in the run in which it ends. */
  hasJustEnded?: boolean;
  /** The worst state of an incident, and its reason; absent for a notice. */
  worst?: { kind: Outage } & Pick<SiteEvent, "code" | "error" | "attempts">;
  /** Sites that have failed because of an incident, in the order in which they did, and if they still do. */
  affected?: readonly { name: string; isFailing: boolean }[];
  /** True if an incident was down and degraded. */
  hasChanged?: boolean;
  /** Equal for incidents with the same kind of error; empty for a notice. */
  reason: string;
  /** Set while nothing is known of the site: only its end, and what people do, is news. */
  isUncertain?: boolean;
  mute?: Mute;
  /** Of a notice: which of its several messages applies, such as the days before a certificate expires. */
  level?: string;
  /** Set for a notice that another channel can't be used, which goes to people's chats and mail. */
  isOfChannel?: boolean;
}

export function byIncident<T extends { incident: string }>(all: readonly T[]): Map<string, T> {
  return new Map(all.map((one) => [one.incident, one]));
}
