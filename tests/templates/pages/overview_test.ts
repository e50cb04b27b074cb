import { assert, assertEquals, assertMatch } from "@std/assert";
import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import { DAY } from "../../../lib/time.ts";
import { eachPage } from "../../../templates/pages/mod.ts";
import { elementsOf, wordsOf } from "../../helpers/html.ts";
import { pageView, sitesUp } from "../../helpers/page_views.ts";
import { type WorldName, worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME, statistics, windows } from "../../helpers/reports.ts";
import type { Impact } from "../../../lib/history/manual_incident.ts";
import { parseManualIncident } from "../../../lib/incidents/manual_incidents.ts";
import { renderFavicon } from "../../../templates/pages/files.ts";
import { filesOf, textOf } from "../../helpers/page_files.ts";
import { viewOf } from "../../helpers/page_world.ts";
import { computeGraph } from "../../../lib/statistics/graph.ts";
import type { Condition, State } from "../../../lib/state.ts";
import { windowBack } from "../../../lib/history/windows.ts";
import { quarterBars, windowBars } from "../../../lib/statistics/report/bars.ts";
import { overview } from "../../../templates/pages/overview.tsx";
import { renderPreview } from "../../../templates/pages/preview_svg.ts";

type Changes = Parameters<typeof pageView>[1];

function overviewOf(sites: readonly SiteReport[], changes?: Changes): string {
  return new Map(eachPage(pageView(sites, changes), [overview])).get("index.html")!;
}

/** The words of the rows' states. */
function statesOf(html: string): string[] {
  return elementsOf(html, ".site").flatMap((row) => elementsOf(row, ".word")).map(wordsOf);
}

function textsOf(html: string, wanted: string): string[] {
  return elementsOf(html, wanted).map(wordsOf);
}

const NOW = REPORT_TIME.epochMilliseconds;

Deno.test("the headline summarizes all sites except paused ones", async () => {
  const [shop, blog, wiki] = await sitesUp({ name: "Shop" }, { name: "Blog" }, {
    name: "Wiki",
    paused: true,
  });
  assertEquals(textsOf(overviewOf([shop!, blog!, wiki!]), "h1"), ["All systems operational"]);
  const down: SiteReport = { ...blog!, condition: "down" };
  assertEquals(textsOf(overviewOf([shop!, down, wiki!]), "h1"), ["Partial outage"]);
  assertEquals(statesOf(overviewOf([shop!, down, wiki!])), ["Operational", "Down", "Paused"]);
  assertEquals(textsOf(overviewOf([]), "h1"), ["Nothing is monitored yet"]);
});

Deno.test("times are shown in full, in the page's time zone", async () => {
  const [shop] = await sitesUp({});
  const zoned = overviewOf([shop!], { settings: { timezone: "Europe/Berlin" } });
  const [checked, built] = textsOf(zoned, ".times");
  assertMatch(checked!, /^Last checked Nov 21, 2026, 11:05 GMT\+1 · checked every 5 minutes$/);
  assertMatch(built!, /^Page built Nov 21, 2026, 11:06 GMT\+1$/);
});

Deno.test("a group of all sites has no parts to open: its name and description are above them", async () => {
  const group = {
    name: "Shops",
    slug: "shops",
    description: "Where **people** buy.",
    isExternal: true,
  };
  const sites = await sitesUp({ name: "A", group: "Shops" }, { name: "B", group: "Shops" });
  const view = pageView(sites);
  const page = textOf(
    filesOf({ ...view, report: { ...view.report, groups: [group] } }),
    "index.html",
  );
  assertEquals(elementsOf(page, "details.group"), []);
  assertEquals(textsOf(page, ".only"), ["ShopsOperated by others · Where **people** buy."]);
  assertEquals(textsOf(page, ".called"), ["A", "B"]);
  assertEquals(textsOf(overviewOf(await sitesUp({ name: "A" })), ".only"), []);
});

Deno.test("sites are listed by group in configured order, those without a group under their own heading", async () => {
  const sites = await sitesUp(
    { name: "A", group: "Shops" },
    { name: "B" },
    { name: "C", group: "Shops" },
  );
  const groups = elementsOf(overviewOf(sites), ".group");
  const names = groups.map((group) => [
    wordsOf(elementsOf(group, "h3")[0]!),
    ...elementsOf(group, ".called").map(wordsOf),
  ]);
  assertEquals(names, [["Shops", "A", "C"], ["Other services", "B"]]);
});

/** Rectangles of a path as `x y width height`. */
function rectsOf(path = ""): string[] {
  return [...path.matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)/g)].map((one) =>
    one.slice(1).join(" ")
  );
}

