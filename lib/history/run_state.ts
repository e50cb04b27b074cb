import * as v from "valibot";
import { isMap } from "../config/document.ts";
import type { Streak } from "../evaluation/results.ts";
import { PENDING_REF } from "../git/remote.ts";
import type { Plain } from "../outbox/effect.ts";
import type { Entry } from "../outbox/outbox.ts";
import { formatTime, utcDay } from "../time.ts";
import { appendRows, type CheckRow, isOfLocation, missingRows, parseRows } from "./checks_log.ts";
import { HISTORY_FOLDER, type HistoryRecord, toCondition } from "./record.ts";
import { HEARTBEAT } from "./received_beats.ts";
import type { Capabilities, Snapshot } from "./store/store.ts";
import { time } from "./yaml_file.ts";

/** Folder of the run state on the branch, if it is not in the pending ref. */
export const STATE_FOLDER = "history/state";

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

const MUTE = v.object({
  by: v.string(),
  at: time(),
  /** Time at which messages are sent again; that of `at` once somebody has unmuted the site. */
  until: time(),
});

/** A pause of the messages about a site. */
export type Mute = v.InferOutput<typeof MUTE>;

const TEXT = "memory.json";
const ROWS = "checks.csv";
const STATE_PATHS = [TEXT, ROWS].map((name) => `${STATE_FOLDER}/${name}`);

/**
 * Formats a run state as texts by name. `memory.json` keeps the names of its first version: `folded` is the last
 * flush; in the outbox, `carrier` is the handler, `line` the queue, `about` the subjects, `what` the description
 * and `lapses` the time of expiry; in channels, `told` are the outages that were notified.
 */
export function formatRunState(
  { run, time, flushed: folded, rows, files, outbox, ...rest }: StoredRunState,
): Map<string, string> {
  const refused = files === undefined || files.size === 0
    ? {}
    : { files: Object.fromEntries(files) };
  const entries = outbox.map(toStoredEntry);
  const stored = { run, time, folded, outbox: entries, ...rest, ...refused };
  const json = JSON.stringify(stored, formatInstant, 2);
  const texts = new Map([[TEXT, `${json}\n`]]);
  if (rows.length > 0) texts.set(ROWS, appendRows(undefined, rows));
  return texts;
}

/** Formats instants as all stored files do; `value` is their default form. */
function formatInstant(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const raw = this[key];
  return raw instanceof Temporal.Instant ? formatTime(raw) : value;
}

const PLAIN: v.GenericSchema<Plain> = v.union([
  v.string(),
  v.number(),
  v.boolean(),
  v.null(),
  v.array(v.lazy(() => PLAIN)),
  v.record(v.string(), v.lazy(() => PLAIN)),
]);

const STORED_ENTRY = v.object({
  id: v.string(),
  carrier: v.string(),
  what: v.fallback(v.string(), ""),
  data: v.record(v.string(), PLAIN),
  line: v.optional(v.string()),
  about: v.optional(v.array(v.string())),
  notBefore: v.optional(time()),
  lapses: v.optional(time()),
  planned: time(),
  claim: v.optional(v.object({ run: v.string(), until: time() })),
  failure: v.optional(v.string()),
  done: v.optional(v.object({ at: time(), receipt: v.optional(v.record(v.string(), PLAIN)) })),
});

const ENTRY = v.pipe(
  STORED_ENTRY,
  v.transform(({ carrier, what, line, about, lapses, ...rest }): Entry => ({
    ...rest,
    handler: carrier,
    description: what,
    ...line === undefined ? {} : { queue: line },
    ...about === undefined ? {} : { subjects: about },
    ...lapses === undefined ? {} : { expires: lapses },
  })),
);

export function toStoredEntry(
  { handler, description, queue, subjects, expires, ...rest }: Entry,
): v.InferOutput<typeof STORED_ENTRY> {
  const { id, data, notBefore, ...end } = rest;
  return {
    ...{ id, carrier: handler, what: description, data, line: queue, about: subjects },
    ...{ notBefore, lapses: expires, ...end },
  };
}

function wholeNumber(least: number) {
  return v.pipe(v.number(), v.integer(), v.minValue(least));
}

const REGISTRATION = v.object({
  domain: v.string(),
  next: time(),
  expires: v.optional(time()),
  status: v.optional(v.string()),
  fault: v.optional(v.string()),
});

