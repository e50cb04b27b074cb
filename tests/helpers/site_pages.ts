import { assertEquals } from "@std/assert";
import { sitePagePath } from "../../lib/config/page_path.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { eachPage } from "../../templates/pages/mod.ts";
import { sitePages } from "../../templates/pages/site_page.tsx";
import { pageView, sitesUp } from "./page_views.ts";
import { siteReport } from "./reports.ts";
import type { Keys } from "./sites.ts";

/** The page of the first of some sites. */
export function pageOf(
  sites: readonly SiteReport[],
  changes?: Parameters<typeof pageView>[1],
): string {
  const pages = new Map(eachPage(pageView(sites, changes), [sitePages]));
  assertEquals(pages.size, sites.length);
  return pages.get(sitePagePath(sites[0]!.site.slug))!;
}

/** The report of a shop that is up, with changes. */
export async function one(
  keys: Keys = {},
  changes: Partial<SiteReport> = {},
): Promise<SiteReport[]> {
  const [report] = await sitesUp({ name: "Shop", slug: "shop", ...keys });
  return [siteReport(report!.site, changes)];
}

/** The text of a page, without its tags. */
export function read(html: string): string {
  return html.replace(/<svg[^]*?<\/svg>/g, "").replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}
