import type { Config, Site } from "../config/config.ts";
import type { ReadHistories } from "../history/read_histories.ts";
import { conditionOf } from "../history/record.ts";
import { type Evidence, evidenceOf } from "../statistics/evidence.ts";
import { CALENDAR, configuredWindows } from "../maintenance/configured_windows.ts";
import { windowsAt } from "../maintenance/windows_at.ts";
import { measure } from "../statistics/measure.ts";
import { meanPhases } from "../statistics/phases.ts";
import { WINDOW_NAMES, windowBack } from "../statistics/windows.ts";
import { downMinutes } from "./down_minutes.ts";
import { maxGapOf } from "./max_gap.ts";
import type { Report, SiteReport } from "./report.ts";

/** Everything that there is to tell of the sites of a configuration at a moment. */
export function reportOf(
  config: Config,
  { histories, records, maintenance }: Pick<
    ReadHistories,
    "histories" | "records" | "maintenance"
  >,
  time: Temporal.Instant,
): Report {
  const now = time.epochMilliseconds;
  const maxGap = maxGapOf(config);
  const configured = configuredWindows(config.maintenance, time, CALENDAR);
  // What files say goes on does, whatever a run will make of it.
  const plans = { configured, isPartial: true, timezone: config.timezone };
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
      phases: history.phases &&
        meanPhases(history.phases, windowBack("week", now, now), history.maintenance),
    };
  });
  return { time, sites, maintenance: windowsAt(maintenance, plans, time) };
}

function statisticsOf(evidence: Evidence, site: Site): SiteReport["statistics"] {
  const { now, first = now } = evidence;
  const all = WINDOW_NAMES.map((name) => [
    name,
    measure(evidence, windowBack(name, now, first), site),
  ]);
  return Object.fromEntries(all);
}
