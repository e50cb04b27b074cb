import { PAGE_PATHS, sitePagePath } from "../../lib/config/page_path.ts";
import { hasNames, hasSiteFeeds, listGroups } from "../../lib/page/groups.ts";
import { siteName } from "../words.ts";
import { nameGroup } from "../pages/group_words.tsx";
import type { View } from "../pages/view.ts";

/** A page with feeds in its folder: about the incidents of some sites, or of all. */
export interface FeedPlace {
  /** Path of the page. */
  page: string;
  /** The name of its group or site; absent of the overview. */
  name?: string;
  /** Absent of the overview. */
  slugs?: ReadonlySet<string>;
}

/** Lists the overview, groups and sites; of very many sites, only groups have feeds of their own. */
export function listFeedPlaces(
  { report, language }: Pick<View, "report" | "language">,
): FeedPlace[] {
  const groups = listGroups(report);
  const ofGroups = hasNames(groups) ? groups : [];
  const ofSites = hasSiteFeeds(report) ? report.sites : [];
  return [
    { page: PAGE_PATHS.overview },
    ...ofGroups.map(({ path, name, sites }) => ({
      page: path,
      name: nameGroup(name, language),
      slugs: new Set(sites.map(({ site }) => site.slug)),
    })),
    ...ofSites.map(({ site: { slug, name } }) => ({
      page: sitePagePath(slug),
      name: siteName(slug, [{ slug, name }]),
      slugs: new Set([slug]),
    })),
  ];
}
