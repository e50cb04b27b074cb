import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parseIncident } from "../../../lib/history/incident.ts";
import { parseStoredIncident, type StoredIncident } from "../../../lib/history/stored_incidents.ts";
import { sitePagePath } from "../../../lib/config/page_path.ts";
import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import { formatTime } from "../../../lib/time.ts";
import { about } from "../../../templates/pages/about.tsx";
import { eachPage } from "../../../templates/pages/mod.ts";
import { sitePages } from "../../../templates/pages/site_page.tsx";
import { computeChartTicks, EDGE } from "../../../templates/pages/chart.tsx";
import { pageView, sitesUp } from "../../helpers/page_views.ts";
import { worldView } from "../../helpers/page_worlds.ts";
import {
  locationReport,
  REPORT_TIME,
  responseTimes,
  siteReport,
  unknownSite,
  windows,
} from "../../helpers/reports.ts";
import type { Keys } from "../../helpers/sites.ts";

type Changes = Parameters<typeof pageView>[1];

/** The page of the first of some sites. */
function pageOf(sites: readonly SiteReport[], changes?: Changes): string {
  const pages = new Map(eachPage(pageView(sites, changes), [sitePages]));
  assertEquals(pages.size, sites.length);
  return pages.get(sitePagePath(sites[0]!.site.slug))!;
}

async function one(keys: Keys = {}, changes: Partial<SiteReport> = {}): Promise<SiteReport[]> {
  const [report] = await sitesUp({ name: "Shop", slug: "shop", ...keys });
  return [siteReport(report!.site, changes)];
}

