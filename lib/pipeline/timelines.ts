import type { Author } from "../git/objects.ts";
import type { GitHub } from "../github/github.ts";
import { incidentPath } from "../history/incident.ts";
import type { Run } from "../history/checks_log.ts";
import type { LoadedRunState } from "../history/run_state.ts";
import {
  type Change,
  overlayFiles,
  type Published,
  type Snapshot,
  type Store,
} from "../history/store/store.ts";
import {
  formatStoredIncident,
  readStoredIncidents,
  type StoredIncident,
  type StoredIncidents,
} from "../history/stored_incidents.ts";
import type { ManualPlace } from "../incidents/manual_incidents.ts";
import type { ReadPhase } from "../incidents/phase_words.ts";
import { type FetchedUpdates, fetchUpdates } from "../incidents/read_comments.ts";
import { applyUpdates, type ChangedIncidents } from "../incidents/timeline_updates.ts";
import { utcDay } from "../time.ts";
import { type LoadedState, loadRunState, parseParts, placeRunState } from "./run_state.ts";

export interface ReadHistory<T = LoadedRunState> {
  stored: StoredIncidents;
  loadedState: T;
}

type History = ReadHistory<LoadedState>;

interface TimelineReading {
  store: Store;
  snapshot: Snapshot;
  read?: ReadHistory;
  /** Absent without a token or a repository on GitHub: timelines then stay as they were last read. */
  github?: GitHub;
  place: ManualPlace;
  readPhase: ReadPhase;
  run: Run;
  message(incidents: number): string;
  author: Author;
  /** True if nothing may be written. */
  readOnly: boolean;
}

/** Every stored incident with its timeline, as recent as possible. */
export interface Timelines {
  incidents: ReadonlyMap<string, StoredIncident>;
  /** Texts of the changed files by path; `null` for one to delete. */
  files: Change["files"];
  /** Absent if nothing was written. */
  published?: Published;
  /** Mistakes for the authors of manual incidents. */
  notes: readonly string[];
  /** Why timelines may lack recent comments. */
  stale?: Error;
  /** Why changes could not be stored. */
  failure?: Error;
}

interface View {
  history: History;
  fetched: FetchedUpdates;
  changed: ChangedIncidents;
}

/** Updates all stored incidents with what people have written on GitHub, in one commit; later runs retry. */
export async function readTimelines(reading: TimelineReading): Promise<Timelines> {
  const { store, snapshot, read, github, readOnly } = reading;
  const history = read === undefined
    ? await readHistory(snapshot)
    : { stored: read.stored, loadedState: parseParts(read.loadedState) };
  if (github === undefined) {
    return { incidents: history.stored.incidents, files: new Map(), notes: [] };
  }
  let view = await readView(history, reading, github);
  const timelines = (): Timelines => ({
    incidents: incidentsAfter(view),
    files: formatFiles(view),
    notes: view.fetched.notes,
    stale: view.fetched.failure,
  });
  if (readOnly || planChange(view, snapshot, reading) === undefined) return timelines();
  let isFirst = true;
  try {
    const published = await store.publish(async (newest) => {
      const isSame = isFirst && newest.version !== undefined && newest.version === snapshot.version;
      isFirst = false;
      if (!isSame) view = await readView(await readHistory(newest), reading, github);
      return planChange(view, newest, reading);
    });
    const { refused } = published;
    return { ...timelines(), published, failure: refused };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { ...timelines(), failure: error };
  }
}

async function readHistory(snapshot: Snapshot): Promise<History> {
  const loadedState = await loadRunState(snapshot);
  const { runState } = loadedState;
  const files = overlayFiles(snapshot, runState?.files);
  return { stored: await readStoredIncidents(files, runState?.outbox), loadedState };
}

async function readView(
  history: History,
  { place, readPhase, run }: TimelineReading,
  github: GitHub,
): Promise<View> {
  const { stored } = history;
  const fetched = await fetchUpdates(github, stored, place, {
    before: history.loadedState.runState?.timelines,
    day: utcDay(run.time),
  });
  return {
    history,
    fetched,
    changed: applyUpdates(stored, fetched, { readPhase, redact: place.redact }),
  };
}

/** The change to store; `undefined` if nothing changed, or nothing that is worth a commit. */
function planChange(
  view: View,
  { capabilities }: Snapshot,
  reading: TimelineReading,
): Change | undefined {
  const { history: { loadedState: { runState, rows } }, fetched } = view;
  const { run, message, author } = reading;
  const own = formatFiles(view);
  const isSame = JSON.stringify(runState?.timelines) === JSON.stringify(fetched.state);
  if (own.size === 0 && isSame) return undefined;
  const files = capabilities.commits ? own : new Map<string, string | null>();
  const change = { run: run.id, time: run.time, message: message(own.size), author };
  const kept = runState === undefined ? undefined : placeRunState({
    ...runState,
    rows: [...rows],
    files: waitingFiles(runState.files, own, capabilities.commits),
    timelines: fetched.state,
  }, capabilities);
  const isWorth = files.size > 0 || kept?.pending !== undefined;
  if (!isWorth) return undefined;
  return { ...change, files: new Map([...files, ...kept?.files ?? []]), pending: kept?.pending };
}

/** The files that wait for a branch that takes no commits. */
function waitingFiles(
  before: ReadonlyMap<string, string> | undefined,
  own: Change["files"],
  commits: boolean,
): ReadonlyMap<string, string> {
  const after = new Map(before);
  for (const [path, text] of own) {
    if (text === null) after.delete(path);
    else if (!commits || after.has(path)) after.set(path, String(text));
  }
  return after;
}

function formatFiles(
  { changed }: View,
): Map<string, string | null> {
  return new Map(
    [...changed].map(([id, incident]) => [
      incidentPath(id),
      incident === null ? null : formatStoredIncident(incident),
    ]),
  );
}

function incidentsAfter({ history: { stored }, changed }: View): Map<string, StoredIncident> {
  const all = new Map([...stored.incidents, ...changed]);
  return new Map([...all].flatMap(([id, incident]) => incident === null ? [] : [[id, incident]]));
}
