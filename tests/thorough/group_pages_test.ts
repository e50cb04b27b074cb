import { assert, assertEquals } from "@std/assert";
import { posix } from "node:path";
import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import { MOST_ROWS } from "../../lib/page/groups.ts";
import type { Report, SiteReport } from "../../lib/statistics/report/report.ts";
import { computeSummary, parseSummary } from "../../lib/statistics/summary.ts";
import { formatPageSummary } from "../../lib/statistics/summary_files.ts";
import { utcDay } from "../../lib/time.ts";
import { groupPages } from "../../templates/pages/groups.tsx";
import { eachPage, PAGES } from "../../templates/pages/mod.ts";
import { overview } from "../../templates/pages/overview.tsx";
import { sitePages } from "../../templates/pages/site_page.tsx";
import type { View } from "../../templates/pages/view.ts";
import { elementsOf, wordsOf } from "../helpers/html.ts";
import { readPage } from "../helpers/page_links.ts";
import { pageView, sitesUp } from "../helpers/page_views.ts";
import { REPORT_TIME } from "../helpers/reports.ts";

const GROUPS = ["Shops", "Shops!", "Öffentlich & mehr", "API", "Other", undefined];
const MEGABYTE = 1_000_000;

/** Sites in five groups and in none by turns, some of which are down, degraded or paused. */
async function manySites(count: number): Promise<SiteReport[]> {
  const keys = Array.from({ length: count }, (_, index) => ({
    name: `Site ${index + 1}`,
    group: GROUPS[index % GROUPS.length],
    paused: index % 200 === 5,
  }));
  const sites = await sitesUp(
    ...keys.map(({ group, ...others }) => group === undefined ? others : { ...others, group }),
  );
  return sites.map((one, index): SiteReport => {
    if (index % 100 === 0) return { ...one, condition: "down" };
    return index % 100 === 1 ? { ...one, condition: "degraded" } : one;
  });
}

function pathsOf(view: View): Set<string> {
  const pages = PAGES.flatMap((page) => [...page(view)].map(([path]) => path));
  return new Set([...pages, ...Object.values(PAGE_PATHS)]);
}

