import { shownAddress } from "../../lib/config/shown_address.ts";
import { PENDING_REF } from "../../lib/git/remote.ts";
import { appendRows, CHECKS_FOLDER, checksPath } from "../../lib/history/checks_log.ts";
import type { Decision } from "../../lib/pipeline/decide.ts";
import type { Outcome } from "../../lib/pipeline/outcomes.ts";
import type { AbandonedIncident } from "../../lib/pipeline/gone_sites.ts";
import { incidentPath } from "../../lib/history/incident.ts";
import { recordPath } from "../../lib/history/record.ts";
import type { HistoryState } from "../../lib/pipeline/state.ts";
import type { Effect } from "../../lib/outbox/effect.ts";
import type { CarriedEntry } from "../../lib/outbox/ends.ts";
import { claimedBy } from "../../lib/outbox/outbox.ts";
import { paint } from "../../lib/text/paint.ts";
import type { Published } from "../../lib/history/store/store.ts";
import { formatTime } from "../../lib/time.ts";
import { conditionText, count, countStates, formatMinute } from "../words.ts";
import { damagedNote } from "./update_notes.ts";
import { parseIssueEffect } from "../../lib/incidents/issue_effect.ts";
import { parseAnnouncementEffect } from "../../lib/incidents/maintenance/close_announcement.ts";

/** The last line of a run: how things are, and where that is kept. */
export function closingLine(
  { outcomes, memory, dueAt }: Pick<Decision, "outcomes" | "memory" | "dueAt">,
  { commit, place }: Published,
): string {
  const states = statesOf(outcomes);
  if (commit !== undefined) return `${states}. Recorded in ${commit.slice(0, 7)}: ${place}.`;
  if (memory.rows.length === 0) return `${states}. Recorded: ${place}.`;
  const { length } = memory.rows;
  const checks = `${count(length, "check")} ${length === 1 ? "waits" : "wait"}`;
  return `${states}. ${checks} in ${place}${untilCommit(dueAt)}.`;
}

function untilCommit(dueAt: Temporal.Instant | undefined): string {
  return dueAt === undefined ? "" : ` for the commit at ${formatTime(dueAt).slice(11, 16)} UTC`;
}

export function dryRunText(decision: Decision, previews: Previews = new Map()): string {
  const { outcomes, rows, effects, memory, files, folded, dueAt } = decision;
  const texts = [...files].map(([path, text]) => {
    if (text === null) return `\n--- ${path}\n(removed)`;
    if (!path.startsWith(`${CHECKS_FOLDER}/`)) return `\n--- ${path}\n${text.trimEnd()}`;
    const own = rows.filter(({ time }) => checksPath(time) === path);
    const shown = own.length > 0 ? appendRows(undefined, own).trimEnd() : "(checks that wait)";
    return `\n--- ${path}\n${shown}`;
  });
  if (folded > 1) {
    texts.push(`\nThe logs also get the checks of ${count(folded - 1, "run")} before.`);
  }
  if (files.size === 0) texts.push(`\n${appendRows(undefined, rows).trimEnd()}`);
  const what = files.size > 0 ? "write" : `keep these checks${untilCommit(dueAt)}`;
  const own = claimedBy(memory.outbox, memory.run);
  const claimed = new Set(own.map(({ id }) => id));
  const left = effects.filter(({ id }) => !claimed.has(id));
  const textOf = (effect: Effect) => effectText(effect, previews);
  if (own.length > 0) texts.push("\nIt would", ...own.map(textOf));
  if (left.length > 0) texts.push("\nIt would leave to later runs to", ...left.map(textOf));
  return [`${statesOf(outcomes)}. Nothing was written; a run would ${what}:`, ...texts].join("\n");
}

export function effectsOf({ effects, memory }: Pick<Decision, "effects" | "memory">): Effect[] {
  const planned = new Set(effects.map(({ id }) => id));
  const left = claimedBy(memory.outbox, memory.run).filter(({ id }) => !planned.has(id));
  return [...effects, ...left];
}

