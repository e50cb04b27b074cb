import { computeMaxGap, type Config, type Site } from "../../lib/config/config.ts";
import { GitHubError } from "../../lib/github/github.ts";
import type { Run } from "../../lib/history/checks_log.ts";
import type { MaintenancePlans } from "../../lib/incidents/maintenance/plan_maintenance.ts";
import { readOwnIncidents } from "../../lib/incidents/own_incidents.ts";
import type { DecideOptions } from "../../lib/pipeline/decide.ts";
import type { HistoryState, OpenedHistory } from "../../lib/pipeline/history_state.ts";
import { recallIncidents } from "../../lib/pipeline/recall.ts";
import { recordRun, type StartedRun } from "../../lib/pipeline/record_run.ts";
import type { Turns } from "../../lib/pipeline/turns.ts";
import {
  commitAuthor,
  commitMessage,
  NOTE_MESSAGE,
  TAKE_IN_MESSAGE,
} from "../../templates/commit_message.ts";
import { renderBadge } from "../../templates/graph/badge.ts";
import type { Checked } from "../shared/check_sites.ts";
import type { LocationCombiner } from "../shared/combine_locations.ts";
import type { Context } from "../shared/context.ts";
import type { Connections } from "./connections.ts";

/** Returns the function that records the results of a run, and starts its effects. */
export function createRecorder(
  opened: OpenedHistory,
  { github, folder, targets, handlers, issues }: Connections,
  { config, sites, watched, turns, plans, access, responses, combiner }: {
    config: Config;
    sites: readonly Site[];
    /** Those that this machine can decide. */
    watched: readonly Site[];
    turns: Turns;
    plans: MaintenancePlans;
    access: DecideOptions["access"];
    responses: DecideOptions["responses"];
    combiner: LocationCombiner;
  },
  { clock, dryRun, secrets, log, watching }: Context,
): (run: Run, checked: Checked) => Promise<StartedRun> {
  const redact = (text: string) => secrets.redact(text);
  let found: ReturnType<typeof readOwnIncidents> | undefined;
  const recall = async (state: HistoryState) => {
    if (github === undefined || !config.issues) return state;
    found ??= readOwnIncidents(github, { folder, slugs: sites.map(({ slug }) => slug) });
    return await found.then(
      (incidents) => recallIncidents(state, incidents, sites),
      (error) => {
        if (!(error instanceof GitHubError)) throw error;
        return state;
      },
    );
  };
  return async (run, { results, haveCanariesFailed }) => {
    const slugs = new Set(results.map(({ site }) => site.slug));
    const started = await recordRun(opened, results, {
      ...{ run, turns, handlers, issues, clock, dryRun, redact, recall },
      options: {
        ...{ handlers, targets, watched, plans, access, responses },
        haveCanariesFailed,
        commitEvery: config.history.commitEvery,
        showing: { draw: renderBadge },
        maxGap: computeMaxGap(config),
        driftAlarm: toDriftAlarm(config),
        addUsed: (recorded) => combiner.addUsed(recorded, slugs),
        ackFor: config.ackFor,
      },
      author: commitAuthor(config),
      messages: {
        decision: (decision) => redact(commitMessage(decision, config)),
        uncommitted: TAKE_IN_MESSAGE,
        executed: NOTE_MESSAGE,
      },
      onUnnoted: ({ message }) =>
        log.warn(
          `The effects of this run could not be noted and may be executed again: ${message}`,
        ),
    });
    watching?.history.keep(started);
    return started;
  };
}

/** The gaps between runs that channels are notified of. */
export function toDriftAlarm({ driftAlarm: least, workflowSchedule }: Config) {
  return least === false ? undefined : { schedule: workflowSchedule.uptime, least };
}
