import { ENGLISH_LANGUAGE } from "../../../lib/text/languages.ts";
import { createGraphTimes } from "../../../templates/graph/graph_times.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { sitePagePath } from "../../../lib/config/page_path.ts";
import { WINDOW_NAMES } from "../../../lib/history/windows.ts";
import { computeGraph } from "../../../lib/statistics/graph.ts";
import { eachPage } from "../../../templates/pages/mod.ts";
import { sitePages } from "../../../templates/pages/site_page.tsx";
import { computeChartTicks, EDGE, findValuesWidth } from "../../../templates/pages/chart_ticks.ts";
import { one, pageOf, read } from "../../helpers/site_pages.ts";
import { worldView } from "../../helpers/page_worlds.ts";
import { locationReport, REPORT_TIME, responseTimes, windows } from "../../helpers/reports.ts";

Deno.test("each place of a chart belongs to a row of its table, and an outage leads to its incident", async () => {
  const view = await worldView("busy weeks");
  const html = new Map(eachPage(view, [sitePages])).get("history/cards/index.html")!;
  for (
    const { points, window } of WINDOW_NAMES.map((name) => {
      const [report] = view.report.sites;
      return computeGraph(report!, name, { timezone: "UTC", points: 92 });
    })
  ) {
    const [, figure = ""] = html.split(`<figure class="w w-${window} `);
    const [, places = ""] = / data-at="([^"]*)"/.exec(figure) ?? [];
    const [, body = ""] = /<tbody>([^]*?)<\/tbody>/.exec(figure) ?? [];
    const rows = [...body.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row]) =>
      [...row!.matchAll(/<td>([^<]*)<\/td>/g)].map(([, cell]) => cell!)
    ).filter(([median]) => median !== "");
    assertEquals(places.match(/M|,/g)!.length, body.match(/<tr>/g)!.length);
    const shown = (value = NaN) =>
      Number.isNaN(value) ? "" : `${Math.round(value).toLocaleString("en")} ms`;
    assertEquals(
      rows,
      points.map(({ median, p95, max, checks }) => [
        ...[median, p95, max].map(shown),
        checks.toLocaleString("en"),
      ]),
    );
  }
  const quarter = html.slice(html.indexOf('<figure class="w w-quarter'));
  const links = quarter.slice(0, quarter.indexOf("</figure>")).matchAll(/href="([^"]*)"/g);
  assertEquals([...links].map(([, href]) => href!.split("/").at(-2)), [
    ...["2026-09-18-cards", "2026-11-21-cards"],
    ...["2026-09-18-cards", "2026-11-21-cards"],
  ]);
});

Deno.test("a chart of more time than a site is monitored starts with its first day", async () => {
  const html = new Map(eachPage(await worldView("fourth day"), [sitePages]));
  const [, year, all] = html.get("history/website/index.html")!.split(
    /<figure class="w w-(?=year|all)/,
  );
  const drawn = (figure = "") => figure.slice(figure.indexOf("<svg"), figure.indexOf("</figure>"));
  const plot = (figure?: string) => drawn(figure).replace(/ aria-label="[^"]*"/, "");
  assertEquals(plot(year), plot(all));
  assertEquals(/<path class="unknown"/.test(drawn(year)), true);
  assertEquals(year!.match(/<tr>/g)!.length > 20, true);
});

Deno.test("the hours of the week are one picture that names the slowest and the fastest", async () => {
  const html = new Map(eachPage(await worldView("busy weeks"), [sitePages]));
  const [, label, cells = ""] = /<div class="hours" role="img" aria-label="([^"]*)">([^]*?)<\/div>/
    .exec(html.get("history/cards/index.html")!)!;
  assertMatch(
    label!,
    /^Median of the last 28 days. Slowest: \w+day \d+ to \d+, \d+ ms; fastest: \w+day \d+ to \d+, \d+ ms$/,
  );
  assertEquals(cells.match(/<i class="h[0-4]">/g)!.length, 7 * 24);
  assert(["h0", "h4"].every((step) => cells.includes(`class="${step}"`)));
  // Three days of single checks are too few.
  assert(!html.get("history/checkout/index.html")!.includes('class="hours"'));
});

