/**
 * The statistics once more, from their definition alone: second by second, without any module of the
 * program, and without a thought for speed. All times are whole seconds since 1970.
 */

/** A check as a person reads it in the log. */
interface PlainCheck {
  time: number;
  state: string;
  /** Milliseconds. */
  ms?: number;
  imported: boolean;
}

/** A time span, `to` excluded; `Infinity` while it is ongoing. */
export interface Piece {
  from: number;
  to: number;
}

/** An incident as a person reads it in its file. */
interface PlainIncident {
  kind: string;
  pieces: Piece[];
  changes: { at: number; state: string }[];
}

/** The stored data of one site. */
export interface PlainHistory {
  first: number;
  checks: PlainCheck[];
  incidents: PlainIncident[];
  /** The windows of maintenance in which it was expected to be down. */
  maintenance: Piece[];
}

/** Parameters of the definition; all but `apdex` (milliseconds) and `slo` (percent) in seconds. */
interface PlainOptions {
  maxGap: number;
  now: number;
  apdex: number;
  slo?: number;
}

const IMPORTED_GAP = 26 * 3600;

function secondsOf(text: string): number {
  const seconds = Date.parse(text) / 1000;
  if (!Number.isInteger(seconds)) throw new Error(`no whole second: ${text}`);
  return seconds;
}

/** Reads the checks of a site from logs: plain lines, a cell never holds a comma before the last. */
export function readChecks(logs: readonly string[], slug: string): PlainCheck[] {
  const checks = new Map<string, PlainCheck>();
  for (const log of logs) {
    const [header = "", ...lines] = log.split("\n").slice(0, -1);
    const names = header.split(",");
    for (const line of lines) {
      const cells = line.split(",");
      const cell = (name: string) => cells[names.indexOf(name)] ?? "";
      if (cell("slug") !== slug || !STATES.includes(cell("state"))) continue;
      const key = cell("run");
      if (checks.has(key)) continue;
      checks.set(key, {
        time: secondsOf(cell("time")),
        state: cell("state"),
        ms: cell("ms") === "" ? undefined : Number(cell("ms")),
        imported: cell("location") === "upptime",
      });
    }
  }
  return [...checks.values()];
}

const STATES = ["up", "degraded", "down", "maintenance", "unknown"];

/** The value behind a key at the start of a line. */
function valueOf(text: string, key: string): string | undefined {
  return new RegExp(`^${key}: '?(.*?)'?$`, "m").exec(text)?.[1];
}

/** True if a file in the folder of incidents is a maintenance window. */
export function isMaintenance(text: string): boolean {
  return valueOf(text, "kind") === "maintenance";
}

/** Reads the file of a maintenance window: its time, and the sites expected to be down. */
export function readMaintenance(text: string): Piece & { slugs: string[] } {
  const until = valueOf(text, "end") ?? valueOf(text, "until");
  const sites = /^sites:\n((?: +.*\n)*)/m.exec(text)?.[1] ?? "";
  const slugs = [...sites.matchAll(/^ +(\S+): down$/gm)].map(([, slug]) => slug!);
  return { from: secondsOf(valueOf(text, "start")!), to: secondsOf(until!), slugs };
}

/** Reads the file of an incident: a key on each line, times of a list on lines of their own. */
export function readIncident(text: string): PlainIncident & { slug: string } {
  const value = (key: string) => valueOf(text, key);
  const block = (key: string) => new RegExp(`^${key}:\n((?: +.*\n)*)`, "m").exec(text)?.[1] ?? "";
  const times = (key: string) =>
    [...block(key).matchAll(/^ +- (\S+)$/gm)].map(([, at]) => secondsOf(at!));
  const starts = [secondsOf(value("start")!), ...times("reopened")];
  const end = value("end");
  const ends = [...times("ended"), end === undefined ? Infinity : secondsOf(end)];
  const changes = [...block("changes").matchAll(/at: (\S+)\n +state: (\w+)/g)]
    .map(([, at, state]) => ({ at: secondsOf(at!), state: state! }));
  // After a clock was set back, an end before its start counts as the start.
  for (let index = 1; index < changes.length; index++) {
    changes[index]!.at = Math.max(changes[index]!.at, changes[index - 1]!.at);
  }
  const pieces: Piece[] = [];
  let last = -Infinity;
  for (const [index, start] of starts.entries()) {
    const from = last = Math.max(last, start);
    const to = last = Math.max(last, ends[index]!);
    pieces.push({ from, to });
  }
  return { slug: value("slug")!, kind: value("kind")!, pieces, changes };
}

