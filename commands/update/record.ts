import type { Config, Site } from "../../lib/config/config.ts";
import { type GitHub, GitHubError, type Issue } from "../../lib/github/github.ts";
import { type Incident, UNCHANGED } from "../../lib/history/incident.ts";
import { STATUS_LABEL } from "../../lib/incidents/issue_labels.ts";
import { incidentMarker, parseStart } from "../../lib/incidents/marked_texts.ts";
import type { People } from "../../lib/pipeline/decide.ts";
import type { HistoryState, OpenedHistory } from "../../lib/pipeline/history_state.ts";
import { restoreRecords } from "../../lib/pipeline/known_incidents.ts";
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

/**
 * Adds open incidents that are known by their issues alone to a history, because no run could record them: they are
 * continued, with their ids and starts. Channels are notified of them again, under the same ids.
 */
function recallIncidents(
  state: HistoryState,
  found: ReadonlyMap<string, Incident>,
  sites: readonly Site[],
): HistoryState {
  const open = new Map(
    [...found].filter(([id, { slug }]) =>
      !state.incidentIds.has(id) && state.records.get(slug)?.incident === undefined
    ),
  );
  const restored = restoreRecords(sites, state.records, open);
  if (restored.size === 0) return state;
  const ids = new Set([...restored.values()].map(({ incident }) => incident!));
  const incidents = [...open].filter(([id]) => ids.has(id));
  return {
    ...state,
    records: new Map([...state.records, ...restored]),
    stale: new Set([...state.stale, ...restored.keys()]),
    incidents: new Map([...state.incidents, ...incidents]),
    incidentIds: new Set([...state.incidentIds, ...ids]),
    loadedState: { ...state.loadedState, isLost: true },
  };
}

/**
 * Reads the incidents of sites that have an open issue of our own account, by id. Of incidents that share an issue none
 * is found. For runs that can record nothing: what they find is known to the next one by its issue alone.
 *
 * @throws {GitHubError} If GitHub does not answer now.
 */
async function readOwnIncidents(
  github: Pick<GitHub, "openIssuesLabeled" | "account">,
  { folder, slugs }: {
    /** The monitored folder in the repository: empty, or a path that ends in `/`. */
    folder: string;
    slugs: readonly string[];
  },
): Promise<Map<string, Incident>> {
  const start = incidentMarker(encodeURI(folder.toWellFormed())).replace(/ -->$/, "");
  const found = (await github.openIssuesLabeled(STATUS_LABEL)).flatMap((issue) => {
    const at = issue.body.lastIndexOf(start);
    const id = at < 0 ? undefined : /^\S+(?= -->)/.exec(issue.body.slice(at + start.length))?.[0];
    const slug = id && findSlug(id, slugs);
    return id === undefined || slug === undefined ? [] : [{ id, slug, issue }];
  });
  if (found.length === 0) return new Map();
  const account = await github.account();
  // Of two with one marker the lower number stays.
  const own = found.filter(({ issue }) => issue.author === account).reverse();
  return new Map(own.map(({ id, slug, issue }) => [id, toIncident(slug, issue)]));
}

function findSlug(id: string, slugs: readonly string[]): string | undefined {
  const [, name] = /^\d{4}-\d\d-\d\d-(.+)$/.exec(id) ?? [];
  return slugs.find((slug) => slug === name) ??
    slugs.find((slug) => name?.startsWith(slug) && /^-\d+$/.test(name.slice(slug.length)));
}

function toIncident(slug: string, { number, body, created }: Issue): Incident {
  const { start, state } = parseStart(body) ?? { start: created, state: "down" as const };
  const found = { start, confirmed: start, code: 0, error: "", attempts: 1 };
  return { slug, kind: state, ...found, issue: number, ...UNCHANGED };
}
