import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { MemoryStore } from "../helpers/memory_store.ts";
import { NOW, resultOf, siteNamed } from "../helpers/outcomes.ts";
import { runTask } from "../helpers/program.ts";
import { report, siteReport, statistics, windows } from "../helpers/reports.ts";
import {
  commitFile,
  configText,
  makeRepository,
  pathsAt,
  remoteAndClone,
  status,
  tip,
} from "../helpers/repositories.ts";
import { configWith, decideRun, HOUR, recordResults } from "../helpers/runs.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { StillClock } from "../helpers/still_clock.ts";
import { httpServer } from "../helpers/servers.ts";
import { plansOf } from "../helpers/windows.ts";
import { writeHistory } from "../helpers/written_history.ts";
import type { Site } from "../../lib/config/config.ts";
import { orderGroups } from "../../lib/config/groups.ts";
import type { ProbeResult } from "../../lib/evaluation/results.ts";
import { parseDays } from "../../lib/history/daily_log.ts";
import type { Decision } from "../../lib/pipeline/decide.ts";
import { loadHistoryState } from "../../lib/pipeline/history_state.ts";
import {
  computeSummary,
  formatSummary,
  parseSummary,
  SUMMARY_PATH,
} from "../../lib/statistics/summary.ts";

type State = ProbeResult["state"];

const SHOP = configText({ Shop: "http://127.0.0.1:1" });

const NOON = "2026-11-21T12:00:00Z";

/** The time so many days before noon, in UTC. */
function daysAgo(days: number): Temporal.ZonedDateTime {
  return Temporal.Instant.from(NOON).toZonedDateTimeISO("UTC").subtract({ days });
}

function dateOf(time: Temporal.ZonedDateTime): string {
  return time.toPlainDate().toString();
}

async function json<T = Record<string, unknown>>(folder: string, path: string): Promise<T> {
  return JSON.parse(await Deno.readTextFile(join(folder, path)));
}

/** A repository with checks of a site from so many days ago until so many days ago, whole days. */
async function repositoryWith(folder: string, from: number, to: number): Promise<string> {
  await makeRepository(folder, { ".monitorrc.yml": SHOP });
  const start = (days: number) => daysAgo(days).startOfDay().toInstant();
  await writeHistory(folder, [{ slug: "shop" }], { from: start(from), to: start(to) });
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Write a history");
  return folder;
}

Deno.test("before any check the statistics say no data, and a run after it writes nothing", async () => {
  await using scratch = await makeScratch();
  const folder = await makeRepository(scratch.path, { ".monitorrc.yml": SHOP });
  const first = await runTask("response-time", { folder });
  assertEquals(first.code, 0, first.stderr);
  assertEquals(await json(folder, "api/shop/uptime.json"), {
    schemaVersion: 1,
    label: "uptime",
    message: "no data",
    color: "lightgrey",
  });
  assertEquals((await json(folder, "api/shop/response-time-day.json"))["message"], "no data");
  const commit = await tip(folder);
  const second = await runTask("response-time", { folder });
  assertEquals([second.code, await tip(folder)], [0, commit]);
  assertStringIncludes(second.stdout, "nothing new");
  assertEquals(await status(folder), "");
});

Deno.test("finished days are rolled up, and only checks older than the retention are removed", async () => {
  await using scratch = await makeScratch();
  const folder = await repositoryWith(scratch.path, 38, 33);
  const clock = new StillClock(NOON);
  const first = await runTask("response-time", { folder, clock });
  assertEquals(first.code, 0, first.stderr);
  const paths = await pathsAt(folder);
  const logs = paths.filter((path) => path.startsWith("history/checks/"));
  assertEquals(logs, [35, 34, 33].map((days) => `history/checks/${dateOf(daysAgo(days))}.csv`));
  const days = async () => {
    const daily = paths.filter((path) => path.startsWith("history/daily/"));
    return (await Promise.all(daily.map((path) => Deno.readTextFile(join(folder, path))))).join("");
  };
  const rolled = await days();
  const whole = parseDays([rolled]).get("shop")!.at(0)!;
  assertEquals([whole.checks, whole.observedTime, whole.downTime], [288, 86_400, 0]);
  const second = await runTask("response-time", { folder, clock });
  assertEquals([second.code, await days()], [0, rolled]);
});

