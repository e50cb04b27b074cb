import * as v from "valibot";
import type { Streak } from "../evaluation/results.ts";
import { STATE_FOLDER } from "../config/record_path.ts";
import { PENDING_REF } from "../git/remote.ts";
import type { Entry } from "../outbox/outbox.ts";
import { formatTime } from "../time.ts";
import { appendRows, type CheckRow, isOfLocation, missingRows, parseRows } from "./checks_log.ts";
import { type HistoryRecord, toCondition } from "./record.ts";
import { type Mute, RUN_STATE, toStoredEntry } from "./run_state_schema.ts";
import type { Capabilities, Snapshot } from "./store/store.ts";

/** State that is kept from one run to the next, apart from the history; rooms above read their parts of it. */
export interface StoredRunState {
  run: string;
  time: Temporal.Instant;
  /** The last run that committed to the branch; absent if no run has. */
  flushed?: { run: string; time: Temporal.Instant };
  /** Checks that are not flushed to the branch yet. */
  rows: CheckRow[];
  /** Texts by path that the branch refused. */
  files?: ReadonlyMap<string, string>;
  outbox: Entry[];
  /** State of the channels, by key; absent if no channel was notified yet. */
  channels?: unknown;
  /** Starts of the open notices, by key. */
  notices?: Readonly<Record<string, Temporal.Instant>>;
  sites: Record<string, Streak>;
  /** Runs in a row in which the canaries failed while sites answered. */
  failedCanaries: number;
  /** Comments that were read last; absent if they never were. */
  timelines?: unknown;
  /** Responses to incidents that were read last; absent if they never were. */
  responses?: unknown;
  /** Sites whose messages people have muted, by slug. */
  mutes?: Readonly<Record<string, Mute>>;
  /** Ids of the results of locations that were recorded last, by location and shard; absent if there were none. */
  locations?: Readonly<Record<string, string>>;
}

const TEXT = "memory.json";
const ROWS = "checks.csv";
const STATE_PATHS = [TEXT, ROWS].map((name) => `${STATE_FOLDER}/${name}`);
/**
 * Formats a run state as texts by name. `memory.json` keeps the names of its first version: `folded` is the last
 * flush; in the outbox, `carrier` is the handler, `line` the queue, `what` the description and
 * `lapses` the time of expiry; in channels, `told` are the outages that were notified.
 */
export function formatRunState(
  { run, time, flushed: folded, rows, files, outbox, ...rest }: StoredRunState,
): Map<string, string> {
  const refused = files === undefined || files.size === 0
    ? {}
    : { files: Object.fromEntries(files) };
  const entries = outbox.map(toStoredEntry);
  const stored = { run, time, folded, outbox: entries, ...rest, ...refused };
  const texts = new Map([[TEXT, `${JSON.stringify(stored, formatInstant, 2)}\n`]]);
  if (rows.length > 0) texts.set(ROWS, appendRows(undefined, rows));
  return texts;
}

/** Formats instants as all stored files do; `value` is their default form. */
function formatInstant(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const raw = this[key];
  return raw instanceof Temporal.Instant ? formatTime(raw) : value;
}

/** True if a text is a run state. */
export function isRunState(text: string): boolean {
  return v.is(RUN_STATE, text);
}

interface Parsed {
  runState?: StoredRunState;
  rows: CheckRow[];
  unreadable: string[];
}

/** Parses a run state; its rows also if the rest can't be read. */
export function parseRunState(texts: ReadonlyMap<string, string>): Parsed {
  const rows = parseRows(texts.get(ROWS) ?? "");
  const text = texts.get(TEXT);
  if (text === undefined) return { rows, unreadable: [] };
  const { success, output } = v.safeParse(RUN_STATE, text);
  return success
    ? { runState: { ...output, rows }, rows, unreadable: [] }
    : { rows, unreadable: [TEXT] };
}

/**
 * Merges the pending texts of two runs that did not know of each other: the run state of the first, the rows and mutes
 * of both.
 */
