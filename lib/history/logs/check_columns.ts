import { isSuccess, STATES, SUCCESSFUL } from "../../state.ts";
import { PHASE_NAMES, type PhasedChecks } from "../phases.ts";
import type { Checks } from "../site_history.ts";
import { CheckColumn, type Moment } from "./check_column.ts";
import { type CheckRow, isHeader, parseRows } from "../checks_log.ts";
import { isCell, LINE_END, numbersIn, textOf } from "./log_bytes.ts";
import { PhaseColumn } from "./phase_column.ts";
import { type Beginning, PlainRow, UPPTIME } from "./plain_row.ts";

/** The columns of our logs; others may follow. */
const HEADER = /^time,run,slug,state,code,ms,attempts,phases,location,error(?:,|\r?$)/;

const INDEX_OF_STATE: ReadonlyMap<string, number> = new Map(
  STATES.map((state, index) => [state, index]),
);

const encoder = new TextEncoder();

/** Checks of a site that room is made for before they are there: about those of half a year, one each minute. */
const MOST_GUESSED = 2 ** 18;

/** The checks of a site that was never checked. */
export const NO_CHECKS: Checks = {
  length: 0,
  times: new Float64Array(),
  states: new Uint8Array(),
  durations: new Float64Array(),
  imported: new Uint8Array(),
};

/** What is gathered of a site. */
interface SiteColumns {
  checks: CheckColumn;
  phases: PhaseColumn;
}

/** A site of a run, and how its row began. */
interface Place extends Beginning {
  cell: Uint8Array;
  columns: SiteColumns;
}

/**
 * Gathers the checks of sites from logs. It reads what `parseRows` reads, a hundred times as fast: a month
 * of many sites is millions of rows.
 */
export class CheckColumns {
  readonly #sites = new Map<string, SiteColumns>();
  readonly #runs = new Map<string, number>();
  /** What one row tells; the next overwrites it. */
  readonly #phases: number[] = PHASE_NAMES.map(() => 0);

  /** Adds the rows of a log, given as UTF-8, and returns how many it has. */
  addLog(log: Uint8Array): number {
    const whole = log.subarray(0, log.lastIndexOf(LINE_END) + 1);
    const headerEnd = Math.max(0, whole.indexOf(LINE_END));
    const header = textOf(whole, 0, headerEnd);
    if (!HEADER.test(header)) return this.addRows(parseRows(textOf(log, 0, log.length)));
    let rows = 0;
    let moment: Moment = { time: NaN, run: -1 };
    // The sites of a run have the order of the run before.
    const places: Place[] = [];
    let next = 0;
    const row = new PlainRow(whole);
    for (let start = headerEnd + 1; start < whole.length; start = row.end + 1) {
      const hasRun = row.readRun(start);
      if (row.isFirst) next = 0;
      let place = places[next];
      const isLike = hasRun && place !== undefined && row.readLike(place);
      if (!hasRun || !(isLike || row.read())) {
        row.end = whole.indexOf(LINE_END, start);
        const line = textOf(whole, start, row.end);
        // A merge can leave a second header, whose columns count from there on.
        if (isHeader(line.trimEnd().split(","))) {
          return rows + this.addRows(parseRows(textOf(whole, start, whole.length)));
        }
        rows += this.addRows(parseRows(`${header}\n${line}\n`));
        continue;
      }
      if (row.isFirst) moment = { time: row.time, run: this.#runOf(row.run) };
      if (!isLike) {
        if (row.slug === row.slugEnd) continue;
        place = places[next] = this.#placeOf(whole, row, place);
      }
      next++;
      if (row.state === -1 || Number.isNaN(row.time)) continue;
      const { checks, phases } = place!.columns;
      checks.add(moment, row.state, row.duration, row.isImported);
      if (
        row.phases < row.phasesEnd && SUCCESSFUL[row.state] &&
        numbersIn(whole, row.phases, row.phasesEnd, this.#phases)
      ) phases.add(moment, this.#phases);
      rows++;
    }
    return rows;
  }

  /** Adds rows that are in no log yet, and returns how many they are. */
  addRows(rows: readonly CheckRow[]): number {
    for (const { slug, run: name, time, state, ms = NaN, location, phases = "" } of rows) {
      const moment = { time: time.epochMilliseconds, run: this.#runOf(name) };
      const columns = this.#columnsOf(slug);
      columns.checks.add(moment, INDEX_OF_STATE.get(state)!, ms, location === UPPTIME);
      const cell = encoder.encode(phases);
      if (isSuccess(state) && numbersIn(cell, 0, cell.length, this.#phases)) {
        columns.phases.add(moment, this.#phases);
      }
    }
    return rows.length;
  }

  /** Makes room for so many times as many checks as were gathered: a guess, which no log makes too large. */
  reserve(factor: number): void {
    for (const { checks } of this.#sites.values()) {
      checks.reserve(Math.min(MOST_GUESSED, Math.ceil(factor * checks.length)));
    }
  }

  /** What was gathered, by site. */
  gathered(): Map<string, Checks> {
    const columns = [...this.#sites].filter(([, { checks }]) => checks.length > 0);
    return new Map(columns.map(([slug, { checks }]) => [slug, checks.checks()]));
  }

  /** The phases that were gathered, by site. */
  phases(): Map<string, PhasedChecks> {
    return new Map([...this.#sites].map(([slug, { phases }]) => [slug, phases]));
  }

  /** The place of the site of a row, which mostly is the one of the run before. */
  #placeOf(log: Uint8Array, row: PlainRow, before: Place | undefined): Place {
    const { slug, slugEnd, state } = row;
    const length = row.durationStart - slug;
    if (before !== undefined && isCell(log, slug, slugEnd, before.cell)) {
      return Object.assign(before, { slug, length, state });
    }
    const columns = this.#columnsOf(textOf(log, slug, slugEnd));
    return { slug, length, state, cell: log.slice(slug, slugEnd), columns };
  }

  #columnsOf(slug: string): SiteColumns {
    const known = this.#sites.get(slug);
    if (known !== undefined) return known;
    const columns = { checks: new CheckColumn(), phases: new PhaseColumn() };
    this.#sites.set(slug, columns);
    return columns;
  }

  #runOf(name: string): number {
    const known = this.#runs.get(name) ?? this.#runs.size;
    if (known === this.#runs.size) this.#runs.set(name, known);
    return known;
  }
}
