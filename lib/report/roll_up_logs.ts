import { dailyPath, type Days, formatDays } from "../history/daily_log.ts";
import type { ReadHistories } from "../history/read_histories.ts";
import { type Evidence, evidenceOf } from "../statistics/evidence.ts";
import { rollUp } from "../statistics/roll_up.ts";
import type { Report } from "./report.ts";

/**
 * The logs of days that change, whole, by path: what was known, with every day that is over and whose
 * checks are there. Sites that are gone are rolled up like any other, so that their checks may go too.
 */
export function rollUpLogs(
  { histories }: Pick<ReadHistories, "histories">,
  { sites, time }: Report,
  maxGap: number,
): Map<string, string> {
  const now = time.epochMilliseconds;
  const known = new Map(sites.map(({ site, evidence }) => [site.slug, evidence]));
  const evidenceFor = (slug: string): Evidence =>
    known.get(slug) ?? evidenceOf(histories.get(slug)!, { maxGap, now });
  const rolled: Days = new Map(
    [...histories.keys()].map((slug) => [slug, rollUp(evidenceFor(slug))]),
  );
  const paths = new Set([...rolled.values()].flatMap((days) => [...days.keys()].map(dailyPath)));
  return new Map(
    [...paths].sort().map((path) => {
      const days: Days = new Map();
      for (const [slug, { days: before }] of histories) {
        const all = new Map([...before, ...rolled.get(slug)!]);
        days.set(slug, new Map([...all].filter(([date]) => dailyPath(date) === path)));
      }
      return [path, formatDays(days)];
    }),
  );
}
