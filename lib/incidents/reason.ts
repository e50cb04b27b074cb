import type { Incident } from "../history/incident.ts";
import type { SeenReason, SiteState } from "../evaluation/results.ts";

/** Shortest time between two comments on why a site fails. */
const INTERVAL = { minutes: 10 };

/** The failure of a site: HTTP status and error. */
export type Reason = Pick<Incident, "code" | "error">;

/** Remarks, quoted values, and numbers with their units. */
const VARYING =
  /\([^)]*\)|"[^"]*"|\S*\d\S*(?: (?:ms|s|min|h|(?:second|minute|hour|day|week)s?)\b)?/g;

/** The reason that an incident was last reported with. */
export function currentReason(incident: Pick<Incident, "code" | "error" | "reasons">): Reason {
  return incident.reasons.at(-1) ?? incident;
}

/**
 * Names the kind of a reason: its HTTP status, and its error without what differs from one attempt to the
 * next, such as addresses, quoted values and times.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const kind = (error: string) => reasonKind({ code: 0, error });
 * assertEquals(kind("connection refused (203.0.113.7:443)"), kind("connection refused (203.0.113.8:443)"));
 * assertEquals(kind("timed out after 10 s connecting"), kind("timed out after 980 ms connecting"));
 * assertEquals(kind("certificate expires in 2 days"), kind("certificate expires in 23 hours"));
 * ```
 */
export function reasonKind({ code, error }: Reason): string {
  const words = error.replace(VARYING, " ");
  return `${code} ${words.replace(/\s+/g, " ").trim()}`;
}

/** The outcome of looking for a changed reason. */
export interface ReasonChange {
  /** A new reason that one run has seen; absent if the site fails for the reported reason. */
  seen?: SeenReason;
  /** The incident with the new reason, if it is to be reported now. */
  incident?: Incident;
}

/**
 * Detects a new reason of an ongoing incident. It is reported once two runs in a row have seen it, and at
 * most once in ten minutes. The result's `began` is the start of the run's first attempt.
 */
export function planReason(
  { state, code, error = "", began, confirmed, flapping }: SiteState,
  open: Incident,
  before: SeenReason | undefined,
): ReasonChange {
  const isAsReported = state === (open.changes.at(-1)?.state ?? open.kind);
  const kind = reasonKind({ code, error });
  if (!isAsReported || flapping || kind === reasonKind(currentReason(open))) return {};
  if (before?.kind !== kind) return { seen: { kind, at: began } };
  const last = open.reasons.at(-1)?.confirmed;
  const isTooSoon = last !== undefined &&
    Temporal.Instant.compare(last.add(INTERVAL), confirmed) > 0;
  if (isTooSoon) return { seen: before };
  return { incident: withReason(open, { at: before.at, confirmed, code, error }) };
}

/** An incident with a new reason, unless it is of the kind that was reported last. */
export function withReason(
  incident: Incident,
  reason: Incident["reasons"][number],
): Incident {
  if (reasonKind(reason) === reasonKind(currentReason(incident))) return incident;
  return { ...incident, reasons: [...incident.reasons, reason] };
}
