import type { Config } from "../../lib/config/config.ts";
import type { Context } from "../shared/context.ts";
import type { GitHub } from "../../lib/github/github.ts";
import { decide, type DecideOptions, type Decision } from "../../lib/pipeline/decide.ts";
import type { Run } from "../../lib/history/checks_log.ts";
import { issueNumbers } from "../../lib/pipeline/known_incidents.ts";
import { noteCarried } from "../../lib/pipeline/note_carried.ts";
import type { OpenedHistory } from "../../lib/pipeline/open_history.ts";
import type { Listeners } from "../../lib/pipeline/owed.ts";
import { type Recorded, recordRun } from "../../lib/pipeline/record_run.ts";
import type { Outcome } from "../../lib/pipeline/outcomes.ts";
import type { Scope } from "../../lib/pipeline/state.ts";
import { describeLabels, isLabelCheckDue, issueLabels } from "../../lib/incidents/issue_labels.ts";
import type { IssueNumbers } from "../../lib/incidents/issue_numbers.ts";
import type { MaintenancePlans } from "../../lib/incidents/maintenance/plan_maintenance.ts";
import type { Carrier, Carriers } from "../../lib/outbox/effect.ts";
import { type CarriedEntry, endsOf } from "../../lib/outbox/ends.ts";
import { type Carried, type Entry, settle } from "../../lib/outbox/outbox.ts";
import type { Published, Store } from "../../lib/history/store/store.ts";
import { isBlind, type ProbeResult } from "../../lib/evaluation/results.ts";
import { maxGapOf } from "../../lib/config/max_gap.ts";
import { renderBadge } from "../../templates/graph/badge.ts";
import {
  commitAuthor,
  commitMessage,
  NOTE_MESSAGE,
  TAKE_IN_MESSAGE,
} from "../../templates/commit_message.ts";
import { carryOutAll, noteWhile } from "./carry.ts";
import type { Seen } from "./look.ts";

/** Dependencies of a {@linkcode RunRecorder}. */
export interface RecorderOptions {
  run: Run;
  scope: Scope;
  config: Config;
  listeners: Listeners;
  carriers: Carriers;
  plans: MaintenancePlans;
  /** Numbers of issues by incident, as far as they are known. */
  issues: IssueNumbers;
  /** Absent without a token, or a repository on GitHub. */
  github?: GitHub;
}

/** A recorded run, and the results of its effects. */
export interface RecordedRun extends Recorded {
  carried: CarriedEntry[];
}

/**
 * Records what a run finds out and executes its effects, in one push or, if sites change while others are
 * still being checked, in several: each site is recorded once, and each effect executed once. A channel
 * that hangs delays no later push, and no other channel: what comes after it in its line is executed last.
 */
export class RunRecorder {
  readonly #opened: OpenedHistory;
  readonly #options: RecorderOptions;
  readonly #context: Context;
  readonly #pushes: RecordedRun[] = [];
  /** Slugs of the sites that were recorded. */
  readonly #recorded = new Set<string>();
  /** Results of the effects so far. */
  readonly #carried: Carried[] = [];
  /** Ids of the effects that the run has started to execute. */
  readonly #tried = new Set<string>();
  /** Effects that are being executed, or come after such a one in its line. */
  readonly #busy = new Set<Entry>();
  readonly #executing: Promise<void>[] = [];
  /** The last push with effects that wait for a line that is busy. */
  #deferred?: RecordedRun;
  /** Time at which this run checked the labels; absent before that. */
  #labels?: Temporal.Instant;
  #hasCheckedLabels = false;
  #publishing: Promise<unknown> = Promise.resolve();
  #bug?: unknown;

  constructor(opened: OpenedHistory, options: RecorderOptions, context: Context) {
    this.#opened = opened;
    this.#options = options;
    this.#context = context;
  }