/** The text of a page, without its tags. */
function read(html: string): string {
  return html.replace(/<svg[^]*?<\/svg>/g, "").replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

Deno.test("the page of a site shows its details, its state with the start, and its figures", async () => {
  const html = pageOf(
    await sitesUp(
      {
        name: "Shop",
        url: "https://shop.example/?key=$KEY",
        link: "https://shop.example/",
        description: "Where people buy",
        group: "Customers",
        tags: ["payments"],
        dependsOn: ["router", "db.example:5432"],
      },
      { name: "Router" },
    ),
  );
  const text = read(html);
  for (const expected of ["Shop", "Operational", "Where people buy", "Customers", "payments"]) {
    assertStringIncludes(text, expected);
  }
  assertStringIncludes(text, "status 200 · 123 ms");
  assertStringIncludes(html, '<a href="https://shop.example/"');
  assertStringIncludes(html, '<a href="../router/index.html" dir="auto">Router</a>, ');
  assertStringIncludes(text, "db.example:5432");
  assertStringIncludes(html, '<a href="../../index.html">All services</a>');
  assert(!html.includes("$KEY"));
});

Deno.test("a hidden, secret or unopenable address is not a link", async () => {
  assert(
    !pageOf(await one({ url: "https://hidden.example/", hideUrl: true })).includes(
      "hidden.example",
    ),
  );
  assert(!read(pageOf(await one({ url: "$ADDRESS" }))).includes("Address"));
  for (const url of ["https://a.example/?k=$KEY", "wss://a.example/"]) {
    const check = url.startsWith("wss") ? "ws" : "http";
    const html = pageOf(await one({ url, check }));
    assertStringIncludes(html, `<bdi dir="ltr">${url}</bdi>`);
  }
  const html = pageOf(await one({ link: "javascript:alert(1)" }));
  assertStringIncludes(html, '<bdi dir="ltr">javascript:alert(1)</bdi>');
});

Deno.test("a certificate is shown with its remaining validity, and highlighted if less than 14 days are left", async () => {
  const cases: [Temporal.DurationLike, string, string | undefined][] = [
    [{ hours: 74 * 24 + 5 }, ", 74 days", undefined],
    [{ hours: 14 * 24 - 1 }, ", 13 days", "degraded"],
    [{ hours: 7 }, ", 7 hr", "degraded"],
    [{ hours: -7 }, "Expired on", "down"],
  ];
  for (const [left, expected, mark] of cases) {
    const [shop] = await one();
    const record = { ...shop!.record!, certificate: REPORT_TIME.add(left) };
    const html = pageOf([{ ...shop!, record }]);
    const [, fact] = /<dt>Certificate<\/dt><dd>(.*?)<\/dd>/.exec(html)!;
    assertStringIncludes(read(fact!), expected);
    assertEquals(/^<span class="(\w+)">/.exec(fact!)?.[1], mark);
  }
  assert(!pageOf(await one()).includes("Certificate"));
});

Deno.test("the figures of all windows are shown side by side, with the remaining error budget of an objective", async () => {
  const objective = { target: 0.999, isMet: false, budget: 60, left: -125 };
  const html = pageOf(
    await one({}, {
      statistics: windows((name) =>
        name === "all" ? { uptime: 0.5, objective } : {
          objective: { ...objective, isMet: true, left: 30 },
        }
      ),
    }),
  );
  const rows = [...html.matchAll(/<tr><th scope="row">([^<]*)<\/th><td><b>([^<]*)</g)];
  assertEquals(rows.map(([, window, uptime]) => [window, uptime]), [
    ["24 hours", "100%"],
    ["7 days", "100%"],
    ["30 days", "100%"],
    ["90 days", "100%"],
    ["1 year", "100%"],
    ["all time", "50%"],
  ]);
  assertStringIncludes(read(html), "Objective: 99.9% uptime");
  assertMatch(read(html), /all time: ?\s*2 min, 5 sec over/);
  assertMatch(read(html), /24 hours: ?\s*30 sec left/);
  const others = read(pageOf(
    await one({}, {
      statistics: windows((name) => ({
        objective: name === "day"
          ? { target: 1, isMet: true, budget: 0, left: 0 }
          : { target: 1, isMet: false },
      })),
    }),
  ));
  assertMatch(others, /24 hours: ?\s*none allowed/);
  assertMatch(others, /7 days: ?\s*less than a day of data/);
});

Deno.test("ongoing incidents come first, and all past ones are listed with links, newest first", async () => {
  const at = (hours: number) => formatTime(REPORT_TIME.add({ hours }));
  const outage = (from: number, to?: number) =>
    parseIncident(
      `slug: shop\nkind: down\nstart: ${at(from)}\nconfirmed: ${at(from)}\n${
        to === undefined ? "" : `end: ${at(to)}\n`
      }error: connection <b>refused</b>\n`,
    )!;
  const incidents = new Map<string, StoredIncident>([
    ["old", outage(-50, -48)],
    ["open", outage(-2)],
    ["elsewhere", { ...outage(-5, -4), slug: "blog" }],
    [
      "manual",
      parseStoredIncident(
        `kind: manual\nname: Slow bank\nsites: [shop]\nstart: ${at(-20)}\nend: ${
          at(-10)
        }\nissue: 3\n`,
      )!,
    ],
  ]);
  const [shop] = await one();
  const record = { ...shop!.record!, incident: "open" };
  const html = pageOf([{ ...shop!, record }], { incidents });
  const links = [...html.matchAll(/href="\.\.\/\.\.\/incident\/(\w+)\/index\.html"/g)];
  assertEquals(links.map(([, id]) => id), ["open", "open", "manual", "old"]);
  assertStringIncludes(html, "connection &lt;b>refused&lt;/b>");
  assertStringIncludes(read(html), "2 hr so far");
});

Deno.test("at most fifty past events are listed, with a link to all", async () => {
  const start = REPORT_TIME.subtract({ hours: 2000 });
  const incidents = new Map<string, StoredIncident>(Array.from({ length: 60 }, (_, index) => {
    const from = start.add({ hours: index });
    const times = `start: ${formatTime(from)}\nconfirmed: ${formatTime(from)}\nend: ${
      formatTime(from.add({ minutes: 5 }))
    }\n`;
    return [`i${index}`, parseIncident(`slug: shop\nkind: down\n${times}`)!];
  }));
  const html = pageOf(await one(), { incidents });
  assertEquals(html.match(/href="\.\.\/\.\.\/incident\//g)!.length, 50);
  assertStringIncludes(html, 'href="../../incident/i59/index.html"');
  assertStringIncludes(html, '<a href="../../incidents/index.html">All incidents by month</a>');
});

Deno.test("badges have absolute addresses if the page's address is known", async () => {
  const site = await one({ name: "[x](y)" });
  const address = "https://status.example/acme";
  const html = pageOf(site, { settings: { address } });
  assertStringIncludes(html, '<img src="../../api/shop/badge-status.svg"');
  assertStringIncludes(
    html,
    `value="[![\\[x\\](y)](${address}/api/shop/badge-status.svg)](${address}/history/shop/index.html)"`,
  );
  assertStringIncludes(pageOf(site), "](api/shop/badge-uptime.svg)](history/shop/index.html)");
  assertStringIncludes(html, 'href="../../api/shop/uptime-day.json"');
  assertStringIncludes(html, 'href="../../api/shop/statistics.json"');
});

Deno.test("timings are shown as a bar and in words, if they are known", async () => {
  const timings = { checks: 7, dns: 10, connect: 20, tls: 30, ttfb: 40, download: 0 };
  const html = pageOf(await one({}, { timings }));
  assertStringIncludes(html, '<rect class="ttfb" x="60%" width="40%" height="14"></rect>');
  assertMatch(read(html), /First byte 40 ms/);
  assert(!pageOf(await one()).includes("First byte"));
});

Deno.test("the page of a site without data says so", async () => {
  const [{ site }] = await one() as [SiteReport];
  const html = pageOf([unknownSite(site)]);
  const text = read(html);
  assertStringIncludes(text, "Not checked yet");
  assertStringIncludes(text, "No incidents or maintenance yet");
  assertStringIncludes(text, "Waiting for the first check");
  assert(!/class="(tiles|plot|days)/.test(html));
  assert(!/NaN|undefined|Infinity/.test(html), html);
  assertStringIncludes(read(pageOf(await one({ paused: true }))), "Shop is paused");
});

Deno.test("no page has an inline style or script, whatever it shows", async () => {
  const html = pageOf(await one({ name: "<script>alert(1)</script>", slug: "shop" }));
  assert(!/\sstyle=|<script(?! src)|\son\w+=/.test(html));
});

Deno.test("no label of the time axis touches the one beside it, whenever the window starts", () => {
  const DAY = 86_400_000;
  for (const days of [1, 7, 30, 90, 365]) {
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
        assert(next - share >= (isAtEdge ? 2 * EDGE : EDGE), `${days} days: ${share}, ${next}`);
      }
    }
  }
});

/** The rows of the table of locations, as texts. */
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
    "São &lt;Paulo Down 100% 123 ms 123 ms Nov 21, 2026, 10:05 UTC refused",
    "Lima No data 100% 123 ms 123 ms no result since Nov 21, 2026, 03:05 UTC",
    "Oslo No data – – – no result yet",
    "Sydney Operational 100% 900 ms 900 ms Nov 21, 2026, 10:05 UTC",
    "Virginia Operational 100% 123 ms 123 ms Nov 21, 2026, 10:05 UTC",
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
  assertEquals(key(shop), ["Sydney", "São Paulo", "Virginia", "Frankfurt", "Degraded"]);
  assertEquals(key(api).slice(5), ["Virginia", "and 3 more", "Down"].map((word) => word));
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

Deno.test("the page about the numbers says that there are several locations only if there are", async () => {
  const aboutIn = async (world: "locations" | "all up") =>
    read(new Map(eachPage(await worldView(world), [about])).get("about/index.html")!);
  const [several, single] = [await aboutIn("locations"), await aboutIn("all up")];
  const words = "All checks run from one location";
  assertEquals([several.includes(words), single.includes(words)], [false, true]);
  assertEquals([several, single].map((text) => text.includes("A location without a result")), [
    true,
    false,
  ]);
});
