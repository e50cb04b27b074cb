import { assertEquals } from "@std/assert";
import { posix } from "node:path";
import { type PageSettings, toPageSettings } from "../../../lib/page/settings.ts";
import { renderBannerState } from "../../../templates/pages/embed.tsx";
import { eachPage } from "../../../templates/pages/mod.ts";
import { elementsOf, wordsOf } from "../../helpers/html.ts";
import { REPOSITORY } from "../../helpers/own_settings.ts";
import { filesOf, pagesOf, textOf } from "../../helpers/page_files.ts";
import { pageView, sitesUp } from "../../helpers/page_views.ts";
import { worldView } from "../../helpers/page_worlds.ts";
import { configOf } from "../../helpers/sites.ts";

/** A page in which sites have these groups. */
async function viewWith(groups: readonly string[], settings: Partial<PageSettings> = {}) {
  const sites = await sitesUp(
    ...groups.map((group, index) => ({
      name: `Site ${index + 1}`,
      ...group === "" ? {} : { group },
    })),
  );
  return pageView(sites, { settings });
}

async function filesWith(...args: Parameters<typeof viewWith>) {
  return filesOf(await viewWith(...args));
}

/** Addresses of the feeds in the head of a page, with their types and titles. */
function feedsOf(html: string): string[] {
  return elementsOf(html, "link").filter(({ attribs }) => attribs["rel"] === "alternate")
    .map(({ attribs: { type, title, href } }) => `${type} ${title} ${href}`);
}

function listFeeds(title: string, folder: string): string[] {
  return [
    `application/atom+xml ${title} ${folder}feed.xml`,
    `application/rss+xml ${title} ${folder}rss.xml`,
    `application/feed+json ${title} ${folder}feed.json`,
    `text/calendar ${title} ${folder}maintenance.ics`,
  ];
}

/** The address of the button in the header. */
function buttonOf(html: string): string | undefined {
  return elementsOf(html, ".subscribe")[0]?.attribs["href"];
}

/** The rows of the page about feeds, of all sites first: titles with their addresses. */
function rowsOf(html: string): string[] {
  return elementsOf(elementsOf(html, ".ways")[0]!, "li").map((row) =>
    [
      wordsOf(elementsOf(row, "h3")[0]!),
      ...elementsOf(row, "a").map(({ attribs }) => attribs["href"]),
      ...elementsOf(row, "code").map(wordsOf),
    ].join(" ")
  );
}

Deno.test("the head of each page has the feeds of all sites, after those of its own sites", async () => {
  const files = await filesWith(["Shops", "API"]);
  for (const path of pagesOf(files).filter((path) => !path.startsWith("embed/"))) {
    const up = "../".repeat(path.split("/").length - 1);
    const own = {
      "history/site-1/index.html": "Site 1",
      "history/site-2/index.html": "Site 2",
      "group/shops/index.html": "Shops",
      "group/api/index.html": "API",
    }[path];
    const expected = [
      ...own === undefined ? [] : listFeeds(own, ""),
      ...listFeeds("Acme status", up),
    ];
    assertEquals(feedsOf(textOf(files, path)), expected, path);
  }
});

Deno.test("the button leads to the feeds of the page's sites, and of many sites to those of the group", async () => {
  // The pages of many sites are not all rendered.
  const pagesWith = async (groups: readonly string[], paths: readonly string[]) => {
    const found = new Map<string, string>();
    for (const [path, html] of eachPage(await viewWith(groups))) {
      if (paths.includes(path)) found.set(path, html);
      if (found.size === paths.length) break;
    }
    return paths.map((path) => found.get(path)!);
  };
  const page = "../../subscribe/index.html";
  const [first, second, shops] = [
    ...[
      "history/site-1/index.html",
      "history/site-2/index.html",
      "group/shops/index.html",
    ] as const,
  ];
  const few = await pagesWith(["Shops", ""], ["index.html", shops, first]);
  assertEquals(few.map(buttonOf), [
    "subscribe/index.html",
    `${page}#group/shops`,
    `${page}#history/site-1`,
  ]);
  const alone = await pagesWith([""], ["group/other/index.html"]);
  assertEquals(alone.map(buttonOf), [page]);
  const many = Array.from({ length: 201 }, (_, index) => index === 0 ? "Größe" : "Shops");
  const ofMany = await pagesWith(many, [first, second]);
  assertEquals(ofMany.map(buttonOf), [`${page}#group/gr%C3%B6%C3%9Fe`, `${page}#group/shops`]);
  assertEquals(feedsOf(ofMany[1]!), [
    ...listFeeds("Shops", "../../group/shops/"),
    ...listFeeds("Acme status", "../../"),
  ]);
  const [loose] = await pagesWith(Array(201).fill(""), [first]);
  assertEquals([buttonOf(loose!), feedsOf(loose!)], [page, listFeeds("Acme status", "../../")]);
});

