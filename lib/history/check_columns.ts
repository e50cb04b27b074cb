import { STATES } from "../state.ts";
import type { Checks } from "../statistics/site_history.ts";
import { CheckColumn } from "./check_column.ts";
import { type CheckRow, parseRows } from "./checks_log.ts";

/** The columns of our logs; others may follow. */
const HEADER = /^time,run,slug,state,code,ms,attempts,phases,location,error(?:,|\r?$)/;

const INDEX_OF_STATE: ReadonlyMap<string, number> = new Map(
  STATES.map((state, index) => [state, index]),
);

/** Stands in `location` of checks that Upptime made. */
const UPPTIME = "upptime";

const encoder = new TextEncoder();
const STATE_CELLS = STATES.map((state) => encoder.encode(state));
const UPPTIME_CELL = encoder.encode(UPPTIME);

const [LINE_END, QUOTE, APOSTROPHE, COMMA, ZERO] = [10, 34, 39, 44, 48];

/** The checks of a site that was never checked. */
export const NO_CHECKS: Checks = {
  length: 0,
  times: new Float64Array(),
  states: new Uint8Array(),
  durations: new Float64Array(),
  imported: new Uint8Array(),
};

/**
 * Gathers the checks of sites from logs. It reads what `parseRows` reads, thirty times as fast: a month of
 * many sites is half a million rows, and nothing of them is made a text that was seen before.
 */
export class CheckColumns {
  readonly #columns = new Map<string, CheckColumn>();
  readonly #runs = new Map<string, number>();

  /** Adds the rows of a log, given as UTF-8, and returns how many it has. */
  addLog(log: Uint8Array): number {
    const header = textOf(log, 0, Math.max(0, log.indexOf(LINE_END)));
    if (!HEADER.test(header)) {
      return this.addRows(parseRows(textOf(log, 0, log.length)));
    }
    let rows = 0;
    // All rows of a run begin alike, with its time and name, and its sites have the order of the run before.
    let beginning: Uint8Array = new Uint8Array();
    let [time, run] = [NaN, -1];
    const places: { cell: Uint8Array; column: CheckColumn }[] = [];
    let next = 0;
    for (let start = log.indexOf(LINE_END) + 1, end; start < log.length; start = end + 1) {
      let isPlain = true;
      for (end = start; end < log.length && log[end] !== LINE_END; end++) {
        if (log[end] === QUOTE || log[end] === APOSTROPHE) isPlain = false;
      }
      if (end === log.length) break;
      // Quotes, and what is kept from being a formula, are left to who knows them.
      if (!isPlain) {
        rows += this.addRows(parseRows(`${header}\n${textOf(log, start, end)}\n`));
        continue;
      }
      if (beginning.length === 0 || !isAt(log, start, beginning)) {
        const comma = endOfCell(log, start, end);
        const second = endOfCell(log, comma + 1, end);
        if (second >= end) continue;
        beginning = log.subarray(start, second + 1);
        time = Date.parse(textOf(log, start, comma));
        run = this.#runOf(textOf(log, comma + 1, second));
        next = 0;
      }
      const slug = start + beginning.length;
      let place = places[next];
      if (place === undefined || !isCellAt(log, slug, place.cell, end)) {
        const cell = log.slice(slug, endOfCell(log, slug, end));
        if (cell.length === 0) continue;
        place = { cell, column: this.#columnOf(textOf(cell, 0, cell.length)) };
        places[next] = place;
      }
      next++;
      const state = slug + place.cell.length + 1;
      const seen = stateAt(log, state, end);
      if (seen === -1 || Number.isNaN(time)) continue;
      const ms = endOfCell(log, state + STATE_CELLS[seen]!.length + 1, end) + 1;
      const rest = endOfCell(log, ms, end);
      if (rest >= end) continue;
      const location = endOfCell(log, endOfCell(log, rest + 1, end) + 1, end) + 1;
      const isImported = isCellAt(log, location, UPPTIME_CELL, end);
      place.column.add(run, time, seen, numberIn(log, ms, rest), isImported);
      rows++;
    }
    return rows;
  }

  /** Adds rows that are in no log yet, and returns how many they are. */
  addRows(rows: readonly CheckRow[]): number {
    for (const { slug, run, time, state, ms = NaN, location } of rows) {
      const [moment, seen] = [time.epochMilliseconds, INDEX_OF_STATE.get(state)!];
      this.#columnOf(slug).add(this.#runOf(run), moment, seen, ms, location === UPPTIME);
    }
    return rows.length;
  }

  /** What was gathered, by site. */
  gathered(): Map<string, Checks> {
    const columns = [...this.#columns].filter(([, { length }]) => length > 0);
    return new Map(columns.map(([slug, column]) => [slug, column.checks()]));
  }

  #columnOf(slug: string): CheckColumn {
    const known = this.#columns.get(slug);
    if (known !== undefined) return known;
    const column = new CheckColumn();
    this.#columns.set(slug, column);
    return column;
  }

  #runOf(name: string): number {
    const known = this.#runs.get(name) ?? this.#runs.size;
    if (known === this.#runs.size) this.#runs.set(name, known);
    return known;
  }
}

const decoder = new TextDecoder();

function textOf(log: Uint8Array, from: number, to: number): string {
  return decoder.decode(log.subarray(from, to));
}

/** Where the comma after a cell is; `end` where it is the last of its line. */
function endOfCell(log: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && log[at] !== COMMA) at++;
  return at;
}

function isAt(log: Uint8Array, from: number, bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    if (log[from + at] !== bytes[at]) return false;
  }
  return true;
}

function isCellAt(log: Uint8Array, from: number, cell: Uint8Array, end: number): boolean {
  const to = from + cell.length;
  return (to === end || log[to] === COMMA) && isAt(log, from, cell);
}

/** The index of the state that stands somewhere; -1 where none does. */
function stateAt(log: Uint8Array, from: number, end: number): number {
  for (let index = 0; index < STATE_CELLS.length; index++) {
    if (isCellAt(log, from, STATE_CELLS[index]!, end)) return index;
  }
  return -1;
}

/** The number in a cell; `NaN` where it is empty. */
function numberIn(log: Uint8Array, from: number, to: number): number {
  if (from === to) return NaN;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = log[at]! - ZERO;
    if (digit < 0 || digit > 9) return Number(textOf(log, from, to));
    value = value * 10 + digit;
  }
  return value;
}
