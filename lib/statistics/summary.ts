import * as v from "valibot";
import { shownAddress, type Site } from "../config/config.ts";
import { about } from "../config/keys/values.ts";
import { publicUrl } from "../io/secrets/url_credentials.ts";
import { HISTORY_FOLDER } from "../config/record_path.ts";
import { findResponseTime, type HistoryRecord, toCondition } from "../history/record.ts";
import { type WindowName, WINDOWS } from "../history/windows.ts";
import { type State, STATES } from "../state.ts";
import { formatTime } from "../time.ts";
import { displayState, type Report, type SiteReport } from "./report/report.ts";
import { formatPercent } from "./statistics.ts";

const NO_DATA = "no data";

export const SUMMARY_PATH = `${HISTORY_FOLDER}/summary.json`;

export const SUMMARY_SCHEMA = "summary";

/** Ends of Upptime's keys, with their windows. */
const WINDOW_KEYS = { "": "all", Day: "day", Week: "week", Month: "month", Year: "year" } as const;

/** Builds the keys of a figure, such as `uptime` and `uptimeDay`. */
function eachWindow<P extends string, T>(figure: P, valueOf: (window: WindowName) => T) {
  return Object.fromEntries(
    Object.entries(WINDOW_KEYS).map(([end, window]) => [figure + end, valueOf(window)]),
  ) as Record<`${P}${keyof typeof WINDOW_KEYS}`, T>;
}

const DATE = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/));

const IDENTITY = {
  name: about("Name of the site.", v.string()),
  url: text("Its public address, secrets by their names; empty if it is hidden."),
  icon: text("Address of its icon; empty if none is configured."),
  slug: about("Slug: the name of its files.", v.pipe(v.string(), v.minLength(1))),
};
const CONDITION = {
  status: about(
    "Its state, regardless of maintenance.",
    v.fallback(v.picklist(["up", "down", "degraded", "unknown"]), "unknown"),
  ),
};
const STATISTICS = {
  ...eachWindow("uptime", (window) =>
    about(
      `Uptime in the ${WINDOWS[window].words}, in percent such as 99.98%, or "${NO_DATA}".`,
      v.fallback(v.pipe(v.string(), v.regex(/^(?:\d+(?:\.\d+)?%|no data)$/)), NO_DATA),
    )),
  ...eachWindow("time", (window) =>
    about(
      `Mean response time in the ${
        WINDOWS[window].words
      }, in milliseconds: at least 1; 0 without a successful check.`,
      v.fallback(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
    )),
  dailyMinutesDown: about(
    "Minutes of outages by day (UTC), of the days of the last year that had any.",
    v.fallback(v.record(DATE, v.pipe(v.number(), v.minValue(0))), {}),
  ),
};
const CURRENT = {
  state: about(
    "The state to display: its status, or maintenance.",
    v.fallback(v.picklist(STATES), "unknown"),
  ),
  since: mayLack("Start of its status: the first attempt that showed it.", v.string()),
  lastUpdated: mayLack(
    "The last check that had a result, or was made in maintenance.",
    v.string(),
  ),
  code: mayLack("HTTP status of that check; 0 if there was no answer.", v.number()),
  responseTime: mayLack(
    "Milliseconds of that check; absent if it failed or measured none.",
    v.number(),
  ),
  flapping: mayLack("True if it is flapping.", v.literal(true)),
  incident: mayLack("Id of the open incident, a file in history/incidents/.", v.string()),
  issue: mayLack("Number of the incident's issue.", v.number()),
  locations: mayLack(
    "Its state as seen from each of its locations, by name, if two or more check it.",
    v.record(v.string(), v.picklist(STATES)),
  ),
};
const CONFIGURED = {
  group: mayLack("Its group.", v.string()),
  paused: mayLack("True if it is paused.", v.literal(true)),
};

/** Schema of the file, for each site: Upptime's keys in their order, then ours. */
export const SUMMARY = v.array(
  v.object({ ...IDENTITY, ...CONDITION, ...STATISTICS, ...CURRENT, ...CONFIGURED }),
);

const SITE = v.object({
  ...IDENTITY,
  ...CONFIGURED,
  url: v.pipe(v.fallback(v.string(), ""), v.transform(publicUrl)),
});
const NOW = v.object({ ...CONDITION, ...CURRENT });
const PAST = v.object(STATISTICS);

type SummaryStatistics = v.InferOutput<typeof PAST>;

export interface SummaryEntry {
  site: v.InferOutput<typeof SITE>;
  /** State after the last check. */
  current: v.InferOutput<typeof NOW>;
  statistics: SummaryStatistics;
}

/** The figures of a site without data. */
export const NO_STATISTICS: SummaryStatistics = v.parse(PAST, {});

export function formatSummary(entries: readonly SummaryEntry[]): string {
  const sites = entries.map(({ site, current, statistics }) => {
    const { group, paused, ...identity } = site;
    const { status, ...others } = current;
    return { ...identity, status, ...statistics, ...others, group, paused };
  });
  return `${JSON.stringify(sites, null, 2)}\n`;
}

/**
 * Parses a summary by slug; also one of Upptime's, or a damaged one, as far as it can be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const known = parseSummary('[{"name":"Shop","slug":"shop","status":"up","uptime":"99.98%"},7]');
 * const text = formatSummary([...known.values()]);
 * assertEquals(parseSummary(text), known);
 * assertEquals([known.size, known.get("shop")!.statistics.uptime], [1, "99.98%"]);
 * ```
 */
export function parseSummary(text: string): Map<string, SummaryEntry> {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), v.array(v.unknown())), text);
  const entries = new Map<string, SummaryEntry>();
  for (const value of read.success ? read.output : []) {
    const site = v.safeParse(SITE, value);
    if (!site.success) continue;
    const [current, statistics] = [v.parse(NOW, value), v.parse(PAST, value)];
    entries.set(site.output.slug, { site: site.output, current, statistics });
  }
  return entries;
}

