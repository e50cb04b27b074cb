import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parseStoredIncident, type StoredIncident } from "../../../lib/history/stored_incidents.ts";
import { MINUTE } from "../../../lib/time.ts";
import type { PlannedWindow } from "../../../lib/history/maintenance.ts";
import { eachPage } from "../../../templates/pages/mod.ts";
import { allElements, elementsOf, wordsOf } from "../../helpers/html.ts";
import { worldView } from "../../helpers/page_worlds.ts";
import { incident } from "../../../templates/pages/incident.tsx";
import { pageView, sitesUp } from "../../helpers/page_views.ts";
import { report, REPORT_TIME } from "../../helpers/reports.ts";

type Changes = NonNullable<Parameters<typeof pageView>[1]>;

/** All pages of two sites and of their incidents, by path. */
async function pagesOf(
  stored: Readonly<Record<string, string>>,
  { windows = [], ...changes }: Changes & { windows?: readonly PlannedWindow[] } = {},
): Promise<Map<string, string>> {
  const sites = await sitesUp({ name: "Shop" }, { name: "Blog" });
  const incidents = new Map(
    Object.entries(stored).map(([id, text]): [string, StoredIncident] => [
      id,
      parseStoredIncident(text)!,
    ]),
  );
  const view = pageView(sites, { incidents, ...changes });
  return new Map(eachPage({ ...view, report: { ...view.report, maintenance: windows } }));
}

function textsOf(page: string | undefined, wanted: string): string[] {
  return elementsOf(page!, wanted).map(wordsOf);
}

/** Names and contents of the facts of a page. */
function factsOf(page: string | undefined): Record<string, string> {
  const contents = textsOf(page, "dd");
  return Object.fromEntries(textsOf(page, "dt").map((name, index) => [name, contents[index]!]));
}

const OUTAGE = `slug: shop
kind: down
start: 2026-11-18T10:00:00.000Z
confirmed: 2026-11-18T10:00:31.000Z
end: 2026-11-18T12:05:00.000Z
code: 503
error: expected status 200, found 503
attempts: 3
issue: 42
affects:
  - blog
updates:
  - at: 2026-11-18T10:20:00.000Z
    phase: investigating
    text: We look into **it**.
  - at: 2026-11-18T10:40:00.000Z
    text: Still looking.
  - at: 2026-11-19T08:00:00.000Z
    phase: post-mortem
    text: |
      # What happened
      A cable.
`;
const DEPENDENT = `slug: blog
kind: down
start: 2026-11-18T10:01:00.000Z
confirmed: 2026-11-18T10:01:31.000Z
end: 2026-11-18T12:06:00.000Z
code: 0
cause: 2026-11-18-shop
`;
const BOTH = { "2026-11-18-shop": OUTAGE, "2026-11-18-blog": DEPENDENT };
const SETTINGS = {
  repository: "https://github.com/acme/status",
  commits: "https://github.com/acme/status/commits/main/",
};

Deno.test("the page of an incident shows its details", async () => {
  const pages = await pagesOf(BOTH, { settings: SETTINGS });
  const page = pages.get("incident/2026-11-18-shop/index.html");
  assertEquals(textsOf(page, "h1"), ["Shop was down"]);
  assertEquals(textsOf(page, ".line"), ["For 2 hr 5 min. Resolved."]);
  assertEquals(factsOf(page), {
    "Affected": "ShopBlog, caused by Shop",
    "Started": "Nov 18, 2026, 10:00 UTC",
    "Ended": "Nov 18, 2026, 12:05 UTC",
    "Duration": "2 hr 5 min",
    "How we know": "Confirmed after 3 attemptsstatus 503",
  });
  const [aside] = elementsOf(page!, "aside");
  assertEquals(elementsOf(aside!, "p").map(wordsOf), [
    "Discussion: issue #42",
    "History of this record",
  ]);
  const links = elementsOf(page!, "a").map(({ attribs }) => attribs["href"]);
  for (
    const link of [
      "../../history/shop/index.html",
      "../2026-11-18-blog/index.html",
      "https://github.com/acme/status/issues/42",
      "https://github.com/acme/status/commits/main/history/incidents/2026-11-18-shop.yml",
      "../../incidents/index.html",
    ]
  ) assert(links.includes(link), link);
  const [begin] = elementsOf(page!, "dd").flatMap((one) => elementsOf(one, "time"));
  assertEquals(begin!.attribs["datetime"], "2026-11-18T10:00:00.000Z");
});

