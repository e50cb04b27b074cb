import type { Config } from "../../lib/config/config.ts";
import type { Context } from "../../lib/context.ts";
import type { Platform } from "../../lib/doors/platform/platform.ts";
import { decide, type DecideOptions, type Decision } from "../../lib/history/decide.ts";
import type { Run } from "../../lib/history/run.ts";
import { issueNumbers } from "../../lib/history/known_incidents.ts";
import { noteCarried } from "../../lib/history/note_carried.ts";
import type { OpenedHistory } from "../../lib/history/open_history.ts";
import type { Listeners } from "../../lib/history/owed.ts";
import { type Recorded, recordRun } from "../../lib/history/record_run.ts";
import type { Outcome } from "../../lib/history/outcomes.ts";
import type { Scope } from "../../lib/history/state.ts";
import { describeLabels, isLabelCheckDue } from "../../lib/incidents/describe_labels.ts";
import { issueLabels } from "../../lib/incidents/issue_labels.ts";
import type { IssueNumbers } from "../../lib/incidents/issue_numbers.ts";
import type { MaintenancePlans } from "../../lib/maintenance/plan_maintenance.ts";
import type { Carriers } from "../../lib/outbox/effect.ts";
import { type CarriedEntry, endsOf } from "../../lib/outbox/ends.ts";
import type { Carried, Entry } from "../../lib/outbox/outbox.ts";
import type { Published } from "../../lib/store/store.ts";
import type { CheckResult } from "../../lib/verdict/judge.ts";
import { maxGapOf } from "../../lib/report/max_gap.ts";
import { isBlind } from "../../lib/verdict/blind.ts";
import { drawBadge } from "../../templates/badge.ts";
import {
  commitAuthor,
  commitMessage,
  NOTE_MESSAGE,
  TAKE_IN_MESSAGE,
} from "../../templates/commit_message.ts";
import { carryOutAll } from "./carry.ts";
import type { Seen } from "./look.ts";
import { noteWhile } from "./note_while.ts";

/** What a run records with, and who is notified of it. */
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
  platform?: Platform;
}

/** What came of recording a run, and of what it owed. */
export interface RecordedRun extends Recorded {
  carried: CarriedEntry[];
}

/**
 * Records what a run finds out and executes its effects, in one push or, if sites change while others are
 * still being checked, in several: each site is recorded once, and each effect executed once.
 */
export class RunRecorder {
  readonly #opened: OpenedHistory;
  readonly #options: RecorderOptions;
  readonly #context: Context;
  readonly #pushes: RecordedRun[] = [];
  /** Slugs of the sites that were recorded. */
  readonly #recorded = new Set<string>();
  /** What came of the effects so far. */
  #carried: Carried[] = [];
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

