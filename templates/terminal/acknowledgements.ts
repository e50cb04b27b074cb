import type { Acknowledgement, Incident } from "../../lib/history/incident.ts";
import type { Mute } from "../../lib/history/run_state_schema.ts";
import type { StoredIncident } from "../../lib/history/stored_incidents.ts";
import {
  type AcknowledgementEnd,
  findAcknowledgement,
  findEnd,
} from "../../lib/incidents/acknowledgement/acknowledge.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { describeDuration, isBefore } from "../../lib/time.ts";
import { withNulls } from "../json.ts";
import { formatMinute, type NamedSite, siteName } from "../words.ts";

/** Reports an acknowledgement; `first` is the one in effect. */
export function formatAcknowledged({ id, by, first, now }: {
  id: string;
  by: string;
  first: Acknowledgement;
  now: Temporal.Instant;
}): string {
  const { until } = first;
  const length = until === undefined
    ? "until the incident is over"
    : `for ${describeDuration(until.since(now).total("milliseconds"))}`;
  return first.at.equals(now)
    ? `${plainText(by)} has acknowledged ${id} ${length}.`
    : `${plainText(first.by)} has acknowledged ${id} before; ${plainText(by)} is recorded as well.`;
}

const ENDS: Readonly<Record<AcknowledgementEnd, string>> = {
  worse: "until it got worse",
  unassigned: "until the assignee left",
  expired: "its time is over",
};

/** Lists who has acknowledged an incident, and how long that holds: `ann, until 2026-11-21 14:17 UTC`. */
export function formatAcknowledgements(
  incident: Pick<Incident, "acknowledgements" | "end">,
  now: Temporal.Instant,
): { at: Temporal.Instant; text: string }[] {
  return incident.acknowledgements.map((one) => {
    const why = findEnd(one, incident.end ?? now);
    const isOver = incident.end !== undefined;
    const until = one.until === undefined || isOver ? "" : `, until ${formatMinute(one.until)}`;
    const end = why === undefined ? until : ` (${ENDS[why]})`;
    return { at: one.at, text: `acknowledged by ${plainText(one.by)}${end}` };
  });
}

/** `acknowledged by ann`, while that is in effect for an open incident; else empty. */
export function formatAcknowledger(incident: StoredIncident, now: Temporal.Instant): string {
  if (!("acknowledgements" in incident) || incident.end !== undefined) return "";
  const one = findAcknowledgement(incident, now);
  return one === undefined ? "" : `acknowledged by ${plainText(one.by)}`;
}

export function acknowledgementJson({ at, by, way, until, ended, why }: Acknowledgement): unknown {
  return withNulls({ at, by, way, until, ended, why });
}

/** Lists the muted sites, one per line; empty if there are none. */
export function formatMutes(
  mutes: Readonly<Record<string, Mute>> | undefined,
  sites: readonly NamedSite[],
  now: Temporal.Instant,
): string {
  return Object.entries(mutes ?? {}).filter(([, { until }]) => isBefore(now, until)).map((
    [slug, { by, until }],
  ) => `Muted by ${plainText(by)} until ${formatMinute(until)}: ${siteName(slug, sites)}`)
    .join("\n");
}
