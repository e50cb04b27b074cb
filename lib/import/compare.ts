import { downMinutes } from "../statistics/report/bars.ts";
import type { Samples } from "../statistics/samples.ts";
import { measure } from "../statistics/measure.ts";
import { selectSamples } from "../statistics/samples.ts";
import { formatPercent } from "../statistics/statistics.ts";
import { parseSummary, type SummaryEntry } from "../statistics/summary.ts";
import { windowBack, WINDOWS } from "../history/windows.ts";
import { DAY } from "../time.ts";
import type { CollectedSite } from "./collect_histories.ts";
import type { Version } from "./read_versions.ts";

/** A figure of Upptime's summary beside ours of the same moment. */
export interface Comparison {
  slug: string;
  /** As the summary calls it, such as `uptimeWeek`. */
  key: string;
  before: string;
  after: string;
  /** Reasons of a difference above a tenth of a percent; none if the two agree. */
  reasons: string[];
  /** The share of days that differ, with the worst one. */
  days?: string;
}

const KEYS = [
  ["Day", "day", { days: 1 }, DAY],
  ["Week", "week", { days: 7 }, 7 * DAY],
  ["Month", "month", { months: 1 }, 2_628_288_000],
  ["Year", "year", { years: 1 }, 365 * DAY],
  ["", "all", undefined, Infinity],
] as const;

/** Number of the newest issues of a site that Upptime counts. */
const COUNTED_ISSUES = 100;

const ONLY_LAST = `Upptime counts only the last ${COUNTED_ISSUES} issues of a site`;

/** Largest difference that needs no reason. */
const TOLERANCE = 0.001;

/**
 * Compares Upptime's last summary with our statistics of the moment at which it was made. A reason is a rule of
 * Upptime's that gives another number from the same checks: each is tried by itself.
 */
export function compareStatistics(
  summary: string,
  at: number,
  { sites, versions, maxGap }: {
    sites: readonly CollectedSite[];
    versions: readonly Version[];
    maxGap: number;
  },
): Comparison[] {
  const entries = parseSummary(summary);
  const byFile = Map.groupBy(
    versions.filter(({ committed }) => committed <= at),
    ({ file }) => file,
  );
  return sites.flatMap((collected) => {
    const entry = findEntry(summary, entries, collected);
    if (entry === undefined || collected.checks.length === 0) return [];
    const { site: { slug, files } } = collected;
    const isShared = sites.filter((one) => one.site.files[0] === files[0] && !one.site.isArchived)
      .length > 1;
    const file = byFile.get(files[0]!) ?? [];
    const figures = KEYS.flatMap((key) => [
      { slug, ...compareUptime(entry, collected, key, { at, maxGap, isShared }) },
      { slug, ...compareTimes(entry, collected, key, { at, maxGap, isShared, file }) },
    ]);
    return [...figures, { slug, ...compareDays(entry, collected, at, maxGap) }];
  });
}

type Key = typeof KEYS[number];

/** The entry of a site: by its name if several share a file. */
function findEntry(
  summary: string,
  entries: ReadonlyMap<string, SummaryEntry>,
  { site }: CollectedSite,
): SummaryEntry["statistics"] | undefined {
  // Entries of sites that share a file have the same slug.
  const own = entries.size === 0
    ? []
    : (JSON.parse(summary) as unknown[]).filter((one) =>
      (one as { name?: string } | null)?.name?.trim() === site.name.trim()
    );
  if (own.length > 0) {
    const [entry] = parseSummary(JSON.stringify([{ ...own[0]!, slug: "own" }])).values();
    return entry?.statistics;
  }
  return site.isArchived ? undefined : entries.get(site.files[0]!)?.statistics;
}

function samplesAt(
  { site, checks, incidents, maintenance, start }: CollectedSite,
  at: number,
  maxGap: number,
): Samples {
  return selectSamples({
    ...{ slug: site.slug, first: start, checks, days: [], maintenance },
    incidents: new Map(incidents.map(({ incident }, index) => [String(index), incident])),
  }, { maxGap, now: at });
}

/** Compares the minutes of downtime of the days of the last year, which Upptime takes from issues. */
function compareDays(
  { dailyMinutesDown }: SummaryEntry["statistics"],
  collected: CollectedSite,
  at: number,
  maxGap: number,
): Omit<Comparison, "slug"> {
  const ours = downMinutes(samplesAt(collected, at, maxGap));
  const days = [...new Set([...Object.keys(dailyMinutesDown), ...ours.keys()])].sort();
  const differing = days.map((day) => ({
    day,
    theirs: dailyMinutesDown[day] ?? 0,
    own: ours.get(day) ?? 0,
  })).filter(({ theirs, own }) => Math.abs(theirs - own) > 2)
    .sort((one, other) => Math.abs(other.theirs - other.own) - Math.abs(one.theirs - one.own));
  const sum = (minutes: Iterable<number>) => [...minutes].reduce((all, one) => all + one, 0);
  const [before, after] = [sum(Object.values(dailyMinutesDown)), sum(ours.values())];
  const [most] = differing;
  const isClose = Math.abs(before - after) <= TOLERANCE * Math.max(before, after);
  const reasons = most === undefined
    ? isClose ? [] : ["issues are opened and closed a minute or two after the checks"]
    : [
      "Upptime counts downtime by its issues, slow times among them",
      ...hasUncounted(collected, at - 365 * DAY, at) ? [ONLY_LAST] : [],
    ];
  return {
    key: "dailyMinutesDown",
    before: `${before} min`,
    after: `${after} min`,
    reasons,
    ...most === undefined ? {} : {
      days:
        `${differing.length} of ${days.length} days by more than 2 minutes, most of all ${most.day}: ${most.theirs} and ${most.own}`,
    },
  };
}