  /** Records some sites while others are still being checked; returns true unless that failed. */
  async recordEarly(results: readonly CheckResult[]): Promise<boolean> {
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

  /** Records all sites that were not recorded early, and returns what came of the whole run. */
  async recordRest({ results, failedCanaries }: Seen): Promise<RecordedRun> {
    const rest = results.filter(({ site }) => !this.#recorded.has(site.slug));
    if (rest.length > 0 || this.#pushes.length === 0) {
      await this.#push(rest, { failedCanaries, isBlind: isBlind(results) });
    }
    if (this.#bug !== undefined) throw this.#bug;
    const order = new Map(results.map(({ site }, index) => [site.slug, index]));
    return this.#pushes.reduce((before, after) => merged(before, after, order));
  }

  async #push(
    results: readonly CheckResult[],
    seen: Pick<DecideOptions, "failedCanaries" | "isBlind">,
  ): Promise<RecordedRun> {
    const { run, scope, config, listeners, carriers, plans } = this.#options;
    const { clock, dryRun, secrets } = this.#context;
    const { store, state, uncommitted } = this.#opened;
    const options: DecideOptions = {
      commitEvery: config.history.commitEvery,
      carriers,
      listeners,
      showing: { draw: drawBadge, redact: (text) => secrets.redact(text) },
      ...seen,
      maxGap: maxGapOf(config),
      plans,
      now: () => clock.now(),
      before: this.#before(),
    };
    const isFirst = this.#recorded.size === 0;
    const recorded: Recorded = dryRun
      ? { decision: decide(state, results, run, options), owed: [] }
      : await recordRun(store, {
        run,
        results,
        scope,
        state,
        options,
        uncommitted: { files: isFirst ? uncommitted : new Map(), message: TAKE_IN_MESSAGE },
        message: (decision) => secrets.redact(commitMessage(decision, config)),
        author: commitAuthor(config),
      });
    const pushed: RecordedRun = { ...recorded, carried: [] };
    this.#pushes.push(pushed);
    if (pushed.published !== undefined) {
      for (const { site } of results) this.#recorded.add(site.slug);
    }
    pushed.carried = await this.#execute(recorded);
    return pushed;
  }

  /** What was recorded so far; absent if nothing was. */
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

  /** Executes what the run has claimed and not tried before, and notes what came of it. */
  async #execute({ decision, owed: claimed, published }: Recorded): Promise<CarriedEntry[]> {
    const { run, config, carriers, issues, platform } = this.#options;
    const { clock, secrets, log } = this.#context;
    const { outbox } = decision.memory;
    const owed = this.#untried(claimed);
    if (claimed.length === 0) return [];
    for (const [id, number] of issueNumbers(outbox)) issues.set(id, number);
    let labels: Temporal.Instant | undefined;
    const { store } = this.#opened;
    const author = commitAuthor(config);
    const sent: Carried[] = [];
    const note = async () => {
      if (published === undefined || sent.length === 0) return;
      const noted = { run, carried: sent.splice(0), now: clock.now(), message: NOTE_MESSAGE };
      // If this can't be noted now, the note at the end holds it.
      await noteCarried(store, { ...noted, author }).catch(() => {});
    };
    const work = carryOutAll(owed, outbox, {
      carriers,
      issues,
      clock,
      async afterOpening() {
        if (platform === undefined || !isLabelCheckDue(decision.memory.labels, run.time)) return;
        const isDone = await describeLabels(platform, config.sites.flatMap(issueLabels));
        if (isDone) labels = run.time;
      },
      onSent: ({ id }, receipt) => sent.push({ id, receipt }),
    });
    const { carried: all, bugs } = await noteWhile(work, { clock, note });
    const carried = all.map((one) =>
      "failure" in one ? { ...one, failure: secrets.redact(one.failure) } : one
    );
    this.#carried = [...this.#carried, ...carried];
    const heldUp = claimed.filter((entry) => !owed.includes(entry))
      .map(({ id }) => ({ id, isHeldUp: true as const }));
    const now = clock.now();
    if (published !== undefined) {
      const noting = noteCarried(store, {
        run,
        // What an earlier push could not note counts, and not that it was held up.
        carried: [...heldUp, ...this.#carried],
        labels,
        now,
        message: NOTE_MESSAGE,
        author,
      });
      await noting.catch((error: Error) => {
        log.warn(`What was carried out could not be noted, and may happen again: ${error.message}`);
      });
    }
    if (bugs.length > 0) throw bugs[0];
    return endsOf(owed, carried, now);
  }

  /** The entries that the run has not tried, and that come after none that failed. */
  #untried(entries: readonly Entry[]): Entry[] {
    const tried = new Set(this.#carried.map(({ id }) => id));
    const left = new Set(this.#carried.flatMap((one) => "receipt" in one ? [] : one.id));
    const lines = new Set(
      entries.flatMap(({ id, line }) => left.has(id) && line !== undefined ? [line] : []),
    );
    return entries.filter(({ id, line }) =>
      !tried.has(id) && (line === undefined || !lines.has(line))
    );
  }
}

/** What came of two pushes of a run together; `order` is that of the sites. */
function merged(
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

/** How two pushes were kept: the last commit counts, also if the rest waits beside the branch. */
function publishedOf(
  before: Published | undefined,
  after: Published | undefined,
): Published | undefined {
  if (before === undefined || after === undefined) return after ?? before;
  const last = after.commit === undefined ? before : after;
  return { ...last, notes: [...before.notes, ...after.notes] };
}
