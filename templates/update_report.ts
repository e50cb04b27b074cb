import { shownAddress } from "../lib/config/shown_address.ts";
import { appendRows } from "../lib/history/checks_log.ts";
import type { Decision, Outcome } from "../lib/history/decide.ts";
import type { Published } from "../lib/history/store.ts";
import type { AbandonedIncident } from "../lib/history/gone_sites.ts";
import { incidentPath } from "../lib/history/incident.ts";
import { paint } from "../lib/paint.ts";
import { formatTime } from "../lib/time.ts";
import { countStates } from "./words.ts";

/** The last line of a run: how things are, and where that is kept. */
export function closingLine({ outcomes }: Decision, { commit, place }: Published): string {
  const name = commit === undefined ? "" : ` in ${commit.slice(0, 7)}`;
  return `${statesOf(outcomes)}. Recorded${name}: ${place}.`;
}

/** What a run would write, for who only wants to see it. Of the log, that is its rows. */
export function dryRunText({ outcomes, rows, files }: Decision): string {
  const texts = [...files].map(([path, text]) => {
    const shown = path.endsWith(".csv") ? appendRows(undefined, rows) : text;
    return `\n--- ${path}\n${shown.trimEnd()}`;
  });
  return [`${statesOf(outcomes)}. Nothing was written; a run would write:`, ...texts].join("\n");
}

/** What `update --json` prints; `failure` says why nothing was recorded. */
export function updateJson(
  { outcomes, abandoned, files }: Pick<Decision, "outcomes" | "abandoned" | "files">,
  { published, failure }: { published?: Published; failure?: { message: string } },
): unknown {
  return {
    sites: outcomes.map(outcomeJson),
    abandoned: abandoned.map(({ id, slug }) => ({ slug, incident: id })),
    files: [...files.keys()],
    commit: published?.commit ?? null,
    place: published?.place ?? null,
    failure: failure?.message ?? null,
  };
}

/** What is said of an incident whose site is no longer configured. */
export function abandonedLine({ id, slug }: AbandonedIncident): string {
  return `${slug} is no longer monitored; its incident ends${paint.dim(` → ${incidentPath(id)}`)}`;
}

/** What later steps of a job are handed: slugs as JSON lists, and whether anything changed. */
export function jobOutputs(outcomes: readonly Outcome[]): Record<string, string> {
  const slugs = (state: string) =>
    outcomes.filter(({ result }) => result.state === state).map(({ result }) => result.site.slug);
  return {
    down: JSON.stringify(slugs("down")),
    degraded: JSON.stringify(slugs("degraded")),
    changed: String(outcomes.some(({ change }) => change !== undefined)),
  };
}

function statesOf(outcomes: readonly Outcome[]): string {
  return countStates(outcomes.map(({ result }) => result.state));
}

function outcomeJson({ result, change, incident, since }: Outcome): Record<string, unknown> {
  const { site, state, code, responseTime, attempts, phases, error } = result;
  const whole = Object.entries(phases ?? {}).map(([phase, time]) => [phase, Math.round(time)]);
  return {
    name: site.name,
    slug: site.slug,
    url: shownAddress(site) ?? null,
    state,
    code,
    responseTime: responseTime === undefined ? null : Math.round(responseTime),
    attempts,
    phases: phases === undefined ? null : Object.fromEntries(whole),
    error: error ?? null,
    since: since === undefined ? null : formatTime(since),
    changed: change !== undefined,
    incident: incident?.id ?? null,
  };
}
