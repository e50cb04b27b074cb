import type { Outcome } from "../lib/history/decide.ts";
import { formatTime } from "../lib/time.ts";

/** What `update --json` prints of a site. */
export function outcomeJson({ result, change, incident, since }: Outcome): Record<string, unknown> {
  const { site: { name, slug, url }, state, code, responseTime, attempts, phases, error } = result;
  return {
    name,
    slug,
    url,
    state,
    code,
    responseTime: responseTime === undefined ? null : Math.round(responseTime),
    attempts,
    phases: phases === undefined ? null : Object.fromEntries(
      Object.entries(phases).map(([name, value]) => [name, Math.round(value)]),
    ),
    error: error ?? null,
    since: since === undefined ? null : formatTime(since),
    changed: change !== undefined,
    incident: incident?.id ?? null,
  };
}