const STREAK = v.object({
  failing: v.optional(
    v.object({ runs: wholeNumber(1), attempts: wholeNumber(1), since: time() }),
  ),
  slow: v.array(v.nullable(time())),
  recent: v.pipe(v.string(), v.regex(/^[ued]*$/)),
  flapping: v.optional(v.literal(true)),
  changed: v.fallback(v.optional(v.array(time())), undefined),
  restUntil: v.optional(time()),
  unknown: v.fallback(
    v.optional(v.object({
      runs: wholeNumber(1),
      since: time(),
      reason: v.fallback(v.string(), ""),
    })),
    undefined,
  ),
  notAsked: v.fallback(v.optional(wholeNumber(1)), undefined),
  unfinished: v.fallback(v.optional(v.literal(true)), undefined),
  window: v.optional(v.object({ until: time(), failing: v.boolean() })),
  reason: v.fallback(v.optional(v.object({ kind: v.string(), at: time() })), undefined),
  heartbeat: v.fallback(v.optional(HEARTBEAT), undefined),
  registration: v.fallback(v.optional(REGISTRATION), undefined),
});

/** By slug; an unreadable one is dropped alone. `v.record` leaves out slugs such as `constructor`. */
const STREAKS = v.pipe(
  v.custom<Record<string, unknown>>(isMap),
  v.transform((streaks) =>
    Object.fromEntries(
      Object.entries(streaks).flatMap(([slug, value]) => {
        const { success, output } = v.safeParse(STREAK, value);
        return success ? [[slug, output]] : [];
      }),
    )
  ),
);

/** Only files of the history: anybody who may push can write this. */
const FILES = v.pipe(
  v.record(
    v.pipe(v.string(), v.startsWith(`${HISTORY_FOLDER}/`), v.check((path) => !path.includes(".."))),
    v.string(),
  ),
  v.transform((files) => new Map(Object.entries(files))),
);

const RUN_STATE = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    run: v.string(),
    time: time(),
    folded: v.optional(v.object({ run: v.string(), time: time() })),
    refused: v.optional(time()),
    files: v.optional(v.fallback(FILES, new Map())),
    outbox: v.array(ENTRY),
    channels: v.optional(v.unknown()),
    notices: v.fallback(v.optional(v.array(v.string())), undefined),
    sites: v.fallback(STREAKS, {}),
    failedCanaries: v.fallback(wholeNumber(0), 0),
    timelines: v.optional(v.unknown()),
    responses: v.optional(v.unknown()),
    mutes: v.fallback(v.optional(v.record(v.string(), MUTE)), undefined),
    locations: v.fallback(v.optional(v.record(v.string(), v.string())), undefined),
  }),
  v.transform((
    { folded, ...rest },
  ) => (folded === undefined ? rest : { ...rest, flushed: folded })),
);

/** True if a text is a run state, apart from its rows. */
export function isRunState(text: string): boolean {
  return v.is(RUN_STATE, text);
}

/** Parses a run state; its rows also if the rest can't be read. */
export function parseRunState(
  texts: ReadonlyMap<string, string>,
): { runState?: StoredRunState; rows: CheckRow[]; unreadable: string[] } {
  const rows = parseRows(texts.get(ROWS) ?? "");
  const text = texts.get(TEXT);
  if (text === undefined) return { rows, unreadable: [] };
  const result = v.safeParse(RUN_STATE, text);
  return result.success
    ? { runState: { ...result.output, rows }, rows, unreadable: [] }
    : { rows, unreadable: [TEXT] };
}

/** Merges the pending texts of two runs that did not know of each other: the run state of the first, the rows of both. */
export function mergePending(
  first: ReadonlyMap<string, string>,
  second: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (first.size === 0) return second;
  const [own, others] = [first, second].map((texts) => parseRows(texts.get(ROWS) ?? ""));
  const rows = [...own!, ...others!];
  return rows.length === 0 ? first : new Map([...first, [ROWS, appendRows(undefined, rows)]]);
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

/** Loads the run state from the pending ref or the branch; if both have one, the newer. */
export async function loadStoredRunState(snapshot: Snapshot): Promise<LoadedRunState> {
  const { pending } = snapshot;
  const files = await snapshot.read(STATE_PATHS);
  const onBranch = parseRunState(
    new Map([...files].map(([path, text]) => [path.slice(STATE_FOLDER.length + 1), text])),
  );
  const inRef = parseRunState(pending.texts);
  const states = [onBranch.runState, inRef.runState].filter((one) => one !== undefined);
  const runState = states.sort((one, other) => Temporal.Instant.compare(one.time, other.time)).at(
    -1,
  );
  return {
    runState,
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
  { inRef }: { inRef: boolean },
): { files: Map<string, string | null>; pending?: Map<string, string> } {
  const texts = formatRunState(state);
  if (inRef) return { files: new Map(), pending: texts };
  return { files: new Map([...texts].map(([name, text]) => [`${STATE_FOLDER}/${name}`, text])) };
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