Deno.test("a job shows how many statistics have changed", async () => {
  await using scratch = await makeScratch();
  const folder = await repositoryWith(scratch.path, 4, 2);
  const env = { GITHUB_ACTIONS: "true" };
  const ended = await runTask("response-time", { folder, env });
  assertEquals(ended.code, 0, ended.stderr);
  const summary = await Deno.readTextFile(join(folder, ".git", "monitor", "summary.md"));
  assertStringIncludes(summary, "### Statistics of 1 site");
});

Deno.test("badges of a removed site are removed, and other files in their folder stay", async () => {
  await using scratch = await makeScratch();
  const folder = await makeRepository(scratch.path, {
    ".monitorrc.yml": configText({ Shop: "http://127.0.0.1:1", Forum: "http://127.0.0.1:1" }),
  });
  await runTask("response-time", { folder });
  await Deno.writeTextFile(join(folder, "api", "forum", "notes.txt"), "mine");
  await commitFile(folder, "api/forum/notes.txt", "mine");
  await commitFile(folder, ".monitorrc.yml", SHOP);
  const ended = await runTask("response-time", { folder });
  assertEquals(ended.code, 0, ended.stderr);
  const left = (await pathsAt(folder)).filter((path) => path.startsWith("api/forum/"));
  assertEquals(left, ["api/forum/notes.txt"]);
});

const SHOP_SITE = await siteNamed("Shop", "shop", { group: "Front" });

const API = await siteNamed("API", "api");

const STATUS_BADGE = "api/shop/badge-status.svg";

/** The entries of a store's summary. */
function readSummaryEntries({ files }: MemoryStore): Record<string, unknown>[] {
  return JSON.parse(files.get(SUMMARY_PATH)!);
}

