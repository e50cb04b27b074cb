import type { SiteGroup } from "../../lib/page/groups.ts";
import { findMonitoringStart } from "../../lib/page/monitored.ts";
import { displayState, type SiteReport } from "../../lib/statistics/report/report.ts";
import { shortHash } from "../../lib/text/words.ts";
import { formatMoment, formatTime } from "../../lib/time.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { nameGroup } from "../pages/group_words.tsx";
import type { View } from "../pages/view.ts";
import { siteName } from "../words.ts";
import { type ComponentState, findWorst, toComponentState } from "./states.ts";

/** A site or a group, with the keys of Statuspage's component. */
export interface Component {
  id: string;
  name: string;
  status: ComponentState;
  created_at: string;
  updated_at: string;
  /** From 1. */
  position: number;
  description: string | null;
  showcase: boolean;
  /** `YYYY-MM-DD` */
  start_date: string | null;
  group_id: string | null;
  page_id: string;
  group: boolean;
  only_show_if_degraded: boolean;
  /** The ids of a group's sites. */
  components?: string[];
}

/** The id of a site, whatever its name, group and place. */
export function toComponentId(slug: string): string {
  return shortHash(`site ${slug}`);
}

function toGroupId(slug: string): string {
  return shortHash(`group ${slug}`);
}

/** A report with the state that was known last, where the present one is not known. */
export function keepLastState(report: SiteReport): SiteReport {
  return { ...report, isUnknown: false };
}

/** Lists groups, each before its sites. Sites without a group have none, and so have all if no group has a name. */
export function listComponents(
  groups: readonly SiteGroup[],
  view: Pick<View, "report" | "language">,
  { page_id, redact }: { page_id: string; redact(text: string): string },
): Component[] {
  const { impacts, sites } = view.report;
  const start = findMonitoringStart(sites) ?? 0;
  let position = 0;
  return groups.flatMap((group): Component[] => {
    const isNamed = group.name !== undefined;
    const own = isNamed ? ++position : 0;
    const sites = group.sites.map((report): Component => {
      const { site, samples, record } = report;
      const first = samples.first ?? start;
      const state = site.paused ? "unknown" : displayState(keepLastState(report));
      const changed = record?.since ?? Temporal.Instant.fromEpochMilliseconds(first);
      return {
        id: toComponentId(site.slug),
        name: redact(siteName(site.slug, [site])),
        status: toComponentState(state, impacts?.bySite.get(site.slug)),
        created_at: formatMoment(first),
        updated_at: formatTime(changed),
        position: ++position,
        description: site.description === undefined ? null : redact(plainText(site.description)),
        showcase: true,
        start_date: samples.first === undefined ? null : formatMoment(first).slice(0, 10),
        group_id: isNamed ? toGroupId(group.slug) : null,
        page_id,
        group: false,
        only_show_if_degraded: false,
      };
    });
    if (!isNamed) return sites;
    const description = group.description;
    return [{
      id: toGroupId(group.slug),
      name: redact(nameGroup(group.name, view.language)),
      status: findWorst(sites.map(({ status }) => status)),
      created_at: sites.map((one) => one.created_at).sort()[0]!,
      updated_at: sites.map((one) => one.updated_at).sort().at(-1)!,
      position: own,
      description: description === undefined ? null : redact(plainText(description)),
      showcase: false,
      start_date: null,
      group_id: null,
      page_id,
      group: true,
      only_show_if_degraded: false,
      components: sites.map(({ id }) => id),
    }, ...sites];
  });
}