Deno.test("each of ninety days has a place in one picture, in which a failure is as tall as it was long", async () => {
  const [shop] = await sitesUp({ name: "Shop" });
  const today = Date.parse("2026-11-21");
  const minute = 60_000;
  const failures = [
    ["down", 4 * DAY, 9 * minute],
    ["down", 3 * DAY, 10 * minute],
    ["down", 2 * DAY, 60 * minute],
    ["degraded", DAY, 59 * minute],
  ] as const;
  const before = failures.flatMap(([state, back, length]) => [
    { from: today - back, to: today - back + length, state },
    { from: today - back + length, to: today - back + DAY, state: "up" as const },
  ]);
  const intervals = [...before, { from: today, to: NOW, state: "degraded" as const }];
  const first = today - 4 * DAY;
  const html = overviewOf([{ ...shop!, samples: { ...shop!.samples, first, intervals } }]);
  const [strip] = elementsOf(html, ".strip");
  const paths = Object.fromEntries(
    elementsOf(strip!, "path").map(({ attribs }) => [attribs["class"], rectsOf(attribs["d"])]),
  );
  assertEquals(paths, {
    unknown: ["0 22 85 4"],
    up: ["85 0 5 26"],
    gap: ["85 15 1 2", "86 8 2 2", "88 15 1 2", "89 8 1 2"],
    down: ["85 17 1 9", "86 10 1 16", "87 0 1 8", "87 10 1 16"],
    degraded: ["88 17 1 9", "89 10 1 16"],
  });
  assertEquals(
    strip!.attribs["aria-label"],
    "Shop, last 90 days: down for 1 hr on Nov 19, down for 10 min on Nov 18, " +
      "down for 9 min on Nov 17 and 2 more days",
  );
  assertMatch(wordsOf(elementsOf(html, ".columns")[0]!), /^Monitoring since Nov 17/);
});

Deno.test("a row has the figures of 90 and 30 days, and those of other periods for the script", async () => {
  const [shop] = await sitesUp({});
  const html = overviewOf([{
    ...shop!,
    statistics: {
      ...windows(),
      month: statistics("month", { uptime: 0.9 }),
      week: statistics("week", { uptime: 0.99 }),
      year: statistics("year", { uptime: undefined, responseTimes: undefined }),
    },
  }]);
  const [row] = elementsOf(html, ".site");
  assertEquals(row!.attribs["data-figures"], "100%|123 ms|99%|123 ms|–|–");
  const [uptime] = elementsOf(row!, ".uptime");
  assertEquals([".w90", ".w30"].flatMap((one) => elementsOf(uptime!, one)).map(wordsOf), [
    "100%",
    "90%",
  ]);
  assertEquals(elementsOf(row!, ".ms").map(wordsOf), ["123 ms"]);
  const choices = elementsOf(elementsOf(html, ".windows")[0]!, "input");
  const chosen = choices.filter(({ attribs }) => attribs.checked !== undefined);
  assertEquals([choices.length, chosen.map(({ attribs }) => attribs.id)], [5, ["w-quarter"]]);
});

Deno.test("an icon is shown only if it needs no request to another host", async () => {
  const sites = await sitesUp(
    { name: "A", icon: "https://icons.example.com/a.png" },
    { name: "B", icon: "assets/b.svg" },
    { name: "C", icon: "🛒" },
  );
  const html = overviewOf(sites, { assets: new Set(["b.svg"]) });
  assertEquals(elementsOf(html, "img").map(({ attribs }) => attribs.src), ["b.svg"]);
  assertEquals(textsOf(html, ".icon"), ["", "🛒"]);
});

Deno.test("a secret address is nowhere on the page", async () => {
  const [shop] = await sitesUp({ name: "Shop", url: "$SHOP_ADDRESS" });
  assert(!overviewOf([shop!]).includes("SHOP_ADDRESS"));
});

Deno.test("if checks have stopped for long, the page says so instead of an overall status", async () => {
  const html = await overviewIn("silent");
  assertEquals(textsOf(html, "h1"), ["No current data"]);
  assertEquals(elementsOf(html, ".hero")[0]!.attribs["class"], "hero unknown");
  assertEquals(textsOf(html, ".live"), [
    "The monitor has not reported since Nov 19, 2026, 08:05 UTC. What you see below may be out of date.",
  ]);
  assertEquals(textsOf(html, ".line"), ["On Nov 19, 08:05 UTC, all 4 services were operational."]);
  assertEquals(new Set(statesOf(html)), new Set(["No data"]));
  assertEquals(textsOf(await overviewIn("all up"), ".live"), [""]);
});

