import { STATES } from "../../state.ts";
import { COMMA, isCell, LINE_END, nextSign, numberIn, textOf } from "./log_bytes.ts";

const encoder = new TextEncoder();
const STATE_CELLS = STATES.map((state) => encoder.encode(state));

/** Stands in `location` of checks that Upptime made. */
export const UPPTIME = "upptime";
const UPPTIME_CELL = encoder.encode(UPPTIME);

/**
 * A row of a log whose columns are ours, read where it stands in the bytes: there are millions, and none
 * is made a text or an object.
 */
export class PlainRow {
  /** Where the line ends. */
  end = -1;
  /** Time and name of its run; milliseconds since 1970, `NaN` where that is no time. */
  time = NaN;
  run = "";
  /** Whether the row before is not of its run. */
  isFirst = true;
  /** Where the slug stands. */
  slug = 0;
  slugEnd = 0;
  /** Index into `STATES`; -1 where it is none. */
  state = -1;
  /** Milliseconds; `NaN` where there are none. */
  duration = NaN;
  isImported = false;
  /** Where the phases stand; in most rows there are none. */
  phases = 0;
  phasesEnd = 0;

  readonly #log: Uint8Array;
  /** Where the first row of the run begins. */
  #first = 0;
  /** How many bytes its time and name take there, with their commas; 0 where no row told them. */
  #length = 0;
  readonly #view: DataView;

  /** The log has to end with its last line. */
  constructor(log: Uint8Array) {
    this.#log = log;
    this.#view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  }

  /**
   * Reads the line that begins somewhere; `false` where that takes a reader of CSV: where it has quotes, or
   * what is kept from being a formula, or lacks cells.
   */
  read(start: number): boolean {
    const isPlain = this.#readCells(start);
    // Whoever reads this row instead does not tell of its run: the next one of it is the first that does.
    if (!isPlain) this.#length = 0;
    return isPlain;
  }

  #readCells(start: number): boolean {
    const log = this.#log;
    this.isFirst = !this.#isOfSameRun(start);
    if (this.isFirst && !this.#readRun(start)) return false;
    const slug = start + this.#length;
    const state = nextSign(log, slug);
    if (log[state] !== COMMA) return false;
    const code = nextSign(log, state + 1);
    if (log[code] !== COMMA) return false;
    const duration = nextSign(log, code + 1);
    if (log[duration] !== COMMA) return false;
    const attempts = nextSign(log, duration + 1);
    if (log[attempts] !== COMMA) return false;
    const phases = nextSign(log, attempts + 1);
    if (log[phases] !== COMMA) return false;
    const location = nextSign(log, phases + 1);
    if (log[location] !== COMMA) return false;
    const error = nextSign(log, location + 1);
    if (log[error] !== COMMA) return false;
    let end = nextSign(log, error + 1);
    while (log[end] === COMMA) end = nextSign(log, end + 1);
    if (log[end] !== LINE_END) return false;
    this.end = end;
    this.slug = slug;
    this.slugEnd = state;
    this.state = stateIn(log, state + 1, code);
    this.duration = numberIn(log, duration + 1, attempts);
    this.phases = phases + 1;
    this.phasesEnd = location;
    this.isImported = isCell(log, location + 1, error, UPPTIME_CELL);
    return true;
  }

  /** Rows of a run begin alike, with its time and name. */
  #isOfSameRun(start: number): boolean {
    const [log, view, first, length] = [this.#log, this.#view, this.#first, this.#length];
    if (length === 0 || start + length > log.length) return false;
    let at = 0;
    for (; at + 4 <= length; at += 4) {
      if (view.getInt32(start + at) !== view.getInt32(first + at)) return false;
    }
    for (; at < length; at++) if (log[start + at] !== log[first + at]) return false;
    return true;
  }

  #readRun(start: number): boolean {
    const log = this.#log;
    const time = nextSign(log, start);
    const run = log[time] === COMMA ? nextSign(log, time + 1) : time;
    if (run === time || log[run] !== COMMA) return false;
    this.#first = start;
    this.#length = run + 1 - start;
    this.time = Date.parse(textOf(log, start, time));
    this.run = textOf(log, time + 1, run);
    return true;
  }
}

/** The index of the state in a cell; -1 where it holds none. */
function stateIn(log: Uint8Array, from: number, to: number): number {
  for (let index = 0; index < STATE_CELLS.length; index++) {
    if (isCell(log, from, to, STATE_CELLS[index]!)) return index;
  }
  return -1;
}
