import type { GitHub } from "../github/github.ts";
import { createDispatchHandler, createReactionHandler } from "../incidents/github_effects.ts";
import { createIssueHandler, type IssueNumbers } from "../incidents/issue_handler.ts";
import { createAnnouncementHandler } from "../incidents/maintenance/close_announcement.ts";
import type { Clock } from "../io/clock.ts";
import {
  createMessageHandler,
  type MessageDependencies,
} from "../notifications/message_handler.ts";
import type { EffectHandler, EffectHandlers } from "../outbox/effect.ts";
import {
  type EffectResult,
  type Entry,
  type EntryResult,
  type Executed,
  executeEffects,
  type OnExecuted,
  settle,
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
    announcement: createAnnouncementHandler(github, { clock }),
    reaction: createReactionHandler(github),
  };
}

export interface ExecutorOptions {
  handlers: EffectHandlers;
  /** Numbers of issues by incident; those that are opened are added. */
  issues: IssueNumbers;
  clock: Clock;
  redact(text: string): string;
  note(executed: { results: readonly EffectResult[]; now: Temporal.Instant }): Promise<void>;
  /** Called if the results could not be noted. */
  onUnnoted(error: Error): void;
}

/**
 * Executes the effects that the pushes of a run have claimed, each once. A channel that hangs delays no other
 * channel and no later push: effects of its queue are deferred until it has ended.
 */
export class EffectExecutor {
  /** The last push with effects that were deferred; its claims contain those of earlier pushes. */
  deferred?: PublishedRun;
  readonly #results: EffectResult[] = [];
  readonly #tried = new Set<string>();
  /** Ids of those that were tried after a push that failed; a later push may still record them. */
  readonly #unrecorded = new Set<string>();
  /** True once a push was published, so that results can be noted. */
  #isPublished = false;
  /** Effects that are being executed, or come after such a one in its queue. */
  readonly #busy = new Set<Entry>();

  constructor(readonly options: ExecutorOptions) {}

  /** Executes the effects of a push that were not tried before, and notes their results. */
  async execute(pushed: PublishedRun): Promise<EntryResult[]> {
    const { decision, claimed, published } = pushed;
    const { issues, clock, redact, note, onUnnoted } = this.options;
    const { due, deferred, blocked } = this.#divide(claimed);
    this.deferred = deferred.length === 0 ? undefined : pushed;
    if (published === undefined) { for (const { id } of due) this.#unrecorded.add(id); }
    else this.#isPublished = true;
    const hasUnnoted = published !== undefined &&
      claimed.some(({ id }) => this.#unrecorded.has(id));
    if (due.length === 0 && blocked.length === 0 && !hasUnnoted) return [];
    const outbox = settle(decision.runState.outbox, this.#results, clock.now());
    for (const [id, number] of findIssueNumbers(outbox)) issues.set(id, number);
    const sent: EffectResult[] = [];
    const work = executeAll(due, outbox, {
      handlers: this.#watch(due),
      issues,
      clock,
      onSent: ({ id }, receipt) => sent.push({ id, receipt }),
    });
    const { results: all, bugs } = await noteWhile(work, clock, async () => {
      if (!this.#isPublished || sent.length === 0) return;
      // If this fails, the note at the end contains it.
      await note({ results: sent.splice(0), now: clock.now() }).catch(() => {});
    });
    const results = all.map((one) =>
      "failure" in one ? { ...one, failure: redact(one.failure) } : one
    );
    this.#results.push(...results.filter((one) => !("receipt" in one)));
    for (const entry of due) this.#busy.delete(entry);
    const now = clock.now();
    if (this.#isPublished) {
      // Results that an earlier push could not note replace its note that they were blocked.
      const unsent = blocked.map(({ id }) => ({ id, isBlocked: true as const }));
      await note({ results: [...unsent, ...this.#results], now }).catch(onUnnoted);
    }
    if (bugs.length > 0) throw bugs[0];
    return toEntryResults(due, results, now);
  }

  /** Divides untried effects: `due` now, `deferred` behind a running one, or `blocked` by a failed one. */
  #divide(entries: readonly Entry[]): Record<"due" | "deferred" | "blocked", Entry[]> {
    const failed = new Set(this.#results.flatMap((one) => "receipt" in one ? [] : one.id));
    const listQueues = (own: Iterable<Entry>) =>
      new Set([...own].flatMap(({ queue }) => queue ?? []));
    const busy = listQueues(this.#busy);
    const stuck = listQueues(entries.filter(({ id }) => failed.has(id)));
    const { due = [], deferred = [], blocked = [] } = Object.groupBy(
      entries.filter(({ id }) => !this.#tried.has(id)),
      ({ queue = "" }) => busy.has(queue) ? "deferred" : stuck.has(queue) ? "blocked" : "due",
    );
    return { due, deferred, blocked };
  }

  #watch(entries: readonly Entry[]): EffectHandlers {
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    for (const entry of entries) {
      this.#tried.add(entry.id);
      this.#busy.add(entry);
    }
    const watched = (handler: EffectHandler): EffectHandler => ({
      ...handler,
      execute: async (effect, before) => {
        const receipt = await handler.execute(effect, before);
        this.#results.push({ id: effect.id, receipt });
        this.#busy.delete(byId.get(effect.id)!);
        return receipt;
      },
    });
    return Object.fromEntries(
      Object.entries(this.options.handlers).map(([name, handler]) => [name, watched(handler)]),
    );
  }
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
  { handlers, issues, clock, onSent }: {
    handlers: EffectHandlers;
    issues: IssueNumbers;
    clock: Clock;
    onSent?: OnExecuted;
  },
): Promise<Executed> {
  const { messages = [], dispatches = [], others = [] } = Object.groupBy(
    claimed,
    ({ handler }) =>
      handler === "message" ? "messages" : handler === "dispatch" ? "dispatches" : "others",
  );
  const working = executeEffects(others, outbox, handlers, ({ queue }, { issue }) => {
    if (queue !== undefined && typeof issue === "number") issues.set(queue, issue);
  });
  const waiting = messages.length === 0 ? working : waitAtMost(LONGEST_WAIT, working, clock);
  const incidents = others.flatMap(({ handler, queue = [] }) => handler === "issue" ? queue : []);
  issues.expect(incidents, waiting);
  const sending = executeEffects(messages, outbox, handlers, onSent);
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

/** Milliseconds between two notes on executed effects. */
const NOTE_INTERVAL = 10_000;

/** Calls `note` every ten seconds until some work ends; a killed run repeats what it sent since the last note. */
async function noteWhile<T>(work: Promise<T>, clock: Clock, note: () => Promise<void>): Promise<T> {
  const over = new AbortController();
  work.catch(() => {}).finally(() => over.abort());
  while (!over.signal.aborted) {
    await clock.wait(NOTE_INTERVAL, over.signal);
    if (!over.signal.aborted) await note();
  }
  return await work;
}