/** Runs with given results, five minutes apart; every change and every hour is committed. */
function runsIn(store: MemoryStore) {
  let runs = 0;
  return async (found: readonly (readonly [site: Site, state: State])[]) => {
    const time = NOW.add({ minutes: 5 * runs++ });
    const results = found.map(([site, state]) =>
      resultOf(site, state, { began: time, confirmed: time })
    );
    const run = { id: runs.toString(16).padStart(8, "0"), time };
    const config = { ...configWith(), groups: orderGroups(found.map(([site]) => site)) };
    const { failure } = await recordResults(store, { run, results, config });
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
  await putText(store, formatSummary(computeSummary(report(...known))));
}

async function putText(store: MemoryStore, text: string | null): Promise<void> {
  const files = new Map([[SUMMARY_PATH, text]]);
  const author = { name: "Jo", email: "jo@example.com" };
  await store.publish(() =>
    Promise.resolve({ run: "put", time: NOW, files, message: "Put", author })
  );
}

Deno.test("the first commit writes a summary in configured order, without past data", async () => {
  const store = new MemoryStore();
  await runsIn(store)([[SHOP_SITE, "up"], [API, "down"]]);
  const [shop, api] = readSummaryEntries(store);
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

Deno.test("a commit updates the state in the summary, and keeps the statistics of response-time", async () => {
  const store = new MemoryStore();
  const run = runsIn(store);
  await run([[SHOP_SITE, "up"]]);
  await putSummary(store, SHOP_SITE);
  await run([[SHOP_SITE, "down"]]);
  const [{ status, state, since, uptimeYear, timeDay, dailyMinutesDown } = {}] = readSummaryEntries(
    store,
  );
  assertEquals([status, state, since], ["down", "down", "2026-11-21T10:10:03.120Z"]);
  assertEquals([uptimeYear, timeDay, dailyMinutesDown], ["99.98%", 123, { "2026-11-20": 14 }]);
});

Deno.test("status badges are in the commit of a change, and in no other", async () => {
  const store = new MemoryStore();
  const run = runsIn(store);
  const states: State[] = ["up", "down", "down", "up", ...Array<State>(12).fill("up")];
  for (const state of states) await run([[SHOP_SITE, state], [API, "up"]]);
  const badgesOf = (slug: string) =>
    ["", "-named"].map((end) => `api/${slug}/badge-status${end}.svg`);
  const ofAll = ["api/badge-status.svg", "api/group/front/badge-status.svg"];
  const badges = store.commits.map(({ paths }) => paths.filter((path) => path.endsWith(".svg")));
  assertEquals(badges, [
    [...badgesOf("shop"), ...badgesOf("api"), ...ofAll, "api/group/other/badge-status.svg"],
    [...badgesOf("shop"), ...ofAll],
    [...badgesOf("shop"), ...ofAll],
    [],
  ]);
  assert(store.commits.every(({ paths }) => paths.includes(SUMMARY_PATH)));
});

Deno.test("a summary and its badges never cause a commit", async () => {
  const store = new MemoryStore();
  const run = runsIn(store);
  await run([[SHOP_SITE, "up"]]);
  await putText(store, null);
  const commits = store.commits.length;
  await run([[SHOP_SITE, "up"]]);
  await run([[SHOP_SITE, "unknown"]]);
  assertEquals(store.commits.length, commits);
});

Deno.test("a new site is added without data, and one that is no longer configured is removed", async () => {
  const store = new MemoryStore();
  const run = runsIn(store);
  await run([[SHOP_SITE, "up"]]);
  await putSummary(store, SHOP_SITE);
  await run([[API, "up"], [SHOP_SITE, "up"]]);
  assertEquals(readSummaryEntries(store).map(({ slug, uptimeYear }) => [slug, uptimeYear]), [
    ["api", "no data"],
    ["shop", "99.98%"],
  ]);
  await run([[API, "down"]]);
  assertEquals(readSummaryEntries(store).map(({ slug }) => slug), ["api"]);
});

Deno.test("a damaged summary, or Upptime's, is rewritten with all that is readable in it", async () => {
  const store = new MemoryStore();
  const run = runsIn(store);
  await run([[SHOP_SITE, "up"]]);
  const upptime = { name: "Shop", slug: "shop", status: "up", uptime: "99.10%", time: 312 };
  await putText(store, JSON.stringify([upptime, { name: "Gone", slug: "gone" }]));
  await run([[SHOP_SITE, "down"]]);
  assertEquals(readSummaryEntries(store).map(({ slug, uptime, time }) => [slug, uptime, time]), [
    ["shop", "99.10%", 312],
  ]);
  await putText(store, "<<<<<<< HEAD\n[");
  await run([[SHOP_SITE, "up"]]);
  assertEquals(readSummaryEntries(store).map(({ slug, uptime, state }) => [slug, uptime, state]), [
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
  const state = await loadHistoryState(await store.read(), scope);
  const { time } = scope;
  const results = found.map(([site, one]) => resultOf(site, one, { began: time, confirmed: time }));
  return decideRun(state, results, { id: "ffffffff", time }, {
    config: configWith({ commitEvery: 0, maxGap }),
    ...until && { plans: plansOf(sites.map(({ slug }) => slug), time, until) },
  });
}

Deno.test("the summary keeps paused sites, and all sites that a partial configuration leaves out", async () => {
  const store = new MemoryStore();
  await runsIn(store)([[SHOP_SITE, "down"], [API, "up"]]);
  const before = parseSummary(store.files.get(SUMMARY_PATH)!);
  const paused = { ...SHOP_SITE, paused: true };
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

Deno.test("a site in maintenance is shown as such, with its previous status", async () => {
  const store = new MemoryStore();
  await runsIn(store)([[SHOP_SITE, "up"]]);
  const until = NOW.add({ hours: 2 });
  const { files } = await decided(store, [[SHOP_SITE, "down"]], { configured: [SHOP_SITE], until });
  const { status, state } = parseSummary(files.get(SUMMARY_PATH)!).get("shop")!.current;
  assertEquals([status, state], ["up", "maintenance"]);
  assert(files.get(STATUS_BADGE)!.includes("<title>status: maintenance</title>"));
});

Deno.test("update pushes summary and status badge with the results, and without secrets", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const url = `${site.url}?key=$API_TOKEN`;
  const { remote, folder: clone } = await remoteAndClone(scratch, configText({ A: url }));
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