async function overviewIn(world: WorldName): Promise<string> {
  return new Map(eachPage(await worldView(world), [overview])).get("index.html")!;
}

/** The overview of a shop in a group of two, with manual incidents. */
async function shown(impact: Impact | undefined, sites = ["shop"]) {
  const view = await viewOf({
    sites: [["Shop", "Public"], ["API", "Public"], ["Mail", "Machines"]].map(([name, group]) => ({
      keys: { name, url: "https://example.com/", group },
      past: {},
    })),
    manual: [{ name: "Payments fail", hoursAgo: 1, sites, impact }],
  });
  const files = filesOf(view);
  const html = textOf(files, "index.html");
  const icon = textOf(files, "favicon.svg");
  return {
    headline: /<h1>.*?class="word">([^<]*)/s.exec(html)![1],
    group: textsOf(html, ".health")[0],
    site: /data-slug="shop".*?class="name (\w+)/s.exec(html)![1],
    page: /class="hero (\w+)"/.exec(textOf(files, "history/shop/index.html"))![1],
    icon: (["up", "degraded", "down"] as const).find((state) => renderFavicon(state) === icon),
  };
}

Deno.test("a manual incident raises headline, group, site and icon by its impact", async () => {
  const [degraded, major] = ["Degraded performance", "Major outage"];
  assertEquals(await shown("none"), {
    headline: "All systems operational",
    group: "Operational",
    site: "up",
    page: "up",
    icon: "up",
  });
  const usual = {
    headline: degraded,
    group: "1 of 2 operational1 of 2",
    site: "degraded",
    page: "degraded",
    icon: "degraded",
  } as const;
  assertEquals(await shown(undefined), usual);
  assertEquals(await shown("degraded"), usual);
  const partial = "Partial outage";
  assertEquals(await shown("partial"), {
    ...usual,
    headline: partial,
    icon: "down",
  });
  assertEquals(await shown("major"), {
    headline: major,
    group: "1 of 2 operational1 of 2",
    site: "down",
    page: "down",
    icon: "down",
  });
  assertEquals(await shown("major", []), {
    headline: major,
    group: "Operational",
    site: "up",
    page: "up",
    icon: "down",
  });
});

Deno.test("the impact is stated by a label or by a line of the text, and by no label of a site", () => {
  const created = Temporal.Instant.from("2026-11-21T10:05:00Z");
  const impact = (labels: string[], body = "", slugs = ["shop"]) =>
    parseManualIncident({
      number: 12,
      title: "Payments fail",
      body,
      isOpen: true,
      author: "jo",
      isTrusted: true,
      labels: ["incident", ...labels],
      assignees: [],
      eyes: 0,
      comments: 0,
      created,
      updated: created,
    }, { folder: "eu", sites: slugs.map((slug) => ({ slug, name: slug })), redact: String })
      ?.impact;
  assertEquals(impact(["impact: major"]), "major");
  assertEquals(impact(["Impact:Partial"]), "partial");
  assertEquals(impact(["none"]), "none");
  assertEquals(impact(["degraded", "impact: major"]), "major");
  assertEquals(impact([], "The bank is away.\n\n**Impact:** partial\n"), "partial");
  assertEquals(impact([], "- Impact: major, for all"), "major");
  assertEquals(impact(["none"], "Impact: major"), "none");
  assertEquals(impact([], "The impact: major customers can't pay? No."), undefined);
  assertEquals(impact(["major"], "", ["major"]), undefined);
  assertEquals(impact([]), undefined);
});

Deno.test("the preview counts every state, the worst first, however long its words are", async () => {
  const states: State[] = ["up", "degraded", "down", "maintenance", "unknown"];
  const sites = (await sitesUp(...states.map((name) => ({ name })))).map((one, index) => ({
    ...one,
    condition: states[index] === "maintenance" || states[index] === "unknown"
      ? undefined
      : states[index] as "up",
    isInMaintenance: states[index] === "maintenance",
  }));
  const view = pageView(sites);
  const long = { ...view.language };
  const words = (key: string) => `${key} in words that are much too long for one line of it`;
  const language = {
    ...long,
    say: (key: Parameters<typeof long.say>[0], values?: Parameters<typeof long.say>[1]) =>
      (states as string[]).includes(key) ? words(key) : long.say(key, values),
  };
  for (
    const [own, expected] of [[long, (key: State) => long.say(key)], [language, words]] as const
  ) {
    const svg = renderPreview({ ...view, language: own });
    const places = ["down", "degraded", "maintenance", "unknown", "up"].map((state) =>
      svg.indexOf(`>1 ${expected(state as State)}`.slice(0, 14))
    );
    assert(places.every((at) => at > 0), String(places));
    assertEquals(places.toSorted((one, other) => one - other), places);
  }
});

