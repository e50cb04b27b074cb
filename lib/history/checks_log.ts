import { parse } from "@std/csv/parse";
import { stringify } from "@std/csv/stringify";
import { type State, STATES } from "../state.ts";
import { formatTime, utcDay } from "../time.ts";
import { inert, readable } from "./inert.ts";

/** One check of one site, as the log keeps it. */
export interface CheckRow {
  /** Start of the run: the same for all its rows. */
  time: Temporal.Instant;
  /** Tells runs apart that started together: 8 hexadecimal digits. */
  run: string;
  slug: string;
  state: State;
  code: number;
  /** Milliseconds of the last successful attempt. */
  ms?: number;
  attempts: number;
  /** Milliseconds of dns/connect/tls/ttfb/download. */
  phases?: string;
  location?: string;
  /** In words, without secrets. */
  error?: string;
}

const COLUMNS = [
  "time",
  "run",
  "slug",
  "state",
  "code",
  "ms",
  "attempts",
  "phases",
  "location",
  "error",
];

const HEADER = COLUMNS.join(",");

/** Columns without which a line is no row. */
const KEYS = ["time", "run", "slug", "state"];

/** Where the logs are kept, one for each day. */
export const CHECKS_FOLDER = "history/checks";

/** The log that holds the checks of a moment. */
export function checksPath(time: Temporal.Instant): string {
  return `${CHECKS_FOLDER}/${utcDay(time)}.csv`;
}

/** The day of a log, given its name; `undefined` where it is none. */
export function dayOfLog(name: string): string | undefined {
  return /^(\d{4}-\d{2}-\d{2})\.csv$/.exec(name)?.[1];
}

/**
 * Appends rows to a log, in the log's own column order. Rows that it has already (same run and slug) are
 * not written again; an incomplete last line is dropped, and what a merge has damaged is repaired: a
 * missing header, conflict markers, a header that is repeated.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const time = Temporal.Instant.from("2026-11-21T10:05:03.120Z");
 * const row = { time, run: "9f3c01ab", slug: "shop", state: "down", code: 0, attempts: 3, error: "=1+1, \"no\"" } as const;
 * const text = appendRows(undefined, [row]);
 * assertEquals(parseRows(appendRows(text, [row])), [row]);
 * ```
 */
export function appendRows(text: string | undefined, rows: readonly CheckRow[]): string {
  const { log, columns } = repaired(wholeLines(text ?? ""));
  return log + lines(missingRows(text, rows).map((row) => cellsOf(row, columns)));
}

/** Those of the rows that a log does not have, each once. */
export function missingRows(text: string | undefined, rows: readonly CheckRow[]): CheckRow[] {
  const whole = wholeLines(text ?? "");
  const runs = new Set(rows.map(({ run }) => run));
  const mayKnow = [...runs].some((run) => whole.includes(run));
  const known = new Set(mayKnow ? parseRows(whole).map(keyOf) : []);
  const missing = new Map<string, CheckRow>();
  for (const row of rows) {
    const key = keyOf(row);
    if (!known.has(key) && !missing.has(key)) missing.set(key, row);
  }
  return [...missing.values()];
}

/** Whether a log has rows of a run. */
export function hasRun(text: string | undefined, run: string): boolean {
  return text?.includes(`,${run},`) ?? false;
}

/**
 * Parses the rows of a log, each once. Unknown columns and lines that aren't rows are skipped. A header
 * counts from its line on, and the first one also for the rows above it; without any, the columns are ours.
 */
export function parseRows(text: string): CheckRow[] {
  const table = parse(closedLines(text), { lazyQuotes: true });
  let at = indexesOf(table.find(isHeader) ?? COLUMNS);
  const rows = new Map<string, CheckRow>();
  for (const cells of table) {
    if (isHeader(cells)) at = indexesOf(cells);
    const row = parseCells((name) => readable(cells[at.get(name) ?? -1] ?? ""));
    if (row !== undefined && !rows.has(keyOf(row))) rows.set(keyOf(row), row);
  }
  return [...rows.values()];
}

/**
 * True if a line names the columns without which no row can be read. The start of our own header is one
 * that was cut off: the rows below it have all columns.
 */
export function isHeader(cells: readonly string[]): boolean {
  const line = cells.join(",");
  const isCut = line !== HEADER && HEADER.startsWith(line);
  return !isCut && KEYS.every((name) => cells.includes(name));
}

function indexesOf(columns: readonly string[]): Map<string, number> {
  return new Map(columns.map((name, index) => [name, index]));
}

