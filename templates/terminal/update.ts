import { type Config, shownAddress } from "../../lib/config/config.ts";
import type { ProbeResult } from "../../lib/evaluation/results.ts";
import { PENDING_REF } from "../../lib/git/remote.ts";
import { appendRows, CHECKS_FOLDER, checksPath } from "../../lib/history/checks_log.ts";
import { incidentPath, INCIDENTS_FOLDER } from "../../lib/history/incident.ts";
import { recordPath } from "../../lib/config/record_path.ts";
import type { Published } from "../../lib/history/store/store.ts";
import { parseIssueEffect } from "../../lib/incidents/issue_effect.ts";
import { parseAnnouncementEffect } from "../../lib/incidents/maintenance/close_announcement.ts";
import { type Effect, type EffectHandlers, findObstacle } from "../../lib/outbox/effect.ts";
import {
  type Entry,
  type EntryResult,
  selectClaimed,
  selectRefused,
} from "../../lib/outbox/outbox.ts";
import type { Decision } from "../../lib/pipeline/decide.ts";
import type { AbandonedIncident } from "../../lib/pipeline/findings.ts";
import type { Outcome } from "../../lib/pipeline/outcomes.ts";
import type { HistoryState } from "../../lib/pipeline/history_state.ts";
import { joinFirst } from "../../lib/text/words.ts";
import { paint } from "../../lib/text/paint.ts";
import { formatTime } from "../../lib/time.ts";
import { withNulls } from "../json.ts";
import { count, countSites, countStates, formatCondition, formatMinute } from "../words.ts";
import { formatRecorded, joinParts, plannedFiles } from "./lines.ts";
import { damagedNote } from "./maintenance.ts";

/** The last line of a run: the states, and the place of the record. */
export function closingLine(
  { outcomes, runState: { rows }, dueAt }: Pick<Decision, "outcomes" | "runState" | "dueAt">,
  published: Published,
): string {
  const states = countOutcomes(outcomes);
  if (published.commit !== undefined || rows.length === 0) {
    return `${states}. Recorded${formatRecorded(published)}`;
  }
  const verb = rows.length === 1 ? "waits" : "wait";
  return `${states}. ${count(rows.length, "check")} ${verb} in ${published.place}${
    untilCommit(dueAt)
  }.`;
}

function countOutcomes(outcomes: readonly Outcome[]): string {
  return countStates(outcomes.map(({ result }) => result.state));
}

function untilCommit(dueAt: Temporal.Instant | undefined): string {
  return dueAt === undefined ? "" : ` for the commit at ${formatTime(dueAt).slice(11, 16)} UTC`;
}

type Previews = ReadonlyMap<string, unknown>;

/** Lists the checks, the files except logs, and the effects of a dry run. */
export function dryRunText(decision: Decision, previews: Previews = new Map()): string {
  const { outcomes, rows, effects, runState, files, flushedRuns, dueAt } = decision;
  const others = new Map([...files].filter(([path]) => !path.startsWith(`${CHECKS_FOLDER}/`)));
  const earlier = flushedRuns > 1 ? `, with those of ${count(flushedRuns - 1, "run")} before` : "";
  const what = files.size > 0 ? `write${earlier}` : `keep these checks${untilCommit(dueAt)}`;
  const own = selectClaimed(runState.outbox, runState.run);
  const claimed = new Set(own.map(({ id }) => id));
  const left = effects.filter(({ id }) => !claimed.has(id));
  const list = (title: string, some: readonly Effect[]) =>
    some.length === 0 ? "" : [title, ...some.map((one) => effectText(one, previews))].join("\n");
  return joinParts(
    `${countOutcomes(outcomes)}. Nothing was written; a run would ${what}:`,
    `--- ${checksPath(runState.time)}\n${appendRows(undefined, rows).trimEnd()}`,
    plannedFiles(others).trimStart(),
    list("It would", own),
    list("It would leave to later runs to", left),
  );
}

export function effectText({ id, description, handler, data }: Effect, previews: Previews): string {
  const issue = handler === "issue" ? parseIssueEffect(data) : undefined;
  const text = previews.has(id)
    ? JSON.stringify(previews.get(id), null, 2)
    : handler === "announcement"
    ? parseAnnouncementEffect(data)?.comment
    : issue?.action === "open"
    ? `${issue.title}\n\n${issue.issue.body}`
    : issue?.comment;
  if (text === undefined) return `  ${description}`;
  const lines = text.trimEnd().split("\n").map((line) => line === "" ? "" : `      ${line}`);
  return `  ${description}\n\n${lines.join("\n")}\n`;
}

