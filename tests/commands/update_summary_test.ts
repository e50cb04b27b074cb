import { assert, assertEquals } from "@std/assert";
import { formatSummary, parseSummary, SUMMARY_PATH } from "../../lib/statistics/summary/summary.ts";
import { summaryOf } from "../../lib/statistics/summary/summary_of.ts";
import type { Site } from "../../lib/config/config.ts";
import { loadState } from "../../lib/pipeline/state.ts";
import { decide, type Decision } from "../../lib/pipeline/decide.ts";
import type { State } from "../../lib/state.ts";
import { MemoryStore } from "../helpers/memory_store.ts";
import { NOW, resultOf, siteNamed } from "../helpers/outcomes.ts";
import { report, siteReport, statistics, windows } from "../helpers/reports.ts";
import { runTask } from "../helpers/program.ts";
import { FILES_ONLY, HOUR, recordResults, SHOWING } from "../helpers/runs.ts";
import { cloneRemote, configText, tip } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { plansOf } from "../helpers/windows.ts";

const SHOP = await siteNamed("Shop", "shop", { group: "Front" });
const API = await siteNamed("API", "api");
const STATUS_BADGE = "api/shop/badge-status.svg";

/** What a store says of its sites. */
function told({ files }: MemoryStore): Record<string, unknown>[] {
  return JSON.parse(files.get(SUMMARY_PATH)!);
}

/** Runs five minutes apart, each given what it finds; every change and every hour is committed. */
function runsIn(store: MemoryStore) {
  let runs = 0;
  return async (found: readonly (readonly [site: Site, state: State])[]) => {
    const time = NOW.add({ minutes: 5 * runs++ });
    const results = found.map(([site, state]) =>
      resultOf(site, state, { began: time, confirmed: time })
    );
    const run = { id: runs.toString(16).padStart(8, "0"), time };
    const { failure } = await recordResults(store, { run, results });
    assertEquals(failure, undefined);
  };
}

/** Puts the summary that `response-time` would write of sites that have some statistics. */
async function putSummary(store: MemoryStore, ...sites: Site[]): Promise<void> {
  const year = statistics("year", { uptime: 0.9998 });
  const known = sites.map((site) =>
    siteReport(site, {
      statistics: { ...windows(), year },
      downMinutes: new Map([["2026-11-20", 14]]),
    })
  );
  await putText(store, formatSummary(summaryOf(report(...known), SHOWING.redact)));
}

async function putText(store: MemoryStore, text: string | null): Promise<void> {
  const files = new Map([[SUMMARY_PATH, text]]);
  const author = { name: "Jo", email: "jo@example.com" };
  await store.publish(() =>
    Promise.resolve({ run: "put", time: NOW, files, message: "Put", author })
  );
}

Deno.test("the first commit writes a summary in the order of the configuration, without data of the past", async () => {
  const store = new MemoryStore();
  await runsIn(store)([[SHOP, "up"], [API, "down"]]);
  const [shop, api] = told(store);
  assertEquals(shop, {
    name: "Shop",
    url: "https://example.com/",
    icon: "",
    slug: "shop",
    status: "up",
    ...{ uptime: "no data", uptimeDay: "no data", uptimeWeek: "no data" },
    ...{ uptimeMonth: "no data", uptimeYear: "no data" },
    ...{ time: 0, timeDay: 0, timeWeek: 0, timeMonth: 0, timeYear: 0 },
    dailyMinutesDown: {},
    state: "up",
    since: "2026-11-21T10:05:03.120Z",
    lastUpdated: "2026-11-21T10:05:03.120Z",
    code: 200,
    responseTime: 123,
    group: "Front",
  });
  assertEquals([api!.slug, api!.state, api!.incident], ["api", "down", "2026-11-21-api"]);
  assertEquals([api!.responseTime, "group" in api!], [undefined, false]);
  assert(store.files.get(STATUS_BADGE)!.includes("<title>status: up</title>"));
  assert(store.files.get("api/api/badge-status.svg")!.includes("<title>status: down</title>"));
});