/** The entries of sites that a configuration lacks: they may still be monitored. */
export function selectOthers(
  summary: ReadonlyMap<string, SummaryEntry>,
  sites: readonly { slug: string }[],
): SummaryEntry[] {
  const configured = new Set(sites.map(({ slug }) => slug));
  return [...summary.values()].filter(({ site }) => !configured.has(site.slug));
}

function text(meaning: string) {
  return about(meaning, v.fallback(v.string(), ""));
}

function mayLack<T extends v.GenericSchema>(meaning: string, schema: T) {
  return about(meaning, v.fallback(v.optional(schema), undefined));
}

export function computeSummary({ sites }: Report): SummaryEntry[] {
  return sites.map((report) => {
    const { site, record, lastCheck, history: { incidents }, locations } = report;
    const state = displayState(report);
    const issue = incidents.get(record?.incident ?? "")?.issue;
    return {
      site: summarySite(site),
      current: summaryCurrent(record, {
        ...{ state, issue, lastCheck },
        locations: locations &&
          Object.fromEntries(locations.map(({ name, state }) => [name, state])),
      }),
      statistics: toStatistics(report),
    };
  });
}

function toStatistics({ statistics, downMinutes }: SiteReport): SummaryStatistics {
  return {
    ...eachWindow("uptime", (window) => {
      const share = statistics[window].uptime;
      return share === undefined ? NO_DATA : formatPercent(share);
    }),
    ...eachWindow("time", (window) => {
      const times = statistics[window].responseTimes;
      return times === undefined ? 0 : Math.max(1, Math.round(times.mean));
    }),
    dailyMinutesDown: Object.fromEntries(downMinutes),
  };
}

export function summarySite(site: Site): SummaryEntry["site"] {
  const { name, icon = "", slug, group, paused } = site;
  return {
    name,
    url: shownAddress(site) ?? "",
    icon,
    slug,
    group,
    paused: paused || undefined,
  };
}

/**
 * The current part of a site's entry, given the state to display, the number of its open incident's issue, the
 * last check if it is later than the record, and the states by location if there are several. A state that is
 * no longer known has no start.
 */
export function summaryCurrent(
  record: HistoryRecord | undefined,
  { state, issue, lastCheck, locations }: {
    state: State;
    issue?: number;
    lastCheck?: Temporal.Instant;
    locations?: SummaryEntry["current"]["locations"];
  },
): SummaryEntry["current"] {
  if (record === undefined) return { status: "unknown", state };
  const { since, lastUpdated, code, flapping, incident } = record;
  const isUnknown = state === "unknown";
  const condition = toCondition(record);
  return {
    status: isUnknown ? "unknown" : condition,
    state,
    since: isUnknown ? undefined : formatTime(since),
    lastUpdated: formatTime(lastCheck ?? lastUpdated),
    code,
    responseTime: findResponseTime(record),
    flapping,
    incident,
    issue: incident === undefined ? undefined : issue,
    locations,
  };
}

/** The entry of a site that a run did not check, such as a paused one: its state ends with the coverage of its last check. */
export function uncheckedCurrent(
  current: SummaryEntry["current"],
  { isPaused, maxGap, now }: { isPaused: boolean; maxGap: number; now: Temporal.Instant },
): SummaryEntry["current"] {
  const last = Date.parse(current.lastUpdated ?? "");
  if (last + maxGap > now.epochMilliseconds) {
    return isPaused ? { ...current, state: current.status } : current;
  }
  const unknown = { status: "unknown", state: "unknown", since: undefined } as const;
  return { ...current, ...unknown, locations: undefined };
}
