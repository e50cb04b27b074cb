import { assertEquals, assertStringIncludes } from "@std/assert";
import { posix } from "node:path";
import { besidePage, PAGE_PATHS } from "../../../lib/config/page_path.ts";
import { parseIncident } from "../../../lib/history/incident.ts";
import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import { listFeedPlaces } from "../../../templates/feeds/places.ts";
import { groupPages } from "../../../templates/pages/groups.tsx";
import { eachPage, PAGES } from "../../../templates/pages/mod.ts";
import { overview } from "../../../templates/pages/overview.tsx";
import { sitePages } from "../../../templates/pages/site_page.tsx";
import type { View } from "../../../templates/pages/view.ts";
import { elementsOf, type HtmlElement, wordsOf } from "../../helpers/html.ts";
import { filesOf, textOf } from "../../helpers/page_files.ts";
import { readPage } from "../../helpers/page_links.ts";
import { pageView, sitesUp } from "../../helpers/page_views.ts";
import { worldView } from "../../helpers/page_worlds.ts";

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
  const { atom, rss, jsonFeed, calendar } = PAGE_PATHS;
  const feeds = listFeedPlaces(view).flatMap(({ page }) =>
    [atom, rss, jsonFeed, calendar].map((file) => besidePage(page, file))
  );
  const paths = new Set<string>([...pages, ...feeds, ...Object.values(PAGE_PATHS)]);
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
  assertEquals(elementsOf(headline!, ".times"), []);
  assertEquals([wordsOf(elementsOf(headline!, "h1")[0]!), "data-overall" in headline!.attribs], [
    "Old Paused",
    false,
  ]);
  const [health] = elementsOf(pages.get("index.html")!, ".health");
  assertEquals(wordsOf(health!), "Paused");
});

Deno.test("without sites there are no pages of groups", () => {
  assertEquals([...pagesOf(pageView([])).keys()], ["index.html"]);
});

Deno.test("each group has a page, which lists the same rows as the overview", async () => {
  const view = pageView(
    await sitesIn(["Shops", "API", undefined, "Shops", "Mail & more", undefined]),
  );
  const pages = pagesOf(view);
  const first = pages.get("index.html")!;
  const groups = elementsOf(first, ".group").map((group) => ({
    name: wordsOf(elementsOf(group, "h3")[0]!),
    slug: group.attribs["id"]!.replace(/^g-/, ""),
    rows: elementsOf(group, ".called").map(wordsOf),
  }));
  assertEquals(groups.map(({ name, slug }) => [name, slug]), [
    ["Shops", "shops"],
    ["API", "api"],
    ["Other services", "other"],
    ["Mail & more", "mail---more"],
  ]);
  for (const { name, slug, rows } of groups) {
    const html = pages.get(`group/${slug}/index.html`)!;
    assertEquals(
      elementsOf(html, ".sites").flatMap((one) => elementsOf(one, ".called")).map(wordsOf),
      rows,
    );
    assertEquals(textsOf(html, "h1"), [`${name} All systems operational`]);
    assertEquals(textsOf(html, "title"), [`${name} – Acme status`]);
    assertEquals(textsOf(html, ".times"), [
      "Last checked Nov 21, 2026, 10:05 UTC · checked every 5 minutes",
    ]);
  }
  for (const [path, html] of pages) assertEquals(findBrokenLinks(path, html, view), [], path);
});

Deno.test("the page of a group has the cards of ongoing and planned maintenance of its sites", async () => {
  const pages = pagesOf(await worldView("maintenance"));
  const cardsOf = (name: string) =>
    elementsOf(pages.get(`group/${name}/index.html`)!, ".incident").map((card) =>
      [".title", ".pill"].flatMap((one) => elementsOf(card, one)).map(wordsOf)
    );
  assertEquals(["other", "public", "machines"].map(cardsOf), [
    [["New router", "Monitoring"]],
    [["Backup", "In 15 hr 55 min"], ["Database", "In 1 day 2 hr"]],
    [["Database", "In 1 day 2 hr"]],
  ]);
});

Deno.test("groups say how their sites are; they are open on small pages, and if something is wrong", async () => {
  const groups = ["Shops", "Shops", "API"];
  const of = async (count: number, failing = 0) => {
    const all = await sitesIn(Array.from({ length: count }, (_, index) => groups[index % 3]));
    const sites = all.map((one, index): SiteReport =>
      index === failing ? { ...one, condition: "down" } : one
    );
    return elementsOf(pagesOf(pageView(sites)).get("index.html")!, ".group")
      .map((group) => [
        "open" in group.attribs,
        wordsOf(elementsOf(group, ".health")[0]!),
        wordsOf(elementsOf(group, ".sum")[0]!),
      ]);
  };
  assertEquals(await of(3), [
    [true, "1 of 2 operational1 of 2", "2 services · 100%"],
    [true, "Operational", "1 service · 100%"],
  ]);
  assertEquals((await of(3, 2)).map(([, health]) => health), ["Operational", "Down"]);
  assertEquals((await of(21)).map(([isOpen]) => isOpen), [true, false]);
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
  assertEquals(textsOf(shops, "h2"), ["Active incidents", "Services", "Incidents"]);
  assertEquals(textsOf(shops, ".title"), ["Site 1 is down"]);
});

Deno.test("a page of a group lists the incidents of its services, or says that there are none", async () => {
  const sites = await sitesIn(["Shops", "Shops", "API"]);
  const of = (slugs: string, day: number) =>
    parseIncident(
      `slug: ${slugs}\nkind: down\nstart: 2026-11-${day}T09:00:00.000Z\n` +
        `confirmed: 2026-11-${day}T09:01:00.000Z\nend: 2026-11-${day}T10:00:00.000Z\n`,
    )!;
  const incidents = new Map([["a", of("site-1", 12)], ["b", of("site-2", 14)]]);
  const pages = pagesOf(pageView(sites, { incidents }));
  const [log] = elementsOf(pages.get("group/shops/index.html")!, ".log");
  assertEquals(elementsOf(log!, "a").map(wordsOf), ["Site 2 was down", "Site 1 was down"]);
  assertEquals(textsOf(pages.get("group/api/index.html")!, ".muted").slice(-1), [
    "No incidents or maintenance yet",
  ]);
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
    "Other services",
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
  const paths = [...files.keys()].filter((path) => /^group\/.*\.html$/.test(path));
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

Deno.test("lists of more than 500 sites have no bars, and a few of many active incidents", async () => {
  const all = await sitesIn(Array.from({ length: 501 }, () => undefined));
  const down = all.map((one): SiteReport => ({ ...one, condition: "down" }));
  const times = "start: 2026-11-21T09:00:00.000Z\nconfirmed: 2026-11-21T09:01:00.000Z\n";
  const incidents = new Map(
    down.map(({ site: { slug } }, index) => [
      `2026-11-21-${slug}`,
      parseIncident(`slug: ${slug}\nkind: down\nerror: error ${index}\n${times}`)!,
    ]),
  );
  for (const html of pagesOf(pageView(down, { incidents })).values()) {
    assertEquals([slugsOf(html).length, elementsOf(html, ".strip").length], [501, 0]);
  }
  const few = pagesOf(pageView(all.slice(1))).get("index.html")!;
  assertEquals([slugsOf(few).length, elementsOf(few, ".strip").length], [500, 500]);
  const html = pagesOf(pageView(down, { incidents })).get("index.html")!;
  assertEquals(elementsOf(elementsOf(html, ".active")[0]!, ".incident").length, 30);
});
