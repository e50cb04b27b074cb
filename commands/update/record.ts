import type { Config, Site } from "../../lib/config/config.ts";
import { GitHubError } from "../../lib/github/github.ts";
import { readOwnIncidents } from "../../lib/incidents/own_incidents.ts";
import type { People } from "../../lib/pipeline/decide.ts";
import type { HistoryState, OpenedHistory } from "../../lib/pipeline/history_state.ts";
import { recallIncidents } from "../../lib/pipeline/recall.ts";
import { Recorder } from "../../lib/pipeline/record_run.ts";
import type { Turns } from "../../lib/pipeline/turns.ts";
import {
  commitAuthor,
  commitMessage,
  NOTE_MESSAGE,
  TAKE_IN_MESSAGE,
} from "../../templates/commit_message.ts";
import type { Context } from "../shared/context.ts";
import type { Connections } from "./connections.ts";

/** Returns what records the results of runs, and starts their effects. */
export function createRecorder(
  opened: OpenedHistory,
  connections: Connections,
  { config, sites, turns, people }: {
    config: Config;
    sites: readonly Site[];
    turns: Turns;
    people: People;
  },
  { clock, dryRun, secrets, log }: Context,
): Recorder {
  const redact = (text: string) => secrets.redact(text);
  const { targets } = connections;
  return new Recorder(opened, {
    ...{ config, targets, people, clock, turns, dryRun, redact },
    author: commitAuthor(config),
    messages: {
      decision: (decision) => redact(commitMessage(decision, config)),
      uncommitted: TAKE_IN_MESSAGE,
      executed: NOTE_MESSAGE,
    },
    recall: createRecall(connections, config, sites),
    onUnnoted: ({ message }) =>
      log.warn(`The effects of this run could not be noted and may be executed again: ${message}`),
  });
}

/** Returns the function that adds incidents to a history which only their issues know; these are read once. */
function createRecall(
  { github, folder }: Connections,
  { issues }: Config,
  sites: readonly Site[],
): (state: HistoryState) => Promise<HistoryState> {
  let found: ReturnType<typeof readOwnIncidents> | undefined;
  return async (state) => {
    if (github === undefined || !issues) return state;
    found ??= readOwnIncidents(github, { folder, slugs: sites.map(({ slug }) => slug) });
    try {
      return recallIncidents(state, await found, sites);
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      return state;
    }
  };
}