/** Links of a page that lead to no file of the status page. */
function brokenLinks(path: string, html: string, paths: ReadonlySet<string>): string[] {
  return readPage(html).links.map(({ address }) => address.replace(/[?#].*$/, ""))
    .filter((address) => address !== "" && !/^\w+:/.test(address))
    .filter((address) => !paths.has(posix.join(posix.dirname(path), decodeURIComponent(address))));
}

Deno.test("above 1,000 sites the overview lists groups, and their pages list each site once", async () => {
  const sites = await manySites(1200);
  const view = pageView(sites);
  const paths = pathsOf(view);
  const pages = new Map(eachPage(view, [overview, groupPages]));
  for (const [path, html] of pages) {
    assertEquals(brokenLinks(path, html, paths), [], path);
    assert(html.length < MEGABYTE, `${path}: ${html.length}`);
    assertEquals(elementsOf(html, "h1").length, 1, path);
    assert(!html.includes("style="), path);
  }
  const first = pages.get(PAGE_PATHS.overview)!;
  assertEquals(elementsOf(first, "h2").map(wordsOf), [
    "Not operational",
    "Groups",
    "Recent incidents",
  ]);
  assertEquals(
    wordsOf(elementsOf(first, ".times")[0]!),
    "1,200 sites · Down: 12 · Degraded: 12 · Operational: 1,170 · Paused: 6",
  );
  const rows = elementsOf(first, ".site");
  assertEquals(rows.length, 24 + GROUPS.length);
  const partsOf = (row: typeof rows[number]) =>
    [".name", ".state", ".figures"].map((part) => wordsOf(elementsOf(row, part)[0]!));
  assertEquals(partsOf(rows[0]!).slice(0, 2), ["Site 1", "Down"]);
  assertEquals(rows.slice(-2).map(partsOf), [
    ["Other", "Minor outage", "200 sites · Down: 4 · Operational: 196"],
    [
      "Other sites",
      "Degraded performance",
      "200 sites · Degraded: 4 · Operational: 194 · Paused: 2",
    ],
  ]);

  const others = [...pages.keys()].filter((path) => path !== PAGE_PATHS.overview);
  assertEquals(
    [...new Set(others.map((path) => path.split("/")[1]))],
    ["shops", "shops!", "öffentlich---mehr", "api", "other", "other-2"],
  );
  assert(others.includes("group/other-2/3/index.html"));
  const listed = others.flatMap((path) =>
    elementsOf(pages.get(path)!, ".site").map(({ attribs }) => attribs["data-slug"])
  );
  assertEquals(listed.toSorted(), sites.map(({ site }) => site.slug).toSorted());
  for (const path of others) {
    assert(elementsOf(pages.get(path)!, ".site").length <= MOST_ROWS, path);
  }
});

Deno.test("the page of a site links the page of its group that lists it", async () => {
  const view = pageView(await manySites(1200));
  const [path, render] = [...sitePages(view)][600]!;
  const html = new Map(eachPage(view, [() => [[path, render]]])).get(path)!;
  const broken = brokenLinks(path, html, pathsOf(view));
  assertEquals(broken.filter((address) => !address.startsWith("../../api/")), []);
  assert(readPage(html).links.some(({ address }) => address.endsWith("group/shops/2/index.html")));
});

Deno.test("up to 1,000 sites there are no pages of groups", async () => {
  const view = pageView(await manySites(1000));
  assertEquals([...groupPages(view)], []);
  const html = new Map(eachPage(view, [overview])).get(PAGE_PATHS.overview)!;
  assertEquals(elementsOf(html, ".group").length, GROUPS.length);
});

Deno.test("a paged overview lists the first of very many sites that are not up, and counts the others", async () => {
  const sites = await manySites(1200);
  const down = sites.map((one): SiteReport => ({ ...one, condition: "down" }));
  const html = new Map(eachPage(pageView(down), [overview])).get(PAGE_PATHS.overview)!;
  assertEquals(elementsOf(html, ".site").length, 200 + GROUPS.length);
  assert(html.includes("and 994 more"));
  assert(html.length < MEGABYTE);
});

Deno.test("the summary of a paged page is an array of totals and sites that are not up, with parts of all sites", async () => {
  const sites = await manySites(1200);
  const files = summaryOf(sites);
  const [totals, ...listed] = JSON.parse(files.get("summary.json")!);
  assertEquals([totals.sites, totals.states, totals.unlisted], [
    1200,
    { down: 12, degraded: 12, up: 1176 },
    undefined,
  ]);
  assertEquals(listed.length, 24);
  const parts = [...files].filter(([path]) => path !== "summary.json");
  assert(parts.every(([path]) => /^summary\/[\da-f]{2}\.json$/.test(path)));
  const all = parts.flatMap(([, text]) => [...parseSummary(text).keys()]);
  assertEquals(all.toSorted(), sites.map(({ site }) => site.slug).toSorted());
});

Deno.test("the summary of a paged page stays below a megabyte if all sites are down, and counts the others", async () => {
  const downMinutes = new Map(
    Array.from({ length: 60 }, (_, day) => [utcDay(REPORT_TIME.subtract({ hours: 24 * day })), 5]),
  );
  const sites = (await manySites(1200))
    .map((one): SiteReport => ({ ...one, condition: "down", downMinutes }));
  for (const [path, text] of summaryOf(sites)) assert(text.length < MEGABYTE, path);
  const [totals, ...listed] = JSON.parse(summaryOf(sites).get("summary.json")!);
  assert(listed.length > 100);
  assertEquals(totals.unlisted, 1200 - listed.length);
});

function summaryOf(sites: Report["sites"]): Map<string, string> {
  return formatPageSummary(computeSummary(pageView(sites).report));
}
