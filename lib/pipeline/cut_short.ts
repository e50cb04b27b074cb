import type { Streak } from "../evaluation/results.ts";
import type { Maintenance } from "../history/maintenance.ts";

/**
 * What is remembered of a site, with the time at which somebody has ended the maintenance that it was last
 * seen in: what went on failing since began then, and not with the next run.
 */
export function cutShort(
  streak: Streak | undefined,
  slug: string,
  maintenance: ReadonlyMap<string, Pick<Maintenance, "sites" | "until" | "end">>,
): Streak | undefined {
  if (streak?.window === undefined) return streak;
  const { window } = streak;
  const last = [...maintenance.values()]
    .filter(({ sites, until }) => sites.has(slug) && until.equals(window.until))
    .flatMap(({ end }) => end ?? []).sort(Temporal.Instant.compare).at(-1);
  return last === undefined ? streak : { ...streak, window: { ...window, until: last } };
}
