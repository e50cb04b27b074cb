import type { Config } from "../../lib/config/config.ts";
import type { Context } from "../../lib/context.ts";
import { decide, type DecideOptions } from "../../lib/history/decide.ts";
import type { Run } from "../../lib/history/find_out.ts";
import { noteCarried } from "../../lib/history/note_carried.ts";
import type { OpenedHistory } from "../../lib/history/open_history.ts";
import { type Recorded, recordRun } from "../../lib/history/record_run.ts";
import type { Scope } from "../../lib/history/state.ts";
import { carryOut } from "../../lib/outbox/carry_out.ts";
import { CARRIERS } from "../../lib/outbox/mod.ts";
import {
  commitAuthor,
  commitMessage,
  NOTE_MESSAGE,
  TAKE_IN_MESSAGE,
} from "../../templates/commit_message.ts";

import type { Seen } from "./look.ts";

/** What a run found out, and the configuration that says how it is kept. */
interface Found {
  run: Run;
  seen: Seen;
  scope: Scope;
  config: Config;
}

/** Records what a run found out, and carries out what is owed because of it; where nothing may be written, only decides. */
export async function record(
  { store, state, uncommitted }: OpenedHistory,
  { run, seen, scope, config }: Found,
  { dryRun, secrets, clock, log }: Context,
): Promise<Recorded> {
  const { results, failedCanaries } = seen;
  const { commitEvery } = config.history;
  const options: DecideOptions = { commitEvery, carriers: CARRIERS, failedCanaries };
  if (dryRun) return { decision: decide(state, results, run, options), owed: [] };
  const author = commitAuthor(config);
  const recorded = await recordRun(store, {
    run,
    results,
    scope,
    state,
    options,
    uncommitted: { files: uncommitted, message: TAKE_IN_MESSAGE },
    message: ({ outcomes, folded }) => secrets.redact(commitMessage(outcomes, config, folded)),
    author,
  });
  if (recorded.owed.length === 0) return recorded;
  const { carried, bugs } = await carryOut(recorded.owed, CARRIERS);
  for (const one of carried) {
    if ("failure" in one) log.warn(`Cannot carry out ${one.id}: ${one.failure}`);
  }
  if (recorded.published !== undefined) {
    const now = clock.now();
    const noting = noteCarried(store, { run, carried, now, message: NOTE_MESSAGE, author });
    await noting.catch((error: Error) => {
      log.warn(`What was carried out could not be noted, and may happen again: ${error.message}`);
    });
  }
  if (bugs.length > 0) throw bugs[0];
  return recorded;
}