const PHASES = /\d\/\d/;

/** The sites whose phases stand in the log, or in rows that wait for it, for the UTC hour of a moment. */
export function sitesWithPhases(
  text: string | undefined,
  waiting: readonly CheckRow[],
  time: Temporal.Instant,
): Set<string> {
  const rows = [...rowsWithPhases(text, formatTime(time).slice(0, 13)), ...waiting];
  const hour = hourOf(time);
  return new Set(
    rows.flatMap((row) => row.phases !== undefined && hourOf(row.time) === hour ? [row.slug] : []),
  );
}

/** Rows of a log that tell phases, from the first of an hour on. */
function rowsWithPhases(text: string | undefined, hour: string): CheckRow[] {
  const start = text?.indexOf(`\n${hour}`) ?? -1;
  if (text === undefined || start === -1) return [];
  const header = text.slice(0, text.indexOf("\n"));
  // Most lines have none, and to read them all would take long at the end of an hour.
  const lines = text.slice(start + 1).split("\n").filter((line) => PHASES.test(line));
  return parseRows([header, ...lines, ""].join("\n"));
}

function hourOf(time: Temporal.Instant): number {
  return Math.floor(time.epochMilliseconds / 3_600_000);
}

function keyOf({ run, slug }: CheckRow): string {
  return `${run} ${slug}`;
}

function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf("\n") + 1);
}

/** The lines without those that were cut off inside of quotes, which would swallow the rows after them. */
function closedLines(text: string): string {
  return wholeLines(text).replace(/^.*".*\n/gm, (line) => line.split('"').length % 2 ? line : "");
}

function lines(rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? "" : stringify(rows, { headers: false }).replaceAll("\r\n", "\n");
}

/** A line that git leaves around the two sides of a conflict. */
const CONFLICT_MARKER = /^(?:<{7}|\|{7}|={7}|>{7})(?: .*)?\r?$/;

/** Puts the header back on top and removes what a merge left between the rows; returns the columns of the last rows too. */
function repaired(whole: string): { log: string; columns: readonly string[] } {
  const text = whole.replace(/^\ufeff/, "").split("\n").slice(0, -1);
  const lines = text.filter((line) => !CONFLICT_MARKER.test(line));
  const headers = lines.filter((line) => isHeader(cellsIn(line)));
  const first = headers[0] ?? HEADER;
  const isOnTop = lines[0] === first;
  const isKnown = headers.every((header) => header === first);
  const rows = isKnown ? lines.filter((line) => line !== first) : isOnTop ? lines.slice(1) : lines;
  if (isOnTop && headers.length === 1 && lines.length === text.length) {
    return { log: whole, columns: cellsIn(first) };
  }
  return {
    log: [first, ...rows, ""].join("\n"),
    columns: cellsIn(headers.at(-1) ?? first),
  };
}

/** The cells of a line that may be a header; none for a row, so that long logs are not parsed for this. */
function cellsIn(line: string): string[] {
  if (!KEYS.every((name) => line.includes(name))) return [];
  return parse(`${line}\n`, { lazyQuotes: true })[0] ?? [];
}

function cellsOf(row: CheckRow, columns: readonly string[]): string[] {
  const { time, ms } = row;
  const cells: Record<string, unknown> = {
    ...row,
    time: formatTime(time),
    ms: ms === undefined ? undefined : Math.round(ms),
  };
  return columns.map((name) =>
    inert(oneLine(String(Object.hasOwn(cells, name) ? cells[name] ?? "" : "")))
  );
}

/** A row is a line of its own, so that one that was cut off harms no other. */
function oneLine(cell: string): string {
  return cell.replace(/[\r\n]+/g, " ");
}

function parseCells(cell: (name: string) => string): CheckRow | undefined {
  const state = STATES.find((one) => one === cell("state"));
  const milliseconds = Date.parse(cell("time"));
  if (state === undefined || Number.isNaN(milliseconds) || cell("slug") === "") return undefined;
  return {
    time: Temporal.Instant.fromEpochMilliseconds(milliseconds),
    run: cell("run"),
    slug: cell("slug"),
    state,
    code: Number(cell("code")),
    ...(cell("ms") === "" ? {} : { ms: Number(cell("ms")) }),
    attempts: Number(cell("attempts")),
    ...optional("phases", cell("phases")),
    ...optional("location", cell("location")),
    ...optional("error", cell("error")),
  };
}

function optional<Name extends string>(name: Name, value: string): { [key in Name]?: string } {
  return (value === "" ? {} : { [name]: value }) as { [key in Name]?: string };
}
