import { isBlind, type ProbeResult } from "../evaluation/results.ts";
import type { Author } from "../git/objects.ts";
import type { Run } from "../history/checks_log.ts";
import type { Published, Store } from "../history/store/store.ts";
import type { EntryResult } from "../outbox/outbox.ts";
import { decide, type DecideOptions, type Decision } from "./decide.ts";
import { EffectExecutor, type ExecutorOptions } from "./execute_effects.ts";
import type { HistoryState, OpenedHistory, Scope } from "./history_state.ts";
import type { Outcome } from "./outcomes.ts";
import { noteExecuted, type PublishedRun, publishRun } from "./publish_run.ts";

export interface RecordedRun extends PublishedRun {
  executed: EntryResult[];
}

interface RecorderOptions extends Omit<ExecutorOptions, "note"> {
  run: Run;
  scope: Scope;
  decide: Omit<DecideOptions, "now">;
  /** Results of locations that are used once sites are recorded, given the slugs of these. */
  findUsed?(slugs: ReadonlySet<string>): ReadonlyMap<string, string>;
  /** Adds to a history what is known elsewhere of runs that could record nothing. */
  recall?(state: HistoryState): Promise<HistoryState>;
  /** True if nothing may be written or executed. */
  dryRun: boolean;
  author: Author;
  /** Messages of the commits: of a decision, of files that no commit contains yet, and of executed effects. */
  messages: { decision(decision: Decision): string; uncommitted: string; executed: string };
}

/** Records results and executes effects in one push, or in several if sites change during the checks. */
export class RunRecorder {
  readonly #executor: EffectExecutor;
  readonly #pushes: RecordedRun[] = [];
  readonly #recorded = new Set<string>();
  readonly #executing: Promise<void>[] = [];
  #publishing: Promise<unknown> = Promise.resolve();
  #bug?: unknown;

  constructor(readonly opened: OpenedHistory, readonly options: RecorderOptions) {
    const { run, author, messages: { executed: message } } = options;
    this.#executor = new EffectExecutor({
      ...options,
      note: (executed) =>
        this.#exclusively((store) => noteExecuted(store, { ...executed, run, message, author })),
    });
  }

  /**
   * True if sites may be recorded before all are checked: not in a dry run, and not if the run state was lost
   * while incidents are open, because what channels know of these is then concluded from all sites together.
   */
  get canRecordEarly(): boolean {
    const { loadedState, records } = this.opened.state;
    const hasIncident = [...records.values()].some(({ incident }) => incident !== undefined);
    return !this.options.dryRun && (loadedState.runState !== undefined || !hasIncident);
  }

  /** Records some sites while others are still being checked; returns true unless that failed. Waits for no effect. */
  async recordEarly(results: readonly ProbeResult[]): Promise<boolean> {
    try {
      const bySlug = new Map(results.map((result) => [result.site.slug, result]));
      const ordered = this.options.scope.sites.flatMap(({ slug }) => bySlug.get(slug) ?? []);
      const { published } = await this.#push(ordered, {});
      return published !== undefined;
    } catch (error) {
      this.#bug ??= error;
      return false;
    }
  }

  /** Records all sites that were not recorded early, waits for all effects, and returns the result of the whole run. */
  async recordRest(
    results: readonly ProbeResult[],
    { failedCanaries }: Pick<DecideOptions, "failedCanaries">,
  ): Promise<RecordedRun> {
    const rest = results.filter(({ site }) => !this.#recorded.has(site.slug));
    try {
      if (rest.length > 0 || this.#pushes.length === 0) {
        await this.#push(rest, { failedCanaries, isBlind: isBlind(results) });
      }
    } finally {
      await Promise.all(this.#executing);
    }
    const { deferred } = this.#executor;
    const last = this.#pushes.find((push) => push === deferred);
    if (last !== undefined) await this.#execute(last);
    if (this.#bug !== undefined) throw this.#bug;
    const order = new Map(results.map(({ site }, index) => [site.slug, index]));
    return this.#pushes.reduce((before, after) => merge(before, after, order));
  }

  async #push(
    results: readonly ProbeResult[],
    seen: Pick<DecideOptions, "failedCanaries" | "isBlind">,
  ): Promise<RecordedRun> {
    const { run, scope, clock, dryRun, author, messages } = this.options;
    const { state, uncommitted } = this.opened;
    const slugs = new Set([...this.#recorded, ...results.map(({ site }) => site.slug)]);
    const options = {
      ...this.options.decide,
      ...seen,
      usedResults: this.options.findUsed?.(slugs),
      before: this.#recordedBefore(),
    };
    const isFirst = this.#recorded.size === 0;
    const published: PublishedRun = dryRun
      ? { decision: decide(state, results, run, { ...options, now: clock.now() }), claimed: [] }
      : await this.#exclusively((store) =>
        publishRun(store, {
          run,
          results,
          scope,
          state,
          options,
          now: () => clock.now(),
          uncommitted: {
            files: isFirst ? uncommitted : new Map(),
            message: messages.uncommitted,
          },
          recall: this.options.recall,
          message: (decision) => messages.decision(decision),
          author,
        })
      );
    const push: RecordedRun = { ...published, executed: [] };
    this.#pushes.push(push);
    if (push.published !== undefined) {
      for (const { site } of results) this.#recorded.add(site.slug);
    }
    this.#executing.push(this.#execute(push));
    return push;
  }

  async #execute(push: RecordedRun): Promise<void> {
    try {
      push.executed.push(...await this.#executor.execute(push));
    } catch (error) {
      this.#bug ??= error;
    }
  }

  /** Publishes something while the run publishes nothing else. */
  #exclusively<T>(publish: (store: Store) => Promise<T>): Promise<T> {
    const publishing = this.#publishing.then(() => publish(this.opened.store));
    this.#publishing = publishing.catch(() => {});
    return publishing;
  }

  /** Everything that the run has recorded so far; absent if that is nothing. */
  #recordedBefore(): DecideOptions["before"] {
    const done = this.#pushes.filter(({ published }) => published !== undefined);
    if (done.length === 0) return undefined;
    return {
      outcomes: done.flatMap(({ decision }) => decision.outcomes),
      rows: done.flatMap(({ decision }) => decision.rows),
      parents: new Map(done.flatMap(({ decision }) => [...decision.parents])),
      at: this.options.clock.now(),
    };
  }
}

