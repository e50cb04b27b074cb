import type { Site } from "../../lib/config/config.ts";
import { appendRows, type CheckRow, checksPath } from "../../lib/history/checks_log.ts";
import { formatIncident, incidentPath } from "../../lib/history/incident.ts";
import {
  type Expected,
  formatMaintenance,
  type Maintenance,
  newMaintenanceId,
} from "../../lib/history/maintenance.ts";
import { formatRunState } from "../../lib/history/run_state.ts";
import { recordPath } from "../../lib/config/record_path.ts";
import { formatRecord } from "../../lib/history/record.ts";
import { GENERATOR } from "../../lib/version.ts";
import fc from "./property.ts";
import { type Random, seededRandom } from "./seeded_random.ts";
import {
  isMaintenance,
  type PlainHistory,
  readChecks,
  readIncident,
  readMaintenance,
} from "./brute_force.ts";
import { MemoryStore } from "./memory_store.ts";
import { resultOf } from "./outcomes.ts";
import { SimulatedHistory } from "./simulated_history.ts";
import { windowsOf } from "./windows.ts";

/** The state of a site for some runs. */
export interface Phase {
  sees: "up" | "down" | "degraded" | "unknown" | "maintenance" | "nothing" | "imported" | "earlier";
  /** Runs five minutes apart; of `earlier`, how many minutes the clock is set back. */
  runs: number;
}

/** The story of a site, with the damages of its files. */
export interface Story {
  /** When the first run starts, in seconds since 1970. */
  start: number;
  /** One list for each site. */
  phases: Phase[][];
  seed: number;
  /** Shares of skipped runs, and of duplicate rows. */
  missing: number;
  twice: number;
  /** If lines are truncated, and if the logs have unknown columns. */
  torn: boolean;
  odd: boolean;
  /** Share of the maintenance whose file is there. */
  filed: number;
  /** Files of maintenance that no run knew of. */
  windows: PlannedLate[];
  /** The last rows are pending. */
  waiting: number;
  /** Seconds from the last run to the moment at which statistics are made. */
  later: number;
}

/** A maintenance window that was written down when it was over. */
export interface PlannedLate {
  /** Its site, and its start after the first run. */
  site: number;
  after: number;
  /** Its planned and its actual length, in seconds; 0 and less if it was cancelled. */
  planned: number;
  took?: number;
  expected: Expected;
}

const INTERVAL = 300;

/** Stories of some sites over a few days. `from` is the earliest start, in seconds since 1970. */
export function stories(from: number, sites: number, days: number): fc.Arbitrary<Story> {
  const phase = (most: number) =>
    fc.record({
      sees: fc.constantFrom<Phase["sees"][]>(
        ...["up", "up", "up", "down", "down", "down", "degraded", "degraded"] as const,
        ...["unknown", "maintenance", "nothing", "imported", "earlier"] as const,
      ),
      runs: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: most })),
    });
  return fc.record({
    start: fc.integer({ min: 0, max: 86_400 }).map((later) => from + later),
    phases: fc.array(fc.array(phase(40 * days), { minLength: 3 * days, maxLength: 8 * days }), {
      minLength: 1,
      maxLength: sites,
    }),
    seed: fc.nat(),
    missing: fc.constantFrom(0, 0.05, 0.3),
    twice: fc.constantFrom(0, 0.05),
    filed: fc.constantFrom(0, 0.5, 1),
    windows: fc.array(
      fc.record({
        site: fc.nat({ max: sites - 1 }),
        after: fc.integer({ min: -3600, max: 86_400 * days }),
        planned: fc.integer({ min: -60, max: 20_000 }),
        took: fc.option(fc.integer({ min: -3600, max: 20_000 }), { nil: undefined }),
        expected: fc.constantFrom<Expected[]>("down", "down", "down", "degraded", "none"),
      }),
      { maxLength: 4 },
    ),
    torn: fc.boolean(),
    odd: fc.boolean(),
    waiting: fc.constantFrom(0, 0, 12, 300),
    later: fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 200_000 })),
  });
}

/** A run as it is going to be written. */
interface WrittenRow {
  row: CheckRow;
  isTwice: boolean;
}

/** Files as the program writes them, and as an independent reader parses them. */
export interface WrittenHistory {
  store: MemoryStore;
  /** By slug. */
  plain: Map<string, PlainHistory>;
  /** Seconds since 1970. */
  now: number;
}

