import { type State, STATES } from "../state.ts";
import { formatTime, utcDay } from "../time.ts";
import { escapeCell, formatLines, readRows, unescapeCell } from "./csv.ts";
import { appendLines, parsePartName, partName } from "./log_parts.ts";

/** A run: its start, and an id that distinguishes it from others that started then. */
export interface Run {
  /** 8 hexadecimal digits. */
  id: string;
  time: Temporal.Instant;
}

export interface CheckRow {
  /** Start of the run: the same for all its rows. */
  time: Temporal.Instant;
  run: string;
  slug: string;
  state: State;
  code: number;
  /** Milliseconds of the last successful attempt. */
  ms?: number;
  attempts: number;
  /** Milliseconds of dns/connect/tls/ttfb/download. */
  phases?: string;
  /** Name of the location that saw this, after the row of the site as a whole; {@linkcode UPPTIME} if imported. */
  location?: string;
  /** Plain text, secrets redacted. */
  error?: string;
}

export const COLUMNS = [
  ...["time", "run", "slug", "state", "code"],
  ...["ms", "attempts", "phases", "location", "error"],
];
const HEADER = `${COLUMNS.join(",")}\n`;

/** `location` of checks that were imported from Upptime. */
export const UPPTIME = "upptime";

/** True if a row is what a single location saw, and says nothing of the site as a whole. */
export function isOfLocation({ location }: CheckRow): boolean {
  return location !== undefined && location !== UPPTIME;
}

/** Folder of the logs, one for each day. */
export const CHECKS_FOLDER = "history/checks";

/** A part of the log of the UTC day of a moment. */
export function checksPath(time: Temporal.Instant, part = 1): string {
  return `${CHECKS_FOLDER}/${partName(utcDay(time), part)}`;
}

/** The day of a part of a log by its name, `YYYY-MM-DD`; `undefined` if the file is none. */
export function dayOfLog(name: string): string | undefined {
  const { log } = parsePartName(name) ?? {};
  return log?.length === "YYYY-MM-DD".length ? log : undefined;
}

/** Parses the rows of a log, each once. Lines that are no rows and unknown columns are skipped. */
export function parseRows(text: string): CheckRow[] {
  return [...iterateRows(text)];
}

/** Rows of a log that were read: what they are about, by run. */
export type ReadRows = Map<string, Set<string>>;

/**
 * Parses like {@linkcode parseRows}, one row at a time, without those of `runs`, to which it adds the others. Rows of a
 * run that follow each other share their `time`.
 */
export function* iterateRows(text: string, runs: ReadRows = new Map()): Generator<CheckRow> {
  // The rows of a run follow each other.
  let [timeCell, time]: [string, Temporal.Instant?] = [""];
  let [run, known]: [string, Set<string>] = ["", new Set()];
  for (const cells of readRows(text, COLUMNS)) {
    if (!cells.is(0, timeCell)) {
      timeCell = cells.text(0);
      time = parseTime(timeCell);
    }
    if (!cells.is(1, run)) {
      run = cells.text(1);
      known = runs.getOrInsert(run, new Set());
    }
    const slug = unescapeCell(cells.text(2));
    const state = cells.is(3, "up") ? "up" : parseState(cells.text(3));
    if (time === undefined || slug === "" || state === undefined) continue;
    const place = cells.is(8, "") ? undefined : unescapeCell(cells.text(8));
    const subject = subjectKey(slug, place);
    if (known.has(subject)) continue;
    known.add(subject);
    const row: CheckRow = {
      time,
      run,
      slug,
      state,
      // Of a column that is missing or edited, it is NaN.
      code: cells.number(4) || 0,
      attempts: cells.number(6) || 0,
    };
    const ms = cells.number(5);
    if (!Number.isNaN(ms)) row.ms = ms;
    if (!cells.is(7, "")) row.phases = cells.text(7);
    if (place !== undefined) row.location = place;
    if (!cells.is(9, "")) row.error = unescapeCell(cells.text(9));
    yield row;
  }
}

/** Distinguishes the rows of a run: a site as a whole has one, and so has each of its locations. */
function subjectKey(slug: string, location: string | undefined): string {
  return location === undefined || location === UPPTIME ? slug : `${slug}\n${location}`;
}

function parseTime(cell: string): Temporal.Instant | undefined {
  const milliseconds = Date.parse(cell);
  return Number.isNaN(milliseconds)
    ? undefined
    : Temporal.Instant.fromEpochMilliseconds(milliseconds);
}

