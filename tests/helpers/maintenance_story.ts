import type { Config } from "../../lib/config/config.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import { isUsable } from "../../lib/io/problem.ts";
import { Secrets } from "../../lib/io/secrets/secrets.ts";
import { readHistories } from "../../lib/history/read_histories.ts";
import { loadHistoryState } from "../../lib/pipeline/history_state.ts";
import { announced } from "../../lib/incidents/maintenance/announcement.ts";
import { configuredWindows, siteWindows } from "../../lib/incidents/maintenance/windows.ts";
import {
  type MaintenancePlans,
  planMaintenance,
} from "../../lib/incidents/maintenance/plan_maintenance.ts";
import { computeReport } from "../../lib/statistics/report/report_of.ts";
import { Canaries } from "../../lib/evaluation/canaries.ts";
import { checkSites } from "../../lib/evaluation/check_sites.ts";
import { toEffectTargets } from "./executed_effects.ts";
import { MemoryStore } from "./memory_store.ts";
import { recordResults } from "./runs.ts";
import { alertsOf, isBefore, issuesOf, keptText, momentOf, wordsOf } from "./story_words.ts";
import { type Answer, lookAt } from "./simulator.ts";
import { VirtualClock } from "./virtual_clock.ts";

/** An issue that is open for some time, with its text. */
export type OpenIssue = [from: string, to: string, number: number, body: string];

/** Events of sites, and plans; all times are in UTC, `10:30` or `11-22T10:30`. */
export interface Story {
  /** The day that times without one are of. @default {"2026-11-21"} */
  day?: string;
  from: string;
  to: string;
  /** Configurations, by their start; one text if it is never edited. */
  config: string | Readonly<Record<string, string>>;
  /** How sites answer from a time to another; otherwise all is well. */
  faults: readonly [slug: string, from: string, to: string, answer: Answer][];
  issues?: readonly OpenIssue[];
  /** Times of runs that are left out. */
  skips?(time: string): boolean;
}

/** The result of a story, in words. */
export interface Outcome {
  /** `shop down 11:00-11:30`. */
  incidents: string[];
  /** Messages to channels and changes of issues, by the run: `11:00 shop down`, `11:00 open shop`. */
  alerts: string[];
  issues: string[];
  /** States of sites in runs, each from when on: `up 09:30, maintenance 10:00`. */
  states: Record<string, string>;
  /** Of the last 24 hours, in percent; `NaN` without coverage. */
  uptime: Record<string, number>;
  /** The files of windows: `move 10:00-11:00, over 10:30`. */
  windows: string[];
}

/** Minutes between two runs. */
const INTERVAL = 5;

/** Plays a story through all that a run is made of, but the network, on a virtual clock. */
export async function playStory(story: Story): Promise<Outcome> {
  const { day = "2026-11-21", skips = () => false, issues = [] } = story;
  const at = (time: string) => momentOf(time, day);
  const words = (time: Temporal.Instant) => wordsOf(time, day);
  const clock = new VirtualClock(at(story.from));
  const store = new MemoryStore();
  const numbers = new Map<string, number>();
  const planned: Pick<Outcome, "alerts" | "issues"> = { alerts: [], issues: [] };
  const seen = new Map<string, [state: string, since: string][]>();
  const parsed = new Map<string, Awaited<ReturnType<typeof parseConfig>>>();
  const configAt = async (time: Temporal.Instant) => {
    const texts = typeof story.config === "string" ? { [story.from]: story.config } : story.config;
    const text = Object.entries(texts).findLast(([from]) => !isBefore(time, at(from)))![1];
    const known = parsed.get(text) ?? await parseConfig(text);
    parsed.set(text, known);
    return known;
  };
  let runs = 0;
  let config: Config | undefined;
  for (
    let time = at(story.from);
    !isBefore(at(story.to), time);
    time = time.add({ minutes: INTERVAL })
  ) {
    if (skips(words(time))) continue;
    const read = await configAt(time);
    config = read.config!;
    clock.goTo(time);
    const answerOf = (slug: string) =>
      story.faults.find(([one, from, to]) =>
        one === slug && !isBefore(clock.now(), at(from)) && isBefore(clock.now(), at(to))
      )?.[3] ?? "ok";
    const sites = config.sites.filter(({ paused }) => !paused);
    const open = issues.filter(([from, to]) => !isBefore(time, at(from)) && isBefore(time, at(to)))
      .map(([, , number, body]) => ({ number, title: "Router", body, labels: ["maintenance"] }));
    const plans = plansOf(read.config!, {
      isPartial: !isUsable(read.problems),
      issues: open,
      time,
    });
    const run = { id: String(++runs).padStart(8, "0"), time };
    const scope = { sites, configured: config.sites, time, keepDays: 35 };
    const state = await loadHistoryState(await store.read(), scope);
    const windows = siteWindows(planMaintenance(state, plans, time).windows, time);
    const reaches = () => Promise.resolve(true);
    const results = await clock.until(checkSites({ ...config, sites }, {
      clock,
      random: () => 0.5,
      secrets: new Secrets(),
      root: "/",
      userAgent: "monitor-action",
      earlier: Promise.resolve({
        canaries: new Canaries({ addresses: [], reaches, distrusted: false }),
        isKnownDown: ({ slug }) => state.records.get(slug)?.status === "down",
        mayBeDown: ({ slug }) => windows.get(slug)?.expected === "down",
      }),
      reaches,
      async probeSite({ slug }) {
        const { takes, observation } = lookAt({ answer: () => answerOf(slug) }, 0, 0);
        await clock.wait(takes);
        return observation;
      },
      onResult() {},
    }));
    const { decision } = await recordResults(store, {
      run,
      results,
      configured: config.sites,
      targets: toEffectTargets(config, numbers),
      people: { plans },
    });
    planned.alerts.push(
      ...decision.effects.flatMap(alertsOf).map((one) => `${words(time)} ${one}`),
    );
    planned.issues.push(
      ...decision.effects.flatMap(issuesOf).map((one) => `${words(time)} ${one}`),
    );
    for (const { result: { site: { slug }, state } } of decision.outcomes) {
      const own = seen.get(slug) ?? [];
      seen.set(slug, own);
      if (own.at(-1)?.[0] !== state) own.push([state, words(time)]);
    }
  }
  const snapshot = await store.read();
  const report = computeReport(config!, await readHistories(snapshot, config!.sites), at(story.to));
  const uptime = report.sites.map(({ site, statistics }): [string, number] => [
    site.slug,
    Math.round(10_000 * (statistics.day.uptime ?? NaN)) / 100,
  ]);
  return {
    ...planned,
    ...keptText([...store.files], words),
    states: Object.fromEntries(
      [...seen].map(([slug, own]) => [slug, own.map((one) => one.join(" ")).join(", ")]),
    ),
    uptime: Object.fromEntries(uptime),
  };
}

function plansOf(
  { maintenance, sites, timezone }: Config,
  { isPartial, issues, time }: {
    isPartial: boolean;
    issues: readonly Parameters<typeof announced>[0][];
    time: Temporal.Instant;
  },
): MaintenancePlans {
  const read = issues.map((issue) => ({
    number: issue.number,
    ...announced(issue, { sites, timezone }),
  }));
  return {
    configured: configuredWindows(maintenance, time),
    isPartial,
    announced: read.flatMap(({ window }) => window ?? []),
    unclear: read.flatMap(({ window, number }) => window === undefined ? [number] : []),
  };
}
