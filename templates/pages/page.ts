import type { StoredIncident } from "../../lib/history/stored_incidents.ts";
import type { PageSettings } from "../../lib/page/settings/page_settings.ts";
import type { Report } from "../../lib/statistics/report/report.ts";
import type { Element } from "./html.ts";
import type { Language } from "./language.ts";

/** Everything that pages show. */
export interface View {
  /** Its `time` is that of the last check, and what "now" means on the page. */
  report: Report;
  /** The last check; absent where there was none. */
  checks?: Temporal.Instant;
  /** Incidents, maintenance with a file, and manual incidents, by id. */
  incidents: ReadonlyMap<string, StoredIncident>;
  /** The owner's files at the top of the page, by their paths. */
  assets: ReadonlySet<string>;
  settings: PageSettings;
  language: Language;
  /** When the page was built. */
  built: Temporal.Instant;
}

/** A kind of page. */
export interface Page {
  /** Its files, by their paths from the top of the status page. */
  files(view: View): Iterable<readonly [path: string, page: Element]>;
}
