import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { isApiPath } from "../../../../lib/history/api_path.ts";
import { apiFiles } from "../../../../lib/statistics/api/api_files.ts";
import { siteNamed } from "../../../helpers/outcomes.ts";
import { assertKeepsTo, publishedSchema } from "../../../helpers/published_schema.ts";
import { configOf } from "../../../helpers/sites.ts";
import { ENGLISH_LANGUAGE } from "../../../../lib/text/languages.ts";
import { createBadges } from "../../../../templates/graph/badge.ts";
import {
  noStatistics,
  report,
  responseTimes,
  siteReport,
  statistics,
  unknownSite,
  windows,
} from "../../../helpers/reports.ts";

const RENDERING = { draw: createBadges(ENGLISH_LANGUAGE) };

const SCHEMA = await publishedSchema("statistics");
const WINDOWS = SCHEMA.properties!.windows!.properties!;
const SHOP = await siteNamed("Shop", "shop", { apdex: 300, slo: 99.9 });

/** A site with every number present, and odd. */
const EVERYTHING = siteReport(SHOP, {
  statistics: {
    ...windows(),
    year: statistics("year", {
      observed: 3_000_000.4,
      down: 0.3,
      degraded: 12.5,
      maintenance: 3600,
      coverage: 0.9999999,
      uptime: 0.99999999,
      checks: 10_000,
      apdex: 0.99961,
      outages: 1,
      incidents: 3,
      degradations: 2,
      longestOutage: 0.3,
      mttr: 0.3,
      mtbf: 2_999_999.6,
      responseTimes: responseTimes(123.4, { count: 9_999.5, p99: 1234.5 }),
      objective: { target: 0.999, isMet: true, budget: 2999.6, left: -0.4 },
    }),
  },
});

function texts(...sites: Parameters<typeof report>): Map<string, string> {
  return new Map(apiFiles(report(...sites), RENDERING));
}

Deno.test("each site gets badges for every window, statistics and pictures, all sites get badges and metrics", () => {
  const ends = ["", "-day", "-month", "-week", "-year"];
  const endpoints = ["response-time", "uptime"].flatMap((what) =>
    ends.map((end) => `${what}${end}.json`)
  );
  const ofWindows = endpoints.map((name) => `badge-${name.replace(/json$/, "svg")}`);
  const pictures = ["badge-status.svg", "badge-status-named.svg", ...ofWindows];
  const names = [...pictures, ...endpoints, "statistics.json"].map((name) => `api/shop/${name}`);
  const ofAll = ["badge-status.svg", "badge-uptime.svg", "metrics.txt"]
    .map((name) => `api/${name}`);
  const paths = [...texts(siteReport(SHOP)).keys()];
  assertEquals(paths.sort(), [...ofAll, ...names].sort());
});

Deno.test("a badge of a service has its four keys and no others", () => {
  const files = [...texts(EVERYTHING, unknownSite(SHOP))].filter(([path]) =>
    /(?:uptime|time)(?:-\w+)?\.json$/.test(path)
  );
  assertEquals(files.length, 10);
  for (const [path, text] of files) {
    const badge = JSON.parse(text);
    assertEquals(Object.keys(badge), ["schemaVersion", "label", "message", "color"], path);
    assertEquals([badge.schemaVersion, text.split("\n").length], [1, 2], path);
  }
});

Deno.test("the statistics of a site keep to their schema, whatever is known", () => {
  const fewChecks = siteReport(SHOP, {
    statistics: {
      ...windows(),
      year: statistics("year", { responseTimes: responseTimes(90, { count: 0.2 }) }),
    },
  });
  for (const site of [siteReport(SHOP), EVERYTHING, unknownSite(SHOP), fewChecks]) {
    const written = JSON.parse(texts(site).get("api/shop/statistics.json")!);
    assertKeepsTo(SCHEMA, written);
    assertEquals(written.$schema, SCHEMA.$id);
  }
});

Deno.test("numbers are rounded to the relevant digits, but never up to all or down to nothing", () => {
  const { windows, apdexThreshold } = JSON.parse(
    texts(EVERYTHING).get("api/shop/statistics.json")!,
  );
  assertEquals(apdexThreshold, 300);
  assertEquals(Object.keys(windows), ["day", "week", "month", "quarter", "year", "all"]);
  assertEquals(windows.year, {
    coverage: 0.999999,
    uptime: 0.999999,
    observed: 3_000_000,
    down: 0,
    degraded: 13,
    maintenance: 3600,
    checks: 10_000,
    outages: 1,
    incidents: 3,
    degradations: 2,
    longestOutage: 0,
    mttr: 0,
    mtbf: 3_000_000,
    apdex: 0.999,
    responseTime: { count: 10_000, mean: 123, min: 123, max: 123, p50: 123, p95: 123, p99: 1235 },
    objective: { target: 0.999, met: true, budget: 3000, left: 0 },
  });
});

Deno.test("every key of the statistics schema has a description", () => {
  for (const [key, { description }] of Object.entries(SCHEMA.properties!)) {
    assert(description, key);
  }
  for (const [key, { description }] of Object.entries(WINDOWS.day!.properties!)) {
    assert(description, key);
  }
});

