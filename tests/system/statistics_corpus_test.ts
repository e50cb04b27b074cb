import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { readHistories } from "../../lib/history/read_histories.ts";
import type { SiteHistory } from "../../lib/history/site_history.ts";
import { hasCorpus, unpackHistory } from "../helpers/corpus.ts";
import { measured } from "../helpers/measured.ts";
import { storeOf } from "../helpers/random_history.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { configOf } from "../helpers/sites.ts";
import { logsOf, type UpptimeCommit, upptimeCommits } from "../helpers/upptime_history.ts";

/** Those whose sites have files of their own; in the fourth sixteen sites share one. */
const HISTORIES = ["033", "067", "060"];

/** A site as Upptime published it. */
interface Published {
  name: string;
  slug: string;
  uptime: string;
  uptimeYear: string;
  time: number;
  timeDay: number;
  timeWeek: number;
  timeMonth: number;
  timeYear: number;
  dailyMinutesDown: Record<string, number>;
}

if (hasCorpus) {
  Deno.test("public histories give their published response times, by their definition", async () => {
    let [same, other] = [0, 0];
    for (const number of HISTORIES) {
      for (const { published, commits, history, now } of await sitesOf(number)) {
        for (const [name, units] of Object.entries(WINDOWS)) {
          const from = begin(now, units);
          // Theirs is the moment of the commit, and a second of their own may lie in it.
          const { responseTimes } = measured(history, { from, to: now + 1 }, options(now + 1));
          const ours = Math.round(responseTimes?.mean ?? 0);
          const theirs = published[name as "time"];
          if (ours === theirs) same++;
          else {
            // They count the time of failures too: with it the figures match to a millisecond.
            const all = commits.filter(({ row, ms }) =>
              ms > 0 && row.time.epochMilliseconds >= from && row.time.epochMilliseconds <= now
            );
            assert(
              all.some(({ row }) => row.state === "down"),
              `${published.slug} ${name}: ${ours}`,
            );
            assertEquals(Math.round(mean(all.map(({ ms }) => ms))), theirs);
            other++;
          }
        }
      }
    }
    assert(same > 4 * other, `${same} and ${other}`);
  });

  /*
   * Their downtime is that of issues and ours that of checks, so that some days differ:
   * - issues that were open for less than 15 minutes are deleted, and their outages with them;
   * - people close issues, and reopen them, while a site's state is unchanged;
   * - all issues have the label `status`, so that a site of that slug is down whenever any site is;
   * - after 26 hours without a check the state is unknown here, and continues there.
   */
  Deno.test("public histories give their published daily downtime, to two minutes", async () => {
    let [close, far] = [0, 0];
    for (const number of HISTORIES) {
      for (const { published, history, now } of await sitesOf(number)) {
        if (published.slug === "status") continue;
        for (const [day, minutes] of Object.entries(published.dailyMinutesDown)) {
          const from = Date.parse(day);
          const { down } = measured(history, { from, to: from + DAY }, options(now));
          if (Math.abs(down / 60 - minutes) <= 2) close++;
          else far++;
        }
      }
    }
    assert(close > 15 * far, `${close} days agree, ${far} do not`);
  });
} else {
  // These files are not part of the project: without them, there is nothing to test.
  await Deno.stderr.write(
    new TextEncoder().encode("NOT TESTED: there are no real histories beside the project\n"),
  );
}

const DAY = 86_400_000;

/** Their windows: a month and a year of the calendar. */
const WINDOWS = {
  time: undefined,
  timeDay: { hours: 24 },
  timeWeek: { hours: 7 * 24 },
  timeMonth: { months: 1 },
  timeYear: { years: 1 },
};

interface StrangersSite {
  published: Published;
  commits: UpptimeCommit[];
  history: SiteHistory;
  /** When the published figures were made, in milliseconds since 1970. */
  now: number;
}

function options(now: number) {
  return { maxGap: 30 * 60_000, now, apdex: 500 };
}

function begin(now: number, back: Temporal.DurationLike | undefined): number {
  if (back === undefined) return 0;
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO("UTC").subtract(back)
    .epochMilliseconds;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

const known = new Map<string, Promise<StrangersSite[]>>();

/** Statistics of a history's commits by our program, next to the published ones; read once. */
function sitesOf(number: string): Promise<StrangersSite[]> {
  return known.getOrInsertComputed(number, readSites);
}

async function readSites(number: string): Promise<StrangersSite[]> {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, number);
  await unpackHistory(number, folder);
  const text = await Deno.readTextFile(join(`${folder}.api`, "history", "summary.json"));
  const published: Published[] = JSON.parse(text);
  const last = await git(folder, "log", "-1", "--format=%cI", "--", "history/summary.json");
  const now = Temporal.Instant.from(last).epochMilliseconds;
  const commits = await Promise.all(published.map(({ slug }) => upptimeCommits(folder, slug)));
  const { sites } = await configOf(
    published.map(({ slug }) => ({ slug, url: "https://example.com" })),
  );
  const store = await storeOf(logsOf(commits.flat()));
  const { histories } = await readHistories(await store.read(), sites);
  return published.map((one, index) => ({
    published: one,
    commits: commits[index]!,
    history: histories.get(one.slug)!,
    now,
  }));
}
