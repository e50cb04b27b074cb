import { assert, assertEquals, assertMatch } from "@std/assert";
import { parseIncident } from "../../../lib/history/incident.ts";
import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import { DAY } from "../../../lib/time.ts";
import { eachPage } from "../../../templates/pages/mod.ts";
import { elementsOf, wordsOf } from "../../helpers/html.ts";
import { pageView, sitesUp } from "../../helpers/page_views.ts";
import { type WorldName, worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME, statistics, windows } from "../../helpers/reports.ts";

type Changes = Parameters<typeof pageView>[1];

function overviewOf(sites: readonly SiteReport[], changes?: Changes): string {
  return new Map(eachPage(pageView(sites, changes))).get("index.html")!;
}

function told(html: string, wanted: string): string[] {
  return elementsOf(html, wanted).map(wordsOf);
}

const NOW = REPORT_TIME.epochMilliseconds;

Deno.test("the headline says how all sites are, without those that are paused", async () => {
  const [shop, blog, wiki] = await sitesUp({ name: "Shop" }, { name: "Blog" }, {
    name: "Wiki",
    paused: true,
  });
  assertEquals(told(overviewOf([shop!, blog!, wiki!]), "h1"), ["All systems operational"]);
  const down: SiteReport = { ...blog!, condition: "down" };
  assertEquals(told(overviewOf([shop!, down, wiki!]), "h1"), ["Partial outage"]);
  assertEquals(told(overviewOf([shop!, down, wiki!]), ".state"), ["Operational", "Down", "Paused"]);
  assertEquals(told(overviewOf([]), "h1"), ["Nothing is monitored yet"]);
});

Deno.test("times are told in full, and in the zone of the page", async () => {
  const [shop] = await sitesUp({});
  const zoned = overviewOf([shop!], { settings: { timezone: "Europe/Berlin" } });
  const [checked, built] = told(zoned, ".times");
  assertMatch(checked!, /^Last checked Nov 21, 2026, 11:05 GMT\+1$/);
  assertMatch(built!, /^Page built Nov 21, 2026, 11:06 GMT\+1$/);
});

Deno.test("sites stand under their groups in the order of the configuration, others under a heading of their own", async () => {
  const sites = await sitesUp(
    { name: "A", group: "Shops" },
    { name: "B" },
    { name: "C", group: "Shops" },
  );
  const groups = elementsOf(overviewOf(sites), ".group");
  const names = groups.map((group) => [
    wordsOf(elementsOf(group, "h3")[0]!),
    ...elementsOf(group, ".name").map(wordsOf),
  ]);
  assertEquals(names, [["Shops", "A", "C"], ["Other sites", "B"]]);
});

Deno.test("each of ninety days has a bar with its words", async () => {
  const [shop] = await sitesUp({ name: "Shop" });
  const today = Date.parse("2026-11-21");
  const intervals = [
    { from: today - 2 * DAY, to: today - DAY, state: "up" as const },
    { from: today - DAY, to: today - DAY + 600_000, state: "down" as const },
    { from: today - DAY + 600_000, to: today, state: "up" as const },
    { from: today, to: NOW, state: "degraded" as const },
  ];
  const first = today - 200 * DAY;
  const html = overviewOf([{ ...shop!, samples: { ...shop!.samples, first, intervals } }]);
  const days = elementsOf(elementsOf(html, ".days")[0]!, "li");
  assertEquals(days.length, 90);
  assertEquals(days.slice(-4).map((day) => [day.attribs.class, wordsOf(day)]), [
    ["unknown", "Nov 18: no data"],
    ["up", "Nov 19: no outage"],
    ["down", "Nov 20: 99.31% up, down for 10 min"],
    ["degraded", "Nov 21: degraded for 10 hr, 5 min"],
  ]);
});

Deno.test("every window has its figures, and one is seen at first", async () => {
  const [shop] = await sitesUp({});
  const html = overviewOf([{
    ...shop!,
    statistics: {
      ...windows(),
      week: statistics("week", { uptime: 0.9 }),
      year: statistics("year", { uptime: undefined, responseTimes: undefined }),
    },
  }]);
  assertEquals(told(html, ".w"), [
    "100% · 123 ms",
    "90% · 123 ms",
    "100% · 123 ms",
    "100% · 123 ms",
    "no data · no data",
  ]);
  const choices = elementsOf(elementsOf(html, ".windows")[0]!, "input");
  const chosen = choices.filter(({ attribs }) => attribs.checked !== undefined);
  assertEquals([choices.length, chosen.map(({ attribs }) => attribs.id)], [5, ["w-quarter"]]);
});

