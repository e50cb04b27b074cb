import { groupByStatus } from "../../lib/page/groups.ts";
import type { Report } from "../../lib/statistics/report/report.ts";
import type { Language } from "./language.ts";

/** The number of sites that are up, and of those in each other state: `5 of 7 operational · Down: 2`. */
export function describeStatuses(
  sites: Report["sites"],
  { language: { say, number }, report }: { language: Language; report: Report },
): string {
  const byStatus = groupByStatus(sites, report);
  const others = [...byStatus].filter(([status]) => status !== "up").map(([status, own]) =>
    say("statusCount", { STATE: say(status), COUNT: number(own.length) })
  );
  const COUNT = number(byStatus.get("up")?.length ?? 0);
  const operational = say("operationalCount", { COUNT, TOTAL: number(sites.length) });
  return [operational, ...others].join(" · ");
}