/** The effects planned by a run, and those that earlier runs have left to it. */
export function listEffects(
  { effects, runState }: Pick<Decision, "effects" | "runState">,
): Effect[] {
  const planned = new Set(effects.map(({ id }) => id));
  const left = selectClaimed(runState.outbox, runState.run).filter(({ id }) => !planned.has(id));
  return [...effects, ...left];
}

/** Reports an executed effect, or why it failed; `home` is the address of the repository. */
export function entryResultLine(end: EntryResult, home: string | undefined): string {
  const { description } = end.entry;
  if ("failed" in end) {
    const next = end.isGivenUp ? "Given up" : "The next run tries again";
    return `${end.failed.failure}. ${next}: ${description}`;
  }
  const { issue, isGone, isLeft, isUnlisted, refused } = end.receipt;
  if (isGone === true) return `Nothing to do, because the issue does not exist: ${description}`;
  if (isLeft === true) {
    return `Nothing to do, because the issue was closed or changed: ${description}`;
  }
  if (isUnlisted === true) {
    return `Nothing sent, because its channel is no longer configured: ${description}`;
  }
  if (typeof refused === "string") return `Done, but not for ${refused}: ${description}`;
  const hasAddress = typeof issue === "number" && home !== undefined;
  return `Done: ${description}${hasAddress ? paint.dim(` → ${home}/issues/${issue}`) : ""}`;
}

/** True if the user should know of a result: it failed, or some recipients of a mail were refused. */
export function isNoteworthy(end: EntryResult): boolean {
  return "failed" in end || typeof end.receipt["refused"] === "string";
}

/** Reports an incident that ends because its site is no longer configured, or because no record names it. */
export function abandonedLine({ id, slug, outcome }: AbandonedIncident): string {
  const path = paint.dim(` → ${incidentPath(id)}`);
  return outcome === undefined
    ? `${slug} is no longer monitored; its incident ends${path}`
    : `An incident of ${outcome.result.site.name} that its record does not name ends${path}`;
}