Deno.test("updates and the monitor's events are listed newest first, and a post-mortem is an article", async () => {
  const page = (await pagesOf(BOTH)).get("incident/2026-11-18-shop/index.html")!;
  const [rail] = elementsOf(page, ".rail");
  assertEquals(textsOf(page, "h2"), ["Post-mortem", "Updates"]);
  assertEquals(elementsOf(rail!, "h3").map(wordsOf), [
    "Operational Nov 18, 2026, 12:05 UTC",
    "Update 10:40 UTC",
    "Investigating 10:20 UTC",
    "Down 10:00 UTC",
  ]);
  assertEquals(elementsOf(rail!, ".event").map(wordsOf), [
    "Operational Nov 18, 2026, 12:05 UTC",
    "Down 10:00 UTCConfirmed after 3 attempts · expected status 200, found 503",
  ]);
  assertEquals(elementsOf(rail!, "code").map(wordsOf), ["expected status 200, found 503"]);
  assertEquals(elementsOf(rail!, "strong").map(wordsOf), ["it"]);
  const [article] = elementsOf(page, "article");
  assertEquals(elementsOf(article!, "h3").map(wordsOf), ["What happened"]);
});

Deno.test("an incident names its root cause, which is a link if it is an incident", async () => {
  const affected = async (stored: Readonly<Record<string, string>>) => {
    const page = (await pagesOf(stored)).get("incident/2026-11-18-blog/index.html")!;
    const [first] = elementsOf(page, "dd");
    return [wordsOf(first!), ...elementsOf(first!, "a").map(({ attribs }) => attribs["href"])];
  };
  assertEquals(await affected(BOTH), [
    "Blog, caused by Shop",
    "../../history/blog/index.html",
    "../2026-11-18-shop/index.html",
  ]);
  assertEquals(await affected({ "2026-11-18-blog": DEPENDENT }), [
    "Blog, caused by 2026-11-18-shop",
    "../../history/blog/index.html",
  ]);
});

Deno.test("an incident leads to the ones before and after it of the same service", async () => {
  const of = (day: number) => DEPENDENT.replaceAll("11-18T", `11-${day}T`);
  const pages = await pagesOf({ ...BOTH, early: of(10), late: of(20) });
  const turn = (id: string) => textsOf(pages.get(`incident/${id}/index.html`), ".turn");
  assertEquals([turn("early"), turn("2026-11-18-blog"), turn("late"), turn("2026-11-18-shop")], [
    ["More incidents of BlogNext: November 18, 2026"],
    ["More incidents of BlogPrevious: November 10, 2026Next: November 20, 2026"],
    ["More incidents of BlogPrevious: November 18, 2026"],
    [],
  ]);
});

Deno.test("a page shows when somebody acknowledged, and not who", async () => {
  const acknowledged = "acknowledgements:\n  - at: 2026-11-18T10:12:00.000Z\n    by: ann-smith\n" +
    "    way: comment\n    state: down\n";
  const pages = await pagesOf({ "2026-11-18-shop": OUTAGE + acknowledged });
  const [rail] = elementsOf(pages.get("incident/2026-11-18-shop/index.html")!, ".rail");
  assertEquals(elementsOf(rail!, "h3").map(wordsOf).at(-2), "Acknowledged 10:12 UTC");
  for (const [path, text] of pages) assert(!text.includes("ann-smith"), path);
});

Deno.test("an incident has a chart of the hours around it as long as single checks are kept", async () => {
  const pages = new Map(eachPage(await worldView("past"), [incident]));
  const charts = [...pages].filter(([, page]) => page.includes('class="plot"')).map(([path]) =>
    path
  );
  const withChart = "incident/2026-11-19-website/index.html";
  assert(charts.includes(withChart), charts.join());
  assertEquals(charts.filter((path) => path < "incident/2026-11"), []);
  const [chart] = elementsOf(pages.get(withChart)!, "figure");
  assertMatch(
    allElements(pages.get(withChart)!).map(({ attribs }) => attribs["aria-label"]).join(),
    /Response time, around the incident: median .* From Nov 19, 2026, 17:05 UTC to Nov 19, 2026, 19:15 UTC/,
  );
  assert(elementsOf(chart!, "table").length === 1);
});

