import type { Config } from "../../lib/config/config.ts";
import { toBucket } from "../../lib/config/layout.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import { badgePath } from "../../lib/history/api_path.ts";
import { type CheckRow, splitRuns } from "../../lib/history/checks_log.ts";
import { type DayTotals, formatDays, splitDay } from "../../lib/history/daily_log.ts";
import { Histogram } from "../../lib/history/histogram.ts";
import {
  formatIncident,
  type Incident,
  incidentPath,
  newIncidentId,
  UNCHANGED,
} from "../../lib/history/incident.ts";
import { partPath } from "../../lib/history/known_logs.ts";
import {
  formatRecord,
  type HistoryRecord,
  recordPath,
  toCondition,
} from "../../lib/history/record.ts";
import type { SiteHistory } from "../../lib/history/site_history.ts";
import type { Condition } from "../../lib/state.ts";
import { apiFiles } from "../../lib/statistics/api/api_files.ts";
import { statusBadge } from "../../lib/statistics/api/badge.ts";
import { computeReport } from "../../lib/statistics/report/report_of.ts";
import {
  computeSummary,
  NO_STATISTICS,
  summaryCurrent,
  type SummaryEntry,
  summarySite,
} from "../../lib/statistics/summary.ts";
import { formatSummaryFiles } from "../../lib/statistics/summary_files.ts";
import { floorToDay, formatTime, MINUTE } from "../../lib/time.ts";
import { GENERATOR } from "../../lib/version.ts";
import { renderBadge } from "../../templates/graph/badge.ts";
import { normal, type Random, seededRandom } from "../helpers/seeded_random.ts";
import { type CommitStream, openCommitStream } from "./commit_stream.ts";

/** The size of a history until `end`. */
export interface ManySitesSize {
  sites: number;
  days: number;
  /** From a run to the next, a divisor of 60. */
  minutes: number;
  /** Hours from a commit of all records to the next, a divisor of 24. */
  hours: number;
  /** Days from a commit of statistics to the next. */
  statistics: number;
  end: Temporal.Instant;
}

/** Numbers of a history that was written. */
export interface ManySites {
  commits: number;
  incidents: number;
  checks: number;
}

/** Chance that trouble starts with a check: five outages and ten slow spells of a site in a year of checks every five minutes. */
const TROUBLE = 15 / 105_120;
const OUTAGES = 1 / 3;
const ERRORS: readonly [code: number, error: string][] = [
  [0, "no answer within 30000 ms"],
  [0, "connection refused (203.0.113.7:443)"],
  [503, "expected status 200-399, found 503 Service Unavailable"],
];
const AUTHOR = { name: "Jo", email: "jo@example.com" };

/**
 * Writes the branch of a repository of many sites as its runs would: logs, records and the summary in one commit
 * every `hours`, the sites that change in a run in one of its own, and the statistics in one a day. The formats are those of the
 * program, but rows are written without its pipeline, which would take hours.
 */
export async function writeManySites(
  folder: string,
  { sites, days, minutes, hours, statistics, end }: ManySitesSize,
  progress: (text: string) => void,
): Promise<ManySites> {
  const stream = await openCommitStream(folder);
  const text = JSON.stringify({
    workflowSchedule: { uptime: `*/${minutes} * * * *` },
    // It has to cover the present until everything is measured.
    history: { maxGap: "1d" },
    sites: Array.from({ length: sites }, (_, index) => ({
      name: `Service number ${index + 1}`,
      url: `https://site-${index + 1}.example.com/health`,
      group: `Group ${index % 40}`,
    })),
  });
  const history = new WrittenHistory((await parseConfig(text)).config!, stream);
  const start = end.subtract({ hours: 24 * days });
  await history.commit(new Map([[".monitorrc.yml", text]]), start, "Begin");
  const runs = days * 24 * 60 / minutes;
  for (let index = 0; index <= runs; index++) {
    const late = index === runs ? 0 : Math.floor(MINUTE * history.random());
    await history.check(start.add({ minutes: minutes * index, milliseconds: late }));
    if (index === runs || (index + 1) * minutes % (60 * hours) === 0) {
      await history.flush();
      if (await history.recordDay(statistics)) progress(`the history until ${history.time}`);
    }
  }
  await stream.end();
  return history;
}

/** A site, its present trouble, and all that its statistics are made from. */
interface Subject extends SiteHistory {
  url: string;
  bucket: string;
  /** Its record as it was last committed, and that text. */
  committed?: { record: HistoryRecord; text: string };
  /** Median response time in milliseconds, and how far logarithms lie off its own. */
  base: number;
  noise: number;
  record?: HistoryRecord;
  /** Absent while it is up; `left` is the number of further checks that see it. */
  trouble?: { id: string; incident: Incident; left: number };
  today: { ms: number[]; states: Condition[] };
  days: DayTotals[];
  incidents: Map<string, Incident>;
}

