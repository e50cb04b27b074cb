import { PENDING_REF } from "../../lib/git/remote.ts";
import type { CheckRow } from "../../lib/history/checks_log.ts";
import { nextCommit } from "../../lib/pipeline/commit_plan.ts";
import { STATE_FOLDER } from "../../lib/config/record_path.ts";
import type { LoadedRunState, StoredRunState } from "../../lib/history/run_state.ts";
import { toStoredEntry } from "../../lib/history/run_state_schema.ts";
import { type EffectHandlers, findObstacle } from "../../lib/outbox/effect.ts";
import type { Entry } from "../../lib/outbox/outbox.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { withNulls } from "../json.ts";
import { count, formatMilliseconds, formatMinute } from "../words.ts";
import { formatMutes } from "./acknowledgements.ts";
import { alignCells, factLines, GAP, joinParts, stateMark } from "./lines.ts";

const LONGEST_LINE = 100;

/** Formats the run state, and what waits; `commitEvery` is in milliseconds. */
export function stateText(
  { runState, rows, isInRef }: LoadedRunState,
  place: string,
  commitEvery: number | undefined,
  handlers: EffectHandlers,
  now: Temporal.Instant,
): string {
  const runs = new Set(rows.map(({ run }) => run)).size;
  const next = runState && findNextCommit(runState, commitEvery);
  const { flushed, failedCanaries = 0 } = runState ?? {};
  const facts = factLines([
    ["Run state", runState === undefined ? "none yet" : isInRef ? PENDING_REF : STATE_FOLDER],
    ["History", place],
    ["Last run", runState && `${formatMinute(runState.time)}, run ${runState.run}`],
    ["Last commit", flushed && `${formatMinute(flushed.time)}, run ${flushed.run}`],
    ["Next commit", next && `first run after ${formatMinute(next)}, or on a change`],
    [
      "Waiting",
      rows.length > 0 ? `${count(rows.length, "check")} of ${count(runs, "run")}` : "nothing",
    ],
    ["Canaries", failedCanaries > 0 ? `failed in ${count(failedCanaries, "run")}` : undefined],
  ]);
  return joinParts(
    facts,
    runState === undefined ? "" : formatMutes(runState.mutes, [], now),
    waitingLines(rows).join("\n"),
    section("Sites", Object.entries(runState?.sites ?? {}).flatMap(streakLines)),
    section("Outbox", (runState?.outbox ?? []).map((one) => entryLines(one, handlers))),
  );
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [title, ...lines].join("\n");
}

export function stateJson(
  { runState, rows, isInRef }: LoadedRunState,
  place: string,
  commitEvery: number | undefined,
): unknown {
  const next = runState === undefined ? undefined : findNextCommit(runState, commitEvery);
  return withNulls({
    place,
    memory: runState === undefined ? null : isInRef ? PENDING_REF : STATE_FOLDER,
    run: runState?.run,
    time: runState?.time,
    lastCommit: runState?.flushed,
    nextCommit: next,
    sites: runState?.sites ?? {},
    failedCanaries: runState?.failedCanaries ?? 0,
    mutes: runState?.mutes ?? {},
    waiting: rows.map(({ time, ...row }) => ({ time, ...row })),
    outbox: (runState?.outbox ?? []).map((
      { planned, notBefore, expires, claim, done, ...entry },
    ) => ({
      ...toStoredEntry({ ...entry, planned }),
      ...withNulls({ lapses: expires, notBefore, planned, claim, done: done && withNulls(done) }),
    })),
  });
}

/** The time of the next commit; `undefined` if the next run commits. */
function findNextCommit(
  { flushed }: StoredRunState,
  every: number | undefined,
): Temporal.Instant | undefined {
  return flushed && every ? nextCommit(flushed.time, every) : undefined;
}

/** A line for each site whose checks wait: the last result, and their number. */
function waitingLines(rows: readonly CheckRow[]): string[] {
  const bySlug = [...Map.groupBy(rows, ({ slug }) => slug)].sort(([a], [b]) => a < b ? -1 : 1);
  const cells = alignCells(
    bySlug.map(([slug, own]) => {
      const { state, ms, error = "" } = own.at(-1)!;
      const times = [formatMilliseconds(ms), count(own.length, "check")];
      return [plainText(slug), state, ...times, plainText(error)];
    }),
    { numeric: [2], flexible: 4, room: LONGEST_LINE },
  );
  return bySlug.map(([, own], index) =>
    `  ${stateMark(own.at(-1)!.state)} ${cells[index]!.join(GAP)}`.trimEnd()
  );
}

/** A line about a site that is not simply up. */
function streakLines(
  [slug, { failing, slow, flapping, window }]: [string, StoredRunState["sites"][string]],
): string[] {
  const slowRuns = slow.filter((run) => run !== null).length;
  const facts = [
    failing && `failing in ${count(failing.runs, "run")} since ${formatMinute(failing.since)}`,
    slowRuns > 0 && `slow in ${slowRuns} of the last ${count(slow.length, "run")}`,
    flapping && "flapping",
    window && `in maintenance until ${formatMinute(window.until)}`,
  ].filter((fact) => typeof fact === "string");
  return facts.length === 0 ? [] : [`  ${plainText(slug)}: ${facts.join(", ")}`];
}

function entryLines(entry: Entry, handlers: EffectHandlers): string {
  const { planned, notBefore, claim, failure, done, description } = entry;
  const isIdle = claim === undefined && failure === undefined && notBefore === undefined;
  const missing = isIdle ? findObstacle(entry, handlers) : undefined;
  const facts = done !== undefined
    ? [`${done.receipt === undefined ? "given up" : "executed"} at ${formatMinute(done.at)}`]
    : [
      `planned at ${formatMinute(planned)}`,
      notBefore && `waits until ${formatMinute(notBefore)}`,
      missing && `needs ${missing}`,
      claim && `claimed by run ${claim.run} until ${formatMinute(claim.until)}`,
    ];
  const known = [...facts, failure && `failed: ${plainText(failure)}`].filter(Boolean);
  return `  ${plainText(description)}\n    ${paint.dim(known.join(", "))}`;
}