Deno.test("what goes on comes before the sites, and each of the last fourteen days has its incidents or none", async () => {
  const [shop] = await sitesUp({ name: "Shop" });
  const text = (start: string, end = "") =>
    parseIncident(
      `slug: shop\nkind: down\nstart: ${start}\nconfirmed: ${start}\nerror: no answer\n${end}`,
    )!;
  const incidents = new Map([
    ["2026-11-21-shop", text("2026-11-21T10:00:00.000Z")],
    ["2026-11-19-shop", text("2026-11-19T10:00:00.000Z", "end: 2026-11-19T10:30:00.000Z\n")],
    ["2026-11-01-shop", text("2026-11-01T10:00:00.000Z", "end: 2026-11-01T10:30:00.000Z\n")],
  ]);
  const from = Date.parse("2026-11-12T00:00:00Z");
  const intervals = [{ from, to: NOW, state: "up" as const }];
  const html = overviewOf([{ ...shop!, samples: { ...shop!.samples, intervals } }], { incidents });
  assertEquals(told(html, "h2"), ["Active incidents", "Sites", "Past incidents"]);
  const days = elementsOf(html, ".day");
  assertEquals(days.length, 14);
  const quiet = days.filter((day) => wordsOf(day).endsWith("No incidents"));
  const unseen = days.filter((day) => wordsOf(day).endsWith("No data"));
  assertEquals([quiet.length, unseen.length], [8, 4]);
  assertEquals(days.flatMap((day) => elementsOf(day, ".name")).map(wordsOf), [
    "Shop is down",
    "Shop was down",
  ]);
});

Deno.test("an icon is shown only where nothing has to be fetched from elsewhere", async () => {
  const sites = await sitesUp(
    { name: "A", icon: "https://icons.example.com/a.png" },
    { name: "B", icon: "assets/b.svg" },
    { name: "C", icon: "🛒" },
  );
  const html = overviewOf(sites, { assets: new Set(["b.svg"]) });
  assertEquals(elementsOf(html, "img").map(({ attribs }) => attribs.src), ["b.svg"]);
  assertEquals(told(html, ".icon"), ["", "🛒"]);
});

Deno.test("an address that is a secret is nowhere on the page", async () => {
  const [shop] = await sitesUp({ name: "Shop", url: "$SHOP_ADDRESS" });
  assert(!overviewOf([shop!]).includes("SHOP_ADDRESS"));
});

Deno.test("of many incidents of a day the first ones are shown, and a link leads to the others", async () => {
  const html = await overviewIn("everything down");
  const [today, yesterday] = elementsOf(html, ".day");
  const titles = elementsOf(today!, ".name").map(wordsOf);
  assertEquals(titles, ["Website is down", "Shop is down", "Search is down"]);
  const more = elementsOf(today!, "a").at(-1)!;
  assertEquals([more.attribs["href"], wordsOf(more)], [
    "incidents/2026-11/index.html#2026-11-21",
    "and 2 more",
  ]);
  assertEquals(wordsOf(yesterday!), "November 20, 2026No incidents");
  assertEquals(elementsOf(elementsOf(html, ".active")[0]!, ".incident").length, 5);
});

Deno.test("what was last written on an open incident stands on the overview, without its markup", async () => {
  const html = await overviewIn("partial outage");
  const payments = elementsOf(elementsOf(html, ".active")[0]!, ".incident").map(wordsOf)[1]!;
  assert(payments.startsWith("Payments is down"), payments);
  assert(payments.endsWith(", 09:05 UTC · They have mended it; 503 is gone."), payments);
});

Deno.test("where checks have stopped long ago the page says so, and not how everything is", async () => {
  const html = await overviewIn("silent");
  assertEquals(told(html, "h1"), ["No current data"]);
  assertEquals(elementsOf(html, ".hero")[0]!.attribs["class"], "hero unknown");
  assertEquals(told(html, ".live"), [
    "The monitor has not reported since Nov 19, 2026, 08:05 UTC.",
  ]);
  assertEquals(new Set(told(html, ".state")), new Set(["No data"]));
  assertEquals(told(await overviewIn("all up"), ".live"), [""]);
});

async function overviewIn(world: WorldName): Promise<string> {
  return new Map(eachPage(await worldView(world))).get("index.html")!;
}
