import { assertEquals } from "@std/assert";
import { countShownRows, foldSites } from "../../../lib/page/groups.ts";
import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import { pageView, sitesUp } from "../../helpers/page_views.ts";

const ALL = await sitesUp(...Array.from({ length: 17 }, (_, index) => ({ name: `s${index}` })));

/** Slugs of the sites that a list of at most `most` rows shows, given the states of some of its first sites. */
function shownOf(most: number, ...conditions: SiteReport["condition"][]): string {
  const sites = ALL.map((one, index): SiteReport => ({
    ...one,
    condition: conditions[index] ?? "up",
  }));
  const { shown, folded } = foldSites(sites, pageView(sites).report, most);
  assertEquals(new Set([...shown, ...folded]), new Set(sites));
  return shown.map(({ site }) => site.slug).join(" ");
}

Deno.test("a long list shows its worst sites, then those that are up, in the order of the list", () => {
  assertEquals(shownOf(3), "s0 s1 s2");
  assertEquals(shownOf(3, "up", "up", "up", "down"), "s0 s1 s3");
  assertEquals(shownOf(2, "up", "degraded", "up", "down", "degraded"), "s1 s3");
  assertEquals(shownOf(1, "degraded", "degraded", "down"), "s2");
});

Deno.test("a single site is not folded", () => {
  assertEquals(shownOf(15).split(" ").length, 15);
  assertEquals(shownOf(16).split(" ").length, 17);
  assertEquals(shownOf(17).split(" ").length, 17);
});

Deno.test("lists show all rows up to 25 in all, else equal numbers of rows, but at least one", () => {
  assertEquals(countShownRows([ALL.slice(0, 13), ALL.slice(0, 12)]) >= 13, true);
  assertEquals(countShownRows([ALL.slice(0, 13), ALL.slice(0, 13)]), 12);
  assertEquals(countShownRows([ALL, ALL, ALL, ALL]), 6);
  assertEquals(countShownRows(Array(40).fill(ALL)), 1);
});