export function describeLosses(
  { lostSince, unreadable, recovered, orphans, damagedMaintenance }: Pick<
    HistoryState,
    "lostSince" | "unreadable" | "recovered" | "orphans" | "damagedMaintenance"
  >,
): string[] {
  return [
    ...lostSince === undefined ? [] : [
      `${PENDING_REF} is gone from the remote: checks after ${
        formatMinute(lostSince)
      } that no commit holds are lost`,
    ],
    ...unreadable.map((path) =>
      path.startsWith(`${INCIDENTS_FOLDER}/`)
        ? `${path} can't be read, so its incident starts anew in another file: fix the file or remove it`
        : `${path} can't be read and is written anew`
    ),
    ...[...recovered].map(([slug, id]) =>
      `${recordPath(slug)} was lost or changed while ${
        incidentPath(id)
      } is open, which is continued`
    ),
    ...[...orphans].map(([id, { slug }]) =>
      `${incidentPath(id)} is open, but ${
        recordPath(slug)
      } does not name it; it ends once the site is up or no longer monitored`
    ),
    ...damagedMaintenance.map(damagedNote),
  ];
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

/** Data for `update --json`; `failure` is the reason if nothing was recorded. */
export function updateJson(
  { outcomes, abandoned, maintenance, effects, files, dueAt }: Pick<
    Decision,
    "outcomes" | "abandoned" | "maintenance" | "effects" | "files" | "dueAt"
  >,
  { published, failure, executed = [], previews = new Map() }: {
    published?: Published;
    failure?: { message: string };
    executed?: readonly EntryResult[];
    previews?: Previews;
  },
): unknown {
  return withNulls({
    sites: outcomes.map(outcomeJson),
    abandoned: abandoned.map(({ id, slug }) => ({ slug, incident: id })),
    maintenance: maintenance.map(({ id, action, maintenance: { name, start, until, sites } }) => (
      { id, action, name, start, until, sites }
    )),
    effects: effects.map(({ id, description }) => ({
      id,
      what: description,
      ...previews.has(id) ? { payload: previews.get(id) } : {},
    })),
    carried: executed.map(entryResultJson),
    files: [...files.keys()],
    commit: published?.commit,
    place: published?.place,
    nextCommit: dueAt,
    failure: failure?.message,
  });
}

function entryResultJson(end: EntryResult): Record<string, unknown> {
  const { entry: { id, description: what } } = end;
  return "failed" in end
    ? { id, what, state: end.isGivenUp ? "given up" : "failed", failure: end.failed.failure }
    : { id, what, state: "done", receipt: end.receipt };
}

function outcomeJson(outcome: Outcome): Record<string, unknown> {
  const { result, change, incident, since } = outcome;
  const { site, state, code, responseTime, attempts, phases, error, flapping, locations } = result;
  const whole = phases && Object.entries(phases).map(([name, time]) => [name, Math.round(time)]);
  return withNulls({
    name: site.name,
    slug: site.slug,
    url: shownAddress(site),
    state,
    code,
    responseTime: responseTime && Math.round(responseTime),
    attempts,
    phases: whole && Object.fromEntries(whole),
    error,
    condition: formatCondition(outcome),
    flapping: flapping === true,
    since,
    changed: change !== undefined,
    incident: incident?.id,
    ...locations && {
      locations: locations.map(({ location: name, state, code, responseTime, error }) => (
        withNulls({
          name,
          state,
          code,
          responseTime: responseTime && Math.round(responseTime),
          error,
        })
      )),
    },
  });
}

const MOST_NAMES = 10;

/** Reports messages that a run can't send, by what it lacks for them. */
export function waitingMessages(outbox: readonly Entry[], handlers: EffectHandlers): string[] {
  const waiting = outbox.filter(({ handler, done }) => handler === "message" && done === undefined);
  const byNeed = Map.groupBy(waiting, (entry) => findObstacle(entry, handlers));
  return [...byNeed].flatMap(([need, own]) => {
    if (need === undefined) return [];
    const whats = joinFirst([...new Set(own.map(({ description }) => description))], MOST_NAMES);
    const wait = own.length === 1 ? "waits" : "wait";
    return [`${count(own.length, "message")} ${wait} for a run that has ${need}: ${whats}`];
  });
}

/** Reports messages that were refused, and wait for their next attempt. */
export function refusedMessages(outbox: readonly Entry[]): string[] {
  return selectRefused(outbox).map(({ failure, notBefore, description }) =>
    `${failure}. The next attempt is at ${formatMinute(notBefore!)}: ${description}`
  );
}

/**
 * Warns of unknown sites: grouped by reason because a job shows ten warnings, or one by one in rounds, which check
 * other sites together each time. An error if no site has a result. `brief` is the warning below rows that contain
 * the reasons.
 */
export function unknownNotes(
  { outcomes, runState, isBlind }: Pick<Decision, "outcomes" | "runState" | "isBlind">,
  { isRound }: { isRound: boolean },
): { errors: string[]; warnings: string[]; brief: string[] } {
  const runsOf = ({ result: { site: { slug } } }: Outcome) =>
    runState.sites[slug]?.unknown?.runs ?? 0;
  const unknown = outcomes.filter((outcome) => {
    const runs = runsOf(outcome);
    return runs > 1 || (runs === 1 && outcome.since === undefined);
  });
  const describe = (own: readonly Outcome[]) => {
    const names = joinFirst(own.map(({ result }) => result.site.name), MOST_NAMES);
    const runs = count(Math.max(...own.map(runsOf)), "run");
    return `${names} ${own.length === 1 ? "is" : "are"} unknown, without a result in ${runs}`;
  };
  const reasonOf = ({ result }: Outcome) => result.error ?? "no reason is known";
  const groups = isRound
    ? unknown.map((one) => [one])
    : [...Map.groupBy(unknown, reasonOf).values()];
  const warnings = groups.map((own) => `${describe(own)}: ${reasonOf(own[0]!)}`);
  const brief = isRound || unknown.length === 0 ? warnings : [describe(unknown)];
  const errors = isBlind ? ["Nothing is monitored: no site has a result"] : [];
  return { errors, warnings, brief };
}

/** Warns that the time ran out before all sites were checked. */
export function outOfTimeNote(
  results: readonly Pick<ProbeResult, "missing">[],
  { runDeadline }: Pick<Config, "runDeadline">,
): string[] {
  const number = (missing: ProbeResult["missing"]) =>
    results.filter((result) => result.missing === missing).length;
  const [notAsked, unfinished] = [number("notAsked"), number("unfinished")];
  if (notAsked + unfinished === 0) return [];
  const parts = [
    ...notAsked === 0 ? [] : [`${notAsked} not asked, which come first in the next run`],
    ...unfinished === 0 ? [] : [`${unfinished} without an answer in time`],
  ];
  const checked = results.length - notAsked - unfinished;
  return [
    `Only ${checked} of ${countSites(results.length)} were checked within the ${
      runDeadline / 1000
    } s of runDeadline (${parts.join("; ")}): raise runDeadline or concurrency`,
  ];
}