Deno.test("a year has a row for each weekday, in the language's order, and names its days with failures", async () => {
  const html = new Map(eachPage(await worldView("busy weeks"), [sitePages]))
    .get("history/cards/index.html")!;
  const [, year = ""] = /<div class="year"([^]*?)<\/div>/.exec(html)!;
  assertEquals(
    [...year.matchAll(/<b>(\w+)<\/b>/g)].map(([, name]) => name).join(),
    "Sun,Mon,Tue,Wed,Thu,Fri,Sat",
  );
  assertMatch(year, /aria-label="Cards, last 371 days: down for 6 hr 40 min on May 5, /);
  const days = [.../<ul class="days">([^]*?)<\/ul>/.exec(html)![1]!.matchAll(/<li>([^<]*)<\/li>/g)];
  assertEquals(days.map(([, day]) => day), [
    "November 21, 2026: 85.62% up, down for 1 hr 27 min",
    "September 18, 2026: 94.72% up, down for 1 hr 16 min",
    "September 11, 2026: degraded for 1 hr 30 min",
    "July 24, 2026: 99.72% up, down for 4 min",
    "May 5, 2026: 72.22% up, down for 6 hr 40 min",
  ]);
});

Deno.test("the days of a year with maintenance alone are no days with failures", async () => {
  const pages = new Map(eachPage(await worldView("maintenance"), [sitePages]));
  const [, list = ""] = /<div class="year"[^]*?<details>([^]*?)<\/details>/
    .exec(pages.get("history/router/index.html")!)!;
  assertMatch(list, /^<summary>Maintenance<\/summary><ul[^]*: maintenance for 1 hr/);
});

Deno.test("timings are shown as a bar and in words, if they are known", async () => {
  const timings = { checks: 7, dns: 10, connect: 20, tls: 30, ttfb: 40, download: 0 };
  const html = pageOf(await one({}, { timings }));
  assertStringIncludes(html, '<rect class="ttfb" x="60%" width="40%" height="14"></rect>');
  assertMatch(read(html), /First byte 40 ms/);
  assert(!pageOf(await one()).includes("First byte"));
});

Deno.test("no label of the time axis touches the one beside it, whenever the window starts", () => {
  const DAY = 86_400_000;
  for (const days of [0.12, 1, 7, 30, 90, 365]) {
    for (let shift = 0; shift < 40; shift++) {
      const from = Date.parse("2026-01-01T00:00:00Z") + shift * 0.37 * DAY;
      const window = { from, to: from + days * DAY };
      const shares = computeChartTicks(window, "UTC").map(({ time }) =>
        (time - from) / (days * DAY)
      );
      assert(shares.length >= 4, `${days} days from ${from}: ${shares.length} labels`);
      for (const [index, share] of shares.entries()) {
        const next = shares[index + 1] ?? Infinity;
        const isAtEdge = share < EDGE || next > 1 - EDGE && next <= 1;
        assert(
          next - share >= (isAtEdge ? 3 * EDGE : 1.5 * EDGE),
          `${days} days: ${share}, ${next}`,
        );
      }
    }
  }
});

Deno.test("on narrow screens the labels of a chart are days rather than hours, and none touches the first", () => {
  const labels = (from: string, to: string) =>
    computeChartTicks({ from: Date.parse(from), to: Date.parse(to) }, "UTC")
      .filter(({ isWide }) => !isWide).map(createGraphTimes("UTC", ENGLISH_LANGUAGE).tick);
  assertEquals(labels("2026-11-17T00:00Z", "2026-11-21T10:05Z"), [
    ...["Wed 18", "Thu 19", "Fri 20", "Sat 21"],
  ]);
  assertEquals(labels("2026-11-18T00:00Z", "2026-11-21T10:05Z"), ["Thu 19", "Fri 20", "Sat 21"]);
  assertEquals(labels("2026-11-21T00:00Z", "2026-11-21T10:05Z"), [
    ...["01:00", "04:00", "07:00"],
  ]);
  assertEquals(labels("2026-11-18T01:05Z", "2026-11-18T03:40Z"), [
    ...["01:15", "02:00", "02:45", "03:30"],
  ]);
});

/** The rows of the table of locations, as texts. */
Deno.test("values that are written in Arabic have no more room than they need, and marks have none", () => {
  assertEquals(findValuesWidth(["\u2068600 ملي ث\u2069", "0"]), undefined);
  assert(findValuesWidth(["\u20681,200 ملي ث\u2069"])! < 80);
});

function locationRows(html: string): string[] {
  const [, table = ""] = /<table class="locations">([^]*?)<\/table>/.exec(html) ?? [];
  const quarter = table.replace(/<span class="w w-(?!quarter)[^]*?<\/span>/g, "");
  return [...quarter.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row]) => read(row!).trim());
}

