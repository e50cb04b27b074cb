import { column, fit } from "../../lib/text/columns.ts";
import { PENDING_REF } from "../../lib/git/remote.ts";
import type { CheckRow } from "../../lib/history/checks_log.ts";
import { nextCommit } from "../../lib/pipeline/decide.ts";
import {
  type LoadedRunState,
  STATE_FOLDER,
  type StoredRunState,
  toStoredEntry,
} from "../../lib/history/run_state.ts";
import { type EffectHandlers, findObstacle } from "../../lib/outbox/effect.ts";
import type { Entry } from "../../lib/outbox/outbox.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { formatTime } from "../../lib/time.ts";
import { count, formatMilliseconds, formatMinute } from "../words.ts";
import { nameWidth, stateMark } from "./lines.ts";

export interface Remembered {
  loadedState: LoadedRunState;
  place: string;
  /** Milliseconds between two commits; absent without a configuration. */
  commitEvery?: number;
  handlers: EffectHandlers;
}

const LABEL = 13;
const LONGEST_LINE = 100;

export function stateText({ loadedState, place, commitEvery, handlers }: Remembered): string {
  const { runState, rows } = loadedState;
  if (runState === undefined) {
    const nothing = `Nothing is remembered yet. History: ${place}.`;
    if (rows.length === 0) return nothing;
    return `${nothing}\nYet ${waitingText(rows)} ${rows.length === 1 ? "waits" : "wait"}:\n\n${
      sitesText(rows)
    }`;
  }
  const facts: [label: string, text: string][] = [
    ["Run state", `${runStatePlace(loadedState)}. History: ${place}`],
    ["Last run", `${formatMinute(runState.time)}, run ${runState.run}`],
    ["Last commit", lastCommit(runState)],
    ["Next commit", dueText(runState, commitEvery)],
    ["Waiting", waitingText(rows)],
  ];
  const { refused } = runState;
  if (refused !== undefined) {
    facts.push(["Refused", `the remote did not take ${PENDING_REF} at ${formatMinute(refused)}`]);
  }
  if (runState.failedCanaries > 0) {
    facts.push([
      "Canaries",
      `failed in ${count(runState.failedCanaries, "run")}, while sites answered`,
    ]);
  }
  const lines = facts.map(([label, text]) => paint.dim(column(label, LABEL)) + text);
  const parts = [
    lines.join("\n"),
    sitesText(rows),
    streaksText(runState),
    outboxText(runState.outbox, handlers),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

export function stateJson({ loadedState, place, commitEvery }: Remembered): unknown {
  const { runState, rows } = loadedState;
  const next = runState === undefined ? undefined : nextOf(runState, commitEvery);
  return {
    place,
    memory: runState === undefined ? null : runStatePlace(loadedState),
    run: runState?.run ?? null,
    time: runState === undefined ? null : formatTime(runState.time),
    lastCommit: runState?.flushed === undefined
      ? null
      : { run: runState.flushed.run, time: formatTime(runState.flushed.time) },
    nextCommit: next === undefined ? null : formatTime(next),
    sites: runState?.sites ?? {},
    failedCanaries: runState?.failedCanaries ?? 0,
    waiting: rows.map(({ time, ...row }) => ({ time: formatTime(time), ...row })),
    outbox: (runState?.outbox ?? []).map((
      { planned, notBefore, expires, claim, done, ...entry },
    ) => ({
      ...toStoredEntry({ ...entry, planned }),
      lapses: expires === undefined ? null : formatTime(expires),
      notBefore: notBefore === undefined ? null : formatTime(notBefore),
      planned: formatTime(planned),
      claim: claim === undefined ? null : { run: claim.run, until: formatTime(claim.until) },
      done: done === undefined ? null : { at: formatTime(done.at), receipt: done.receipt ?? null },
    })),
  };
}

function runStatePlace({ isInRef }: LoadedRunState): string {
  return isInRef ? PENDING_REF : STATE_FOLDER;
}

function lastCommit({ flushed }: StoredRunState): string {
  return flushed === undefined ? "none" : `${formatMinute(flushed.time)}, run ${flushed.run}`;
}

function nextOf(
  { flushed }: StoredRunState,
  every: number | undefined,
): Temporal.Instant | undefined {
  return flushed === undefined || every === undefined || every === 0
    ? undefined
    : nextCommit(flushed.time, every);
}

function dueText(runState: StoredRunState, every: number | undefined): string {
  const next = nextOf(runState, every);
  return next === undefined
    ? "with the next run"
    : `with the first run after ${formatMinute(next)}, or when something changes`;
}

function waitingText(rows: readonly CheckRow[]): string {
  const runs = new Set(rows.map(({ run }) => run)).size;
  return rows.length === 0
    ? "no checks"
    : `${count(rows.length, "check")} of ${count(runs, "run")}`;
}

/** A line for each site whose checks wait: how often, and how it was last. */
function sitesText(rows: readonly CheckRow[]): string {
  const slugs = [...new Set(rows.map(({ slug }) => slug))].sort();
  const width = nameWidth(slugs);
  return slugs.map((slug) => {
    const own = rows.filter((row) => row.slug === slug);
    const { state, ms, error = "" } = own.at(-1)!;
    const shown = [
      stateMark(state),
      column(plainText(slug), width),
      column(state, 8),
      formatMilliseconds(ms).padStart(9),
      ` ${count(own.length, "check")}`,
    ];
    return fit(`  ${shown.join(" ")}  ${plainText(error)}`.trimEnd(), LONGEST_LINE);
  }).join("\n");
}

/** A line for each site of which runs remember more than that it is up. */
function streaksText({ sites }: StoredRunState): string {
  const lines = Object.entries(sites).flatMap(([slug, { failing, slow, flapping, window }]) => {
    const slowRuns = slow.filter((run) => run !== null).length;
    const facts = [
      failing && `failing in ${count(failing.runs, "run")} since ${formatMinute(failing.since)}`,
      slowRuns > 0 && `slow in ${slowRuns} of the last ${count(slow.length, "run")}`,
      flapping && "changes too often to be news",
      window && `in maintenance until ${formatMinute(window.until)}`,
    ].filter((fact) => typeof fact === "string");
    return facts.length === 0 ? [] : [`  ${plainText(slug)}: ${facts.join(", ")}`];
  });
  return lines.length === 0 ? "" : `Remembered\n${lines.join("\n")}`;
}

function outboxText(outbox: readonly Entry[], handlers: EffectHandlers): string {
  if (outbox.length === 0) return "";
  const lines = outbox.map((entry) =>
    `  ${plainText(entry.description)}\n    ${entryText(entry, handlers)}`
  );
  return `Outbox\n${lines.join("\n")}`;
}

function entryText(entry: Entry, handlers: EffectHandlers): string {
  const { planned, notBefore, claim, failure, done } = entry;
  const why = failure === undefined ? "" : `: ${plainText(failure)}`;
  if (done !== undefined) {
    const how = done.receipt === undefined ? `given up${why}` : "executed";
    return paint.dim(`${how} at ${formatMinute(done.at)}`);
  }
  const isIdle = claim === undefined && failure === undefined && notBefore === undefined;
  const lacking = isIdle ? findObstacle(entry, handlers) : undefined;
  const until = notBefore === undefined ? "" : ` until ${formatMinute(notBefore)}`;
  const since = `waits since ${formatMinute(planned)}${until}${
    lacking === undefined ? "" : `: it needs ${lacking}`
  }`;
  const whose = claim === undefined
    ? ""
    : `, claimed by run ${claim.run} until ${formatMinute(claim.until)}`;
  return `${since}${whose}${failure === undefined ? "" : `; it failed last time${why}`}`;
}
