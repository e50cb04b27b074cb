import type { GitHub } from "../github/github.ts";
import { createDispatchHandler, createReactionHandler } from "../incidents/github_effects.ts";
import { createIssueHandler, type IssueNumbers } from "../incidents/issue_handler.ts";
import { createAnnouncementHandler } from "../incidents/maintenance/close_announcement.ts";
import type { Clock } from "../io/clock.ts";
import {
  createMessageHandler,
  createReportHandler,
  type MessageDependencies,
} from "../notifications/message_handler.ts";
import type { EffectHandlers } from "../outbox/effect.ts";
import {
  type EffectResult,
  type Entry,
  type EntryResult,
  type Executed,
  executeEffects,
  toEntryResults,
} from "../outbox/outbox.ts";
import { findIssueNumbers } from "../history/stored_incidents.ts";
import type { PublishedRun } from "./publish_run.ts";

export function createHandlers(
  { github, messages, issues, clock }: {
    /** Absent without a token, or a repository on GitHub. */
    github?: GitHub;
    messages?: MessageDependencies;
    issues?: IssueNumbers;
    clock: Clock;
  },
): EffectHandlers {
  return {
    issue: createIssueHandler(github, { clock, issues }),
    dispatch: createDispatchHandler(github),
    message: createMessageHandler(messages),
    report: createReportHandler(messages, clock),
    announcement: createAnnouncementHandler(github, { clock }),
    reaction: createReactionHandler(github),
  };
}

export interface ExecutionOptions {
  handlers: EffectHandlers;
  /** Numbers of issues by incident; those that are opened are added. */
  issues: IssueNumbers;
  clock: Clock;
  redact(text: string): string;
  /** Notes results in the run state. */
  note(executed: { results: readonly EffectResult[]; now: Temporal.Instant }): Promise<void>;
  /** Called if the results could not be noted. */
  onUnnoted(error: Error): void;
}

/** Executes the effects that a run has claimed, each once, and notes their results once all have ended. */
export async function executeClaimed(
  { decision, claimed, published }: PublishedRun,
  { handlers, issues, clock, redact, note, onUnnoted }: ExecutionOptions,
): Promise<EntryResult[]> {
  if (claimed.length === 0) return [];
  const { outbox } = decision.runState;
  for (const [id, number] of findIssueNumbers(outbox)) issues.set(id, number);
  const { results: all, bugs } = await executeAll(claimed, outbox, { handlers, issues, clock });
  const results = all.map((one) =>
    "failure" in one ? { ...one, failure: redact(one.failure) } : one
  );
  const now = clock.now();
  if (published !== undefined) await note({ results, now }).catch(onUnnoted);
  if (bugs.length > 0) throw bugs[0];
  return toEntryResults(claimed, results, now);
}

/** Milliseconds that messages wait for their issue numbers, and starts of workflows for issues. */
const LONGEST_WAIT = 2_000;

/**
 * Executes effects: issues at once, each message as soon as the numbers of its issues are known, and the starts
 * of workflows once issues are done. Nothing waits for longer than {@linkcode LONGEST_WAIT}.
 */
async function executeAll(
  claimed: readonly Entry[],
  outbox: readonly Entry[],
  { handlers, issues, clock }: Pick<ExecutionOptions, "handlers" | "issues" | "clock">,
): Promise<Executed> {
  const { messages = [], dispatches = [], others = [] } = Object.groupBy(
    claimed,
    ({ handler }) =>
      handler === "message" || handler === "report"
        ? "messages"
        : handler === "dispatch"
        ? "dispatches"
        : "others",
  );
  const working = executeEffects(others, outbox, handlers, ({ queue }, { issue }) => {
    if (queue !== undefined && typeof issue === "number") issues.set(queue, issue);
  });
  const waiting = messages.length === 0 ? working : waitAtMost(LONGEST_WAIT, working, clock);
  const incidents = others.flatMap(({ handler, queue = [] }) => handler === "issue" ? queue : []);
  issues.expect(incidents, waiting);
  const sending = executeEffects(messages, outbox, handlers);
  if (dispatches.length > 0) await waitAtMost(LONGEST_WAIT, working, clock);
  const all = await Promise.all([working, sending, executeEffects(dispatches, outbox, handlers)]);
  return {
    results: all.flatMap(({ results }) => results),
    bugs: all.flatMap(({ bugs }) => bugs),
  };
}

async function waitAtMost(
  milliseconds: number,
  work: Promise<unknown>,
  clock: Clock,
): Promise<void> {
  const over = new AbortController();
  const done = work.finally(() => over.abort()).catch(() => {});
  await Promise.race([done, clock.wait(milliseconds, over.signal)]);
}