Deno.test("the locations of a site are listed, the worst first, and those without a result say so", async () => {
  const last = { time: REPORT_TIME, state: "down", code: 0, error: "refused\u202e" } as const;
  const html = pageOf(
    await one({}, {
      locations: [
        locationReport("Virginia"),
        locationReport("Oslo", {
          state: "unknown",
          last: undefined,
          statistics: windows({ responseTimes: undefined, uptime: undefined }),
        }),
        locationReport("Sydney", { statistics: windows({ responseTimes: responseTimes(900) }) }),
        locationReport("Lima", {
          state: "unknown",
          last: { ...last, state: "up", time: REPORT_TIME.subtract({ hours: 7 }) },
        }),
        locationReport("São <Paulo", { state: "down", last }),
      ],
    }),
  );
  assertEquals(locationRows(html), [
    "Location Status Uptime Mean p95 Last result",
    "São &lt;Paulo Down Uptime 100% Mean 123 ms p95 123 ms Last result Nov 21, 2026, 10:05 UTC refused",
    "Lima No data Uptime 100% Mean 123 ms p95 123 ms no result since Nov 21, 2026, 03:05 UTC",
    "Oslo No data Uptime – Mean – p95 – no result yet",
    "Sydney Operational Uptime 100% Mean 900 ms p95 900 ms Last result Nov 21, 2026, 10:05 UTC",
    "Virginia Operational Uptime 100% Mean 123 ms p95 123 ms Last result Nov 21, 2026, 10:05 UTC",
  ]);
  assertEquals(locationRows(pageOf(await one())), []);
});

Deno.test("a chart has a line of each location with its name, and its table has a column of each", async () => {
  const view = await worldView("locations");
  const pages = new Map(eachPage(view, [sitePages]));
  const [shop, api, mail] = ["shop", "api", "mail"].map((slug) =>
    pages.get(sitePagePath(slug))!
  ) as [
    string,
    string,
    string,
  ];
  const figure = (html: string) =>
    html.slice(html.indexOf('<figure class="w w-week'), html.indexOf('<figure class="w w-month'));
  const key = (html: string) =>
    [.../<ul class="key">([^]*?)<\/ul>/.exec(figure(html))![1]!.matchAll(/<li>([^]*?)<\/li>/g)]
      .map(([, item]) => read(item!).trim());
  assertEquals(key(shop), [
    ...["Sydney", "São Paulo", "Virginia", "Frankfurt"],
    ...["Degraded", "Times in UTC"],
  ]);
  assertEquals(key(api).slice(5), ["Virginia", "and 3 more", "Down", "Times in UTC"]);
  assertEquals(figure(shop).match(/<path class="l l\d" d="M\d/g)?.length, 8);
  assertStringIncludes(
    figure(shop),
    "Lines, slowest first: Sydney, São Paulo, Virginia, Frankfurt.",
  );
  const heads = [...figure(shop).matchAll(/<th scope="col">([^]*?)<\/th>/g)].map(([, head]) =>
    read(head!).trim()
  );
  assertEquals(heads, [
    "From",
    "Median",
    "p95",
    "Slowest",
    "Checks",
    "Sydney",
    "São Paulo",
    "Virginia",
    "Frankfurt",
  ]);
  assert(!/class="l |locations/.test(mail));
});
