import { STATES } from "../../state.ts";
import {
  COMMA,
  isCell,
  isDigit,
  LINE_END,
  nextSign,
  numberIn,
  SLASH,
  textOf,
  ZERO,
} from "./log_bytes.ts";

const encoder = new TextEncoder();
const STATE_CELLS = STATES.map((state) => encoder.encode(state));

/** Stands in `location` of checks that Upptime made. */
export const UPPTIME = "upptime";
const UPPTIME_CELL = encoder.encode(UPPTIME);

/** How a row of a site began: the next of it mostly begins alike. */
export interface Beginning {
  /** Where its slug stands. */
  slug: number;
  /** Bytes from there up to its duration. */
  length: number;
  /** Index into `STATES`. */
  state: number;
}

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
  /** Where the slug begins. */
  slug = 0;
  /** Where it ends, and where the duration begins, as {@linkcode read} has found them. */
  slugEnd = 0;
  durationStart = 0;
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
   * Begins a line: reads its run, and finds its slug; `false` where that takes a reader of CSV. The rest is read
   * only after a `true`.
   */
  readRun(start: number): boolean {
    this.isFirst = !this.#isAlike(start, this.#first, this.#length);
    if (this.isFirst && !this.#readRun(start)) {
      this.#length = 0;
      return false;
    }
    this.slug = start + this.#length;
    return true;
  }

  /**
   * Reads the rest of the line; `false` where that takes a reader of CSV, because it has quotes, or what is
   * kept from being a formula, or lacks cells.
   */
  read(): boolean {
    const isPlain = this.#readCells();
    // Whoever reads this row instead does not tell of its run: the next one of it is the first that does.
    if (!isPlain) this.#length = 0;
    return isPlain;
  }

  /**
   * Reads the rest of a line that begins like one before it, and ends as nearly all do: with whole milliseconds, and
   * neither location nor error. No cell of it has to be looked for. `false` where it is another; then it still has
   * to be read.
   */
  readLike({ slug, length, state }: Beginning): boolean {
    if (!this.#isAlike(this.slug, slug, length)) return false;
    const log = this.#log;
    const start = this.slug + length;
    let at = start;
    let duration = 0;
    for (; isDigit(log[at]!); at++) duration = duration * 10 + (log[at]! - ZERO);
    if (at === start || log[at++] !== COMMA) return false;
    while (isDigit(log[at]!)) at++;
    if (log[at++] !== COMMA) return false;
    const phases = at;
    while (isDigit(log[at]!) || log[at] === SLASH) at++;
    if (log[at] !== COMMA || log[at + 1] !== COMMA || log[at + 2] !== LINE_END) return false;
    this.end = at + 2;
    this.state = state;
    this.duration = duration;
    this.phases = phases;
    this.phasesEnd = at;
    this.isImported = false;
    return true;
  }

  #readCells(): boolean {
    const log = this.#log;
    const state = nextSign(log, this.slug);
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
    this.slugEnd = state;
    this.durationStart = duration + 1;
    this.state = stateIn(log, state + 1, code);
    this.duration = numberIn(log, duration + 1, attempts);
    this.phases = phases + 1;
    this.phasesEnd = location;
    this.isImported = isCell(log, location + 1, error, UPPTIME_CELL);
    return true;
  }

  /** Whether so many bytes from one place on are those from another on; `false` where there are none. */
  #isAlike(one: number, other: number, length: number): boolean {
    const log = this.#log;
    const view = this.#view;
    if (length === 0 || one + length > log.length) return false;
    let at = 0;
    for (; at + 4 <= length; at += 4) {
      if (view.getInt32(one + at, true) !== view.getInt32(other + at, true)) return false;
    }
    for (; at < length; at++) if (log[one + at] !== log[other + at]) return false;
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