export function mergePending(
  first: ReadonlyMap<string, string>,
  second: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (first.size === 0) return second;
  const [own, others] = [first, second].map(parseRunState) as [Parsed, Parsed];
  const rows = [...own.rows, ...others.rows];
  if (own.runState !== undefined && others.runState?.mutes !== undefined) {
    const mutes = mergeMutes([own.runState, others.runState]);
    return formatRunState({ ...own.runState, ...mutes, rows });
  }
  return rows.length === 0 ? first : new Map(first).set(ROWS, appendRows(undefined, rows));
}

/** The newest mute of each site: a person may have set it beside a run. */
function mergeMutes(states: readonly StoredRunState[]): Pick<StoredRunState, "mutes"> {
  const all = states.flatMap(({ mutes = {} }) => Object.entries(mutes))
    .sort(([, one], [, other]) => Temporal.Instant.compare(one.at, other.at));
  return all.length === 0 ? {} : { mutes: Object.fromEntries(all) };
}

export interface LoadedRunState<T extends StoredRunState = StoredRunState> {
  runState?: T;
  /** True if there is none though the store has answered: this is the first run, or it was lost. */
  isLost?: boolean;
  rows: CheckRow[];
  onBranch: string[];
  isInRef: boolean;
  /** True if the remote could hold the ref and has none. */
  isRefMissing: boolean;
  unreadable: string[];
}

/** Loads the run state from the pending ref or the branch; if both have one, the newer with the mutes of both. */
export async function loadStoredRunState(snapshot: Snapshot): Promise<LoadedRunState> {
  const { pending } = snapshot;
  const files = await snapshot.read(STATE_PATHS);
  const onBranch = parseRunState(
    new Map([...files].map(([path, text]) => [path.slice(STATE_FOLDER.length + 1), text])),
  );
  const inRef = parseRunState(pending.texts);
  // Of two with the same time the last one counts: that of the branch changes only after the remote has refused the ref.
  const states = [inRef, onBranch].flatMap(({ runState }) => runState ?? [])
    .sort((one, other) => Temporal.Instant.compare(one.time, other.time));
  const newest = states.at(-1);
  const runState = newest && { ...newest, ...mergeMutes(states) };
  return {
    runState,
    isLost: runState === undefined && pending.isUnknown === undefined,
    rows: missingRows(undefined, [...onBranch.rows, ...inRef.rows]),
    onBranch: [...files.keys()],
    isInRef: inRef.runState !== undefined,
    isRefMissing: snapshot.capabilities.takesRef && pending.isEmpty === true,
    unreadable: [
      ...onBranch.unreadable.map((name) => `${STATE_FOLDER}/${name}`),
      ...inRef.unreadable.map((name) => `${name} in ${PENDING_REF}`),
    ],
  };
}

/** Places a run state in the pending ref, or in files if the remote does not take that. */
export function placeStoredRunState(
  state: StoredRunState,
  { takesRef }: Pick<Capabilities, "takesRef">,
): { files: Map<string, string | null>; pending?: Map<string, string> } {
  const texts = formatRunState(state);
  if (takesRef) return { files: new Map(), pending: texts };
  const files = [...texts].map(([name, text]) => [`${STATE_FOLDER}/${name}`, text] as const);
  return { files: new Map(files) };
}

/** The records that are older than unflushed checks, with the results of those. */
export function refreshRecords(
  records: ReadonlyMap<string, HistoryRecord>,
  rows: readonly CheckRow[],
): Map<string, HistoryRecord> {
  const fresh = new Map<string, HistoryRecord>();
  for (const row of rows) {
    if (isOfLocation(row)) continue;
    const { slug, time, state, code, ms = 0 } = row;
    const record = fresh.get(slug) ?? records.get(slug);
    if (record === undefined || toCondition(record) !== state) continue;
    if (Temporal.Instant.compare(record.lastUpdated, time) >= 0) continue;
    fresh.set(slug, { ...record, code, responseTime: ms, lastUpdated: time });
  }
  return fresh;
}