Deno.test("badges and statistics without coverage say no data, which is neither 0 % nor 100 %", () => {
  const files = texts(unknownSite(SHOP));
  for (const [path, text] of files) {
    if (/\/(?:uptime|response-time)/.test(path)) {
      const { message, color } = JSON.parse(text);
      assertEquals([message, color], ["no data", "lightgrey"], path);
    }
    if (path.endsWith(".svg")) assertStringIncludes(text, ": no data<", path);
  }
  const written = JSON.parse(files.get("api/shop/statistics.json")!);
  assertEquals([written.startTime, written.lastUpdated], [undefined, undefined]);
  for (const own of Object.values<Record<string, unknown>>(written.windows)) {
    assertEquals(
      Object.keys(own).filter((key) => /uptime|coverage|apdex|responseTime/.test(key)),
      [],
    );
  }
  const day = siteReport(SHOP, { statistics: { ...windows(), day: noStatistics("day") } });
  const message = (name: string) => JSON.parse(texts(day).get(`api/shop/${name}.json`)!).message;
  assertEquals([message("uptime-day"), message("uptime-week")], ["no data", "100%"]);
});

Deno.test("the status badge of a site in maintenance says so, whatever its condition", () => {
  const shown = (isInMaintenance: boolean) => {
    const files = texts(siteReport(SHOP, { condition: "down", isInMaintenance }));
    return /<title>(.*)<\/title>/.exec(files.get("api/shop/badge-status.svg")!)![1];
  };
  assertEquals([shown(true), shown(false)], ["status: maintenance", "status: down"]);
});

Deno.test("no file contains an address, and a site named like the metrics keeps its files", async () => {
  const site = await siteNamed("A", "metrics.txt", { url: "https://secret.example/?key=$KEY" });
  const files = texts(siteReport(site));
  assert(![...files.values()].some((text) => /secret\.example|\$KEY/.test(text)));
  assertEquals([files.has("api/metrics.txt"), files.has("api/metrics.txt/uptime.json")], [
    false,
    true,
  ]);
});

Deno.test("isApiPath recognizes generated files under api/, and not the user's", () => {
  const paths = [...texts(siteReport(SHOP)).keys()];
  assertEquals(paths.filter((path) => !isApiPath(path)), []);
  const others = [
    "api/index.js",
    "api/shop/data.json",
    "api/shop/x/uptime.json",
    "api//uptime.json",
  ];
  assertEquals([...others, "my/api/shop/uptime.json"].filter(isApiPath), []);
});

Deno.test("all sites, each group and each site by its name have status badges", async () => {
  const { sites, groups } = await configOf(
    [
      { name: "Shop", group: "Shops" },
      { name: "Blog" },
      { name: "Old <shop>", slug: "old", group: "Shops" },
      { name: "Paused", group: "Shops", paused: true },
      { name: "Pay", group: "Stripe" },
    ].map((site) => ({ ...site, url: "https://x.example" })),
    {
      groups: [{ name: "Stripe", external: true }],
    },
  );
  const uptimes = [1, 0.99, 0.98, 0.5, 0.1];
  const reports = sites.map((site, index) =>
    siteReport(site, {
      condition: ["Old <shop>", "Pay"].includes(site.name) ? "down" : "up",
      statistics: windows({ uptime: uptimes[index] }),
    })
  );
  const files = new Map(apiFiles({ ...report(...reports), groups }, RENDERING));
  const shown = Object.fromEntries(
    [...files].flatMap(([path, text]) =>
      /\bbadge-status|^api\/badge/.test(path) ? [[path, /<title>(.*)<\/title>/.exec(text)![1]]] : []
    ),
  );
  assertEquals(shown, {
    "api/shop/badge-status.svg": "status: up",
    "api/shop/badge-status-named.svg": "Shop: up",
    "api/blog/badge-status.svg": "status: up",
    "api/blog/badge-status-named.svg": "Blog: up",
    "api/old/badge-status.svg": "status: down",
    "api/old/badge-status-named.svg": "Old &lt;shop&gt;: down",
    "api/paused/badge-status.svg": "status: up",
    "api/paused/badge-status-named.svg": "Paused: up",
    "api/pay/badge-status.svg": "status: down",
    "api/pay/badge-status-named.svg": "Pay: down",
    "api/badge-status.svg": "status: 1 of 3 down",
    "api/badge-uptime.svg": "uptime: 99%",
    "api/group/stripe/badge-status.svg": "status: down",
    "api/group/shops/badge-status.svg": "status: 1 of 2 down",
    "api/group/other/badge-status.svg": "status: up",
  });
});

Deno.test("the files of sites come before those of several sites, whatever the slugs and groups are", async () => {
  const slugs = ["group", "metrics.txt", "badge-status.svg", "badge-uptime.svg"];
  const { sites, groups } = await configOf(
    slugs.map((slug) => ({ slug, url: "https://x.example", group: "uptime.json" })),
  );
  const reports = sites.map((site) => siteReport(site));
  const paths = [...apiFiles({ ...report(...reports), groups }, RENDERING)]
    .map(([path]) => path);
  const folders = new Set(paths.flatMap((path) => {
    const parts = path.split("/");
    return parts.map((_, index) => parts.slice(0, index).join("/"));
  }));
  assertEquals(paths.filter((path) => folders.has(path)), []);
  assertEquals(paths.filter((path) => path.split("/").length !== 3), []);
});
