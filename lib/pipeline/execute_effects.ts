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
import { type Entry, type Executed, executeEffects } from "../outbox/outbox.ts";
import { findIssueNumbers } from "../history/stored_incidents.ts";
import type { EffectTargets } from "./plan_effects.ts";

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

/** Milliseconds that messages wait for their issue numbers, and starts of workflows for issues. */
const LONGEST_WAIT = 2_000;

/**
 * Executes the effects that a run has claimed, each once: issues at once, each message as soon as the numbers of its
 * issues are known, and the starts of workflows once issues are done. Nothing waits for longer than
 * {@linkcode LONGEST_WAIT}.
 */
export async function executeClaimed(
  claimed: readonly Entry[],
  outbox: readonly Entry[],
  { handlers, issues }: Pick<EffectTargets, "handlers" | "issues">,
  clock: Clock,
): Promise<Executed> {
  if (claimed.length === 0) return { results: [], bugs: [] };
  for (const [id, number] of findIssueNumbers(outbox)) issues.set(id, number);
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