  /**
   * True if nothing can be recorded early: in a dry run, and if the memory of open incidents was lost, as
   * what channels know of these is then concluded from all sites together.
   */
  get isLate(): boolean {
    const { memory } = this.#opened.state.recalled;
    const records = [...this.#opened.state.records.values()];
    return this.#context.dryRun ||
      (memory === undefined && records.some(({ incident }) => incident !== undefined));
  }

  /** Records some sites while others are still being checked; returns true unless that failed. Waits for no effect. */
  async recordEarly(results: readonly ProbeResult[]): Promise<boolean> {
    try {
      const bySlug = new Map(results.map((result) => [result.site.slug, result]));
      const ordered = this.#options.scope.sites.flatMap(({ slug }) => bySlug.get(slug) ?? []);
      const { published } = await this.#push(ordered, {});
      return published !== undefined;
    } catch (error) {
      this.#bug ??= error;
      return false;
    }
  }

  /** Records all sites that were not recorded early, and returns the result of the whole run. */
  async recordRest({ results, failedCanaries }: Seen): Promise<RecordedRun> {
    const rest = results.filter(({ site }) => !this.#recorded.has(site.slug));
    try {
      if (rest.length > 0 || this.#pushes.length === 0) {
        await this.#push(rest, { failedCanaries, isBlind: isBlind(results) });
      }
    } finally {
      await Promise.all(this.#executing);
    }
    if (this.#deferred !== undefined) await this.#start(this.#deferred);
    if (this.#bug !== undefined) throw this.#bug;
    const order = new Map(results.map(({ site }, index) => [site.slug, index]));
    return this.#pushes.reduce((before, after) => merge(before, after, order));
  }

  async #push(
    results: readonly ProbeResult[],
    seen: Pick<DecideOptions, "failedCanaries" | "isBlind">,
  ): Promise<RecordedRun> {
    const { run, scope, config, listeners, carriers, plans } = this.#options;
    const { clock, dryRun, secrets } = this.#context;
    const { state, uncommitted } = this.#opened;
    const options: DecideOptions = {
      commitEvery: config.history.commitEvery,
      carriers,
      listeners,
      showing: { draw: renderBadge, redact: (text) => secrets.redact(text) },
      ...seen,
      maxGap: maxGapOf(config),
      plans,
      now: () => clock.now(),
      before: this.#before(),
    };
    const isFirst = this.#recorded.size === 0;
    const recorded: Recorded = dryRun
      ? { decision: decide(state, results, run, options), owed: [] }
      : await this.#alone((store) =>
        recordRun(store, {
          run,
          results,
          scope,
          state,
          options,
          uncommitted: { files: isFirst ? uncommitted : new Map(), message: TAKE_IN_MESSAGE },
          message: (decision) => secrets.redact(commitMessage(decision, config)),
          author: commitAuthor(config),
        })
      );
    const pushed: RecordedRun = { ...recorded, carried: [] };
    this.#pushes.push(pushed);
    if (pushed.published !== undefined) {
      for (const { site } of results) this.#recorded.add(site.slug);
    }
    this.#executing.push(this.#start(pushed));
    return pushed;
  }

  /** Executes the effects of a push, and adds their results to it. */
  async #start(pushed: RecordedRun): Promise<void> {
    try {
      pushed.carried.push(...await this.#execute(pushed));
    } catch (error) {
      this.#bug ??= error;
    }
  }

  /** Publishes something while the run publishes nothing else. */
  #alone<T>(publish: (store: Store) => Promise<T>): Promise<T> {
    const publishing = this.#publishing.then(() => publish(this.#opened.store));
    this.#publishing = publishing.catch(() => {});
    return publishing;
  }

  /** Everything that the run has recorded so far; absent if that is nothing. */
  #before(): DecideOptions["before"] {
    const kept = this.#pushes.filter(({ published }) => published !== undefined);
    if (kept.length === 0) return undefined;
    return {
      outcomes: kept.flatMap(({ decision }) => decision.outcomes),
      rows: kept.flatMap(({ decision }) => decision.rows),
      parents: new Map(kept.flatMap(({ decision }) => [...decision.parents])),
      at: this.#context.clock.now(),
    };
  }

  /** Executes the effects that the run has claimed and not tried before, and notes their results. */
  async #execute(pushed: RecordedRun): Promise<CarriedEntry[]> {
    const { decision, owed: claimed, published } = pushed;
    const { run, config, issues, github } = this.#options;
    const { clock, secrets, log } = this.#context;
    const { due, deferred, heldUp } = this.#untried(claimed);
    this.#deferred = deferred.length === 0 ? undefined : pushed;
    if (due.length === 0 && heldUp.length === 0) return [];
    const outbox = settle(decision.memory.outbox, this.#carried, clock.now());
    for (const [id, number] of issueNumbers(outbox)) issues.set(id, number);
    const author = commitAuthor(config);
    const sent: Carried[] = [];
    const note = async () => {
      if (published === undefined || sent.length === 0) return;
      const noted = { run, carried: sent.splice(0), now: clock.now(), message: NOTE_MESSAGE };
      // If this fails, the note at the end contains it.
      await this.#alone((store) => noteCarried(store, { ...noted, author })).catch(() => {});
    };
    const work = carryOutAll(due, outbox, {
      carriers: this.#watched(due),
      issues,
      clock,
      afterOpening: async () => {
        const isDue = isLabelCheckDue(decision.memory.labels, run.time);
        if (github === undefined || !isDue || this.#hasCheckedLabels) return;
        this.#hasCheckedLabels = true;
        const isDone = await describeLabels(github, config.sites.flatMap(issueLabels));
        if (isDone) this.#labels = run.time;
      },
      onSent: ({ id }, receipt) => sent.push({ id, receipt }),
    });
    const { carried: all, bugs } = await noteWhile(work, { clock, note });
    const carried = all.map((one) =>
      "failure" in one ? { ...one, failure: secrets.redact(one.failure) } : one
    );
    this.#carried.push(...carried.filter((one) => !("receipt" in one)));
    for (const entry of due) this.#busy.delete(entry);
    const now = clock.now();
    if (published !== undefined) {
      const noted = {
        run,
        // Results that an earlier push could not note replace its note that they were held up.
        carried: [...heldUp.map(({ id }) => ({ id, isHeldUp: true as const })), ...this.#carried],
        labels: this.#labels,
        now,
        message: NOTE_MESSAGE,
        author,
      };
      await this.#alone((store) => noteCarried(store, noted)).catch((error: Error) => {
        log.warn(
          `The effects of this run could not be noted and may be executed again: ${error.message}`,
        );
      });
    }
    if (bugs.length > 0) throw bugs[0];
    return endsOf(due, carried, now);
  }

  /**
   * Divides the entries that the run has not tried: `due` now, `deferred` until an effect of their line that is
   * being executed has ended, or `heldUp` by one that has failed.
   */
  #untried(entries: readonly Entry[]): Record<"due" | "deferred" | "heldUp", Entry[]> {
    const failed = new Set(this.#carried.flatMap((one) => "receipt" in one ? [] : one.id));
    const linesOf = (own: Iterable<Entry>) => new Set([...own].flatMap(({ line }) => line ?? []));
    const busy = linesOf(this.#busy);
    const left = linesOf(entries.filter(({ id }) => failed.has(id)));
    const { due = [], deferred = [], heldUp = [] } = Object.groupBy(
      entries.filter(({ id }) => !this.#tried.has(id)),
      ({ line = "" }) => busy.has(line) ? "deferred" : left.has(line) ? "heldUp" : "due",
    );
    return { due, deferred, heldUp };
  }

  /** Wraps the effect handlers, so that the run knows which effects are being executed. */
  #watched(entries: readonly Entry[]): Carriers {
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    for (const entry of entries) {
      this.#tried.add(entry.id);
      this.#busy.add(entry);
    }
    const watched = (carrier: Carrier): Carrier => ({
      ...carrier,
      carry: async (effect, before) => {
        const receipt = await carrier.carry(effect, before);
        this.#carried.push({ id: effect.id, receipt });
        this.#busy.delete(byId.get(effect.id)!);
        return receipt;
      },
    });
    return Object.fromEntries(
      Object.entries(this.#options.carriers).map(([name, carrier]) => [name, watched(carrier)]),
    );
  }
}

/** Merges the results of two pushes of a run; `order` is that of the sites. */
function merge(
  before: RecordedRun,
  after: RecordedRun,
  order: ReadonlyMap<string, number>,
): RecordedRun {
  const bySlug = new Map<string, Outcome>();
  for (const outcome of [...before.decision.outcomes, ...after.decision.outcomes]) {
    const { slug } = outcome.result.site;
    const { affected, open } = outcome;
    const known = bySlug.get(slug);
    // A site that was recorded before comes again only because of what it makes fail.
    bySlug.set(
      slug,
      known === undefined || affected === undefined ? outcome : { ...known, affected, open },
    );
  }
  const place = ({ result }: Outcome) => order.get(result.site.slug) ?? 0;
  const decision: Decision = {
    ...after.decision,
    outcomes: [...bySlug.values()].sort((one, other) => place(one) - place(other)),
    ...bothOf(before.decision, after.decision),
  };
  return {
    ...after,
    decision,
    published: publishedOf(before.published, after.published),
    carried: [...before.carried, ...after.carried],
  };
}

function bothOf(
  before: Decision,
  after: Decision,
): Pick<Decision, "rows" | "abandoned" | "maintenance" | "effects" | "files"> {
  const effects = new Map([...before.effects, ...after.effects].map((one) => [one.id, one]));
  const rows = new Map([...before.rows, ...after.rows].map((row) => [row.slug, row]));
  return {
    rows: [...rows.values()],
    abandoned: [...before.abandoned, ...after.abandoned],
    maintenance: [...before.maintenance, ...after.maintenance],
    effects: [...effects.values()],
    files: new Map([...before.files, ...after.files]),
  };
}

/** Merges how two pushes were published: the last commit counts, even if the second push only wrote the pending ref. */
function publishedOf(
  before: Published | undefined,
  after: Published | undefined,
): Published | undefined {
  if (before === undefined || after === undefined) return after ?? before;
  const last = after.commit === undefined ? before : after;
  return { ...last, notes: [...before.notes, ...after.notes] };
}
