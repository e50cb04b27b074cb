import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { sitePages } from "../../../templates/pages/site_page.tsx";
import { parseIncident } from "../../../lib/history/incident.ts";
import { parseStoredIncident, type StoredIncident } from "../../../lib/history/stored_incidents.ts";
import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import { formatTime } from "../../../lib/time.ts";
import { about } from "../../../templates/pages/about.tsx";
import { eachPage } from "../../../templates/pages/mod.ts";
import { sitesUp } from "../../helpers/page_views.ts";
import { one, pageOf, read } from "../../helpers/site_pages.ts";
import { worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME, responseTimes, unknownSite, windows } from "../../helpers/reports.ts";

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
  assertMatch(read(html), /all time: ?\s*2 min 5 sec over/);
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

/** An outage of the shop, from and to these hours from the time of the report. */
function outage(from: number, to?: number, more = ""): StoredIncident {
  const at = (hours: number) => formatTime(REPORT_TIME.add({ minutes: Math.round(60 * hours) }));
  const end = to === undefined ? "" : `end: ${at(to)}\n`;
  return parseIncident(
    `slug: shop\nkind: down\nstart: ${at(from)}\nconfirmed: ${at(from)}\n${end}${more}`,
  )!;
}

/** The headline and the line below it. */
function headlineOf(html: string): string[] {
  const [, title = ""] = /<h1>([^]*?)<\/h1>/.exec(html) ?? [];
  const [, line = ""] = /<p class="line since">([^]*?)<\/p>/.exec(html) ?? [];
  return [title, line].map((part) => read(part).trim());
}

Deno.test("the headline of a site under maintenance says until when", async () => {
  const pages = new Map(eachPage(await worldView("maintenance"), [sitePages]));
  assertEquals(headlineOf(pages.get("history/router/index.html")!), [
    "Router is under maintenance",
    "Maintenance until Nov 21, 2026, 12:05 UTC",
  ]);
});

Deno.test("the headline says how the site is, for how long, and what the checks saw", async () => {
  const since = (hours: number) => REPORT_TIME.subtract({ minutes: Math.round(60 * hours) });
  const [shop] = await one();
  const page = (hours: number, changes: Partial<SiteReport>, incidents = {}) =>
    headlineOf(
      pageOf([{
        ...shop!,
        ...changes,
        record: { ...shop!.record!, since: since(hours), incident: "now" },
      }], { incidents: new Map(Object.entries(incidents)) }),
    );
  assertEquals(page(66 * 24 + 5, {}), ["Shop is operational", "Operational for 66 days"]);
  assertEquals(page(30, {}), ["Shop is operational", "Operational for 1 day 6 hr"]);
  const down = { condition: "down" } as const;
  const seen = "attempts: 3\nerror: 503 Service Unavailable\n";
  assertEquals(page(1.45, down, { now: outage(-1.45, undefined, seen) }), [
    "Shop is down",
    "For 1 hr 27 min , since 08:38 UTC . Confirmed after 3 attempts: 503 Service Unavailable",
  ]);
  assertEquals(page(30, down, { now: outage(-30, undefined, "error: refused\n") }), [
    "Shop is down",
    "For 1 day 6 hr , since Nov 20, 2026, 04:05 UTC . Confirmed after 1 attempt: refused",
  ]);
  assertEquals(page(2, down), ["Shop is down", "For 2 hr , since 08:05 UTC ."]);
  assertEquals(page(2, { isInMaintenance: true }), ["Shop is under maintenance", ""]);
  const until = since(50).epochMilliseconds;
  assertEquals(page(90, { isUnknown: true, knownUntil: until }), [
    "No data for Shop",
    "Operational until Nov 19, 2026, 08:05 UTC",
  ]);
  const lastCheck = since(50.5);
  assertEquals(page(90, { isUnknown: true, knownUntil: until, lastCheck }), [
    "No data for Shop",
    "Operational until Nov 19, 2026, 07:35 UTC",
  ]);
});

/** The tiles of 90 days: name, figure, note. */
function tilesOf(html: string): string[] {
  const [, tiles = ""] = /<dl class="tiles">([^]*?)<\/dl>/.exec(html) ?? [];
  const quarter = tiles.replace(
    /<span class="w w-(?!quarter)\w+">(?:<span[^>]*>[^<]*<\/span>|<svg[^]*?<\/svg>|[^<])*<\/span>/g,
    "",
  );
  return [...quarter.matchAll(/<div class="card">([^]*?)<\/div>/g)]
    .map(([, tile]) => read(tile!).trim());
}

Deno.test("four tiles have uptime, downtime, response time, and the error budget or else the coverage", async () => {
  const figures = {
    uptime: 0.99871,
    down: 9960,
    outages: 2,
    responseTimes: responseTimes(294, { p95: 414 }),
    coverage: 0.998,
  };
  const page = async (changes: Parameters<typeof windows>[0]) =>
    tilesOf(pageOf(await one({}, { statistics: windows(changes) })));
  assertEquals(await page(figures), [
    "Uptime 99.87%",
    "Downtime 2 hr 46 min 2 outages",
    "Response time 294 ms 95% within 414 ms",
    "Coverage 99.8% of the time has data",
  ]);
  const objective = { target: 0.999, isMet: false, budget: 7776, left: -2184 };
  const [, , , budget] = await page({ ...figures, objective });
  assertEquals(budget, "Error budget, 99.9% 36 min over");
  const young = { target: 0.999, isMet: true };
  const [, downtime, time, none] = await page({
    down: 0,
    responseTimes: undefined,
    objective: young,
  });
  assertEquals([downtime, time, none], [
    "Downtime None",
    "Response time –",
    "Error budget, 99.9% – less than a day of data",
  ]);
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

Deno.test("the page of a site without data says so", async () => {
  const [{ site }] = await one() as [SiteReport];
  const html = pageOf([unknownSite(site)]);
  const text = read(html);
  assertStringIncludes(text, "No incidents or maintenance yet");
  assertStringIncludes(text, `${site.name}: Waiting for the first check`);
  assertStringIncludes(html, '<path class="unknown" d="M0 22h90v4h-90z">');
  assert(!/class="(tiles|plot|year|windows)/.test(html));
  assert(!/NaN|undefined|Infinity/.test(html), html);
  assertStringIncludes(read(pageOf(await one({ paused: true }))), "Shop is paused");
});

Deno.test("no page has an inline style or script, whatever it shows", async () => {
  const html = pageOf(await one({ name: "<script>alert(1)</script>", slug: "shop" }));
  assert(!/\sstyle=|<script(?! src| type="application\/json")|\son\w+=/.test(html));
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
