import { join } from "node:path";
import { dailyPath, type DayTotals, formatDays } from "../../lib/history/daily_log.ts";
import { Histogram } from "../../lib/history/histogram.ts";
import {
  formatIncident,
  incidentPath,
  newIncidentId,
  UNCHANGED,
} from "../../lib/history/incident.ts";
import { recordPath } from "../../lib/config/record_path.ts";
import { formatRecord } from "../../lib/history/record.ts";
import { appendLines, partName } from "../../lib/history/log_parts.ts";
import { GENERATOR } from "../../lib/version.ts";
import { makeRepository } from "../helpers/repositories.ts";
import { git } from "../helpers/scratch.ts";
import { normal, type Random, seededRandom } from "../helpers/seeded_random.ts";

/** How much history there is. */
export interface HistorySize {
  sites: number;
  /** Of rolled-up days, those whose checks are kept included. */
  years: number;
  /** About how many incidents each site has in a year. */
  incidents: number;
  /** Days of single checks, one every five minutes. @default 35 */
  keptDays?: number;
  /** Address of all sites. @default One that does not exist for each */
  url?: string;
}

const CHECKS_A_DAY = 288;
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const YEAR = 365 * DAY;

/** Makes a repository with the history of many sites over years, up to the last minutes. */
export async function makeBigHistory(folder: string, size: HistorySize): Promise<string> {
  const { keptDays = 35, url } = size;
  const random = seededRandom(size.sites + size.years);
  const slugs = Array.from({ length: size.sites }, (_, index) => `site-${index + 1}`);
  const sites = slugs.map((slug) => ({
    name: slug,
    slug,
    url: url ?? `https://${slug}.example.com/`,
  }));
  const repository = await makeRepository(folder, {
    ".monitorrc.yml": JSON.stringify({ graphs: { dark: false }, sites }),
  });
  const now = Date.now();
  const today = Math.floor(now / DAY) * DAY;
  const files = new Map([
    ...dailyLogs(slugs, today, size.years * 365 + keptDays, random),
    ...checksLogs(slugs, { from: today - keptDays * DAY, now }, random),
    ...incidentsAndRecords(
      slugs,
      { from: today - keptDays * DAY - size.years * YEAR, now, apart: YEAR / size.incidents },
      random,
    ),
  ]);
  for (const folder of ["checks", "daily", "incidents"]) {
    await Deno.mkdir(join(repository, "history", folder), { recursive: true });
  }
  for (const [path, text] of files) await Deno.writeTextFile(join(repository, path), text);
  await git(repository, "add", "--all");
  await git(repository, "commit", "--quiet", "--message", "Begin");
  return repository;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Response time of a site in milliseconds, with a few slow ones. */
function responseTime(base: number, random: Random): number {
  return Math.max(1, Math.round(base * Math.exp(normal(random, 0, random() < 0.02 ? 1.2 : 0.15))));
}

function dailyLogs(
  slugs: readonly string[],
  end: number,
  count: number,
  random: Random,
): [path: string, text: string][] {
  const days = slugs.map((slug, site) => {
    const own = Array.from(
      { length: count },
      (_, index) => totalsOf(end - (count - index) * DAY, 80 + 7 * site, random),
    );
    return [slug, own] as const;
  });
  const paths = new Set(days.flatMap(([, own]) => own.map(({ from }) => dailyPath(from))));
  return [...paths].map((path) => {
    const inYear = days.map(([slug, own]) =>
      [slug, own.filter(({ from }) => dailyPath(from) === path)] as const
    );
    return [path, formatDays(new Map(inYear))];
  });
}

/** A day of one site; every hundredth day it was down for an hour. */
function totalsOf(from: number, base: number, random: Random): DayTotals {
  const down = random() < 0.01 ? 12 : 0;
  const histogram = new Histogram();
  let [sum, min, max] = [0, Infinity, 0];
  const count = CHECKS_A_DAY - down;
  for (let check = 0; check < count; check++) {
    const time = responseTime(base, random);
    histogram.add(time);
    sum += time;
    min = Math.min(min, time);
    max = Math.max(max, time);
  }
  return {
    from,
    checks: CHECKS_A_DAY,
    up: count,
    degraded: 0,
    down,
    maintenance: 0,
    unknown: 0,
    observedTime: 86_400,
    downTime: down * 300,
    degradedTime: 0,
    maintenanceTime: 0,
    responseTimes: { count, sum, min, max, histogram: histogram.format() },
  };
}

function checksLogs(
  slugs: readonly string[],
  { from, now }: { from: number; now: number },
  random: Random,
): [path: string, text: string][] {
  const logs: [path: string, text: string][] = [];
  for (let day = from; day < now; day += DAY) {
    const lines: string[] = [];
    for (let check = 0; check < CHECKS_A_DAY; check++) {
      const time = day + check * 5 * MINUTE + Math.floor(MINUTE * random());
      if (time >= now) break;
      const id = Math.floor(2 ** 32 * random()).toString(16).padStart(8, "0");
      const begin = `${new Date(time).toISOString()},${id}`;
      const phases = check % 12 === 0 ? "4/18/35/60/6" : "";
      for (const [site, slug] of slugs.entries()) {
        lines.push(
          random() < 0.002
            ? `${begin},${slug},down,0,,3,,,connection refused (203.0.113.7:443)\n`
            : `${begin},${slug},up,200,${responseTime(80 + 7 * site, random)},1,${phases},,\n`,
        );
      }
    }
    const header = "time,run,slug,state,code,ms,attempts,phases,location,error\n";
    for (const [index, part] of appendLines(header, lines).entries()) {
      logs.push([`history/checks/${partName(dayOf(day), index + 1)}`, part]);
    }
  }
  return logs;
}

/** Incidents of each site; the mean distance of their starts is in milliseconds. */
function incidentsAndRecords(
  slugs: readonly string[],
  { from, now, apart }: { from: number; now: number; apart: number },
  random: Random,
): [path: string, text: string][] {
  const instant = (time: number) => Temporal.Instant.fromEpochMilliseconds(Math.floor(time));
  const files: [path: string, text: string][] = [];
  for (const slug of slugs) {
    for (let at = from + apart * random(); at < now - DAY; at += 2 * apart * random()) {
      const start = instant(at);
      const incident = {
        slug,
        kind: "down" as const,
        start,
        confirmed: start.add({ seconds: 31 }),
        end: start.add({ minutes: 5 + Math.floor(120 * random()) }),
        code: 503,
        error: "expected status 200-399, found 503 Service Unavailable",
        attempts: 3,
        ...UNCHANGED,
      };
      files.push([incidentPath(newIncidentId(start, slug, new Set())), formatIncident(incident)]);
    }
    const record = {
      url: `https://${slug}.example.com/`,
      status: "up" as const,
      code: 200,
      responseTime: 120,
      lastUpdated: instant(now - 5 * MINUTE),
      startTime: instant(from),
      generator: GENERATOR,
      degraded: false,
      since: instant(from),
    };
    files.push([recordPath(slug), formatRecord(record)]);
  }
  return files;
}
