import type { Site } from "../../lib/config/config.ts";
import type { Icon } from "../../lib/page/icon.ts";
import type { ReadmeLinks } from "../../lib/setup/readme/readme_links.ts";
import type { Report } from "../../lib/statistics/report/report.ts";
import type { Language } from "../pages/language.ts";

/** Everything that a README shows, without secrets. */
export interface ReadmeView {
  report: Report;
  language: Language;
  links: ReadmeLinks;
  /** Address of the status page, without a slash at its end; absent where nobody knows. */
  page?: string;
  /** Whether graphs are drawn for dark pages too. */
  hasDarkGraphs: boolean;
  /** The icon of a site, where it has one that is in the repository or a sign. */
  iconOf(site: Site): Icon | undefined;
}