/** The smallest value that at least so many percent of all do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  return values.toSorted((one, other) => one - other)
    .find((_, index) => (index + 1) * 100 >= percent * values.length)!;
}

/** How an incident was at a moment, by its file. */
function stateAt({ kind, changes }: PlainIncident, second: number): string {
  if (changes.length === 0) return kind;
  let state = changes[0]!.state === "down" ? "degraded" : "down";
  for (const change of changes) if (change.at <= second) state = change.state;
  return state;
}

/** The time spans in which an incident says that the site was down. */
function downPieces(incident: PlainIncident): Piece[] {
  if (incident.kind !== "down") return [];
  const down: Piece[] = [];
  for (const { from, to } of incident.pieces) {
    const cuts = incident.changes.map(({ at }) => at).filter((at) => at > from && at < to);
    let last: Piece | undefined;
    for (const [index, start] of [from, ...cuts].entries()) {
      const end = cuts[index] ?? to;
      if (stateAt(incident, start) !== "down") last = undefined;
      else if (last !== undefined) last.to = end;
      else down.push(last = { from: start, to: end });
    }
  }
  return down;
}

/** The spans, those that overlap made one. */
function joined(spans: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const overlapping = all.find(({ from, to }) => from <= span.from && span.from < to);
    if (overlapping === undefined) all.push({ ...span });
    else overlapping.to = Math.max(overlapping.to, span.to);
  }
  return all;
}

/** True if two spans overlap; an empty one, from a clock set back, overlaps if it lies inside the other. */
function meets(one: Piece, other: Piece): boolean {
  return one.from < other.to && other.from < one.to;
}

/** True if a moment is in a maintenance window. */
function isIn(windows: readonly Piece[], moment: number): boolean {
  return windows.some(({ from, to }) => from <= moment && moment < to);
}

/** The state that a check counts as: in a window it is maintenance, unless the check has no result. */
function stateOf({ time, state }: PlainCheck, windows: readonly Piece[]): string {
  return state !== "unknown" && isIn(windows, time) ? "maintenance" : state;
}

/** The state of a second, and the check that it comes from. */
function everySecond(
  { checks, incidents, maintenance }: PlainHistory,
  { maxGap, now }: PlainOptions,
  window: Piece,
  tell: (second: number, state: string) => void,
  step = 1,
): void {
  const sorted = checks.filter(({ time }) => time <= now)
    .map((check) => ({ ...check, state: stateOf(check, maintenance) }))
    .toSorted((one, other) => one.time - other.time);
  const speaks = sorted.map(({ time, imported }, index): Piece => ({
    from: time,
    to: Math.min(sorted[index + 1]?.time ?? Infinity, time + (imported ? IMPORTED_GAP : maxGap)),
  }));
  const pieces = incidents.flatMap(downPieces);
  // -1 is before all rows: without a first failing row, no good row is part of the outage.
  const firstDown = pieces.map((piece) =>
    sorted.findIndex(({ state }, at) => state === "down" && meets(speaks[at]!, piece))
  );
  const isLost = sorted.map((_, index) => !pieces.some((piece) => meets(piece, speaks[index]!)));
  // The run of a failing check starts before its first attempt: that time counts only if an earlier check covers it.
  const isFirstSight = sorted.map(({ state, time }, index) =>
    state === "down" && !isLost[index] &&
    !sorted.some((one, at) => at < index && one.state !== "unknown" && speaks[at]!.to === time)
  );
  let index = -1;
  const start = Math.max(window.from, sorted[0]?.time ?? Infinity);
  for (let second = start; second < window.to; second += step) {
    while (index + 1 < sorted.length && sorted[index + 1]!.time <= second) index++;
    const check = sorted[index];
    if (check === undefined || second >= Math.min(now, speaks[index]!.to)) continue;
    const { state, time } = check;
    // Only a recorded window ends maintenance before the next check.
    const isOpen = state === "maintenance" && !isIn(maintenance, time);
    const isDown = state === "down" && isLost[index] ||
      pieces.some((piece, at) =>
        piece.from <= second && second < piece.to && state !== "degraded" &&
        (!isOpen || piece.from >= time) &&
        (state !== "up" || index < firstDown[at]! ||
          (speaks[index]!.from <= piece.to && piece.to < speaks[index]!.to))
      );
    if (state === "unknown") continue;
    const isBefore = isFirstSight[index] &&
      !pieces.some(({ from, to }) => to > time && from <= second);
    if (isBefore) continue;
    if (isIn(maintenance, second)) tell(second, "maintenance");
    else if (state === "degraded") tell(second, state);
    else if (isDown) tell(second, "down");
    else tell(second, isOpen ? "maintenance" : "up");
  }
}