class WrittenHistory implements ManySites {
  commits = 0;
  incidents = 0;
  checks = 0;
  time = Temporal.Instant.fromEpochMilliseconds(0);
  readonly random: Random;
  readonly #config: Config;
  readonly #stream: CommitStream;
  readonly #subjects: readonly Subject[];
  readonly #ids = new Set<string>();
  readonly #entries = new Map<string, SummaryEntry>();
  /** Files of the last statistics, by path. */
  #api: ReadonlyMap<string, string> = new Map();
  #logs = new Map<string, string>();
  /** A day that is over and in no statistics yet. */
  #over?: number;

  constructor(config: Config, stream: CommitStream) {
    this.#config = config;
    this.#stream = stream;
    const random = seededRandom(config.sites.length);
    this.random = random;
    this.#subjects = config.sites.map(({ slug, url }) => ({
      ...{
        slug,
        url: url!,
        bucket: toBucket(slug),
        checks: [],
        days: [],
        incidents: new Map(),
        maintenance: [],
      },
      base: Math.exp(normal(random, Math.log(150), 0.7)),
      noise: 0.08 + 0.25 * random(),
      today: { ms: [], states: [] },
    }));
  }

  async commit(
    files: ReadonlyMap<string, string | null>,
    time: Temporal.Instant,
    message: string,
  ): Promise<void> {
    await this.#stream.write({ run: "", time, files, message, author: AUTHOR });
    this.commits++;
  }

  /** Checks every site once, and commits those that change. */
  async check(time: Temporal.Instant): Promise<void> {
    const day = floorToDay(this.time.epochMilliseconds);
    if (this.checks > 0 && floorToDay(time.epochMilliseconds) !== day) this.#endDay(day);
    this.time = time;
    const run = Math.floor(2 ** 32 * this.random()).toString(16).padStart(8, "0");
    const isFirst = this.#logs.size === 0;
    const start = `${formatTime(time)},${run},`;
    const changed: Subject[] = [];
    const files = new Map<string, string | null>();
    let log = LOG_HEADER;
    for (const subject of this.#subjects) {
      const { slug, trouble } = subject;
      this.#advance(subject, files);
      const isChanged = subject.trouble !== trouble;
      if (isChanged) changed.push(subject);
      const { kind = "up", code = 200, error = "" } = subject.trouble?.incident ?? {};
      const ms = kind === "down" ? 0 : this.#responseTime(subject);
      const phases = ms > 0 && (isFirst || kind !== "up") ? formatPhases(ms) : "";
      log += `${start}${slug},${kind},${code},${ms || ""},1,${phases},,${error}\n`;
      subject.today.states.push(kind);
      if (ms > 0) subject.today.ms.push(ms);
      subject.record = {
        ...{ url: subject.url, status: kind === "down" ? "down" : "up", code, responseTime: ms },
        ...{ lastUpdated: time, startTime: subject.record?.startTime ?? time },
        ...{ generator: GENERATOR, degraded: kind === "degraded" },
        since: isChanged ? time : subject.record?.since ?? time,
        ...subject.trouble && { incident: subject.trouble.id },
      };
    }
    this.checks += this.#subjects.length;
    this.#logs.set(partPath({ id: run, time }, 1), log);
    if (changed.length === 0) return;
    for (const { slug, record } of changed) {
      files.set(recordPath(slug, "nested"), formatRecord(record!));
      files.set(
        badgePath(slug, "status", "all", "nested"),
        renderBadge(statusBadge(toCondition(record!))),
      );
    }
    for (const [path, text] of this.#summaryFiles(changed)) files.set(path, text);
    await this.commit(files, time, "🟥 A site is down [skip ci]");
  }

  /** Ends or starts the trouble of a site, and adds the file of the incident. */
  #advance(subject: Subject, files: Map<string, string | null>): void {
    const { slug, trouble } = subject;
    let { incident, id = "" }: { incident?: Incident; id?: string } = trouble ?? {};
    if (trouble !== undefined && incident !== undefined) {
      if (--trouble.left > 0) return;
      incident = { ...incident, end: this.time };
      subject.trouble = undefined;
    } else if (this.random() < TROUBLE) {
      id = newIncidentId(this.time, slug, this.#ids);
      const kind = this.random() < OUTAGES ? "down" : "degraded";
      const [code, error] = kind === "down"
        ? ERRORS[Math.floor(ERRORS.length * this.random())]!
        : [200, "answered after 6400 ms, slower than the 5000 ms allowed"];
      const times = { start: this.time, confirmed: this.time.add({ seconds: 31 }) };
      incident = { slug, kind, ...times, code, error, attempts: 3, ...UNCHANGED };
      // Half of them are over after three checks, and few last for a day.
      const left = Math.ceil(Math.exp(normal(this.random, Math.log(3), 1.3)));
      subject.trouble = { id, incident, left };
      this.#ids.add(id);
      this.incidents++;
    } else return;
    subject.incidents.set(id, incident);
    files.set(incidentPath(id, "nested"), formatIncident(incident));
  }

  #responseTime({ base, noise, trouble }: Subject): number {
    const slowness = trouble === undefined ? 1 : 40;
    return Math.max(1, Math.round(slowness * base * Math.exp(normal(this.random, 0, noise))));
  }

  /** Commits all that waits: logs, records and the summary. */
  async flush(): Promise<void> {
    const files = new Map<string, string | null>(this.#logs);
    this.#logs = new Map();
    for (const one of this.#subjects) {
      files.set(`history/state/${one.bucket}/${one.slug}.yml`, formatAgain(one));
    }
    for (const [path, text] of this.#summaryFiles()) files.set(path, text);
    await this.commit(files, this.time, `Check ${this.#subjects.length} sites [skip ci]`);
  }

  /** The summary with the present states: all of it, or the parts of some sites. */
  #summaryFiles(only?: readonly Subject[]): Map<string, string | null> {
    const slugs = only?.map(({ slug }) => slug);
    const parts = only && new Set(only.map(({ bucket }) => bucket));
    for (const [index, { slug, bucket, record }] of this.#subjects.entries()) {
      if (!(parts?.has(bucket) ?? true)) continue;
      this.#entries.set(slug, {
        site: summarySite(this.#config.sites[index]!),
        current: summaryCurrent(record, { state: toCondition(record!) }),
        statistics: this.#entries.get(slug)?.statistics ?? NO_STATISTICS,
      });
    }
    const entries = [...this.#entries.values()];
    return formatSummaryFiles(entries, { layout: "nested", before: [], only: slugs });
  }

  #endDay(from: number): void {
    this.#over = from;
    for (const { days, today } of this.#subjects) {
      days.push(computeTotals(from, today));
      today.ms.length = 0;
      today.states.length = 0;
    }
  }

  /** Commits the roll-ups and statistics of the last day; false if it is not over, or that was done. */
  async recordDay(every: number): Promise<boolean> {
    const day = this.#over;
    if (day === undefined) return false;
    this.#over = undefined;
    const log = formatDays(
      new Map(this.#subjects.map(({ slug, days }) => [slug, days.slice(-1)])),
    );
    const parts = splitDay(day, log, "sites");
    if (this.#subjects[0]!.days.length % every !== 0) {
      await this.commit(parts, this.time, "Update statistics [skip ci]");
      return true;
    }
    const subjects = this.#subjects;
    const report = computeReport(this.#config, {
      histories: new Map(subjects.map((one) => [one.slug, one])),
      records: new Map(subjects.map(({ slug, record }) => [slug, record!])),
      maintenance: new Map(),
      loadedState: NO_STATE,
      runs: [],
    }, this.time);
    for (const entry of computeSummary(report)) this.#entries.set(entry.site.slug, entry);
    const api = new Map(apiFiles(report, { draw: renderBadge, layout: "nested" }));
    const files = new Map<string, string | null>([
      ...[...api].filter(([path, text]) => this.#api.get(path) !== text),
      ...parts,
      ...this.#summaryFiles(),
    ]);
    this.#api = api;
    await this.commit(files, this.time, "Update statistics [skip ci]");
    return true;
  }
}

