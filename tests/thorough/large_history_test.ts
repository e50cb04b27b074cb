import { assert, assertEquals } from "@std/assert";
import type { Site } from "../../lib/config/config.ts";
import { findRecordSlug, MOST_FLAT, recordPath } from "../../lib/config/layout.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import type { ProbeResult } from "../../lib/evaluation/results.ts";
import { type CheckRow, CHECKS_FOLDER, parseRows } from "../../lib/history/checks_log.ts";
import { overlayFiles } from "../../lib/history/store/store.ts";
import { readHistories } from "../../lib/history/read_histories.ts";
import { parseRecord } from "../../lib/history/record.ts";
import { loadStoredRunState } from "../../lib/history/run_state.ts";
import { SUMMARY_PATH } from "../../lib/statistics/summary.ts";
import { readSummaryTexts, StoredSummary } from "../../lib/statistics/summary_files.ts";
import { MemoryStore } from "../helpers/memory_store.ts";
import { recordResults } from "../helpers/runs.ts";
import { countBytes } from "../../lib/text/plain_text.ts";

const START = Temporal.Instant.from("2026-11-21T10:05:00Z");
const { config } = await parseConfig(JSON.stringify({
  reopenWithin: 0,
  sites: Array.from({ length: MOST_FLAT.history + 1 }, (_, index) => ({
    name: `Site ${index}`,
    url: `https://site-${index}.example.com`,
  })),
}));
const LARGE = config!.sites;
const SMALL = LARGE.slice(0, 3);

/** Records a run in which some sites are down. */
async function record(
  store: MemoryStore,
  run: number,
  { sites = LARGE, down = [], checked = sites, isPartial = false }: {
    sites?: readonly Site[];
    down?: readonly string[];
    checked?: readonly Site[];
    /** True if the configuration may have further sites. */
    isPartial?: boolean;
  } = {},
) {
  const time = START.add({ minutes: 5 * run });
  const began = time.add({ seconds: 1 });
  const results = checked.map((site): ProbeResult => ({
    site,
    state: down.includes(site.slug) ? "down" : "up",
    code: down.includes(site.slug) ? 503 : 200,
    responseTime: 100,
    attempts: 3,
    began,
    confirmed: began,
    ...down.includes(site.slug) ? { error: "expected status 200-399, found 503" } : {},
  }));
  const id = (run + 1).toString(16).padStart(8, "0");
  return await recordResults(store, {
    run: { id, time },
    results,
    configured: isPartial ? undefined : sites,
  });
}

function listLogs(store: MemoryStore): string[] {
  return [...store.files.keys()].filter((path) => path.startsWith(`${CHECKS_FOLDER}/`)).sort();
}

function rowsOf(store: MemoryStore): CheckRow[] {
  const pending = [...store.pending].filter(([name]) => name.endsWith(".csv"));
  const texts = [...listLogs(store).map((path) => store.files.get(path)!)];
  return [...texts, ...pending.map(([, text]) => text)].flatMap(parseRows);
}

function recordPaths(store: MemoryStore): string[] {
  return [...store.files.keys()].filter((path) => findRecordSlug(path) !== undefined);
}

Deno.test("above the limit records are in folders, and each run has a log and a pending text of its own", async () => {
  const store = new MemoryStore();
  for (const run of [0, 1, 2]) await record(store, run);
  assertEquals(
    recordPaths(store).sort(),
    LARGE.map(({ slug }) => recordPath(slug, "nested")).sort(),
  );
  assertEquals(listLogs(store), ["history/checks/2026-11-21/10/05-00000001-1.csv"]);
  const names = [...store.pending.keys()].filter((name) => name.endsWith(".csv"));
  assertEquals(names, [
    ".parts/20261121T1010-00000002-1.csv",
    ".parts/20261121T1015-00000003-1.csv",
  ]);
  const before = store.pending;
  await record(store, 3);
  const changed = [...store.pending].filter(([name, text]) => before.get(name) !== text);
  const streaks = changed.filter(([name]) => name.includes("/sites-"));
  // The first runs of a site change its streak.
  assertEquals(changed.length - streaks.length, 2, changed.map(([name]) => name).join());
  const [first] = LARGE;
  const logs = listLogs(store);
  const down = [first!.slug];
  for (const run of [4, 5]) await record(store, run, { down });
  assertEquals(listLogs(store), logs, "a change commits only what has changed");
  const { paths } = store.commits.at(-1)!;
  assertEquals(paths.length, 5, paths.join());
  assertEquals(rowsOf(store).length, 6 * LARGE.length);
  const waiting = [...store.pending.values()].filter((text) => text.startsWith("time,"));
  await record(store, 12, { down });
  assertEquals(rowsOf(store).length, 7 * LARGE.length);
  const committed = new Set(store.files.values());
  assert(waiting.every((text) => committed.has(text)), "pending texts are committed as they are");
});