Deno.test("an incident of several services has a chart for each of which single checks are kept", async () => {
  const start = Date.parse("2026-10-20T08:00:00Z");
  const times = Array.from({ length: 60 }, (_, index) => start + 5 * MINUTE * (index - 20));
  const older = { times, ms: times.map((_, index) => 100 + index) };
  const notice = "kind: manual\nissue: 1\nname: Slow\nsites: [shop, gone, blog]\n" +
    "start: 2026-10-20T08:00:00.000Z\nend: 2026-10-20T09:00:00.000Z\n";
  const captionsOf = async (...slugs: string[]) => {
    const olderTimes = new Map(slugs.map((slug) => [slug, older]));
    const page = (await pagesOf({ a: notice }, { olderTimes })).get("incident/a/index.html");
    return textsOf(page, "figcaption");
  };
  assertEquals(await captionsOf("shop", "blog"), ["Shop", "Blog"]);
  assertEquals(await captionsOf("blog"), ["Blog"]);
  assertEquals(await captionsOf(), []);
});

Deno.test("an incident within a minute shows one time", async () => {
  const short = OUTAGE.replace("T12:05:00.000Z", "T10:00:48.000Z");
  const pages = await pagesOf({ a: short });
  assertMatch(textsOf(pages.get("incidents/index.html"), ".rows")[0]!, /down10:00 UTC · 48 sec/);
});

Deno.test("only pages of a repository that anyone may read link to the history of a record", async () => {
  const pages = await pagesOf(BOTH, { settings: { repository: SETTINGS.repository } });
  assert(!pages.get("incident/2026-11-18-shop/index.html")!.includes("/commits/"));
});

Deno.test("an ongoing incident shows its duration so far, and its phase in the color of its state", async () => {
  const open = OUTAGE.replace(/end: .*\n/, "").replaceAll("2026-11-18T10", "2026-11-21T09");
  const pages = await pagesOf({ a: open });
  assertEquals(textsOf(pages.get("incident/a/index.html"), "h1"), ["Shop is down"]);
  assertEquals(factsOf(pages.get("incident/a/index.html"))["Duration"], "1 hr 5 min so far");
  const pills = elementsOf(pages.get("incidents/index.html")!, ".standing");
  assertEquals(pills.map((pill) => [wordsOf(pill), pill.attribs["class"]]), [
    ["Investigating", "pill standing down"],
  ]);
});

Deno.test("incidents are listed by months, the newest one first", async () => {
  const old = DEPENDENT.replaceAll("2026-11-18", "2025-12-24").replace(
    "cause: 2025-12-24-shop\n",
    "",
  );
  const pages = await pagesOf({ ...BOTH, old });
  const newest = pages.get("incidents/index.html");
  assertEquals(textsOf(newest, "h1"), ["Incidents in November 2026"]);
  assertEquals(textsOf(newest, "h2"), ["November 18, 2026", "All months"]);
  assertEquals(textsOf(newest, ".month-list"), ["November 2026 2", "December 2025 1"]);
  const [list] = elementsOf(newest!, ".rows");
  assertEquals(elementsOf(list!, "li").map(wordsOf), [
    "Shop was down10:00 UTC – 12:05 UTC · 2 hr 5 minAlso affected: BlogWhat happened A cable.expected status 200, found 503",
  ]);
  assertEquals(textsOf(newest, ".turn"), ["Earlier: December 2025"]);
  const december = pages.get("incidents/2025-12/index.html");
  assertEquals(textsOf(december, ".turn"), ["Later: November 2026"]);
  assertEquals(textsOf(pages.get("incidents/2026-11/index.html"), "h1"), textsOf(newest, "h1"));
  assertEquals([...pages.keys()].filter((path) => path.startsWith("incidents/")).length, 3);
});