/** The statistics of a window, counted by steps of so many seconds; all times lie on them. */
export function bruteForce(history: PlainHistory, window: Piece, options: PlainOptions, step = 1) {
  const time: Record<string, number> = { up: 0, degraded: 0, down: 0, maintenance: 0 };
  everySecond(history, options, window, (_, state) => time[state]! += step, step);
  const { up, degraded, down, maintenance } = time as Record<
    "up" | "degraded" | "down" | "maintenance",
    number
  >;
  const observed = up + degraded + down + maintenance;
  const counted = observed - maintenance;
  const known = window.to - Math.max(window.from, history.first);

  const isWithin = (moment: number) => window.from <= moment && moment < window.to;
  const checks = history.checks.filter((check) =>
    isWithin(check.time) && check.time <= options.now && check.state !== "unknown"
  ).map((check) => ({ ...check, state: stateOf(check, history.maintenance) }));
  const good = checks.filter(({ state }) => state === "up" || state === "degraded");
  const failed = checks.filter(({ state }) => state === "down");
  const ms = good.flatMap((check) => check.ms ?? []);
  const satisfied = ms.filter((one) => one <= options.apdex).length;
  const tolerated = ms.filter((one) => one > options.apdex && one <= 4 * options.apdex).length;
  const judged = ms.length + failed.length;

  const isMet = (piece: Piece) => meets(piece, window);
  const opened = history.incidents.filter(({ pieces }) => pieces.some(isMet));
  const degradations = history.incidents.filter(({ kind, pieces }) =>
    kind === "degraded" && pieces.some(isMet)
  );
  const pieces = joined(history.incidents.flatMap(downPieces));
  const clipped = pieces.map(({ from, to }) =>
    Math.min(to, window.to, options.now) - Math.max(from, window.from)
  );
  const ended = pieces.filter(({ to }) => isWithin(to)).map(({ from, to }) => to - from);
  const begun = pieces.filter(({ from }) => isWithin(from)).length;

  const target = (options.slo ?? NaN) / 100;
  const budget = (1 - target) * counted;
  // Of 24 hours, half are enough.
  const least = window.to - window.from <= 86_400 ? 43_200 : 86_400;
  const hasBudget = known >= 86_400 && counted >= least;
  return {
    observed,
    maintenance,
    down,
    degraded,
    coverage: known > 0 ? observed / known : undefined,
    uptime: counted > 0 ? 1 - down / counted : undefined,
    checks: checks.length,
    responseTimes: ms.length === 0 ? undefined : {
      count: ms.length,
      mean: ms.reduce((sum, one) => sum + one, 0) / ms.length,
      min: Math.min(...ms),
      max: Math.max(...ms),
      p50: percentile(ms, 50),
      p95: percentile(ms, 95),
      p99: percentile(ms, 99),
    },
    apdex: judged === 0 ? undefined : (satisfied + tolerated / 2) / judged,
    outages: pieces.filter(isMet).length,
    incidents: opened.length,
    degradations: degradations.length,
    longestOutage: Math.min(down, Math.max(0, ...clipped)),
    mttr: ended.length === 0 ? undefined : ended.reduce((sum, one) => sum + one, 0) / ended.length,
    mtbf: begun === 0 ? undefined : (counted - down) / begun,
    objective: options.slo === undefined ? undefined : {
      target,
      isMet: counted > 0 ? 1 - down / counted >= target : undefined,
      ...hasBudget ? { budget, left: budget - down } : {},
    },
  };
}