Deno.test("a configuration with mistakes starts with folders if enough of its sites are known, and moves nothing later", async () => {
  const store = new MemoryStore();
  await record(store, 0, { isPartial: true });
  assertEquals(recordPaths(store).includes(recordPath(LARGE[0]!.slug, "nested")), true);
  assertEquals(recordPaths(store).length, LARGE.length);
  const small = new MemoryStore();
  await record(small, 0, { sites: SMALL, isPartial: true });
  await record(small, 12, { sites: LARGE, isPartial: true });
  assertEquals(recordPaths(small).includes(recordPath(SMALL[0]!.slug)), true);
});

Deno.test("above the limit the summary has the totals and what is not up, and its parts have all sites", async () => {
  const store = new MemoryStore();
  const [first] = LARGE;
  const down = [first!.slug];
  for (const run of [0, 1, 2]) await record(store, run, { down });
  const [totals, ...notUp] = JSON.parse(store.files.get(SUMMARY_PATH)!);
  assertEquals([totals.sites, totals.states], [LARGE.length, { down: 1, up: MOST_FLAT.history }]);
  assertEquals(notUp.map(({ slug }: { slug: string }) => slug), down);
  const texts = await readSummaryTexts(await store.read());
  const summary = new StoredSummary(texts);
  assertEquals([...summary.entries().keys()].sort(), LARGE.map(({ slug }) => slug).sort());
  assertEquals(summary.find(first!.slug)!.current.state, "down");
  for (const text of store.files.values()) assert(text.length < 1_000_000);

  await record(store, 12, { sites: SMALL, down });
  const small = await readSummaryTexts(await store.read());
  assertEquals([...small.keys()], [SUMMARY_PATH]);
  assertEquals([...new StoredSummary(small).entries().keys()], SMALL.map(({ slug }) => slug));
});

Deno.test("if all sites are down, the summary stays below a megabyte, and its parts have the rest", async () => {
  const store = new MemoryStore();
  const named = (name: string, index: number) => ({ ...LARGE[index]!, name: name.repeat(500) });
  const sites = LARGE.map((_, index) => named(index % 2 === 0 ? "é" : "e", index));
  const down = sites.map(({ slug }) => slug);
  for (const run of [0, 1, 2]) await record(store, run, { sites, down });
  assert(countBytes(store.files.get(SUMMARY_PATH)!) < 1_000_000);
  const [totals, ...listed] = JSON.parse(store.files.get(SUMMARY_PATH)!);
  assertEquals(totals.states, { down: sites.length });
  assertEquals(totals.unlisted, sites.length - listed.length);
  assert(totals.unlisted > 0);
  const stored = async () => new StoredSummary(await readSummaryTexts(await store.read()));
  const last = sites.at(-1)!.slug;
  assertEquals((await stored()).findState(last), "down");
  await record(store, 3, { sites, down: down.slice(0, -1) });
  assertEquals((await stored()).findState(last), "up");
});

