import * as v from "valibot";
import { isMap } from "../config/document.ts";
import type { Streak } from "../evaluation/results.ts";
import { type Layout, splitToParts, STATE_FOLDER, toBucket } from "../config/layout.ts";
import { PENDING_REF } from "../git/remote.ts";
import type { Entry } from "../outbox/outbox.ts";
import { formatTime, utcDay } from "../time.ts";
import {
  appendRows,
  type CheckRow,
  isOfLocation,
  missingRows,
  parsePart,
  parseRows,
  splitRuns,
} from "./checks_log.ts";
import { type HistoryRecord, toCondition } from "./record.ts";
import { type Mute, RUN_STATE, SITES, toStoredEntry } from "./run_state_schema.ts";
import type { Capabilities, Snapshot } from "./store/store.ts";

export { STATE_FOLDER } from "../config/layout.ts";

/** State that is kept from one run to the next, apart from the history; rooms above read their parts of it. */
export interface StoredRunState {
  run: string;
  time: Temporal.Instant;
  /** The last run that committed to the branch; absent if no run has. */
  flushed?: { run: string; time: Temporal.Instant };
  /** Time at which the remote last refused the ref. */
  refused?: Temporal.Instant;
  /** Checks that are not flushed to the branch yet. */
  rows: CheckRow[];
  /** Texts by path that the branch refused. */
  files?: ReadonlyMap<string, string>;
  outbox: Entry[];
  /** State of the channels, by key; absent if no channel was notified yet. */
  channels?: unknown;
  /** Keys of the notices that channels were notified of. */
  notices?: readonly string[];
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
 * Texts of a nested history: a run state without its sites, which continues in further texts if it is long, sites by
 * the hash of their slugs, and rows by run.
 */
const PARTS = ".parts";
const PARTED_TEXT = `${PARTS}/memory.json`;
const MORE_TEXT = /^\.parts\/memory-\d+\.json$/;
const SITES_PART = /^\.parts\/sites-[\da-f]{2}\.json$/;
const ROWS_PART = /^\.parts\/[^/]+\.csv$/;

/** True if a name of a pending text, or of a file in {@linkcode STATE_FOLDER}, is one of a run state. */
export function isStateName(name: string): boolean {
  return !name.includes("/") || /^\.parts\/[^/]+$/.test(name);
}

/**
 * Formats a run state as texts by name. `memory.json` keeps the names of its first version: `folded` is the last
 * flush; in the outbox, `carrier` is the handler, `line` the queue, `about` the subjects, `what` the description
 * and `lapses` the time of expiry; in channels, `told` are the outages that were notified.
 */
export function formatRunState(
  { run, time, flushed: folded, rows, files, outbox, ...rest }: StoredRunState,
  layout: Layout = "flat",
): Map<string, string> {
  const refused = files === undefined || files.size === 0
    ? {}
    : { files: Object.fromEntries(files) };
  const entries = outbox.map(toStoredEntry);
  const stored = { run, time, folded, outbox: entries, ...rest, ...refused };
  if (layout === "flat") {
    const texts = new Map([[TEXT, formatJson(stored)]]);
    if (rows.length > 0) texts.set(ROWS, appendRows(undefined, rows));
    return texts;
  }
  const { sites, ...others } = stored;
  const texts = new Map(
    splitToParts(formatJson(others).split(/(?<=\n)/)).map((lines, index) => [
      index === 0 ? PARTED_TEXT : `${PARTS}/memory-${String(index).padStart(3, "0")}.json`,
      lines.join(""),
    ]),
  );
  const buckets = Map.groupBy(Object.entries(sites), ([slug]) => toBucket(slug));
  for (const [bucket, own] of [...buckets].sort(([one], [other]) => one < other ? -1 : 1)) {
    texts.set(`${PARTS}/sites-${bucket}.json`, formatJson(Object.fromEntries(own)));
  }
  for (const { id, time, text } of splitRuns(rows)) {
    const start = `${PARTS}/${formatTime(time).slice(0, 16).replace(/\W/g, "")}-${
      id.replace(/\W/g, "_")
    }`;
    let part = 1;
    while (texts.has(`${start}-${part}.csv`)) part++;
    texts.set(`${start}-${part}.csv`, text);
  }
  return texts;
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, formatInstant, 2)}\n`;
}

/** Formats instants as all stored files do; `value` is their default form. */
function formatInstant(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const raw = this[key];
  return raw instanceof Temporal.Instant ? formatTime(raw) : value;
}

/** True if a text is a run state or the sites of one, given its name. */
export function isRunState(name: string, text: string): boolean {
  // A run state that continues in further texts can't be told alone.
  if (MORE_TEXT.test(name) || (name === PARTED_TEXT && text.startsWith("{\n"))) return true;
  return v.is(
    SITES_PART.test(name) ? v.pipe(v.string(), v.parseJson(), v.custom(isMap)) : RUN_STATE,
    text,
  );
}

/** Parses a run state; its rows also if the rest can't be read. */
export function parseRunState(
  texts: ReadonlyMap<string, string>,
): { runState?: StoredRunState; isParted?: boolean; rows: CheckRow[]; unreadable: string[] } {
  const flat = parseRows(texts.get(ROWS) ?? "");
  const parts = [...texts].filter(([name]) => ROWS_PART.test(name))
    .sort(([one], [other]) => one < other ? -1 : 1)
    .flatMap(([, text]) => parsePart(text)?.rows ?? []);
  // A program that does not know the parts leaves them, and writes a run state of its own.
  const rows = parts.length === 0
    ? flat
    : flat.length === 0
    ? parts
    : missingRows(undefined, [...parts, ...flat]);
  const unreadable: string[] = [];
  const states = [TEXT, PARTED_TEXT].flatMap((name) => {
    const text = name === PARTED_TEXT ? joinTexts(texts) : texts.get(name);
    if (text === undefined) return [];
    const result = v.safeParse(RUN_STATE, text);
    if (!result.success) unreadable.push(name);
    return result.success ? [{ ...result.output, isParted: name === PARTED_TEXT }] : [];
  });
  const newest = states.sort((one, other) => Temporal.Instant.compare(one.time, other.time)).at(-1);
  if (newest === undefined) return { rows, unreadable };
  const { isParted, ...runState } = newest;
  const sites = isParted ? parseSiteParts(texts) : runState.sites;
  return { runState: { ...runState, sites, rows }, isParted, rows, unreadable };
}

function joinTexts(texts: ReadonlyMap<string, string>): string | undefined {
  const first = texts.get(PARTED_TEXT);
  const names = [...texts.keys()].filter((name) => MORE_TEXT.test(name)).sort();
  return first && [first, ...names.map((name) => texts.get(name)!)].join("");
}

function parseSiteParts(texts: ReadonlyMap<string, string>): StoredRunState["sites"] {
  const sites: StoredRunState["sites"] = {};
  for (const [name, text] of texts) {
    if (!SITES_PART.test(name)) continue;
    Object.assign(sites, v.parse(SITES, text));
  }
  return sites;
}

/** Merges the pending texts of two runs that did not know of each other: the run state of the first, the rows of both. */
export function mergePending(
  first: ReadonlyMap<string, string>,
  second: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (first.size === 0) return second;
  const [own, others] = [first, second].map((texts) => parseRows(texts.get(ROWS) ?? ""));
  const rows = [...own!, ...others!];
  const parts = new Map([...second].filter(([name]) => ROWS_PART.test(name)));
  for (const [name, text] of first) {
    const other = parts.get(name);
    const isSame = other === undefined || other === text;
    parts.set(name, isSame ? text : appendRows(text, parseRows(other)));
  }
  return rows.length === 0 ? parts : parts.set(ROWS, appendRows(undefined, rows));
}

export interface LoadedRunState<T extends StoredRunState = StoredRunState> {
  runState?: T;
  /** True if there is none though the store has answered: this is the first run, or it was lost. */
  isLost?: boolean;
  rows: CheckRow[];
  onBranch: string[];
  /** True if the run state is that of a nested history. */
  isParted?: boolean;
  isInRef: boolean;
  /** True if the remote could hold the ref and has none. */
  isRefMissing: boolean;
  unreadable: string[];
}

/** Loads the run state from the pending ref or the branch; if both have one, the newer. */
export async function loadStoredRunState(snapshot: Snapshot): Promise<LoadedRunState> {
  const { pending } = snapshot;
  const parts = await snapshot.listAll(`${STATE_FOLDER}/${PARTS}`);
  const files = await snapshot.read([
    ...STATE_PATHS,
    ...parts.map((name) => `${STATE_FOLDER}/${PARTS}/${name}`),
  ]);
  const onBranch = parseRunState(
    new Map([...files].map(([path, text]) => [path.slice(STATE_FOLDER.length + 1), text])),
  );
  const inRef = parseRunState(pending.texts);
  const states = [onBranch, inRef].flatMap(({ runState, isParted }) =>
    runState === undefined ? [] : [{ runState, isParted }]
  );
  const { runState, isParted } =
    states.sort((one, other) => Temporal.Instant.compare(one.runState.time, other.runState.time))
      .at(-1) ?? {};
  return {
    runState,
    ...isParted ? { isParted } : {},
    isLost: runState === undefined && pending.isUnknown === undefined,
    rows: missingRows(undefined, [...onBranch.rows, ...inRef.rows]),
    onBranch: [...files.keys()],
    isInRef: inRef.runState !== undefined,
    isRefMissing: snapshot.capabilities.pendingRef === "open" && pending.isEmpty === true,
    unreadable: [
      ...onBranch.unreadable.map((name) => `${STATE_FOLDER}/${name}`),
      ...inRef.unreadable.map((name) => `${name} in ${PENDING_REF}`),
    ],
  };
}

/** True if the run state goes into the pending ref; one that the remote refuses is tried again on another day. */
export function goesIntoRef(
  { pendingRef, commits }: Capabilities,
  before: StoredRunState | undefined,
  time: Temporal.Instant,
): boolean {
  if (pendingRef !== "open") return false;
  const refused = before?.refused;
  return !commits || refused === undefined || utcDay(refused) !== utcDay(time);
}

export function placeStoredRunState(
  state: StoredRunState,
  { inRef, layout = "flat", onBranch = [] }: {
    inRef: boolean;
    layout?: Layout;
    /** Paths of the files that the branch has; those of the other layout are removed. */
    onBranch?: readonly string[];
  },
): { files: Map<string, string | null>; pending?: Map<string, string> } {
  const texts = formatRunState(state, layout);
  if (inRef) return { files: new Map(), pending: texts };
  const files = new Map([...texts].map(([name, text]): [string, string | null] => [
    `${STATE_FOLDER}/${name}`,
    text,
  ]));
  const isLeft = (path: string) => path.includes(`/${PARTS}/`) || layout === "nested";
  for (const path of onBranch) if (isLeft(path) && !files.has(path)) files.set(path, null);
  return { files };
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
