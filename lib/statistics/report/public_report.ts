import type { PlannedWindow } from "../../history/maintenance.ts";
import type { ReadHistories } from "../../history/read_histories.ts";
import type { StoredIncident } from "../../history/stored_incidents.ts";
import { collectImpacts } from "../../incidents/impact.ts";
import type { Report } from "./report.ts";

/** Returns the report without hidden sites, as page, README, badges, graphs and `api/` show it. */
export function selectPublicReport(
  report: Report,
  { stored, hidden }: Pick<ReadHistories, "stored" | "hidden">,
): Report {
  if (hidden.size === 0) return report;
  const incidents = selectPublicIncidents(stored.incidents, hidden);
  const sites = report.sites.filter(({ site }) => !hidden.has(site.slug));
  const groups = new Set(sites.map(({ site }) => site.group));
  return {
    ...report,
    groups: report.groups.filter(({ name }) => groups.has(name)),
    sites: sites.map((one) => ({
      ...one,
      site: {
        ...one.site,
        dependsOn: one.site.dependsOn.filter((on) => !("slug" in on && hidden.has(on.slug))),
      },
      history: { ...one.history, incidents: new Map(selectOwn(one.history.incidents, incidents)) },
    })),
    impacts: collectImpacts(incidents.values(), report.time, sites.map(({ site }) => site)),
    maintenance: report.maintenance.flatMap((window) => withoutHidden(window, hidden) ?? []),
  };
}

function* selectOwn<T extends StoredIncident>(
  own: ReadonlyMap<string, T>,
  incidents: ReadonlyMap<string, StoredIncident>,
): Generator<[id: string, incident: T]> {
  for (const id of own.keys()) {
    const incident = incidents.get(id);
    if (incident !== undefined) yield [id, incident as T];
  }
}

/**
 * Returns the incidents without those that concern hidden sites alone; others don't name a hidden site, neither as
 * their root cause nor as affected.
 */
export function selectPublicIncidents(
  incidents: ReadonlyMap<string, StoredIncident>,
  hidden: ReadonlySet<string>,
): ReadonlyMap<string, StoredIncident> {
  if (hidden.size === 0) return incidents;
  const isShown = (slug: string) => !hidden.has(slug);
  const isPublic = (id: string) => {
    const incident = incidents.get(id);
    return incident !== undefined && "slug" in incident && isShown(incident.slug);
  };
  const shown = [...incidents].flatMap(([id, one]): [string, StoredIncident][] => {
    if (one.kind === "maintenance") {
      const window = withoutHidden(one, hidden);
      return window === undefined ? [] : [[id, window]];
    }
    if (one.kind === "manual") {
      const sites = one.sites.filter(isShown);
      return sites.length === 0 && one.sites.length > 0 ? [] : [[id, { ...one, sites }]];
    }
    if (!isShown(one.slug)) return [];
    const { cause } = one;
    // A cause is the id of an incident, or an address, which has a colon.
    const isNamed = cause !== undefined && (cause.includes(":") || isPublic(cause));
    const affects = one.affects.filter(isShown);
    return [[id, { ...one, affects, cause: isNamed ? cause : undefined }]];
  });
  return new Map(shown);
}

/** A window without hidden sites; `undefined` if it concerns no other. */
function withoutHidden<T extends Pick<PlannedWindow, "sites">>(
  window: T,
  hidden: ReadonlySet<string>,
): T | undefined {
  const sites = new Map([...window.sites].filter(([slug]) => !hidden.has(slug)));
  return sites.size === 0 && window.sites.size > 0 ? undefined : { ...window, sites };
}
