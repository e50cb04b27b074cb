import { shownAddress } from "../lib/config/shown_address.ts";
import { appendRows } from "../lib/history/checks_log.ts";
import type { Decision, Outcome } from "../lib/history/decide.ts";
import type { Published } from "../lib/history/store.ts";
import { formatTime } from "../lib/time.ts";
import { countStates } from "./words.ts";

/** The last line of a run: how things are, and where that is kept. */
export function closingLine({ outcomes }: Decision, published: Published, place: string): string {
  const commit = published.commit === undefined ? "" : ` in ${published.commit.slice(0, 7)}`;
  return `${statesOf(outcomes)}. Recorded${commit}: ${place}.`;
}

/** What a run would write, for who only wants to see it. Of the log, that is its rows. */
export function dryRunText({ outcomes, rows, files }: Decision): string {
  const texts = [...files].map(([path, text]) => {
    const shown = path.endsWith(".csv") ? appendRows(undefined, rows) : text;
    return `\n--- ${path}\n${shown.trimEnd()}`;
  });
  return [`${statesOf(outcomes)}. Nothing was written; a run would write:`, ...texts].join("\n");
}

/** What `update --json` prints. */
export function updateJson({ outcomes, files }: Decision, published?: Published): unknown {
  return {
    sites: outcomes.map(outcomeJson),
    files: [...files.keys()],
    commit: published?.commit ?? null,
  };
}

/** What later steps of a job are handed: slugs as JSON lists, and whether anything changed. */
export function jobOutputs({ outcomes }: Decision): Record<string, string> {
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