/** Writes a story as runs of the program do, by the program's own rules. */
export async function writeStory(story: Story, sites: readonly Site[]): Promise<WrittenHistory> {
  const random = seededRandom(story.seed);
  const files = new Map<string, string>();
  const writtenRows = story.phases.flatMap((phases, index) =>
    tellSite(phases, { site: sites[index]!, story, random, files })
  ).toSorted((one, other) => one.order - other.order);
  for (const window of story.windows) {
    const { slug } = sites[window.site]!;
    const start = story.start + window.after;
    const end = window.took === undefined ? {} : { end: start + window.took };
    writeMaintenance(
      { start, until: start + window.planned, ...end },
      slug,
      files,
      window.expected,
    );
  }
  const folded = Math.max(0, writtenRows.length - story.waiting);
  const [done, waiting] = [writtenRows.slice(0, folded), writtenRows.slice(folded)];
  writeLogs(done, story, random, files);
  const pending = formatRunState({
    run: "00000000",
    time: instant(story.start),
    // Rows flushed by a run that could not note it are pending and on the branch.
    rows: [...done.slice(-3), ...waiting].map(({ row }) => row),
    outbox: [],
    sites: {},
    failedCanaries: 0,
  });
  const last = Math.max(
    story.start,
    ...writtenRows.map(({ row }) => row.time.epochMilliseconds / 1000),
  );
  const store = await storeOf(files, pending);
  const slugs = story.phases.map((_, index) => sites[index]!.slug);
  return { store, plain: readPlainly(store, slugs), now: last + story.later };
}

/** A store with files and pending rows. */
export async function storeOf(
  files: ReadonlyMap<string, string>,
  pending: ReadonlyMap<string, string> = new Map(),
): Promise<MemoryStore> {
  const store = new MemoryStore();
  await store.publish(() =>
    Promise.resolve({
      run: "00000000",
      time: instant(0),
      files,
      pending,
      message: "Begin",
      author: { name: "Jo", email: "jo@example.com" },
    })
  );
  return store;
}

/** The contents of files, parsed without the program. */
export function readPlainly(
  store: MemoryStore,
  slugs: readonly string[],
): Map<string, PlainHistory> {
  const paths = [...store.files.keys()].sort();
  const texts = (folder: string) =>
    paths.filter((path) => path.startsWith(folder)).map((path) => store.files.get(path)!);
  const logs = [...texts("history/checks/"), store.pending.get("checks.csv") ?? ""];
  const events = texts("history/incidents/");
  const incidents = events.filter((text) => !isMaintenance(text)).map(readIncident);
  const windows = events.filter(isMaintenance).map(readMaintenance);
  return new Map(slugs.map((slug) => {
    const record = store.files.get(`history/${slug}.yml`) ?? "";
    const first = Date.parse(/^startTime: (.*)$/m.exec(record)?.[1] ?? "") / 1000;
    const own = incidents.filter((incident) => incident.slug === slug);
    const maintenance = windows.filter(({ slugs }) => slugs.includes(slug));
    return [slug, { first, checks: readChecks(logs, slug), incidents: own, maintenance }];
  }));
}

function instant(seconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(1000 * seconds);
}

interface Teller {
  site: Site;
  story: Story;
  random: Random;
  files: Map<string, string>;
}