Deno.test("the preview has the line of the headline, wrapped, and leaves out what the font can't show", async () => {
  const textsIn = async (name: WorldName) =>
    [...renderPreview(await worldView(name)).matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) =>
      text!
    );
  const trouble = await textsIn("20 sites in trouble");
  assertEquals(trouble.slice(1, 4), [
    "Partial outage",
    "Service 1, Service 2 and Service 3 are down, Service",
    "4 is degraded. 16 of 20 services are operational.",
  ]);
  assertEquals((await textsIn("all up")).slice(1, 3), [
    "All systems operational",
    "4 services. Last incident 3 days ago.",
  ]);
  const others = await textsIn("others down");
  assertEquals(others.slice(2, 4), ["Stripe, operated by others, is down.", "5 Operational"]);
  const sites = (await sitesUp({ name: "東京" }, { name: "Wiki" }))
    .map((one, index): SiteReport => index === 0 ? { ...one, condition: "down" } : one);
  assert(!/operational/.test(renderPreview(pageView(sites))));
});

Deno.test("bars and figures of a window cover the same time", async () => {
  const view = await worldView("one site");
  const [report] = view.report.sites;
  const { statistics, samples } = report!;
  const observed = quarterBars(report!).reduce((sum, bar) => sum + bar.observed, 0);
  assert(Math.abs(observed - statistics.quarter.observed) < 1, String(observed));
  for (const name of ["day", "week", "month", "quarter", "year"] as const) {
    const { from, to } = windowBack(name, samples.now, samples.now);
    const isDown = windowBars(report!, name).some(({ worst }) => worst === "down");
    assertEquals(isDown, statistics[name].down > 0, `${name} ${from}-${to}`);
  }
});

Deno.test("the chart of a long window keeps the slowest check of each piece", async () => {
  const view = await viewOf({
    sites: [{ keys: { name: "Shop", url: "https://example.com/" }, past: { days: 3 } }],
  });
  const [report] = view.report.sites;
  const { points } = computeGraph(report!, "year", { timezone: "UTC", points: 100 });
  const most = Math.max(...report!.samples.checks.map(({ ms = 0 }) => ms));
  assertEquals(Math.max(...points.map(({ max, median }) => max ?? median)), most);
});

Deno.test("before the first check there are stubs and no figures", async () => {
  const html = await overviewIn("unchecked");
  assertEquals(textsOf(html, "h1"), ["Waiting for the first check"]);
  assertEquals(textsOf(html, ".line"), []);
  const [row] = elementsOf(html, ".site");
  const paths = elementsOf(elementsOf(row!, ".strip")[0]!, "path");
  assertEquals(paths.map(({ attribs }) => rectsOf(attribs["d"])), [["0 22 90 4"]]);
  assertEquals([".ms", ".uptime"].flatMap((one) => elementsOf(row!, one)).map(wordsOf), ["", ""]);
  const [axis] = elementsOf(html, ".columns");
  assertEquals(elementsOf(axis!, "p").slice(1).map(wordsOf), ["", "", ""]);
  assertEquals(elementsOf(html, ".windows"), []);
});

Deno.test("the line below the headline names what is wrong, the worst first, at most five", async () => {
  const names = ["Cards", "Checkout", "Queue", "Search", "Mail", "Login", "Web", "API"];
  const sites = await sitesUp(...names.map((name) => ({ name })));
  const line = (...conditions: (Condition | undefined)[]) => {
    const own = sites.map((one, index): SiteReport => ({
      ...one,
      condition: index in conditions ? conditions[index] : "up",
    }));
    return textsOf(overviewOf(own), ".line")[0];
  };
  assertEquals(line(), "8 services. No incidents yet.");
  assertEquals(line("down"), "Cards is down. 7 of 8 services are operational.");
  assertEquals(
    line("down", "down", "down", "degraded"),
    "Cards, Checkout and Queue are down, Search is degraded. 4 of 8 services are operational.",
  );
  assertEquals(
    line("degraded", "down", "down", "down", "down", "down", "down"),
    "Checkout, Queue, Search, Mail, Login and 1 more are down, 1 more is degraded. " +
      "1 of 8 services is operational.",
  );
  assertEquals(line(undefined), "Cards has no data. 7 of 8 services are operational.");
});
