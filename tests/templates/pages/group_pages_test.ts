import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { posix } from "node:path";
import { PAGE_PATHS } from "../../../lib/config/page_path.ts";
import { parseIncident } from "../../../lib/history/incident.ts";
import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import { groupPages } from "../../../templates/pages/groups.tsx";
import { eachPage, PAGES } from "../../../templates/pages/mod.ts";
import { overview } from "../../../templates/pages/overview.tsx";
import { sitePages } from "../../../templates/pages/site_page.tsx";
import type { View } from "../../../templates/pages/view.ts";
import { elementsOf, type HtmlElement, wordsOf } from "../../helpers/html.ts";
import { filesOf, textOf } from "../../helpers/page_files.ts";
import { readPage } from "../../helpers/page_links.ts";
import { pageView, sitesUp } from "../../helpers/page_views.ts";

/** Sites in groups; one without a group has none of its own. */
function sitesIn(groups: readonly (string | undefined)[]): Promise<SiteReport[]> {
  return sitesUp(...groups.map((group, index) => ({
    name: `Site ${index + 1}`,
    ...group === undefined ? {} : { group },
  })));
}

function pagesOf(view: View): Map<string, string> {
  return new Map(eachPage(view, [overview, groupPages]));
}

function textsOf(html: string, wanted: string): string[] {
  return elementsOf(html, wanted).map(wordsOf);
}

function slugsOf(html: string): string[] {
  return elementsOf(html, ".site").flatMap(({ attribs }) => attribs["data-slug"] ?? []);
}

/** Names of groups with the addresses of their pages. */
function linksOf(elements: readonly HtmlElement[]): [string, string][] {
  return elements.map((one) => [wordsOf(one), decodeURIComponent(one.attribs["href"] ?? "")]);
}

