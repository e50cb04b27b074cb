import {
  formatMaintenance,
  type Maintenance,
  newMaintenanceId,
} from "../../lib/history/maintenance.ts";
import {
  formatManual,
  type Impact,
  type ManualIncident,
  newManualId,
} from "../../lib/history/manual_incident.ts";
import { incidentPath } from "../../lib/history/incident.ts";
import { listRepeated } from "../../lib/incidents/maintenance/windows.ts";
import { readHistories } from "../../lib/history/read_histories.ts";
import { readOlderTimes } from "../../lib/history/older_times.ts";
import { readStoredIncidents } from "../../lib/history/stored_incidents.ts";
import { findChartDays } from "../../lib/page/outages.ts";
import type { PageSettings } from "../../lib/page/settings.ts";
import { computeReport } from "../../lib/statistics/report/report_of.ts";
import type { View } from "../../templates/pages/view.ts";
import { pageHistory, type PastSite, updatesOf } from "./page_history.ts";
import { pageView } from "./page_views.ts";
import { storeOf } from "./random_history.ts";
import { REPORT_TIME } from "./reports.ts";
import { configOf, type Keys } from "./sites.ts";

/** Maintenance of a page of the tests, in hours from the moment of the report; negative ones are past. */
export interface DescribedMaintenance {
  name: string;
  from: number;
  until: number;
  end?: number;
  sites: readonly string[];
  text?: string;
  updates?: readonly string[];
}

/** A manual incident. */
export interface DescribedIncident {
  name: string;
  hoursAgo: number;
  minutes?: number;
  sites?: string[];
  impact?: Impact;
  text?: string;
  updates?: readonly string[];
}

/** The contents of a test page. */
export interface World {
  /** The keys of the sites, and their events. */
  sites: readonly { keys: Keys; past: Omit<PastSite, "slug"> }[];
  top?: Keys;
  maintenance?: readonly DescribedMaintenance[];
  manual?: readonly DescribedIncident[];
  settings?: Partial<PageSettings>;
}

/** The view of a world, computed from the texts of its history as in the program. */
export async function viewOf(world: World): Promise<View> {
  const { keys, top } = withLocations(world);
  const config = await configOf(keys, top);
  const past = config.sites.map(({ slug }, index) => ({ ...world.sites[index]!.past, slug }));
  const files = pageHistory(past);
  const ids = new Set<string>();
  for (const described of world.maintenance ?? []) {
    const maintenance = maintenanceOf(described);
    const id = newMaintenanceId(maintenance, ids);
    ids.add(id);
    files.set(incidentPath(id), formatMaintenance(maintenance));
  }
  for (const [index, described] of (world.manual ?? []).entries()) {
    const manual = manualOf(described, index + 1);
    const id = newManualId(manual, ids);
    files.set(incidentPath(id), formatManual(manual));
  }
  const snapshot = await (await storeOf(files)).read();
  const read = await readHistories(snapshot, config.sites);
  const report = computeReport(config, read, REPORT_TIME);
  const { incidents } = await readStoredIncidents(snapshot);
  return pageView(report.sites, {
    report,
    checks: report.lastCheck,
    incidents,
    repeated: listRepeated(config.maintenance),
    olderTimes: await readOlderTimes(
      snapshot,
      read.histories,
      findChartDays(incidents.values(), REPORT_TIME),
    ),
    settings: world.settings,
  });
}

/** The configuration of a world, with the locations that its sites' pasts name. */
function withLocations({ sites, top }: World): { keys: Keys[]; top?: Keys } {
  const names = (past: World["sites"][number]["past"]) =>
    (past.locations ?? []).map(({ name }) => name);
  const all = [...new Set(sites.flatMap(({ past }) => names(past)))];
  if (all.length === 0) return { keys: sites.map(({ keys }) => keys), top };
  const locations = all.map((name) => ({ name, runner: "ubuntu-latest" }));
  return {
    keys: sites.map(({ keys, past }) => ({ ...keys, locations: names(past) })),
    top: { ...top, locations },
  };
}

function at(hours: number): Temporal.Instant {
  return REPORT_TIME.add({ minutes: Math.round(60 * hours) });
}

function maintenanceOf(
  { name, from, until, end, sites, text = "", updates = [] }: DescribedMaintenance,
): Maintenance {
  return {
    kind: "maintenance",
    source: "hand",
    name,
    start: at(from),
    until: at(until),
    ...end === undefined ? {} : { end: at(end) },
    sites: new Map(sites.map((slug) => [slug, "down"])),
    text,
    updates: updatesOf(at(from), updates),
  };
}

function manualOf(
  { name, hoursAgo, minutes, sites = [], impact, text = "", updates = [] }: DescribedIncident,
  issue: number,
): ManualIncident {
  const start = at(-hoursAgo);
  const end = minutes === undefined ? {} : { end: start.add({ minutes }) };
  return {
    kind: "manual",
    name,
    sites,
    impact,
    start,
    ...end,
    issue,
    text,
    updates: updatesOf(start, updates),
  };
}
