import { dailyPath, formatDays } from "../../history/daily_log.ts";
import type { ReadHistories } from "../../history/read_histories.ts";
import { type Evidence, evidenceOf } from "../evidence.ts";
import { dateOf } from "../../time.ts";
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
  const paths = new Set<string>();
  const all = [...histories].map(([slug, { days }]) => {
    const { fresh } = evidenceFor(slug);
    for (const { from } of fresh) paths.add(dailyPath(dateOf(from)));
    const own = [...days, ...fresh].map(({ from, totals }) => [dateOf(from), totals] as const);
    return [slug, new Map(own)] as const;
  });
  return new Map(
    [...paths].sort().map((path) => {
      const ofPath = all.map(([slug, days]) =>
        [slug, new Map([...days].filter(([date]) => dailyPath(date) === path))] as const
      );
      return [path, formatDays(new Map(ofPath))];
    }),
  );
}