/** Merges two pushes of a run; `order` is that of the sites. */
function merge(
  before: RecordedRun,
  after: RecordedRun,
  order: ReadonlyMap<string, number>,
): RecordedRun {
  const [first, second] = [before.decision, after.decision];
  const bySlug = new Map<string, Outcome>();
  for (const outcome of [...first.outcomes, ...second.outcomes]) {
    const { slug } = outcome.result.site;
    const { affected, open } = outcome;
    const known = bySlug.get(slug);
    // A site that was recorded before comes again only as a root cause.
    bySlug.set(
      slug,
      known === undefined || affected === undefined ? outcome : { ...known, affected, open },
    );
  }
  const place = ({ result }: Outcome) => order.get(result.site.slug) ?? 0;
  const effects = new Map([...first.effects, ...second.effects].map((one) => [one.id, one]));
  const rows = new Map(
    [...first.rows, ...second.rows].map((row) => [`${row.slug}\n${row.location ?? ""}`, row]),
  );
  return {
    ...after,
    decision: {
      ...second,
      outcomes: [...bySlug.values()].sort((one, other) => place(one) - place(other)),
      rows: [...rows.values()],
      abandoned: [...first.abandoned, ...second.abandoned],
      maintenance: [...first.maintenance, ...second.maintenance],
      effects: [...effects.values()],
      files: new Map([...first.files, ...second.files]),
    },
    published: mergePublished(before.published, after.published),
    executed: [...before.executed, ...after.executed],
  };
}

/** Merges how two pushes were published: the last commit counts, even if the second push only wrote the pending ref. */
function mergePublished(
  before: Published | undefined,
  after: Published | undefined,
): Published | undefined {
  if (before === undefined || after === undefined) return after ?? before;
  const last = after.commit === undefined ? before : after;
  return { ...last, notes: [...before.notes, ...after.notes] };
}
