import type { Acknowledgement, Incident } from "../../history/incident.ts";
import { isBefore } from "../../time.ts";
import { latestState } from "../plan_incident.ts";

/** A person who takes on an incident, as it was found. */
export interface Response extends Pick<Acknowledgement, "at" | "by" | "way"> {
  /** Milliseconds that it lasts; absent for the configured time. */
  lasts?: number;
}

/** Why an acknowledgement is no longer in effect. */
export type AcknowledgementEnd = NonNullable<Acknowledgement["why"]> | "expired";

/**
 * Applies the responses of people to the acknowledgements of an incident, and ends those that no longer hold:
 *
 * | event                                     | result                                              |
 * | ----------------------------------------- | --------------------------------------------------- |
 * | a response                                | recorded once, unless the site was up when it came  |
 * | a response to an acknowledged incident    | recorded; the first one in effect counts            |
 * | degraded when acknowledged, now down      | ended: `worse`                                      |
 * | the assignee is no longer assigned        | ended: `unassigned`                                 |
 * | its time is over                          | not in effect; the same assignee does not renew it  |
 * | the incident is reopened                  | still in effect                                     |
 *
 * `before` is the incident as people knew it, and `assignees` are absent if they could not be read.
 */
export function applyResponses(
  { before, after }: { before: Incident; after: Incident },
  { responses, assignees, now, ackFor }: {
    responses: readonly Response[];
    assignees?: readonly string[];
    now: Temporal.Instant;
    /** Milliseconds that an acknowledgement lasts; 0 for as long as the outage. */
    ackFor: number;
  },
): Acknowledgement[] {
  const state = latestState(before);
  const all = [...after.acknowledgements];
  for (const response of responses) {
    if (!isInTime(response, after) || isRecorded(response, all)) continue;
    const { lasts = ackFor, at, by, way } = response;
    const until = lasts === 0 ? {} : { until: at.add({ milliseconds: lasts }) };
    all.push({ at, by, way, state, ...until });
  }
  return all.sort((one, other) => Temporal.Instant.compare(one.at, other.at)).map((one) => {
    // Whoever has left since may be assigned anew.
    if (one.ended !== undefined) {
      return hasLeft(one, assignees) ? { ...one, why: "unassigned" } : one;
    }
    const why = findReason(one, after, assignees);
    return why === undefined ? one : { ...one, ended: now, why };
  });
}

/** False for a response that came after the end of the incident, or between an end and the reopening. */
export function isInTime(
  { at }: Pick<Response, "at">,
  { end, ended, reopened }: Pick<Incident, "end" | "ended" | "reopened">,
): boolean {
  return (end === undefined || isBefore(at, end)) &&
    !reopened.some((start, index) => isBefore(at, start) && !isBefore(at, ended[index] ?? at));
}

/** True if a response is recorded already. An assignee stays one until somebody removes them. */
export function isRecorded(
  { at, by, way }: Response,
  acknowledgements: readonly Acknowledgement[],
): boolean {
  const own = acknowledgements.filter((one) =>
    one.way === way && one.by.toLowerCase() === by.toLowerCase()
  );
  return own.some((one) => way === "assignee" ? one.why !== "unassigned" : one.at.equals(at));
}

function findReason(
  acknowledgement: Acknowledgement,
  incident: Incident,
  assignees: readonly string[] | undefined,
): Acknowledgement["why"] {
  const { state } = acknowledgement;
  if (state === "degraded" && latestState(incident) === "down") return "worse";
  return hasLeft(acknowledgement, assignees) ? "unassigned" : undefined;
}

function hasLeft({ way, by }: Acknowledgement, assignees: readonly string[] | undefined): boolean {
  return way === "assignee" && assignees !== undefined &&
    !assignees.some((login) => login.toLowerCase() === by.toLowerCase());
}

/** The reason why an acknowledgement is not in effect at a moment; `undefined` if it is. */
export function findEnd(
  { until, ended, why }: Acknowledgement,
  now: Temporal.Instant,
): AcknowledgementEnd | undefined {
  if (until !== undefined && !isBefore(ended ?? now, until)) return "expired";
  return ended === undefined || isBefore(now, ended) ? undefined : why ?? "expired";
}

/** The acknowledgement in effect at a moment; the first one counts. */
export function findAcknowledgement(
  { acknowledgements }: Pick<Incident, "acknowledgements">,
  now: Temporal.Instant,
): Acknowledgement | undefined {
  return acknowledgements.find((one) => findEnd(one, now) === undefined);
}

/** The last acknowledgement that is no longer in effect, if none is. */
export function findFormer(
  { acknowledgements }: Pick<Incident, "acknowledgements">,
  now: Temporal.Instant,
): { acknowledgement: Acknowledgement; why: AcknowledgementEnd } | undefined {
  if (findAcknowledgement({ acknowledgements }, now) !== undefined) return undefined;
  return acknowledgements.flatMap((acknowledgement) => {
    const why = findEnd(acknowledgement, now);
    return why === undefined ? [] : [{ acknowledgement, why }];
  }).at(-1);
}