Deno.test("a month without incidents so far comes first, and has no page of its own", async () => {
  const pages = await pagesOf({ old: DEPENDENT.replaceAll("2026-11-18", "2026-09-30") });
  const first = pages.get("incidents/index.html");
  assertEquals(textsOf(first, "h1"), ["Incidents in November 2026"]);
  assertEquals(textsOf(first, ".none"), ["No incidents this month."]);
  assertEquals(textsOf(first, ".turn"), ["Earlier: September 2026"]);
  assertEquals(textsOf(first, ".month-list"), ["September 2026 1"]);
  const [later] = elementsOf(pages.get("incidents/2026-09/index.html")!, ".turn");
  assertEquals(elementsOf(later!, "a").map(({ attribs }) => attribs["href"]), ["../index.html"]);
  assert(!pages.has("incidents/2026-11/index.html"));
});

Deno.test("without incidents, the list says so", async () => {
  const pages = await pagesOf({});
  const list = pages.get("incidents/index.html")!;
  assertEquals(textsOf(list, "h1"), ["Incidents in November 2026"]);
  assertStringIncludes(list, "No incidents yet.");
  assertEquals(textsOf(pages.get("maintenance/index.html"), ".none"), [
    "No maintenance in progress.",
    "No maintenance scheduled.",
    "No past maintenance.",
  ]);
});

Deno.test("a manual incident is shown with its author's words", async () => {
  const notice = `kind: manual
name: "Banks are\\u202e slow"
sites: [shop, gone]
start: 2026-11-18T08:00:00.000Z
end: 2026-11-18T09:00:00.000Z
issue: 7
text: "# Why\\n<b>Nobody</b> knows"
`;
  const page = (await pagesOf({ a: notice })).get("incident/a/index.html");
  assertEquals(textsOf(page, "h1"), ["Banks are slow"]);
  assertEquals(textsOf(page, ".line"), ["Degraded performance for 1 hr. Resolved."]);
  assertEquals(factsOf(page)["Affected"], "Shop, Gone");
  assertEquals(textsOf(page, "p").includes("Discussion: issue #7"), true);
  assertEquals(textsOf(page, "h4"), ["Why"]);
  assertStringIncludes(textsOf(page, ".prose")[0]!, "<b>Nobody</b> knows");
});

/** A window of maintenance in a file, with lines of its own. */
function windowFile(start: string, lines: string): string {
  return `kind: maintenance\nsource: issue\nname: Router\nstart: ${start}\nuntil: 2026-11-21T12:00:00.000Z\n` +
    `sites:\n  shop: down\n  blog: none\n${lines}`;
}

Deno.test("a maintenance page shows the expected state of each site, and if it was canceled", async () => {
  const pages = await pagesOf({
    going: windowFile("2026-11-21T09:00:00.000Z", ""),
    off: windowFile("2026-11-20T09:00:00.000Z", "end: 2026-11-20T09:00:00.000Z\n"),
    done: windowFile("2026-11-20T09:00:00.000Z", "end: 2026-11-20T10:00:00.000Z\n"),
    ahead: windowFile("2026-11-21T11:00:00.000Z", ""),
  });
  const of = (id: string) => pages.get(`incident/${id}/index.html`);
  assertEquals(factsOf(of("going"))["Affected"], "Shop: may be downBlog: no change expected");
  assertEquals(factsOf(of("going"))["Planned until"], "Nov 21, 2026, 12:00 UTC");
  assertEquals(factsOf(of("ahead"))["Starts"], "Nov 21, 2026, 11:00 UTC");
  assertEquals(factsOf(of("ahead"))["Duration"], "1 hr");
  const standing = ["going", "ahead", "off", "done"].map((id) => textsOf(of(id), ".line")[0]);
  assertEquals(standing, [
    "Maintenance for 1 hr 5 min. In progress.",
    "Maintenance. Scheduled.",
    "Maintenance. Canceled.",
    "Maintenance for 1 hr. Completed.",
  ]);
});

