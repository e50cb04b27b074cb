import type { Author } from "../git/objects.ts";
import type { GitHub } from "../github/github.ts";
import type { Run } from "../history/run.ts";
import { incidentPath } from "../history/incident.ts";
import { placeMemory, takesRef } from "./place_memory.ts";
import { formatStoredIncident, type StoredIncident } from "../history/stored_incidents.ts";
import type { Change, Published, Snapshot, Store, Ways } from "../history/store/store.ts";
import { bringAlong, type ChangedIncidents } from "../incidents/timeline/bring_along.ts";
import { hear, type Heard } from "../incidents/timeline/hear.ts";
import {
  followedOf,
  isSameKnown,
  type Known,
  knownOf,
  type ReadHistory,
  readKnown,
} from "./known_timelines.ts";
import { utcDay } from "../time.ts";
import type { ManualPlace } from "../incidents/timeline/manual_of.ts";

/** What timelines are read with. */
export interface TimelineReading {
  store: Store;
  /** The newest state. */
  snapshot: Snapshot;
  /** What was read of it already. */
  read?: ReadHistory;
  /** Absent where there is no token, or no repository of GitHub: then they stay as they were last read. */
  github?: GitHub;
  place: ManualPlace;
  run: Run;
  /** Of a commit that changes some incidents. */
  message(incidents: number): string;
  author: Author;
  /** Whether nothing is kept. */
  dryRun: boolean;
}

/** Every stored incident with its timeline, as fresh as it could be had. */
export interface Timelines {
  incidents: ReadonlyMap<string, StoredIncident>;
  /** Whole texts of the files that differ, by path; `null` for one that goes. */
  files: Change["files"];
  /** Absent where nothing was kept, because nothing changes or may be written. */
  published?: Published;
  /** Why timelines may be older than what people have written. */
  stale?: Error;
  /** Why what was read could not be kept. */
  failure?: Error;
}

/** What was heard, and what it was heard for. */
interface View {
  known: Known;
  heard: Heard;
  changed: ChangedIncidents;
}

/**
 * Brings the timelines of all stored incidents along with what people have written on GitHub, in one
 * commit. Whatever can't be read or kept now stays as it was, and a later run makes up for it.
 */
export async function readTimelines(reading: TimelineReading): Promise<Timelines> {
  const { store, snapshot, read, github, dryRun } = reading;
  const known = read === undefined ? await readKnown(snapshot) : knownOf(read);
  if (github === undefined) return { incidents: known.stored.incidents, files: new Map() };
  let view = await look(known, reading, github);
  const told = (): Timelines => ({
    incidents: incidentsAfter(view),
    files: filesOf(view.changed),
    ...view.heard.failure === undefined ? {} : { stale: view.heard.failure },
  });
  if (dryRun || changeOf(view, snapshot, reading) === undefined) return told();
  let isFirst = true;
  try {
    const published = await store.publish(async (newest) => {
      const isSame = isFirst && newest.version !== undefined && newest.version === snapshot.version;
      isFirst = false;
      if (!isSame) {
        const now = await readKnown(newest);
        // Whoever was faster may have heard of more than we have.
        if (!isSameKnown(now, view.known)) view = await look(now, reading, github);
        else view = { ...view, known: now };
      }
      return changeOf(view, newest, reading);
    });
    const { refused } = published;
    return { ...told(), published, ...refused === undefined ? {} : { failure: refused } };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { ...told(), failure: error };
  }
}

async function look(
  known: Known,
  { place, run }: TimelineReading,
  github: GitHub,
): Promise<View> {
  const heard = await hear(github, followedOf(known.stored, place), {
    before: known.memory?.timelines,
    day: utcDay(run.time),
  });
  return { known, heard, changed: bringAlong(known.stored, heard, place.redact) };
}

/** What is to be kept; `undefined` where that is as it was, or is not worth a commit. */
function changeOf(
  { known, heard, changed }: View,
  { ways }: Snapshot,
  { run, message, author }: TimelineReading,
): Change | undefined {
  const { memory, rows } = known;
  const own = filesOf(changed);
  const isRemembered = JSON.stringify(memory?.timelines) === JSON.stringify(heard.memory);
  if (own.size === 0 && isRemembered) return undefined;
  const files = ways.commits ? own : new Map<string, string | null>();
  const change = { run: run.id, time: run.time, message: message(own.size), author };
  // A ref that is pushed before the branch would remember what the branch may come to lack.
  const isSplit = !ways.atomic && files.size > 0;
  const kept = memory === undefined || isSplit ? undefined : placeMemory({
    ...memory,
    rows: [...rows],
    files: waitingFiles(memory.files, own, ways.commits),
    timelines: isHeldBack(own, ways) ? { ...heard.memory, issues: undefined } : heard.memory,
  }, { inRef: takesRef(ways, memory, run.time) });
  const isWorth = files.size > 0 || kept?.pending !== undefined;
  if (!isWorth) return undefined;
  return { ...change, files: new Map([...files, ...kept?.files ?? []]), pending: kept?.pending };
}

/** Whether a file that goes has to wait for a later run, which then reads the issues again. */
function isHeldBack(own: Change["files"], { commits }: Ways): boolean {
  return !commits && [...own.values()].includes(null);
}

/** The files that wait for a branch that takes no commits, with those that change. */
function waitingFiles(
  before: ReadonlyMap<string, string> = new Map(),
  own: Change["files"],
  commits: boolean,
): ReadonlyMap<string, string> {
  const after = new Map(before);
  for (const [path, text] of own) {
    if (text === null) after.delete(path);
    else if (!commits || before.has(path)) after.set(path, String(text));
  }
  return after;
}

function filesOf(changed: ChangedIncidents): Map<string, string | null> {
  return new Map(
    [...changed].map(([id, incident]) => [
      incidentPath(id),
      incident === null ? null : formatStoredIncident(incident),
    ]),
  );
}

function incidentsAfter({ known, changed }: View): Map<string, StoredIncident> {
  const all = new Map([...known.stored.incidents, ...changed]);
  return new Map([...all].flatMap(([id, incident]) => incident === null ? [] : [[id, incident]]));
}