/** Links of a page that lead to no file of the status page. */
function findBrokenLinks(path: string, html: string, view: View): string[] {
  const pages = PAGES.flatMap((page) => [...page(view)].map(([path]) => path));
  const paths = new Set<string>([...pages, ...Object.values(PAGE_PATHS)]);
  return readPage(html).links.map(({ address }) => address.replace(/[?#].*$/, ""))
    .filter((address) => address !== "" && !/^\w+:/.test(address))
    .filter((address) => !paths.has(posix.join(posix.dirname(path), decodeURIComponent(address))));
}

Deno.test("a single site without a group is on the overview and on the page of sites without a group", async () => {
  const pages = pagesOf(pageView(await sitesIn([undefined])));
  assertEquals([...pages.keys()], ["index.html", "group/other/index.html"]);
  assertEquals([...pages.values()].map(slugsOf), [["site-1"], ["site-1"]]);
  assertEquals(elementsOf(pages.get("index.html")!, ".group"), []);
});

Deno.test("a group whose sites are all paused is paused, whatever an open page reads", async () => {
  const sites = (await sitesIn(["Old", "Shops"])).map((one, index) => ({
    ...one,
    site: { ...one.site, paused: index === 0 },
  }));
  const pages = pagesOf(pageView(sites));
  const [headline] = elementsOf(pages.get("group/old/index.html")!, ".hero");
  assertEquals([wordsOf(elementsOf(headline!, "h1")[0]!), "data-overall" in headline!.attribs], [
    "Old Paused",
    false,
  ]);
  assertEquals(textsOf(pages.get("index.html")!, "small"), ["Paused"]);
});

Deno.test("without sites there are no pages of groups", () => {
  assertEquals([...pagesOf(pageView([])).keys()], ["index.html"]);
});

Deno.test("each heading of a group leads to its page, which lists the same rows as the overview", async () => {
  const view = pageView(
    await sitesIn(["Shops", "API", undefined, "Shops", "Mail & more", undefined]),
  );
  const pages = pagesOf(view);
  const first = pages.get("index.html")!;
  const groups = elementsOf(first, ".group");
  assertEquals(linksOf(groups.flatMap((one) => elementsOf(elementsOf(one, "h3")[0]!, "a"))), [
    ["Shops", "group/shops/index.html"],
    ["API", "group/api/index.html"],
    ["Other sites", "group/other/index.html"],
    ["Mail & more", "group/mail---more/index.html"],
  ]);
  for (const group of groups) {
    const [heading] = elementsOf(group, "a");
    const html = pages.get(heading!.attribs["href"]!)!;
    const ownRows = elementsOf(html, ".site");
    assertEquals(ownRows.map(wordsOf), elementsOf(group, ".site").map(wordsOf));
    assertEquals(textsOf(html, "h1"), [`${wordsOf(heading!)} All systems operational`]);
    assertEquals(textsOf(html, "title"), [`${wordsOf(heading!)} – Acme status`]);
    assertEquals(textsOf(html, ".times"), ["Last checked Nov 21, 2026, 10:05 UTC"]);
  }
  for (const [path, html] of pages) assertEquals(findBrokenLinks(path, html, view), [], path);
});

Deno.test("a page of a group has the group's state and active incidents alone", async () => {
  const [shop, blog, api] = await sitesIn(["Shops", "Shops", "API"]);
  const times = "start: 2026-11-21T09:00:00.000Z\nconfirmed: 2026-11-21T09:01:00.000Z\n";
  const of = (slug: string) => parseIncident(`slug: ${slug}\nkind: down\n${times}`)!;
  const incidents = new Map([
    ["2026-11-21-site-1", of("site-1")],
    ["2026-11-21-site-3", of("site-3")],
  ]);
  const sites: SiteReport[] = [{ ...shop!, condition: "down" }, blog!, api!];
  const pages = pagesOf(pageView(sites, { incidents }));
  const shops = pages.get("group/shops/index.html")!;
  assertEquals(textsOf(shops, "h1"), ["Shops Partial outage"]);
  assertEquals(elementsOf(shops, ".hero")[0]!.attribs["class"], "hero down");
  assertEquals(textsOf(shops, "h2"), ["Active incidents", "Sites"]);
  assertEquals(textsOf(shops, ".title"), ["Site 1 is down"]);
});

Deno.test("the page of a site links the page of its group, unless no site has a group", async () => {
  const back = (html: string) => linksOf(elementsOf(elementsOf(html, ".back")[0]!, "a"));
  const view = pageView(await sitesIn(["Shops", undefined]));
  const pages = new Map(eachPage(view, [sitePages]));
  assertEquals(back(pages.get("history/site-1/index.html")!), [
    ["All services", "../../index.html"],
    ["Shops", "../../group/shops/index.html"],
  ]);
  assertEquals(back(pages.get("history/site-2/index.html")!).at(-1), [
    "Other sites",
    "../../group/other/index.html",
  ]);
  const alone = new Map(eachPage(pageView(await sitesIn([undefined])), [sitePages]));
  assertEquals(back(alone.get("history/site-1/index.html")!), [[
    "All services",
    "../../index.html",
  ]]);
});

Deno.test("the page of each group has an address of its own, whatever the groups are called", async () => {
  const names = [
    "a/b",
    "🛒 Shops",
    "مجموعة",
    "Other",
    "Shop",
    undefined,
    "shop",
    "Shop 2",
    "../..",
    ".",
  ];
  const view = pageView(
    await sitesIn([...names, "x".repeat(300), "ö".repeat(99), "index.html"]),
    { settings: { address: "https://status.example/up" } },
  );
  const files = filesOf(view);
  const paths = [...files.keys()].filter((path) => path.startsWith("group/"));
  assertEquals(paths, [
    "group/a-b/index.html",
    "group/🛒-shops/index.html",
    "group/مجموعة/index.html",
    "group/other-2/index.html",
    "group/shop/index.html",
    "group/other/index.html",
    "group/shop-3/index.html",
    "group/shop-2/index.html",
    "group/-../index.html",
    "group/group/index.html",
    `group/${"x".repeat(100)}/index.html`,
    `group/${"ö".repeat(50)}/index.html`,
    "group/index.html/index.html",
  ]);
  const map = textOf(files, "sitemap.xml");
  for (const [index, path] of paths.entries()) {
    const html = textOf(files, path);
    assertEquals(slugsOf(html), [`site-${index + 1}`]);
    assertEquals(findBrokenLinks(path, html, view), [], path);
    const address = `https://status.example/up/${
      path.replace(/index\.html$/, "").split("/").map(encodeURIComponent).join("/")
    }`;
    assertStringIncludes(html, `<link rel="canonical" href="${address}"`);
    assertStringIncludes(map, `<loc>${address}</loc>`);
  }
});

Deno.test("the overview lists all of 500 sites, and of 501 the groups and those that are not up", async () => {
  const groups = ["Shops", "API", undefined];
  const all = await sitesIn(Array.from({ length: 501 }, (_, index) => groups[index % 3]));
  const states = new Map<number, Partial<SiteReport>>([
    [0, { condition: "degraded" }],
    [1, { condition: undefined, isInMaintenance: true }],
    [3, { condition: "down" }],
    [5, { condition: undefined }],
    [6, { condition: "down" }],
  ]);
  const sites = all.map((one, index): SiteReport => ({
    ...one,
    ...states.get(index),
    ...index === 7 ? { site: { ...one.site, paused: true } } : {},
  }));

  const view = pageView(sites.slice(0, 500));
  const first = pagesOf(view).get("index.html")!;
  assertEquals(slugsOf(first).length, 500);
  assertEquals(linksOf(elementsOf(first, "h3").flatMap((one) => elementsOf(one, "a"))), [
    ["Shops", "group/shops/index.html"],
    ["API", "group/api/index.html"],
    ["Other sites", "group/other/index.html"],
  ]);

  const pages = pagesOf(pageView(sites));
  const html = pages.get("index.html")!;
  assertEquals(textsOf(html, "h2"), ["Groups", "Not operational", "Recent incidents"]);
  assertEquals(
    textsOf(html, ".times")[0],
    "495 of 501 operational · Down: 2 · Degraded: 1 · Maintenance: 1 · No data: 1 · Paused: 1",
  );
  const rows = elementsOf(html, ".site");
  const partsOf = (row: HtmlElement) =>
    [".name", ".state", ".figures"].map((part) => wordsOf(elementsOf(row, part)[0]!));
  assertEquals(rows.slice(0, 3).map(partsOf), [
    ["Shops", "Minor outage", "164 of 167 operational · Down: 2 · Degraded: 1"],
    ["API", "Under maintenance", "165 of 167 operational · Maintenance: 1 · Paused: 1"],
    ["Other sites", "No current data for some sites", "166 of 167 operational · No data: 1"],
  ]);
  assertEquals(linksOf(rows.slice(0, 3).flatMap((row) => elementsOf(row, "a"))), [
    ["Shops", "group/shops/index.html"],
    ["API", "group/api/index.html"],
    ["Other sites", "group/other/index.html"],
  ]);
  assertEquals(rows.slice(3).map(partsOf).map((parts) => parts.slice(0, 2)), [
    ["Site 4", "Down"],
    ["Site 7", "Down"],
    ["Site 1", "Degraded"],
    ["Site 2", "Maintenance"],
    ["Site 6", "No data"],
  ]);
  assertEquals(rows.slice(3).map((row) => elementsOf(row, ".days").length), [1, 1, 1, 1, 1]);
  const listed = [...pages].flatMap(([path, page]) => path === "index.html" ? [] : slugsOf(page));
  assertEquals(listed.toSorted(), sites.map(({ site }) => site.slug).toSorted());

  const calm = pagesOf(pageView(all)).get("index.html")!;
  assertEquals(textsOf(calm, "h2"), ["Groups", "Recent incidents"]);
  assertEquals(textsOf(calm, ".state"), ["Operational", "Operational", "Operational"]);
});

Deno.test("a grouped overview lists every site that is not up, without bars if they are many, and a few of many active incidents", async () => {
  const all = await sitesIn(Array.from({ length: 501 }, () => undefined));
  const down = all.map((one): SiteReport => ({ ...one, condition: "down" }));
  const times = "start: 2026-11-21T09:00:00.000Z\nconfirmed: 2026-11-21T09:01:00.000Z\n";
  const incidents = new Map(
    down.map(({ site: { slug } }) => [
      `2026-11-21-${slug}`,
      parseIncident(`slug: ${slug}\nkind: down\n${times}`)!,
    ]),
  );
  const pages = pagesOf(pageView(down, { incidents }));
  const html = pages.get("index.html")!;
  for (const page of pages.values()) {
    assertEquals([slugsOf(page).length, elementsOf(page, ".days").length], [501, 0]);
  }
  const [active] = elementsOf(html, ".active");
  assertEquals(elementsOf(active!, ".incident").length, 30);
  assertEquals(linksOf(elementsOf(active!, "a")).at(-1), ["and 471 more", "incidents/index.html"]);
  assert(html.length < 1_000_000, String(html.length));
});