Deno.test("a repository crosses the limit in both directions without losing anything", async () => {
  const store = new MemoryStore();
  const [first] = SMALL;
  const down = [first!.slug];
  await record(store, 0, { sites: SMALL });
  await record(store, 1, { sites: SMALL, down });
  await record(store, 2, { sites: SMALL, down });
  const [incident] = [...store.files.keys()].filter((path) => path.includes("/incidents/"));
  const startTime = () => {
    const paths = recordPaths(store).filter((path) => findRecordSlug(path) === first!.slug);
    assertEquals(paths.length, 1);
    const { startTime, incident } = parseRecord(store.files.get(paths[0]!)!)!;
    return [String(startTime), incident];
  };
  const known = startTime();
  await record(store, 3, { down });
  await record(store, 15, { down });
  assertEquals(recordPaths(store).length, LARGE.length);
  assertEquals(recordPaths(store).filter((path) => !path.startsWith("history/state/")), []);
  assertEquals(startTime(), known);
  assertEquals([...store.pending.keys()].filter((name) => !name.startsWith(".parts/")), []);

  await record(store, 16, { sites: SMALL, down });
  await record(store, 28, { sites: SMALL, down });
  const left = recordPaths(store);
  assertEquals(left.filter((path) => path.startsWith("history/state/")), []);
  assertEquals(left.length, LARGE.length, "records of sites that are gone stay, as they always do");
  assertEquals(startTime(), known);
  assertEquals([...store.pending.keys()], ["memory.json"]);
  const incidents = [...store.files.keys()].filter((path) => path.includes("/incidents/"));
  assertEquals(incidents, [incident]);

  const rows = rowsOf(store);
  assertEquals(rows.length, 5 * SMALL.length + 2 * LARGE.length);
  assertEquals(new Set(rows.map(({ run, slug }) => `${run} ${slug}`)).size, rows.length);
  const { histories } = await readHistories(await store.read(), SMALL);
  assertEquals(histories.get(first!.slug)!.checks.length, 7);
});

Deno.test("parts of one run that is recorded in two pushes are two logs, and no row is in both", async () => {
  const store = new MemoryStore();
  await record(store, 0);
  const down = LARGE.slice(0, 2);
  await record(store, 1, { checked: down, down: down.map(({ slug }) => slug) });
  await record(store, 1, { down: down.map(({ slug }) => slug) });
  await record(store, 12);
  const rows = rowsOf(store).filter(({ run }) => run === "00000002");
  assertEquals(rows.length, LARGE.length);
  assertEquals(listLogs(store).filter((path) => path.includes("00000002")).length, 2);
});

Deno.test("a program that does not know the parts leaves them, and its run state and rows are taken in", async () => {
  const store = new MemoryStore();
  await record(store, 0);
  await record(store, 1);
  const parts = store.pending;
  const old = new MemoryStore();
  await record(old, 0, { sites: SMALL });
  await record(old, 2, { sites: SMALL });
  store.pending = new Map([...parts, ...old.pending]);
  const { runState, rows } = await loadStoredRunState(await store.read());
  assertEquals(runState!.run, "00000003");
  assertEquals(rows.length, LARGE.length + SMALL.length);
  await record(store, 3);
  assertEquals([...store.pending.keys()].filter((name) => !name.startsWith(".parts/")), []);
  assertEquals(rowsOf(store).length, 3 * LARGE.length + SMALL.length);
});

Deno.test("of rolled-up days of a nested history, only the checks that cover the next midnight are read", async () => {
  const files = new Map<string, string>();
  const moments = ["18T10:00", "18T23:50", "18T23:55", "19T10:00", "20T00:05"];
  for (const [index, moment] of moments.entries()) {
    const time = `2026-11-${moment}:30.000Z`;
    const path = `${CHECKS_FOLDER}/${time.slice(0, 13).replace("T", "/")}/${time.slice(14, 16)}`;
    files.set(
      `${path}-0000000${index}-1.csv`,
      `time,run,slug,state,code\n${time},0000000${index},site-0,up,200\n`,
    );
  }
  files.set(
    "history/daily/2026/11-18/001.csv",
    "date,slug,checks,up\n2026-11-18,site-0,3,3\n",
  );
  const { histories } = await readHistories(
    overlayFiles(await new MemoryStore().read(), files),
    SMALL,
  );
  const times = histories.get("site-0")!.checks.map(({ time }) =>
    new Date(time).toISOString().slice(8, 16)
  );
  assertEquals(times, moments.slice(1));
});
