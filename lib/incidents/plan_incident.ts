import type { RootCause } from "../evaluation/dependencies.ts";
import { withoutLocations } from "../evaluation/location_words.ts";
import type { SeenReason, SiteState } from "../evaluation/results.ts";
import { endIncident, type Incident, UNCHANGED } from "../history/incident.ts";
import type { Condition } from "../state.ts";

/** The former root cause of an incident that is no longer suppressed. */
export interface Release {
  name: string;
  /** True if it is up again; false if it is only no longer checked. */
  isBack: boolean;
}

export interface IncidentPlan {
  /**
   * `flap` if the site starts to flap; `reason` if only the reason has changed; `silent` if it happens in the
   * file alone and nobody is notified.
   */
  action: "open" | "update" | "reopen" | "close" | "flap" | "reason" | "silent";
  incident: Incident;
  released?: Release;
}

/**
 * Plans what happens to the incident of a site. One is opened if the site fails and none is open,
 * reopened if one has just ended, updated if degraded became down or the reverse, and closed once the
 * site is up and not flapping. While it is flapping, only the start of that is reported. `since` is the
 * start of the condition. A clock that was set back ends no incident before its start.
 */
export function planIncident(
  result: SiteState,
  { open, ended, condition }: {
    open?: Incident;
    ended?: Incident;
    condition?: Condition;
  },
  since: Temporal.Instant,
): IncidentPlan | undefined {
  const { site: { slug }, state, code, error = "", confirmed, flapping, flaps, settled } = result;
  const attempts = result.confirmedBy ?? result.attempts;
  if (state === "unknown" || state === "maintenance") return undefined;
  if (state === "up") {
    if (open === undefined) return undefined;
    if (flaps !== undefined) return { action: "flap", incident: open };
    return flapping ? undefined : { action: "close", incident: endIncident(open, since) };
  }
  const found = { confirmed, code, error, attempts };
  // The title of its issue keeps the words that it was opened with.
  const words = (open ?? ended)?.expiry ?? result.expiry;
  const expiry = words === undefined ? {} : { expiry: words };
  if (open === undefined && ended === undefined) {
    const incident = { slug, kind: state, start: since, ...found, ...expiry, ...UNCHANGED };
    return { action: "open", incident };
  }
  const before = open ?? ended!;
  const changed = { ...before, ...expiry, changes: addChange(before, state, since) };
  const isWorse = state === "down" && before.kind !== "down";
  const worsened = isWorse ? { ...changed, kind: state, ...found } : changed;
  const after = withReason(worsened, { at: since, confirmed, code, error });
  if (open === undefined) {
    const { end, ...rest } = after;
    const reopened = [...before.reopened, since];
    return { action: "reopen", incident: { ...rest, reopened, ended: [...before.ended, end!] } };
  }
  if (flaps !== undefined) return { action: "flap", incident: after };
  if (flapping) return isWorse ? { action: "silent", incident: after } : undefined;
  const hasChanged = condition !== "up" && condition !== state;
  return isWorse || hasChanged || settled ? { action: "update", incident: after } : undefined;
}

function addChange(
  { changes, kind }: Incident,
  state: "down" | "degraded",
  at: Temporal.Instant,
): Incident["changes"] {
  const last = changes.at(-1)?.state ?? kind;
  return state === last ? changes : [...changes, { at, state }];
}

/** True if an incident has been suppressed since its start. */
export function isSuppressed({ cause, notified }: Pick<Incident, "cause" | "notified">): boolean {
  return cause !== undefined && notified === undefined;
}

/**
 * Applies dependencies to the plan for an incident. A failure that starts or gets worse while a
 * dependency is down is suppressed: only its file is written. Once no dependency is down, an ongoing
 * failure is reported as if it had just started; one that ended before is not reported, unless people
 * already knew of it.
 */
export function suppress(
  { state }: Pick<SiteState, "state">,
  plan: IncidentPlan | undefined,
  { open, cause, release }: {
    open?: Incident;
    cause?: RootCause;
    release(cause: string): Release;
  },
): IncidentPlan | undefined {
  if (state !== "down" && state !== "degraded") {
    return plan !== undefined && isSuppressed(plan.incident) ? { ...plan, action: "silent" } : plan;
  }
  const incident = plan?.incident ?? open;
  if (incident === undefined) return undefined;
  const { cause: _, notified: __, ...free } = incident;
  const before = open?.cause;
  const was = open && findNotifiableState(open);
  if (cause !== undefined) {
    const becomesSuppressed = before !== undefined || was === undefined ||
      (was !== state && state === "down");
    if (!becomesSuppressed) return plan;
    if (plan === undefined && before === cause.id) return undefined;
    const notified = was === undefined ? {} : { notified: was };
    return { action: "silent", incident: { ...free, cause: cause.id, ...notified } };
  }
  if (before === undefined) return plan === undefined ? undefined : { ...plan, incident: free };
  if (was === state) return { action: "silent", incident: free };
  const action = was !== undefined ? "update" : free.reopened.length > 0 ? "reopen" : "open";
  return { action, incident: free, released: release(before) };
}

/** The state that people may be notified of: the present one, or while another failure explains it, the one before. */
export function findNotifiableState(incident: Incident): "down" | "degraded" | undefined {
  return incident.cause === undefined ? latestState(incident) : incident.notified;
}

export function latestState({ changes, kind }: Incident): "down" | "degraded" {
  return changes.at(-1)?.state ?? kind;
}

/** Shortest time between two comments on why a site fails. */
const INTERVAL = { minutes: 10 };

type Reason = Pick<Incident, "code" | "error">;

/** Remarks, quoted values, and numbers with their units. */
const VARYING =
  /\([^)]*\)|"[^"]*"|\S*\d\S*(?: (?:ms|s|min|h|(?:second|minute|hour|day|week)s?)\b)?/g;

export function currentReason(incident: Pick<Incident, "code" | "error" | "reasons">): Reason {
  return incident.reasons.at(-1) ?? incident;
}

/**
 * Names the kind of a reason: its HTTP status, and its error without what differs from one attempt to the
 * next, such as addresses, quoted values, times and the locations that see it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const kind = (error: string) => reasonKind({ code: 0, error });
 * assertEquals(kind("connection refused (203.0.113.7:443)"), kind("connection refused (203.0.113.8:443)"));
 * assertEquals(kind("timed out after 10 s connecting"), kind("timed out after 980 ms connecting"));
 * assertEquals(kind("down in Rome and Oslo (up in Bonn): reset"), kind("down in all 3 locations: reset"));
 * assertEquals(kind("certificate expires in 2 days"), kind("certificate expires in 23 hours"));
 * ```
 */
export function reasonKind({ code, error }: Reason): string {
  const words = withoutLocations(error).replace(VARYING, " ");
  return `${code} ${words.replace(/\s+/g, " ").trim()}`;
}

/** Detects a new reason, reported once two runs in a row have seen it, at most every ten minutes. */
export function planReason(
  { state, code, error = "", began, confirmed, flapping }: SiteState,
  open: Incident,
  before: SeenReason | undefined,
): {
  /** A new reason that one run has seen; absent if the site fails for the reported reason. */
  seen?: SeenReason;
  incident?: Incident;
} {
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
function withReason(
  incident: Incident,
  reason: Incident["reasons"][number],
): Incident {
  if (reasonKind(reason) === reasonKind(currentReason(incident))) return incident;
  return { ...incident, reasons: [...incident.reasons, reason] };
}
