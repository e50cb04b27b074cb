import { STATES } from "../state.ts";
import type { Checks } from "../statistics/site_history.ts";
import { type CheckRow, parseRows } from "./checks_log.ts";

/** The cells that statistics are made of. */
const CELLS = ["time", "run", "slug", "state", "ms", "location"] as const;

/** Stands in `location` of checks that Upptime made. */
const UPPTIME = "upptime";

/** The checks of a site that was never checked. */
export const NO_CHECKS: Checks = {
  length: 0,
  times: new Float64Array(),
  states: new Uint8Array(),
  durations: new Float64Array(),
  imported: new Uint8Array(),
};

/** Checks of one site while they are gathered. */
interface Column {
  times: number[];
  states: number[];
  durations: number[];
  imported: number[];
  runs: Set<number>;
}

/**
 * Gathers the checks of sites from logs. It reads what `parseRows` reads, ten times as fast: a month of
 * many sites is half a million rows.
 */
export class CheckColumns {
  readonly #columns = new Map<string, Column>();
  readonly #runs = new Map<string, number>();

  /** Adds the rows of a log. */
  addLog(text: string): void {
    const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
    const header = lines[0] ?? "";
    const columns = header.split(",").map((name) => name.trimEnd());
    const [time, run, slug, state, ms, location] = CELLS.map((name) => columns.indexOf(name));
    const quoted: string[] = [];
    let known = { run: "", number: -1, time: "", moment: NaN };
    for (let index = 1; index < lines.length; index++) {
      const line = lines[index]!;
      // Quotes, and what is kept from being a formula, are left to who knows them.
      if (line.includes('"') || line.includes("'")) {
        quoted.push(line);
        continue;
      }
      const cells = line.split(",");
      if (cells[run!] !== known.run || cells[time!] !== known.time) {
        const [name, moment] = [cells[run!] ?? "", cells[time!] ?? ""];
        known = { run: name, number: this.#runOf(name), time: moment, moment: Date.parse(moment) };
      }
      const seen = STATES.indexOf(cells[state!] as typeof STATES[number]);
      const site = cells[slug!] ?? "";
      if (seen === -1 || Number.isNaN(known.moment) || site === "") continue;
      const duration = cells[ms!];
      add(this.#columnOf(site), {
        run: known.number,
        time: known.moment,
        state: seen,
        duration: duration === undefined || duration === "" ? NaN : Number(duration),
        isImported: cells[location!]?.trimEnd() === UPPTIME,
      });
    }
    if (quoted.length > 0) this.addRows(parseRows([header, ...quoted, ""].join("\n")));
  }

  /** Adds rows that are in no log yet. */
  addRows(rows: readonly CheckRow[]): void {
    for (const { slug, run, time, state, ms = NaN, location } of rows) {
      add(this.#columnOf(slug), {
        run: this.#runOf(run),
        time: time.epochMilliseconds,
        state: STATES.indexOf(state),
        duration: ms,
        isImported: location === UPPTIME,
      });
    }
  }

  /** What was gathered, by site. */
  gathered(): Map<string, Checks> {
    return new Map([...this.#columns].map(([slug, column]) => [slug, byTime(column)]));
  }

  #columnOf(slug: string): Column {
    const known = this.#columns.get(slug);
    if (known !== undefined) return known;
    const column = { times: [], states: [], durations: [], imported: [], runs: new Set<number>() };
    this.#columns.set(slug, column);
    return column;
  }

  #runOf(name: string): number {
    const known = this.#runs.get(name) ?? this.#runs.size;
    if (known === this.#runs.size) this.#runs.set(name, known);
    return known;
  }
}

function add(
  column: Column,
  { run, time, state, duration, isImported }: {
    run: number;
    time: number;
    state: number;
    duration: number;
    isImported: boolean;
  },
): void {
  if (column.runs.has(run)) return;
  column.runs.add(run);
  column.times.push(time);
  column.states.push(state);
  column.durations.push(duration);
  column.imported.push(isImported ? 1 : 0);
}

/** Clocks are set back, and runs overtake each other: rows don't always stand in their order. */
function byTime({ times, states, durations, imported }: Column): Checks {
  const columns = {
    length: times.length,
    times: Float64Array.from(times),
    states: Uint8Array.from(states),
    durations: Float64Array.from(durations),
    imported: Uint8Array.from(imported),
  };
  if (times.every((time, index) => index === 0 || times[index - 1]! <= time)) return columns;
  const order = times.map((_, index) => index).sort((a, b) => times[a]! - times[b]!);
  return {
    length: times.length,
    times: Float64Array.from(order, (index) => times[index]!),
    states: Uint8Array.from(order, (index) => states[index]!),
    durations: Float64Array.from(order, (index) => durations[index]!),
    imported: Uint8Array.from(order, (index) => imported[index]!),
  };
}
