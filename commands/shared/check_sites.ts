import { isReachable } from "../../lib/checks/connection.ts";
import { warmUp } from "../../lib/checks/warm_up.ts";
import type { Config, Site } from "../../lib/config/config.ts";
import {
  Canaries,
  countFailedRuns,
  defaultCanaries,
  isDistrusted,
} from "../../lib/evaluation/canaries.ts";
import { checkSites } from "../../lib/evaluation/check_sites.ts";
import { selectSettled } from "../../lib/evaluation/dependencies.ts";
import type { ProbeResult, SiteWindows } from "../../lib/evaluation/results.ts";
import type { Run } from "../../lib/history/checks_log.ts";
import type { GitHub } from "../../lib/github/github.ts";
import { parseRecord, recordPath } from "../../lib/history/record.ts";
import { random } from "../../lib/io/clock.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import type { HistoryState } from "../../lib/pipeline/history_state.ts";
import { isTransition, Outcomes } from "../../lib/pipeline/outcomes.ts";
import { nameWidth, resultLine } from "../../templates/terminal/lines.ts";
import {
  canaryNote,
  describeWaiting,
  retryText,
  type RunProgress,
} from "../../templates/terminal/progress.ts";
import { outOfTimeNote } from "../../templates/terminal/update.ts";
import type { Context } from "./context.ts";
import { readReceivedBeats } from "./received_beats.ts";
import { EarlyRecorder } from "./early_recorder.ts";
import type { LocationCombiner } from "./combine_locations.ts";

/** Milliseconds that GitHub has to answer whether the repository is public, while alerts wait. */
const VISIBILITY_TIMEOUT = 2_000;
/** Shortest pause before a retry that has a line of its own, in milliseconds. */
const SHORTEST_PAUSE = 1_000;

/**
 * Checks every site and logs each result as it arrives, once `preparing` has resolved. With `combiner`, other
 * jobs and probes check as well, and results are combined before they are evaluated further.
 */
