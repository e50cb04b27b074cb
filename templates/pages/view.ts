import type { Link } from "../../lib/config/page_path.ts";
import type { MeasuredTimes } from "../../lib/history/older_times.ts";
import type { StoredIncident } from "../../lib/history/stored_incidents.ts";
import type { PageSettings } from "../../lib/page/settings.ts";
import type { Report } from "../../lib/statistics/report/report.ts";
import type { Element } from "./html.ts";
import type { Language } from "./language.ts";
import type { Site } from "../../lib/config/config.ts";
import { siteName } from "../words.ts";

export interface View {
  /** Its time is that of the last check. */
  report: Report;
  /** Time of the last check, if there was one. */
  checks?: Temporal.Instant;
  /** Incidents, notices and maintenance with files, by id. */
  incidents: ReadonlyMap<string, StoredIncident>;
  /** By slug: response times of the last weeks, of days of which the report knows totals only. */
  olderTimes: ReadonlyMap<string, MeasuredTimes>;
  /** Names of maintenance that the configuration repeats. */
  repeated: ReadonlySet<string>;
  assets: ReadonlySet<string>;
  settings: PageSettings;
  language: Language;
  built: Temporal.Instant;
}

/** A view from the page at a path: `link` makes addresses for its links. */
export interface PageView extends View {
  path: string;
  link: Link;
}

/** A kind of page: lists its files by their paths, with the functions that render them. */
export type Page = (view: View) => Iterable<readonly [path: string, (view: PageView) => Element]>;

const known = new WeakMap<Report["sites"], ReadonlyMap<string, Site>>();

/** The name of a site; of one that is no longer configured, its slug as words: `Old shop`. */
export function describeSite(slug: string, report: Pick<Report, "sites">): string {
  const site = findSite(slug, report);
  if (site !== undefined) return siteName(slug, [site]);
  const words = siteName(slug, []).replaceAll(/[-_]+/g, " ").trim();
  return words === "" ? slug : words[0]!.toUpperCase() + words.slice(1);
}

/** Finds a configured site by its slug, with an index because thousands of incidents name one. */
export function findSite(slug: string, { sites }: Pick<Report, "sites">): Site | undefined {
  return known.getOrInsertComputed(
    sites,
    () => new Map(sites.map(({ site }) => [site.slug, site])),
  ).get(slug);
}
