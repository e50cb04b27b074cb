import { countStatuses } from "../../lib/page/groups.ts";
import type { Report } from "../../lib/statistics/report/report.ts";
import type { Language } from "./language.ts";

/** The number of sites, and of those in each state: `7 sites · Down: 1 · Operational: 6`. */
export function describeStatuses(
  sites: Report["sites"],
  { language: { say, number }, report }: { language: Language; report: Report },
): string {
  const COUNT = number(sites.length);
  const counts = countStatuses(sites, report).map(([status, count]) =>
    say("statusCount", { STATE: say(status), COUNT: number(count) })
  );
  return [say(sites.length === 1 ? "siteCountOne" : "siteCount", { COUNT }), ...counts].join(" · ");
}