export async function checkAllSites(
  config: Config,
  { run, preparing, connecting, progress, combiner }: {
    run: Run;
    progress: RunProgress;
    preparing: Promise<{
      state: HistoryState;
      windows: SiteWindows;
      /** Records changes while other sites are still being checked, and returns true if that worked. */
      recordEarly?(results: readonly ProbeResult[]): Promise<boolean>;
    }>;
    connecting: Promise<{ userAgent: string; github?: Pick<GitHub, "isPublic"> }>;
    combiner?: LocationCombiner;
  },
  { clock, secrets, root, log, environment, watching }: Context,
): Promise<{
  results: ProbeResult[];
  /** Runs in a row in which the canaries failed while sites answered; absent if they were not asked. */
  failedCanaries?: number;
  /** Warnings about the monitor's own network and time. */
  notes: string[];
}> {
  const sites = config.sites.filter(({ slug }) => watching?.due.has(slug) ?? true);
  const isFirst = watching?.isFirst ?? true;
  const isOwn = (site: Site) => combiner?.checks(site) ?? true;
  const own = sites.filter(isOwn);
  combiner?.askProbes(sites);
  const [{ userAgent }, findBeats, rateLimited] = await Promise.all([
    connecting,
    watching?.findBeats ?? readReceivedBeats(root, own),
    isFirst ? findRateLimited(own, root) : undefined,
    isFirst ? warmUp(config.sites.filter(isOwn)) : undefined,
  ]);
  const addresses = config.canaries ?? defaultCanaries(environment.api);
  const width = nameWidth(sites.map(({ name }) => name));
  const ready = preparing.then(({ state, windows, recordEarly }) => {
    const before = state.loadedState.runState?.failedCanaries ?? 0;
    const distrusted = isDistrusted(before);
    return {
      before,
      distrusted,
      canaries: new Canaries({ addresses, reaches: isReachable, distrusted }),
      // Preliminary, for the log and for early recording: `decide` computes outcomes again from the newest state.
      outcomes: new Outcomes(state, run, windows),
      recordEarly,
      isKnownDown: ({ slug }: Site) => state.records.get(slug)?.status === "down",
      mayBeDown: ({ slug }: Site) => windows.get(slug)?.expected === "down",
      runsNotAsked: ({ slug }: Site) => state.streaks.get(slug)?.notAsked ?? 0,
      wasUnfinished: ({ slug }: Site) => state.streaks.get(slug)?.unfinished === true,
      restsUntil: ({ slug }: Site) => state.streaks.get(slug)?.restUntil,
      findRegistration: ({ slug }: Site) => state.streaks.get(slug)?.registration,
      findHeartbeat: ({ slug }: Site) => state.streaks.get(slug)?.heartbeat,
    };
  });
  const left = new Map(sites.map(({ slug, name }) => [slug, name]));
  const retries = new Map<string, (now: number) => string>();
  const showProgress = () =>
    log.progress(() => {
      const now = clock.elapsed();
      const described = [...retries.values()].map((describe) => describe(now));
      return describeWaiting([...left.values()], described);
    });
  const changed = new Set<ProbeResult>();
  const early = new EarlyRecorder({
    clock,
    slugs: left.keys(),
    async record(results) {
      const { canaries, recordEarly } = await ready;
      const hasUnreached = results.some(({ state, unreached }) => state === "down" && unreached);
      const settled = selectSettled(results, {
        isNetworkDoubtful: hasUnreached && await canaries.checkUncounted() === "failing",
        isPending: (slug) => early.isPending(slug),
      });
      const hasTransition = settled.some((result) => changed.has(result));
      if (!hasTransition || !await recordEarly!(settled)) return [];
      for (const { site } of settled) recordedNames.add(site.name);
      return settled;
    },
  });
  showProgress();
  let isPrivate: Promise<boolean> | undefined;
  /** Finds out if nobody else can read the repository; GitHub is asked only once an answer has failed. */
  const findPrivate = async () => {
    const { github } = await connecting;
    const late = clock.wait(VISIBILITY_TIMEOUT).then(() => true);
    return !(await Promise.race([github?.isPublic().catch(() => true) ?? true, late]));
  };
  const finished = new Set<string>();
  const [checkedNames, recordedNames] = [new Set<string>(), new Set<string>()];
  progress.checked = checkedNames;
  progress.recorded = recordedNames;
  /** Combined results and those of the run's own checks that are in them, by slug. */
  const combined = new Map<string, { own?: ProbeResult; result: ProbeResult }>();
  const settle = async (site: Site, own?: ProbeResult) => {
    const { outcomes, recordEarly } = await ready;
    const result = await combiner?.combine(site, own) ?? own!;
    // Its attempts were cut off.
    if (watching?.stop.aborted) return;
    combined.set(site.slug, { own, result });
    finished.add(site.slug);
    checkedNames.add(site.name);
    const outcome = outcomes.add(result);
    log.line(resultLine(outcome.result, width));
    const hasTransition = recordEarly !== undefined && isTransition(outcome);
    if (hasTransition) changed.add(result);
    early.add(result, hasTransition);
    left.delete(site.slug);
    showProgress();
  };
  const checking = checkSites({ ...config, sites: own }, {
    clock,
    random,
    secrets,
    root,
    userAgent,
    readVariable: environment.readBeats,
    findBeats,
    earlier: ready,
    keepsBody: async ({ keepBody }) => keepBody || await (isPrivate ??= findPrivate()),
    mayRest: ({ slug }) => rateLimited?.has(slug) ?? watching!.history.mayRest(slug),
    reaches: isReachable,
    stop: watching?.stop,
    onRetry: ({ slug, name }, retry) => {
      const end = clock.elapsed() + retry.pause;
      retries.set(slug, (now) => retryText(name, retry, end - now));
      if (retry.pause >= SHORTEST_PAUSE) log.step(`  … ${retryText(name, retry, retry.pause)}`);
    },
    onAttempt: ({ slug }) => {
      retries.delete(slug);
      early.attempted(slug);
    },
    onEvaluated: ({ slug }) => early.evaluated(slug),
    onResult: (result) => settle(result.site, result),
  });
  const others = sites.filter((site) => !isOwn(site)).map((site) => settle(site));
  const [all] = await Promise.all([checking, ...others]);
  // The others were left out, as the program is to end.
  const checked = all.filter(({ site }) => finished.has(site.slug));
  await early.end();
  const final = new Map(checked.map((result) => [result.site.slug, result]));
  const results = await Promise.all(
    sites.filter(({ slug }) => finished.has(slug)).map(async (site) => {
      const before = combined.get(site.slug)!;
      const result = final.get(site.slug);
      // The runner's own network may have turned out to be at fault only at the end.
      const isChanged = result !== before.own;
      return early.recorded.get(site.slug) ??
        (isChanged ? await combiner?.combine(site, result) ?? result! : before.result);
    }),
  );
  const { before, canaries, distrusted } = await ready;
  const failed = await canaries.failed();
  return {
    results,
    failedCanaries: failed === undefined ? undefined : countFailedRuns(before, failed, checked),
    notes: [
      ...failed ? [canaryNote(addresses, { results: checked, distrusted })] : [],
      ...outOfTimeNote(checked, config),
      ...combiner?.notes() ?? [],
    ],
  };
}

/** Finds the sites that may rest, by the records in the folder, which don't take as long to read as the history. */
async function findRateLimited(sites: readonly Site[], root: string): Promise<Set<string>> {
  const workspace = folderWorkspace(root);
  const found = await Promise.all(sites.map(async ({ slug }) => {
    const text = await workspace.read(recordPath(slug)) ??
      await workspace.read(recordPath(slug, "nested")) ?? "";
    return text.includes("429") && parseRecord(text)?.code === 429 ? [slug] : [];
  }));
  return new Set(found.flat());
}