Deno.test("a commit brings the state up to date, and leaves what response-time said of the past", async () => {
  const store = new MemoryStore();
  const run = runsIn(store);
  await run([[SHOP, "up"]]);
  await putSummary(store, SHOP);
  await run([[SHOP, "down"]]);
  const [{ status, state, since, uptimeYear, timeDay, dailyMinutesDown } = {}] = told(store);
  assertEquals([status, state, since], ["down", "down", "2026-11-21T10:10:03.120Z"]);
  assertEquals([uptimeYear, timeDay, dailyMinutesDown], ["99.98%", 123, { "2026-11-20": 14 }]);
});

Deno.test("the status badge is in the commit of a change, and in no other", async () => {
  const store = new MemoryStore();
  const run = runsIn(store);
  const states: State[] = ["up", "down", "down", "up", ...Array<State>(12).fill("up")];
  for (const state of states) await run([[SHOP, state], [API, "up"]]);
  const badges = store.commits.map(({ paths }) => paths.filter((path) => path.endsWith(".svg")));
  assertEquals(badges, [
    [STATUS_BADGE, "api/api/badge-status.svg"],
    [STATUS_BADGE],
    [STATUS_BADGE],
    [],
  ]);
  assert(store.commits.every(({ paths }) => paths.includes(SUMMARY_PATH)));
});

Deno.test("a summary and its badges never cause a commit", async () => {
  const store = new MemoryStore();
  const run = runsIn(store);
  await run([[SHOP, "up"]]);
  await putText(store, null);
  const commits = store.commits.length;
  await run([[SHOP, "up"]]);
  await run([[SHOP, "unknown"]]);
  assertEquals(store.commits.length, commits);
});

Deno.test("a new site is added without data, and one that is no longer configured goes", async () => {
  const store = new MemoryStore();
  const run = runsIn(store);
  await run([[SHOP, "up"]]);
  await putSummary(store, SHOP);
  await run([[API, "up"], [SHOP, "up"]]);
  assertEquals(told(store).map(({ slug, uptimeYear }) => [slug, uptimeYear]), [
    ["api", "no data"],
    ["shop", "99.98%"],
  ]);
  await run([[API, "down"]]);
  assertEquals(told(store).map(({ slug }) => slug), ["api"]);
});

Deno.test("a summary that is damaged, or Upptime's, is made anew with what can be read of it", async () => {
  const store = new MemoryStore();
  const run = runsIn(store);
  await run([[SHOP, "up"]]);
  const upptime = { name: "Shop", slug: "shop", status: "up", uptime: "99.10%", time: 312 };
  await putText(store, JSON.stringify([upptime, { name: "Gone", slug: "gone" }]));
  await run([[SHOP, "down"]]);
  assertEquals(told(store).map(({ slug, uptime, time }) => [slug, uptime, time]), [
    ["shop", "99.10%", 312],
  ]);
  await putText(store, "<<<<<<< HEAD\n[");
  await run([[SHOP, "up"]]);
  assertEquals(told(store).map(({ slug, uptime, state }) => [slug, uptime, state]), [
    ["shop", "no data", "up"],
  ]);
  assert(store.commits.at(-1)!.paths.includes(STATUS_BADGE));
});

/** Decides from a store with every run committed, looking at some of the sites that are configured. */
async function decided(
  store: MemoryStore,
  found: readonly (readonly [site: Site, state: State])[],
  { configured, until, maxGap = 2 * HOUR }: {
    configured?: Site[];
    until?: Temporal.Instant;
    maxGap?: number;
  } = {},
): Promise<Decision> {
  const sites = found.map(([site]) => site);
  const scope = { sites, configured, time: NOW.add({ hours: 1 }), keepDays: 35 };
  const state = await loadState(await store.read(), scope);
  const { time } = scope;
  const results = found.map(([site, one]) => resultOf(site, one, { began: time, confirmed: time }));
  const options = {
    commitEvery: 0,
    carriers: {},
    listeners: FILES_ONLY,
    showing: SHOWING,
    maxGap,
    plans: until && plansOf(sites.map(({ slug }) => slug), time, until),
  };
  return decide(state, results, { id: "ffffffff", time }, options);
}

