import type { Cause } from "../evaluation/explanation.ts";
import type { CheckResult } from "../evaluation/judge.ts";
import { endIncident, type Incident, UNCHANGED } from "../history/incident.ts";
import type { Condition } from "../state.ts";
import { withReason } from "./reason.ts";

/** What a failure had been put down to, where that is over. */
export interface Release {
  name: string;
  /** Whether it is up again, and not only no longer asked. */
  isBack: boolean;
}

/** What happens to the incident of a site. */
export interface IncidentPlan {
  /**
   * `flap` if the site starts to flap; `reason` if only the reason has changed; `note` if it happens in the
   * file alone and nobody is notified.
   */
  action: "open" | "update" | "reopen" | "close" | "flap" | "reason" | "note";
  incident: Incident;
  /** What it had been put down to until now; absent where it was not. */
  released?: Release;
}

/** What is known of a site's incidents. */
export interface IncidentsBefore {
  /** The one that goes on. */
  open?: Incident;
  /** The one that ended last, where a new failure belongs to it. */
  ended?: Incident;
  /** How the site was. */
  condition?: Condition;
}

/**
 * Plans what happens to the incident of a site. One is opened if the site fails and none is open,
 * reopened if one has just ended, updated if degraded became down or the reverse, and closed once the
 * site is up and not flapping. While it is flapping, only the start of that is reported. `since` is the
 * start of the condition. A clock that was set back ends no incident before its start.
 */
export function planIncident(
  result: CheckResult,
  { open, ended, condition }: IncidentsBefore,
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
  const changed = { ...before, ...expiry, changes: changesWith(before, state, since) };
  const isWorse = state === "down" && before.kind !== "down";
  const worsened = isWorse ? { ...changed, kind: state, ...found } : changed;
  const after = withReason(worsened, { at: since, confirmed, code, error });
  if (open === undefined) {
    const { end, ...rest } = after;
    const reopened = [...before.reopened, since];
    return { action: "reopen", incident: { ...rest, reopened, ended: [...before.ended, end!] } };
  }
  if (flaps !== undefined) return { action: "flap", incident: after };
  if (flapping) return isWorse ? { action: "note", incident: after } : undefined;
  const hasChanged = condition !== "up" && condition !== state;
  return isWorse || hasChanged || settled ? { action: "update", incident: after } : undefined;
}

/** The changes of an incident, with the one to a state that it was not in. */
function changesWith(
  { changes, kind }: Incident,
  state: "down" | "degraded",
  at: Temporal.Instant,
): Incident["changes"] {
  const last = changes.at(-1)?.state ?? kind;
  return state === last ? changes : [...changes, { at, state }];
}

/** What is known when it is decided whether an incident is put down to something. */
export interface Ground {
  /** The incident that goes on, as it was before. */
  open?: Incident;
  /** What is down that the site depends on. */
  cause?: Cause;
  /** What to say of what the incident was put down to until now. */
  release(cause: string): Release;
}

/** Whether nobody was ever told of an incident, because it is put down to another. */
export function isUntold({ cause, told }: Pick<Incident, "cause" | "told">): boolean {
  return cause !== undefined && told === undefined;
}

/**
 * What becomes of the plan for an incident, given what its site depends on. What begins or gets worse while
 * something is down that the site depends on is put down to that, and noted in the file alone. Once nothing
 * of it is down any more, what goes on is told as if it had begun now; what ended before is not told at all,
 * unless people knew of it from before.
 */
export function putDown(
  { state }: Pick<CheckResult, "state">,
  plan: IncidentPlan | undefined,
  { open, cause, release }: Ground,
): IncidentPlan | undefined {
  if (state !== "down" && state !== "degraded") {
    return plan !== undefined && isUntold(plan.incident) ? { ...plan, action: "note" } : plan;
  }
  const incident = plan?.incident ?? open;
  if (incident === undefined) return undefined;
  const { cause: _, told: __, ...free } = incident;
  const before = open?.cause;
  const was = open === undefined ? undefined : before === undefined ? stateOf(open) : open.told;
  if (cause !== undefined) {
    const isPut = before !== undefined || was === undefined || (was !== state && state === "down");
    if (!isPut) return plan;
    if (plan === undefined && before === cause.id) return undefined;
    const told = was === undefined ? {} : { told: was };
    return { action: "note", incident: { ...free, cause: cause.id, ...told } };
  }
  if (before === undefined) return plan === undefined ? undefined : { ...plan, incident: free };
  if (was === state) return { action: "note", incident: free };
  const action = was !== undefined ? "update" : free.reopened.length > 0 ? "reopen" : "open";
  return { action, incident: free, released: release(before) };
}

/** How the site is by its incident. */
export function stateOf({ changes, kind }: Incident): "down" | "degraded" {
  return changes.at(-1)?.state ?? kind;
}
