import type { Config, Site } from "../config/config.ts";
import type { ReadHistories } from "../history/read_histories.ts";
import { conditionOf } from "../history/record.ts";
import { DAY, dayOf, type Evidence, evidenceOf } from "../statistics/evidence.ts";
import { measureEvidence } from "../statistics/measure.ts";
import { WINDOW_NAMES, windowBack, WINDOWS } from "../statistics/windows.ts";
import { maxGapOf } from "./max_gap.ts";
import type { Report, SiteReport } from "./report.ts";

/** Everything that there is to tell of the sites of a configuration at a moment. */
export function reportOf(
  config: Config,
  { histories, records }: Pick<ReadHistories, "histories" | "records">,
  time: Temporal.Instant,
): Report {
  const now = time.epochMilliseconds;
  const maxGap = maxGapOf(config);
  const sites = config.sites.map((site): SiteReport => {
    const history = histories.get(site.slug)!;
    const record = records.get(site.slug);
    const evidence = evidenceOf(history, { maxGap, now });
    return {
      site,
      history,
      evidence,
      record,
      condition: record && conditionOf(record),
      statistics: statisticsOf(evidence, site),
      downMinutes: downMinutes(evidence),
    };
  });
  return { time, sites };
}

function statisticsOf(evidence: Evidence, site: Site): SiteReport["statistics"] {
  const { now, first = now } = evidence;
  const all = WINDOW_NAMES.map((name) => [
    name,
    measureEvidence(evidence, windowBack(name, now, first), site),
  ]);
  return Object.fromEntries(all);
}

/** Minutes of outages by day, of those of the last 365 days that had a whole one. */
function downMinutes({ spans, days, now }: Evidence): Map<string, number> {
  const start = dayOf(now - WINDOWS.year.length);
  const seconds = new Map<number, number>();
  const add = (day: number, length: number) => {
    if (day >= start) seconds.set(day, (seconds.get(day) ?? 0) + length);
  };
  for (const { from, totals } of days) add(from, totals.downTime);
  for (const { from, to, state } of spans) {
    if (state !== "down") continue;
    for (let day = dayOf(from); day < to; day += DAY) {
      add(day, (Math.min(to, day + DAY) - Math.max(from, day)) / 1000);
    }
  }
  const minutes = [...seconds].sort(([one], [other]) => one - other)
    .map(([day, length]): [string, number] => [
      new Date(day).toISOString().slice(0, 10),
      Math.round(length / 60),
    ]);
  return new Map(minutes.filter(([, length]) => length > 0));
}