const NO_STATE = { rows: [], onBranch: [], isInRef: true, isRefMissing: false, unreadable: [] };

const ROW: CheckRow = {
  time: Temporal.Instant.fromEpochMilliseconds(0),
  run: "00000000",
  slug: "site",
  state: "up",
  code: 200,
  attempts: 1,
};
const [LOG_HEADER] = splitRuns([ROW])[0]!.text.split(/(?<=\n)/) as [string];

/** Formats the record of a site: for a million of records a month it replaces what a check without a change changes. */
function formatAgain(subject: Subject): string {
  const { committed, record } = subject;
  const isSame = committed !== undefined && committed.record.since === record!.since;
  const text = isSame
    ? committed.text
      .replace(/^responseTime: .*$/m, `responseTime: ${record!.responseTime}`)
      .replace(/^lastUpdated: .*$/m, `lastUpdated: ${formatTime(record!.lastUpdated)}`)
    : formatRecord(record!);
  subject.committed = { record: record!, text };
  return text;
}

/** Phases of a response time in milliseconds. */
function formatPhases(ms: number): string {
  return [0.05, 0.15, 0.25, 0.45, 0.1].map((share) => Math.round(share * ms)).join("/");
}

function computeTotals(from: number, { ms, states }: Subject["today"]): DayTotals {
  const times = new Histogram();
  for (const one of ms) times.add(one);
  const count = (state: Condition) => states.filter((one) => one === state).length;
  const [up, degraded, down] = [count("up"), count("degraded"), count("down")];
  const length = 86_400 / states.length;
  return {
    ...{ from, checks: states.length, up, degraded, down, maintenance: 0, unknown: 0 },
    ...{ observedTime: 86_400, downTime: down * length, degradedTime: degraded * length },
    maintenanceTime: 0,
    responseTimes: {
      count: ms.length,
      sum: ms.reduce((sum, one) => sum + one, 0),
      min: Math.min(...ms),
      max: Math.max(...ms),
      histogram: times.format(),
    },
  };
}