Deno.test("while a service is under maintenance, its open incident is over on every page", async () => {
  const window = parseStoredIncident(windowFile("2026-11-21T09:50:00.000Z", "")) as PlannedWindow;
  const open = OUTAGE.replace(/end: .*\n|updates:[^]*/g, "").replaceAll("11-18T10", "11-21T09");
  const [shop, blog] = await sitesUp({ name: "Shop" }, { name: "Blog" });
  const pages = await pagesOf({ shop: open }, {
    windows: [window],
    report: report({ ...shop!, condition: "down", isInMaintenance: true }, blog!),
  });
  for (const [path, page] of pages) {
    assert(!/Shop is down/.test(textsOf(page, "body").join()), path);
    assertEquals(elementsOf(page, ".active"), [], path);
  }
  const rows = textsOf(pages.get("index.html"), ".rows");
  assertMatch(rows[0]!, /^Shop was down09:00 UTC – 09:50 UTC · 50 min/);
  assertEquals(textsOf(pages.get("incident/shop/index.html"), ".line"), [
    "For 50 min. Under maintenance.",
  ]);
});

Deno.test("ongoing and planned maintenance comes first, linked if it has a file", async () => {
  const stored = parseStoredIncident(windowFile("2026-11-21T09:00:00.000Z", "")) as PlannedWindow;
  const backups = Array.from({ length: 5 }, (_, day): PlannedWindow => {
    const start = REPORT_TIME.add({ hours: 24 * (day + 1) });
    const until = start.add({ hours: 1 });
    return {
      ...{ source: "configuration", name: "Backup", start, until, text: "" },
      sites: new Map([["shop", "down"]]),
    };
  });
  const pages = await pagesOf({
    going: windowFile("2026-11-21T09:00:00.000Z", ""),
    done: windowFile("2026-11-20T09:00:00.000Z", "end: 2026-11-20T10:00:00.000Z\n"),
  }, { windows: [stored, ...backups] });
  const page = pages.get("maintenance/index.html")!;
  assertEquals(textsOf(page, ".title"), ["Router", "Backup", "Backup", "Backup", "Router"]);
  assertEquals(textsOf(page, ".pill").slice(0, 2), ["In progress", "In 1 day"]);
  assertMatch(textsOf(page, "main")[0]!, /Repeats: 2 more until November 26, 2026/);
  assertStringIncludes(page, 'href="../incident/going/index.html"');
  assertEquals([...pages.keys()].filter((path) => path.startsWith("maintenance/")).length, 1);
});

Deno.test("much past maintenance has a page for each of its months", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => {
      const start = REPORT_TIME.subtract({ hours: 24 * (index + 1) });
      return [`w${index}`, windowFile(String(start), `end: ${start.add({ hours: 1 })}\n`)];
    }),
  );
  const pages = await pagesOf(many);
  assertEquals(textsOf(pages.get("maintenance/index.html"), ".title").length, 24);
  assertEquals(textsOf(pages.get("maintenance/2026-10/index.html"), ".title").length, 10);
  assertEquals(textsOf(pages.get("maintenance/2026-11/index.html"), ".turn"), [
    "Earlier: October 2026",
  ]);
});

Deno.test("the 404 page has links from the host's root if the base path is known", async () => {
  const linksIn = (page: string | undefined) =>
    allElements(page!).flatMap(({ attribs }) => attribs["href"] ?? [])
      .filter((link) => !link.startsWith("#"));
  const under = linksIn((await pagesOf({}, { settings: { base: "/status/" } })).get("404.html"));
  assertEquals(under.filter((link) => !link.startsWith("/status/")), []);
  assert(under.includes("/status/index.html"));
  const anywhere = linksIn((await pagesOf({})).get("404.html"));
  assertEquals(anywhere.filter((link) => link.startsWith("/")), []);
});

Deno.test("the page about the numbers defines them, and links to the data", async () => {
  const pages = await pagesOf({}, { settings: SETTINGS });
  const page = pages.get("about/index.html")!;
  for (const word of ["Uptime", "Coverage", "Apdex", "Operational", "No data", "Paused"]) {
    assert(word in factsOf(page), word);
  }
  const links = elementsOf(page, "a").map(({ attribs }) => attribs["href"]);
  assert(links.includes("https://github.com/acme/status/tree/HEAD/history/checks"));
  assert(links.includes("../summary.json"));
});