function measureAt(collected: CollectedSite, window: Key[1], at: number, maxGap: number) {
  const samples = samplesAt(collected, at, maxGap);
  return measure(samples, windowBack(window, at, samples.first ?? at), { apdex: 500 });
}

/** True if a time has more incidents than Upptime counts. */
function hasUncounted({ incidents }: CollectedSite, from: number, to: number): boolean {
  const own = incidents.filter(({ incident: { start, end } }) =>
    start.epochMilliseconds <= to && (end?.epochMilliseconds ?? Infinity) > from
  );
  return own.length > COUNTED_ISSUES;
}

function compareUptime(
  entry: SummaryEntry["statistics"],
  collected: CollectedSite,
  [end, window, , length]: Key,
  { at, maxGap, isShared }: { at: number; maxGap: number; isShared: boolean },
): Omit<Comparison, "slug"> {
  const key = `uptime${end}` as const;
  const before = entry[key];
  const { uptime, down, degraded, maintenance, observed } = measureAt(
    collected,
    window,
    at,
    maxGap,
  );
  const after = uptime === undefined ? "no data" : formatPercent(uptime);
  const published = Number.parseFloat(before) / 100;
  const nominal = Math.min(length, at - collected.start) / 1000;
  const reasons: string[] = [];
  if (uptime !== undefined && Math.abs(uptime - published) > TOLERANCE) {
    const slow = observed === 0 ? 0 : degraded / observed;
    if (maintenance > 0) reasons.push("maintenance is left out; Upptime counts it");
    if (slow > TOLERANCE / 2) reasons.push("Upptime counts slow times as downtime");
    if (observed < 0.99 * nominal) {
      reasons.push("checks don't cover all of the time; Upptime counts the rest as known");
    }
    if (isShared) {
      reasons.push("several sites share one file, and Upptime gives all the same number");
    }
    if (collected.site.files[0] === "status") {
      reasons.push("every issue has the label of this site, so Upptime counts all for it");
    }
    if (hasUncounted(collected, at - length, at)) {
      reasons.push(ONLY_LAST);
    }
    const theirs = 1 - (down + degraded) / Math.max(1, nominal);
    if (Math.abs(theirs - published) > TOLERANCE) {
      reasons.push(
        "Upptime counts from the opening to the closing of issues, without deleted ones",
      );
    } else if (reasons.length === 0) reasons.push("Upptime divides by the length of the window");
  } else if (uptime === undefined) {
    reasons.push(`no check covers the ${WINDOWS[window].words}`);
  }
  return { key, before, after, reasons };
}

function compareTimes(
  entry: SummaryEntry["statistics"],
  collected: CollectedSite,
  [end, window, span]: Key,
  { at, maxGap, isShared, file }: {
    at: number;
    maxGap: number;
    isShared: boolean;
    file: readonly Version[];
  },
): Omit<Comparison, "slug"> {
  const key = `time${end}` as const;
  const published = entry[key];
  const mean = measureAt(collected, window, at, maxGap).responseTimes?.mean;
  const ours = mean === undefined ? 0 : Math.max(1, Math.round(mean));
  const differs = (one: number, other: number) =>
    Math.abs(one - other) > TOLERANCE * Math.max(one, other);
  const reasons: string[] = [];
  if (differs(ours, published)) {
    const from = span === undefined ? -Infinity : startOf(at, span);
    const listed = span === undefined ? listedByUpptime(file, at) : file;
    const theirs = meanOf(listed.filter(({ committed }) => committed >= from));
    const all = file.filter(({ committed }) => committed >= from);
    const own = new Set(collected.checks.map(({ commit }) => commit));
    const ownOnly = all.filter(({ commit }) => own.has(commit));
    const successes = all.filter(({ check }) => check?.state !== "down");
    if (isShared || differs(meanOf(ownOnly), meanOf(all))) {
      reasons.push("several sites share one file, and Upptime averages them together");
    }
    if (differs(meanOf(all), meanOf(successes))) reasons.push("Upptime averages failures as well");
    if (differs(theirs, meanOf(all))) {
      reasons.push("Upptime's average of all time ends after about a year");
    }
    const known = new Set(file.map(({ commit }) => commit));
    if (
      collected.checks.some(({ time, commit }) => time >= from && time <= at && !known.has(commit))
    ) {
      reasons.push("Upptime leaves out what was recorded under an earlier name");
    }
    if (reasons.length === 0 && differs(theirs, ours)) {
      reasons.push(
        span === undefined
          ? "Upptime leaves out what was deleted"
          : "Upptime's windows start at other moments, by the calendar and the commit",
      );
    }
    if (differs(theirs, published)) {
      reasons.push("Upptime made the number at another moment than the summary's commit");
    }
    if (reasons.length === 0) reasons.push("both numbers are rounded");
  }
  return { key, before: `${published} ms`, after: `${ours} ms`, reasons };
}

function startOf(at: number, span: Exclude<Key[2], undefined>): number {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO("UTC").subtract(span)
    .epochMilliseconds;
}

/** The versions that Upptime averages over all time: whole pages of 100 up to the first that starts over a year ago. */
function listedByUpptime(file: readonly Version[], at: number): Version[] {
  const newest = file.toSorted((one, other) => other.committed - one.committed);
  let end = 0;
  while (end < newest.length) {
    const first = newest[end]!;
    end += 100;
    if (first.committed < startOf(at, { years: 1 })) break;
  }
  return newest.slice(0, end);
}

function meanOf(versions: readonly Version[]): number {
  const times = versions.flatMap(({ check }) => check?.written || []);
  return times.length === 0 ? 0 : Math.round(times.reduce((sum, ms) => sum + ms, 0) / times.length);
}
