import type { Config } from "../../lib/config/config.ts";
import type { Context } from "../../lib/context.ts";
import type { Platform } from "../../lib/doors/platform/platform.ts";
import type { Author } from "../../lib/doors/git/objects.ts";
import { decide, type DecideOptions } from "../../lib/history/decide.ts";
import type { Run } from "../../lib/history/run.ts";
import { issueNumbers } from "../../lib/history/known_incidents.ts";
import { noteCarried } from "../../lib/history/note_carried.ts";
import type { OpenedHistory } from "../../lib/history/open_history.ts";
import type { Listeners } from "../../lib/history/owed.ts";
import { type Recorded, recordRun } from "../../lib/history/record_run.ts";
import type { Scope } from "../../lib/history/state.ts";
import { describeLabels, isLabelCheckDue } from "../../lib/incidents/describe_labels.ts";
import { issueLabels } from "../../lib/incidents/issue_labels.ts";
import type { IssueNumbers } from "../../lib/incidents/issue_numbers.ts";
import type { MaintenancePlans } from "../../lib/maintenance/plan_maintenance.ts";
import type { Carriers } from "../../lib/outbox/effect.ts";
import { type CarriedEntry, endsOf } from "../../lib/outbox/ends.ts";
import type { Store } from "../../lib/store/store.ts";
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

/** What a run found out, the configuration that says how it is kept, and who hears of it. */
interface Found {
  run: Run;
  seen: Seen;
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

/** Records what a run found out, and carries out what is owed because of it; where nothing may be written, only decides. */
export async function record(
  { store, state, uncommitted }: OpenedHistory,
  { run, seen, scope, config, listeners, carriers, plans, issues, platform }: Found,
  context: Context,
): Promise<RecordedRun> {
  const { clock, dryRun, secrets } = context;
  const { results, failedCanaries } = seen;
  const { commitEvery } = config.history;
  const options: DecideOptions = {
    commitEvery,
    carriers,
    listeners,
    showing: { draw: drawBadge, redact: (text) => secrets.redact(text) },
    failedCanaries,
    isBlind: isBlind(results),
    maxGap: maxGapOf(config),
    plans,
    now: () => clock.now(),
  };
  if (dryRun) return { decision: decide(state, results, run, options), owed: [], carried: [] };
  const author = commitAuthor(config);
  const recorded = await recordRun(store, {
    run,
    results,
    scope,
    state,
    options,
    uncommitted: { files: uncommitted, message: TAKE_IN_MESSAGE },
    message: (decision) => secrets.redact(commitMessage(decision, config)),
    author,
  });
  if (recorded.owed.length === 0) return { ...recorded, carried: [] };
  const carried = await carryOutAndNote(
    recorded,
    { store, run, config, carriers, issues, platform, author },
    context,
  );
  return { ...recorded, carried };
}

/** Dependencies of executing the effects of a run. */
type CarryingOut =
  & Pick<Found, "run" | "config" | "carriers" | "issues" | "platform">
  & { store: Store; author: Author };

async function carryOutAndNote(
  { decision, owed, published }: Recorded,
  { store, run, config, carriers, issues, platform, author }: CarryingOut,
  { clock, secrets, log }: Context,
): Promise<CarriedEntry[]> {
  const { outbox } = decision.memory;
  for (const [id, number] of issueNumbers(outbox)) issues.set(id, number);
  let labels: Temporal.Instant | undefined;
  const { carried: all, bugs } = await carryOutAll(owed, outbox, {
    carriers,
    issues,
    clock,
    async afterOpening() {
      if (platform === undefined || !isLabelCheckDue(decision.memory.labels, run.time)) return;
      const isDone = await describeLabels(platform, config.sites.flatMap(issueLabels));
      if (isDone) labels = run.time;
    },
  });
  const carried = all.map((one) =>
    "failure" in one ? { ...one, failure: secrets.redact(one.failure) } : one
  );
  const now = clock.now();
  if (published !== undefined) {
    const noting = noteCarried(store, { run, carried, labels, now, message: NOTE_MESSAGE, author });
    await noting.catch((error: Error) => {
      log.warn(`What was carried out could not be noted, and may happen again: ${error.message}`);
    });
  }
  if (bugs.length > 0) throw bugs[0];
  return endsOf(owed, carried, now);
}
