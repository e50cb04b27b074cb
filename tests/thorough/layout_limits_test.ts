import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { MOST_FLAT } from "../../lib/config/layout.ts";
import { type Clock, systemClock } from "../../lib/io/clock.ts";
import { EXPORT_FOLDER } from "../../lib/config/page_path.ts";
import { Git } from "../../lib/git/git.ts";
import { listBlobs, readBlobs } from "../../lib/git/objects.ts";
import { PENDING_REF } from "../../lib/git/remote.ts";
import { badgePath, statisticsPath } from "../../lib/history/api_path.ts";
import { type DayTotals, formatDays, parseDays } from "../../lib/history/daily_log.ts";
import { findIncidentId } from "../../lib/history/incident.ts";
import { graphPath } from "../../lib/statistics/graphs/graph_files.ts";
import { BRANCH, keep } from "../helpers/kept_graphs.ts";
import { runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  commitFile,
  configText,
  EVERY_RUN,
  pathsAt,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { measureFolder, measureRevision, type TreeSizes } from "../helpers/tree_sizes.ts";

const NOON = Temporal.Instant.from("2026-11-21T12:00:00Z");

/** 10,000 sites at a scale of about 1:75, with the limits of flat layouts at about the same scale. */
const MANY = 130;
const FEW = 40;
const SCALED = { history: 60, addresses: 100 };
/** Nested folders have about a hundred entries; a flat one would have 130. */
const MOST_ENTRIES = 120;
/** A megabyte at the scale. */
const MOST_BYTES = 40_000;
/** Pages have the same number of rows at any scale. */
const MOST_PAGE_BYTES = 1_000_000;

/** Lowers the limits until they are disposed of. */
function lowerLimits(): Disposable {
  const before = { ...MOST_FLAT };
  Object.assign(MOST_FLAT, SCALED);
  return { [Symbol.dispose]: () => void Object.assign(MOST_FLAT, before) };
}

const slugOf = (number: number) => `site-${number}`;

function configOf(count: number, url: string): string {
  const sites = Array.from(
    { length: count },
    (_, index) => [`Site ${index + 1}`, `${url}/${index + 1}`] as const,
  );
  return configText(Object.fromEntries(sites), EVERY_RUN);
}

/** The logs of two years before the test, with some days each. */
function writeYears(): Map<string, string> {
  const day = (from: number): DayTotals => ({
    ...{ from, checks: 288, up: 287, degraded: 0, down: 1, maintenance: 0, unknown: 0 },
    ...{ observedTime: 86_400, downTime: 300, degradedTime: 0, maintenanceTime: 0 },
    responseTimes: { count: 287, sum: 28_700, min: 90, max: 110, histogram: "" },
  });
  return new Map([2024, 2025].map((year) => {
    const days = Array.from({ length: 20 }, (_, index) => day(Date.UTC(year, 0, 1 + index)));
    const sites = Array.from({ length: FEW }, (_, index) => [slugOf(index + 1), days] as const);
    return [`history/daily/${year}.csv`, formatDays(new Map(sites))];
  }));
}

async function daysAt(remote: string) {
  const own = new Git(remote);
  const blobs = await listBlobs(own, "main", "history/daily/");
  const texts = await readBlobs(own, [...blobs.values()]);
  return { paths: [...blobs.keys()], days: parseDays(texts.map((text) => text!)) };
}

function assertWithin({ largestFile, largestFolder }: TreeSizes, bytes: number): void {
  assert(largestFile.size <= bytes, `${largestFile.path} has ${largestFile.size} bytes`);
  const { path, size } = largestFolder;
  assert(size <= MOST_ENTRIES, `${path}/ has ${size} entries`);
}

Deno.test("at 10,000 sites no object has a megabyte and no folder 3,000 entries, and crossing the limits loses nothing", async () => {
  using _ = lowerLimits();
  await using scratch = await makeScratch();
  const down = new Set<string>();
  await using server = httpServer(({ url }) =>
    new Response("", { status: down.has(new URL(url).pathname) ? 503 : 200 })
  );
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": configOf(FEW, server.url),
    "README.md": "<!-- monitor: summary -->\n<!-- /monitor: summary -->\n",
  });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  // It starts at a time of day at which no midnight comes.
  const began = performance.now();
  let passed = 0;
  const clock: Clock = {
    ...systemClock,
    now: () => NOON.add({ milliseconds: Math.round(passed + performance.now() - began) }),
  };
  const run = async (...tasks: string[]) => {
    for (const task of tasks) {
      passed += 5 * 60_000;
      const { code, stdout, stderr } = await runTask(task, { folder, clock });
      assertEquals(code, 0, stdout + stderr);
    }
  };
  const drawAll = async (count: number, layout: "flat" | "nested") => {
    const slugs = Array.from({ length: count }, (_, index) => slugOf(index + 1));
    const files = slugs.map((slug) =>
      [graphPath(slug, "day", "light", "png", layout), Uint8Array.of(count % 251)] as const
    );
    await keep(folder, { files: new Map(files), configured: new Set(slugs) });
  };
  const resize = async (count: number) => {
    await commitFile(folder, ".monitorrc.yml", configOf(count, server.url));
    await git(folder, "push", "--quiet");
  };
  const incidentsOf = async () =>
    (await pathsAt(remote, "main")).flatMap((path) => findIncidentId(path) ?? []).sort();

  await Deno.mkdir(join(folder, "history/daily"), { recursive: true });
  for (const [path, text] of writeYears()) await commitFile(folder, path, text);
  await git(folder, "push", "--quiet");
  down.add("/1");
  await run("update", "response-time");
  await drawAll(FEW, "flat");
  const flat = await pathsAt(remote, "main");
  const [first] = await incidentsOf();
  const { days } = await daysAt(remote);
  for (const path of [badgePath("site-1", "status"), "api/metrics.txt", "history/site-1.yml"]) {
    assert(flat.includes(path), path);
  }

  await resize(MANY);
  for (let number = 1; number <= MANY; number++) down.add(`/${number}`);
  await run("update");
  const between = await pathsAt(remote, "main");
  assert(between.includes(statisticsPath("site-2")), "until then badges keep their addresses");
  const badge = await git(remote, "cat-file", "blob", `main:${badgePath("site-2", "status")}`);
  assert(badge.includes("down"));
  await run("response-time", "readme", "site");
  await drawAll(MANY, "nested");
  const nested = await pathsAt(remote, "main");
  assertEquals((await incidentsOf()).length, MANY);
  assert((await incidentsOf()).includes(first!));
  assertEquals(
    nested.filter((path) =>
      /^(?:api|history\/incidents)\/[^/]{3,}(?:\/|$)/.test(path) && !path.startsWith("api/metrics/")
    ),
    [],
  );
  assert(nested.includes(badgePath("site-2", "status", "all", "nested")));
  // At any scale the summary lists up to 900 kB of sites that are down, and the README 200.
  const isOurs = (path: string) =>
    !/^(?:\.monitorrc.*|README\.md|history\/summary\.json)$/.test(path);
  assertWithin(await measureRevision(remote, "main", isOurs), MOST_BYTES);
  assertWithin(await measureRevision(remote, PENDING_REF), MOST_BYTES);
  assertWithin(await measureRevision(remote, BRANCH), MOST_BYTES);
  assertWithin(await measureFolder(join(folder, EXPORT_FOLDER)), MOST_PAGE_BYTES);
  assertEquals((await pathsAt(remote, BRANCH)).length, MANY);
  const split = await daysAt(remote);
  assertEquals(split.days, days);
  assertEquals(split.paths.filter((path) => /\d{4}\.csv$/.test(path)), []);

  await resize(FEW);
  down.clear();
  await run("update", "response-time");
  await drawAll(FEW, "flat");
  const back = await pathsAt(remote, "main");
  assertEquals((await incidentsOf()).length, MANY);
  assertEquals(
    back.filter((path) => path.startsWith("api/") && !flat.includes(path)),
    [],
    "the addresses are those from before",
  );
  for (const path of flat.filter((path) => path.startsWith("api/"))) {
    assert(back.includes(path), path);
  }
  assertEquals(back.filter((path) => /^history\/(?:incidents|state)\/[\da-f]{2}\//.test(path)), []);
  assertEquals((await daysAt(remote)).days, days);
  assertEquals((await pathsAt(remote, BRANCH)).length, FEW);
  assert((await pathsAt(remote, BRANCH)).includes(graphPath("site-1", "day", "light", "png")));
});