Deno.test("without pages.subscribe there is no button and no page, and feeds stay", async () => {
  const config = await configOf([], { pages: { subscribe: false } });
  const files = await filesWith(
    ["Shops"],
    await toPageSettings(config, { repository: REPOSITORY }),
  );
  assertEquals(files.has("subscribe/index.html"), false);
  for (const path of pagesOf(files)) assertEquals(buttonOf(textOf(files, path)), undefined, path);
  assertEquals(feedsOf(textOf(files, "index.html")), listFeeds("acme/status", ""));
  assertEquals([files.has("feed.xml"), files.has("embed/index.html")], [true, true]);
});

Deno.test("mail by GitHub needs a public repository with issues, and Slack an address", async () => {
  const rows = async (keys: Record<string, unknown>, commits?: string, repository?: string) => {
    const settings = await toPageSettings(await configOf([], keys), { repository, commits });
    return rowsOf(textOf(await filesWith([""], settings), "subscribe/index.html"));
  };
  const feed = "Feed ../feed.xml ../rss.xml ../feed.json";
  const address = "acme.github.io/status";
  const known = [
    feed,
    `Slack /feed subscribe https://${address}/rss.xml`,
    `Calendar webcal://${address}/maintenance.ics ../maintenance.ics`,
  ];
  const commits = `${REPOSITORY}/commits/main/`;
  assertEquals(await rows({}, commits, REPOSITORY), known.toSpliced(2, 0, `Mail ${REPOSITORY}`));
  assertEquals(await rows({}, undefined, REPOSITORY), known);
  assertEquals(await rows({ issues: false }, commits, REPOSITORY), known);
  assertEquals(await rows({}), [feed, "Calendar ../maintenance.ics ../maintenance.ics"]);
});

Deno.test("each planned window can be added to a calendar, wherever it is shown", async () => {
  const files = filesOf(await worldView("maintenance"));
  const windows = (path: string) =>
    elementsOf(textOf(files, path), "a").filter((one) => wordsOf(one) === "Add to calendar")
      .map(({ attribs }) => posix.join(posix.dirname(path), attribs["href"]!));
  const all = windows("maintenance/index.html");
  assertEquals(all.length, 3);
  for (const path of all) assertEquals(files.has(path), true, path);
  assertEquals(windows("index.html").length, 3);
  assertEquals(windows("history/router/index.html").length, 1);
  assertEquals(windows("group/other/index.html").length, 1);
  assertEquals(windows("group/public/index.html").length, 2);
  assertEquals(windows("group/machines/index.html").length, 1);
  assertEquals(windows("history/mail/index.html"), []);
  const ofFiles = pagesOf(files).filter((path) => path.startsWith("incident/")).flatMap(windows);
  assertEquals(ofFiles.filter((path) => files.has(path)).length, 2);
  assertEquals(ofFiles.length, 2);
});

Deno.test("the banner reads what is wrong, until when that holds, and no secret", async () => {
  const read = async (name: "partial outage" | "all up" | "maintenance" | "unchecked") =>
    JSON.parse(renderBannerState(await worldView(name), (text) => text.replace("Payments", "***")));
  assertEquals(await read("partial outage"), {
    state: "down",
    until: "2026-11-22T12:05:00.000Z",
    title: "Partial outage",
    line: "*** and Checkout are down, Search is degraded. 4 of 7 services are operational.",
    name: "Acme status",
    ...{ close: "Close", lang: "en", dir: "ltr" },
  });
  for (const name of ["all up", "maintenance", "unchecked"] as const) {
    assertEquals((await read(name)).until, undefined, name);
  }
});