Deno.test("a paused site stays as it was, and so do all others where the configuration does not tell them", async () => {
  const store = new MemoryStore();
  await runsIn(store)([[SHOP, "down"], [API, "up"]]);
  const before = parseSummary(store.files.get(SUMMARY_PATH)!);
  const paused = { ...SHOP, paused: true };
  const { files } = await decided(store, [[API, "up"]], { configured: [paused, API] });
  const after = parseSummary(files.get(SUMMARY_PATH)!);
  assertEquals([...after.keys()], ["shop", "api"]);
  assertEquals(after.get("shop")!.current, before.get("shop")!.current);
  assertEquals(after.get("shop")!.site.paused, true);
  const late = { configured: [paused, API], maxGap: HOUR / 2 };
  const lost = parseSummary((await decided(store, [[API, "up"]], late)).files.get(SUMMARY_PATH)!);
  const { status, state, since, incident } = lost.get("shop")!.current;
  assertEquals([status, state, since, incident], [
    "unknown",
    "unknown",
    undefined,
    before.get("shop")!.current.incident,
  ]);
  const partial = parseSummary((await decided(store, [[API, "up"]])).files.get(SUMMARY_PATH)!);
  assertEquals([...partial.keys()], ["api", "shop"]);
  assertEquals(partial.get("shop"), before.get("shop"));
});

Deno.test("a site in maintenance is shown so, with the status it had", async () => {
  const store = new MemoryStore();
  await runsIn(store)([[SHOP, "up"]]);
  const until = NOW.add({ hours: 2 });
  const { files } = await decided(store, [[SHOP, "down"]], { configured: [SHOP], until });
  const { status, state } = parseSummary(files.get(SUMMARY_PATH)!).get("shop")!.current;
  assertEquals([status, state], ["up", "maintenance"]);
  assert(files.get(STATUS_BADGE)!.includes("<title>status: maintenance</title>"));
});

Deno.test("a site that is paused while it is in maintenance is shown with the status it had", async () => {
  const store = new MemoryStore();
  await runsIn(store)([[SHOP, "up"], [API, "up"]]);
  const until = NOW.add({ hours: 2 });
  const { files: inIt } = await decided(store, [[SHOP, "up"], [API, "up"]], { until });
  await putText(store, inIt.get(SUMMARY_PATH)!);
  const paused = { ...SHOP, paused: true };
  const { files } = await decided(store, [[API, "up"]], { configured: [paused, API] });
  assertEquals(parseSummary(files.get(SUMMARY_PATH)!).get("shop")!.current.state, "up");
});

Deno.test("update pushes summary and status badge with what it found, and no secret", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const url = `${site.url}?key=$API_TOKEN`;
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": configText({ A: url }) });
  const clone = await cloneRemote(remote, `${scratch.path}/clone`);
  const env = { SECRETS_CONTEXT: JSON.stringify({ API_TOKEN: "s3cr3t-value" }) };
  const { code, stderr } = await runTask("update", { folder: clone, env });
  assertEquals([code, stderr], [0, ""]);
  const text = await git(remote, "show", `main:${SUMMARY_PATH}`);
  const [entry] = JSON.parse(text);
  assertEquals([entry.url, entry.state, entry.uptime], [url, "up", "no data"]);
  assert(!text.includes("s3cr3t"));
  assert((await git(remote, "show", "main:api/a/badge-status.svg")).includes("status: up"));
  assertEquals(await tip(clone), await tip(remote, "main"));
  assertEquals(await git(clone, "status", "--porcelain"), "");
});