export function updateJson(
  { outcomes, abandoned, maintenance, effects, files, dueAt }: Told,
  { published, failure, carried = [], previews = new Map() }: {
    published?: Published;
    failure?: { message: string };
    carried?: readonly CarriedEntry[];
    previews?: Previews;
  },
): unknown {
  return {
    sites: outcomes.map(outcomeJson),
    abandoned: abandoned.map(({ id, slug }) => ({ slug, incident: id })),
    maintenance: maintenance.map(({ id, action, maintenance: { name, start, until, sites } }) => ({
      id,
      action,
      name,
      start: formatTime(start),
      until: formatTime(until),
      sites: Object.fromEntries(sites),
    })),
    effects: effects.map(({ id, what }) => ({
      id,
      what,
      ...previews.has(id) ? { payload: previews.get(id) } : {},
    })),
    carried: carried.map(carriedJson),
    files: [...files.keys()],
    commit: published?.commit ?? null,
    place: published?.place ?? null,
    nextCommit: dueAt === undefined ? null : formatTime(dueAt),
    failure: failure?.message ?? null,
  };
}

type Told = Pick<
  Decision,
  "outcomes" | "abandoned" | "maintenance" | "effects" | "files" | "dueAt"
>;

/** Warnings about history that was lost before this run. */
export function lossesOf(
  { lostSince, removedAt, unreadable, recovered = new Map(), damagedMaintenance }: Pick<
    HistoryState,
    "lostSince" | "removedAt" | "unreadable" | "recovered" | "damagedMaintenance"
  >,
): string[] {
  const removed = removedAt === undefined ? [] : [
    `${checksPath(removedAt)} no longer holds the checks that were committed at ${
      formatMinute(removedAt)
    }: the branch was rewritten, for instance by a force push, or the file was changed; to get them back, restore it from an earlier commit`,
  ];
  const files = [
    ...removed,
    ...unreadable.map((path) => `${path} can't be read and is written anew`),
    ...[...recovered].map(([slug, id]) =>
      `${recordPath(slug)} was lost or changed while ${
        incidentPath(id)
      } is open, which is continued`
    ),
    ...damagedMaintenance.map(damagedNote),
  ];
  if (lostSince === undefined) return files;
  return [
    `${PENDING_REF} is gone from the remote: checks after ${
      formatMinute(lostSince)
    } that no commit holds are lost`,
    ...files,
  ];
}

export function abandonedLine({ id, slug }: AbandonedIncident): string {
  return `${slug} is no longer monitored; its incident ends${paint.dim(` → ${incidentPath(id)}`)}`;
}

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

function outcomeJson(outcome: Outcome): Record<string, unknown> {
  const { result, change, incident, since } = outcome;
  const { site, state, code, responseTime, attempts, phases, error, flapping } = result;
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
    condition: conditionText(outcome),
    flapping: flapping === true,
    since: since === undefined ? null : formatTime(since),
    changed: change !== undefined,
    incident: incident?.id ?? null,
  };
}

type Previews = ReadonlyMap<string, unknown>;

export function effectText(effect: Effect, previews: Previews): string {
  const what = `  ${effect.what}`;
  const text = textOf(effect, previews);
  if (text === undefined) return what;
  const lines = text.trimEnd().split("\n").map((line) => line === "" ? "" : `      ${line}`);
  return `${what}\n\n${lines.join("\n")}\n`;
}

function textOf({ id, carrier, data }: Effect, previews: Previews): string | undefined {
  if (previews.has(id)) return JSON.stringify(previews.get(id), null, 2);
  if (carrier === "announcement") return parseAnnouncementEffect(data)?.comment;
  const issue = carrier === "issue" ? parseIssueEffect(data) : undefined;
  if (issue === undefined) return undefined;
  return issue.action === "open" ? `${issue.title}\n\n${issue.issue.body}` : issue.comment;
}

export function carriedLine(end: CarriedEntry, home: string | undefined): string {
  const { what } = end.entry;
  if ("failed" in end) {
    return `${end.failed.failure}. ${
      end.isGivenUp ? "Given up" : "The next run tries again"
    }: ${what}`;
  }
  const { issue, isGone, isLeft, isUnlisted } = end.receipt;
  if (isGone === true) return `Nothing to do, because there is no such issue: ${what}`;
  if (isLeft === true) {
    return `Nothing to do, because somebody has closed it, or changed what it announces: ${what}`;
  }
  if (isUnlisted === true) {
    return `Nothing sent, because its channel is no longer configured: ${what}`;
  }
  const place = typeof issue === "number" && home !== undefined
    ? paint.dim(` → ${home}/issues/${issue}`)
    : "";
  return `Done: ${what}${place}`;
}

function carriedJson(end: CarriedEntry): Record<string, unknown> {
  const { entry: { id, what } } = end;
  if ("failed" in end) {
    return { id, what, state: end.isGivenUp ? "given up" : "failed", failure: end.failed.failure };
  }
  return { id, what, state: "done", receipt: end.receipt };
}
