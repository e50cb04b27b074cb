import type { Outcome } from "../lib/pipeline/outcomes.ts";
import type { Incident } from "../lib/history/incident.ts";
import { confirmationTime } from "./confirmation_time.ts";
import { count, formatMinuteFrom } from "./words.ts";

/**
 * How a site is, as people read it:
 * `down (connection refused) since 10:05 UTC, confirmed by 3 attempts over 31 s`.
 */
export function conditionText({ result, since, open }: Outcome): string {
  const { state, error, confirmed, flapping, until } = result;
  const reason = error === undefined ? "" : ` (${unbracketed(error)})`;
  if (until !== undefined) return `${state}${reason} until ${formatMinuteFrom(until, confirmed)}`;
  const began = since === undefined || state === "unknown"
    ? ""
    : ` since ${formatMinuteFrom(since, confirmed)}`;
  const sure = open === undefined || state !== "down" ? "" : confirmation(open, since);
  return `${state}${reason}${began}${sure}${flapping ? ", flapping" : ""}`;
}

/** What made a condition sure; nothing of an outage that a kept incident did not begin with. */
function confirmation(incident: Incident, since = incident.confirmed): string {
  const time = confirmationTime(incident, since);
  return time === undefined
    ? ""
    : `, confirmed by ${count(incident.attempts, "attempt")} over ${time}`;
}

/** Without the brackets at its end, because it stands in brackets itself. */
function unbracketed(error: string): string {
  return error.replace(/ \(([^()]*)\)$/, ", $1");
}
