import * as v from "valibot";
import { isMap } from "../config/document.ts";
import { CHANNELS, type ChannelStates, formatChannels } from "../notifications/channel_state.ts";
import type { Entry } from "../outbox/outbox.ts";
import type { Plain } from "../outbox/effect.ts";
import { TIMELINE_STATE, type TimelineState } from "../incidents/read_comments.ts";
import { formatTime } from "../time.ts";
import type { Streak } from "../evaluation/results.ts";
import { appendRows, type CheckRow, parseRows } from "../history/checks_log.ts";
import { HISTORY_FOLDER } from "../history/record.ts";
import { time } from "../history/yaml_file.ts";

/** Where the memory is kept on the branch, where there is no ref for it. */
export const STATE_FOLDER = "history/state";

/** What runs remember from one to the next, apart from the history. */
export interface Memory {
  /** The run that wrote it. */
  run: string;
  /** Start of that run. */
  time: Temporal.Instant;
  /**
   * The last run that committed to the branch, and how many of its own checks that commit contained (unknown
   * if an older version wrote it); absent if no run has.
   */
  folded?: { run: string; time: Temporal.Instant; rows?: number };
  /** When the remote last refused the ref; absent where it does not. */
  refused?: Temporal.Instant;
  /** Checks that the branch does not have yet. */
  rows: CheckRow[];
  /** Texts by path that the branch did not take; none where it takes commits. */
  files?: ReadonlyMap<string, string>;
  outbox: Entry[];
  /** What is remembered of each channel, by key; absent where none was told anything yet. */
  channels?: ChannelStates;
  /** Keys of the notices that channels were notified of. */
  notices?: readonly string[];
  /** What is remembered of each site, by slug. */
  sites: Record<string, Streak>;
  /** Runs in a row in which the canaries failed while sites answered. */
  failedCanaries: number;
  /** Time of the last check of the issues' labels; absent if there was none. */
  labels?: Temporal.Instant;
  /** What was last seen of people's comments; absent where they were not read. */
  timelines?: TimelineState;
}

const TEXT = "memory.json";
const ROWS = "checks.csv";

/** Where the texts of a memory stand on the branch. */
export const STATE_PATHS = [TEXT, ROWS].map(statePath);

/** Where a text of a memory stands on the branch, by its name. */
export function statePath(name: string): string {
  return `${STATE_FOLDER}/${name}`;
}

/**
 * A memory as texts by name.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const time = Temporal.Instant.from("2026-11-21T10:05:03.120Z");
 * const row = { time, run: "9f3c01ab", slug: "shop", state: "up", code: 200, ms: 12, attempts: 1 } as const;
 * const timelines = { repository: "acme/status", since: time };
 * const known = { outbox: [], sites: { shop: { slow: [], recent: "uud" } }, failedCanaries: 0, timelines };
 * const memory = { run: "9f3c01ab", time, folded: { run: "11111111", time }, rows: [row], ...known };
 * assertEquals(parseMemory(formatMemory(memory)).memory, memory);
 * ```
 */
export function formatMemory({ rows, files, channels, ...rest }: Memory): Map<string, string> {
  const stored = channels === undefined ? {} : { channels: formatChannels(channels) };
  const kept = files === undefined || files.size === 0 ? {} : { files: Object.fromEntries(files) };
  const texts = new Map([[
    TEXT,
    `${JSON.stringify({ ...rest, ...stored, ...kept }, asWritten, 2)}\n`,
  ]]);
  if (rows.length > 0) texts.set(ROWS, appendRows(undefined, rows));
  return texts;
}

/** Times as every stored file has them; `value` is what they would make of themselves. */
function asWritten(this: Record<string, unknown>, key: string, value: unknown): unknown {
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

const ENTRY: v.GenericSchema<unknown, Entry> = v.object({
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

function wholeNumber(least: number) {
  return v.pipe(v.number(), v.integer(), v.minValue(least));
}

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
});

/** By slug; one that can't be read is forgotten alone. The library's own record leaves out slugs such as `constructor`. */
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

/** Files of the history and no others, whoever wrote this. */
const FILES = v.pipe(
  v.record(
    v.pipe(v.string(), v.startsWith(`${HISTORY_FOLDER}/`), v.check((path) => !path.includes(".."))),
    v.string(),
  ),
  v.transform((files) => new Map(Object.entries(files))),
);

const MEMORY = v.object({
  run: v.string(),
  time: time(),
  folded: v.optional(
    v.object({
      run: v.string(),
      time: time(),
      rows: v.fallback(v.optional(wholeNumber(0)), undefined),
    }),
  ),
  refused: v.optional(time()),
  files: v.optional(v.fallback(FILES, new Map())),
  outbox: v.array(ENTRY),
  channels: v.optional(v.fallback(CHANNELS, {})),
  notices: v.fallback(v.optional(v.array(v.string())), undefined),
  sites: v.fallback(STREAKS, {}),
  failedCanaries: v.fallback(wholeNumber(0), 0),
  labels: v.fallback(v.optional(time()), undefined),
  timelines: v.fallback(v.optional(TIMELINE_STATE), undefined),
});

const JSON_MEMORY = v.pipe(v.string(), v.parseJson(), MEMORY);

/** Whether a text is a memory, apart from its rows. */
export function isMemory(text: string): boolean {
  return v.is(JSON_MEMORY, text);
}

/** What the texts of a memory say. */
export interface ParsedMemory {
  memory?: Memory;
  rows: CheckRow[];
  /** Names of the texts that can't be read. */
  unreadable: string[];
}

/** Reads a memory; its rows also where the rest can't be. */
export function parseMemory(texts: ReadonlyMap<string, string>): ParsedMemory {
  const rows = parseRows(texts.get(ROWS) ?? "");
  const text = texts.get(TEXT);
  if (text === undefined) return { rows, unreadable: [] };
  const result = v.safeParse(JSON_MEMORY, text);
  return result.success
    ? { memory: { ...result.output, rows }, rows, unreadable: [] }
    : { rows, unreadable: [TEXT] };
}