function parseState(cell: string): State | undefined {
  return STATES.find((one) => one === cell);
}

/**
 * True if a log has lines but none that can be read, for instance after a spreadsheet has saved it.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * assert(isIllegible("time;run;slug;state\n2026-11-21T10:05:00Z;9f3c01ab;shop;up\n"));
 * assert(!isIllegible("time,run,slug,state\n"));
 * ```
 */
export function isIllegible(text: string): boolean {
  return text.trim().includes("\n") && iterateRows(text).next().done === true;
}

/**
 * Appends rows to a log. Rows that it contains already (same run, slug and location) are skipped, and an incomplete last
 * line is dropped. A log whose header is missing or not ours is written anew.
 */
export function appendRows(text = "", rows: readonly CheckRow[]): string {
  const whole = wholeLines(text);
  const log = whole.startsWith(HEADER)
    ? whole
    : HEADER + (isIllegible(whole) ? whole : formatRows(parseRows(whole)));
  return log + formatRows(missingRows(text, rows));
}

/**
 * Appends rows to the last part of a log, like {@linkcode appendRows}; returns its text and those of the parts that
 * follow it.
 */
export function continueLog(text: string | undefined, rows: readonly CheckRow[]): string[] {
  return appendLines(HEADER, missingRows(text, rows).map(toLine), appendRows(text, []));
}

function formatRows(rows: readonly CheckRow[]): string {
  return rows.map(toLine).join("");
}

function toLine(row: CheckRow): string {
  return LINES.getOrInsertComputed(row, formatRow);
}

/** Lines of rows: with `watch` a row that waits for its commit is written in each run until then. */
const LINES = new WeakMap<CheckRow, string>();

function formatRow({ time, ms, ...rest }: CheckRow): string {
  const row: Record<string, unknown> = {
    ...rest,
    time: formatTime(time),
    ms: ms === undefined ? undefined : Math.round(ms),
  };
  // A row is a line of its own, so that one that was cut off harms no other.
  return formatLines([
    COLUMNS.map((name) => escapeCell(String(row[name] ?? "").replace(/[\r\n]+/g, " "))),
  ]);
}

/** Those of the rows that a log lacks, each once. */
export function missingRows(text: string | undefined, rows: readonly CheckRow[]): CheckRow[] {
  const key = ({ run, slug, location }: CheckRow) => `${run} ${subjectKey(slug, location)}`;
  const whole = wholeLines(text ?? "");
  const known = new Set(mayContain(whole, rows) ? parseRows(whole).map(key) : []);
  return rows.filter((row) => {
    if (known.has(key(row))) return false;
    known.add(key(row));
    return true;
  });
}

/** True if a log may have some of the rows; without parsing it. */
function mayContain(log: string, rows: readonly CheckRow[]): boolean {
  const runs = new Set(rows.map(({ run }) => run));
  if (runs.size <= FEW) return [...runs].some((run) => log.includes(run));
  for (const [id] of log.matchAll(/(?<=,)[\da-f]{8}(?=,)/g)) if (runs.has(id)) return true;
  return [...runs].some((run) => !/^[\da-f]{8}$/.test(run));
}

/** Runs that are looked for one by one, which is faster than in one pass. */
const FEW = 8;

export function hasRun(text: string | undefined, run: string): boolean {
  return text?.includes(`,${run},`) ?? false;
}

/** The sites whose timings are known for the UTC hour of a moment, from the log or from pending rows. */
export function sitesWithPhases(
  text: string | undefined,
  pending: readonly CheckRow[],
  time: Temporal.Instant,
): Set<string> {
  const hour = formatTime(time).slice(0, 13);
  const rows = [...rowsWithPhases(text ?? "", hour), ...pending];
  return new Set(
    rows.filter((row) => row.phases !== undefined && formatTime(row.time).startsWith(hour))
      .map(({ slug }) => slug),
  );
}

/** Parses the rows with timings, from the first of an hour on: few lines have any. */
function rowsWithPhases(text: string, hour: string): CheckRow[] {
  const start = text.indexOf(`\n${hour}`);
  if (start === -1) return [];
  const lines = text.slice(start + 1).split("\n").filter((line) => /\d\/\d/.test(line));
  return parseRows([text.slice(0, text.indexOf("\n")), ...lines, ""].join("\n"));
}

function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf("\n") + 1);
}