/** Plays the runs of a site, and writes its record and incidents. `order` is the time by a clock that is right. */
function tellSite(
  phases: readonly Phase[],
  { site, story, random, files }: Teller,
): (WrittenRow & { order: number })[] {
  const history = new SimulatedHistory();
  const writtenRows: (WrittenRow & { order: number })[] = [];
  const taken = new Set<number>();
  let [order, back] = [story.start, 0];
  for (const { sees, runs } of phases) {
    if (sees === "earlier") back = 60 * (runs % 90);
    // It starts and ends at any time around the runs that know it.
    const until = order - back + Math.floor(INTERVAL * (runs - 0.8 + 1.4 * random()));
    const fails = sees === "maintenance" && random() < 0.5;
    if (sees === "maintenance" && random() < story.filed) {
      const start = order - back - Math.floor(INTERVAL * (random() - 0.2));
      const ends = random() < 0.3 ? { until: until + 3600, end: until } : { until };
      writeMaintenance({ start, ...ends }, site.slug, files);
    }
    for (let run = 0; run < (sees === "earlier" ? 1 : runs); run++, order += INTERVAL) {
      let seconds = order + Math.floor(100 * random()) - back;
      while (taken.has(seconds)) seconds++;
      if (sees === "nothing" || random() < story.missing) continue;
      taken.add(seconds);
      const time = instant(seconds);
      const id = Math.floor(2 ** 32 * random()).toString(16).padStart(8, "0");
      const base = { time, run: id, slug: site.slug };
      const isTwice = random() < story.twice;
      if (sees === "imported") {
        const isUp = random() < 0.9;
        const ms = isUp ? { ms: 1 + Math.floor(900 * random()) } : {};
        const state = isUp ? "up" as const : "down" as const;
        writtenRows.push({
          row: { ...base, state, code: 200, ...ms, attempts: 1, location: "upptime" },
          isTwice,
          order,
        });
        continue;
      }
      const isGood = sees === "maintenance" || sees === "earlier";
      const seen = fails ? "down" : isGood ? "up" : sees;
      const began = time.add({ seconds: 1 + Math.floor(20 * random()) });
      const confirmed = began.add({ seconds: 31 });
      const responseTime = Math.ceil(2000 * random() ** 3);
      const found = seen === "up" || seen === "degraded" ? { responseTime } : {};
      const look = resultOf(site, seen, { began, confirmed, ...found });
      const windows = sees === "maintenance" ? windowsOf([site.slug], instant(until)) : undefined;
      const { result } = history.add([look], { id, time }, windows)[0]!;
      const { state, code, attempts, error } = result;
      const ms = result.responseTime === undefined ? {} : { ms: result.responseTime };
      writtenRows.push({ row: { ...base, state, code, ...ms, attempts, error }, isTwice, order });
    }
  }
  for (const [id, incident] of history.incidents) {
    files.set(incidentPath(id), formatIncident(incident));
  }
  const first = Math.min(
    ...writtenRows.map(({ row }) => row.time.epochMilliseconds),
    1000 * story.start,
  );
  files.set(
    recordPath(site.slug),
    formatRecord({
      url: site.url,
      status: "up",
      code: 200,
      responseTime: 1,
      lastUpdated: instant(order),
      startTime: Temporal.Instant.fromEpochMilliseconds(first),
      generator: GENERATOR,
      degraded: false,
      since: instant(story.start),
    }),
  );
  return writtenRows;
}

/** Writes the file of a maintenance window; times are seconds since 1970. */
function writeMaintenance(
  { start, until, end }: { start: number; until: number; end?: number },
  slug: string,
  files: Map<string, string>,
  expected: Expected = "down",
): void {
  const maintenance: Maintenance = {
    kind: "maintenance",
    source: "hand",
    name: "Move",
    start: instant(start),
    until: instant(until),
    ...end === undefined ? {} : { end: instant(end) },
    sites: new Map([[slug, expected]]),
    text: "",
    updates: [],
  };
  const ids = [...files.keys()].map((path) => path.split(/[/.]/).at(-2)!);
  const id = newMaintenanceId(maintenance, new Set(ids));
  files.set(incidentPath(id), formatMaintenance(maintenance));
}

/** Appends rows to their logs, some of them twice, and cuts lines off. */
function writeLogs(
  writtenRows: readonly WrittenRow[],
  { torn, odd }: Story,
  random: Random,
  files: Map<string, string>,
): void {
  for (const { row, isTwice } of writtenRows) {
    const path = checksPath(row.time);
    const before = files.get(path);
    const text = appendRows(before, [row]);
    const last = text.slice(text.lastIndexOf("\n", text.length - 2) + 1);
    const cut = torn && random() < 0.02 ? `${last.slice(0, 20 + Math.floor(12 * random()))}\n` : "";
    files.set(path, `${text}${cut}${isTwice ? last : ""}`);
  }
  for (const [path, text] of files) {
    if (!path.startsWith("history/checks/")) continue;
    let whole = text;
    if (odd) {
      const [header, ...lines] = whole.trimEnd().split("\n");
      whole = [`odd,${header}`, ...lines.map((line) => `x,${line}`), ""].join("\n");
    }
    files.set(path, torn ? whole.slice(0, -1 - Math.floor(8 * random())) : whole);
  }
}
