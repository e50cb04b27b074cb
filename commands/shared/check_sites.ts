import type { ReadVariable } from "../../lib/checks/observation.ts";
import { isReachable } from "../../lib/checks/connection.ts";
import { warmUp } from "../../lib/checks/warm_up.ts";
import type { Config, Site } from "../../lib/config/config.ts";
import {
  Canaries,
  countFailedRuns,
  defaultCanaries,
  isDistrusted,
} from "../../lib/evaluation/canaries.ts";
import { checkSites, type EarlierRuns } from "../../lib/evaluation/check_sites.ts";
import { selectSettled } from "../../lib/evaluation/dependencies.ts";
import type { ProbeResult, SiteWindows } from "../../lib/evaluation/results.ts";
import type { Run } from "../../lib/history/checks_log.ts";
import type { GitHub } from "../../lib/github/github.ts";
import { parseRecord, recordPath } from "../../lib/history/record.ts";
import { type Clock, random } from "../../lib/io/clock.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import type { HistoryState } from "../../lib/pipeline/history_state.ts";
import { isTransition, Outcomes } from "../../lib/pipeline/outcomes.ts";
import { nameWidth, resultLine } from "../../templates/terminal/lines.ts";
import { canaryNote, type RunProgress } from "../../templates/terminal/progress.ts";
import { outOfTimeNote } from "../../templates/terminal/update.ts";
import type { Context } from "./context.ts";
import { openReceivedBeats, type ReceivedBeats } from "./received_beats.ts";
import { EarlyRecorder } from "./early_recorder.ts";
import { WaitingLine } from "./progress.ts";
import type { LocationCombiner } from "./combine_locations.ts";

/** Milliseconds that GitHub has to answer whether the repository is public, while alerts wait. */
const VISIBILITY_TIMEOUT = 2_000;

/**
 * Checks every site and logs each result as it arrives, once `preparing` has resolved. With `combiner`, other
 * jobs and probes check as well, and results are combined before they are evaluated further; sites that the run
 * can't decide are left out.
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
    connecting: Promise<{
      userAgent: string;
      github?: Pick<GitHub, "isPublic">;
      /** Absent if no heartbeat is checked. */
      readVariable?: ReadVariable;
    }>;
    combiner?: LocationCombiner;
  },
  { clock, secrets, root, log, environment, watching }: Context,
): Promise<{
  results: ProbeResult[];
  /** Runs in a row in which the canaries failed while sites answered; absent if they were not asked. */
  failedCanaries?: number;
  /** To be removed once the results are recorded. */
  received?: ReceivedBeats;
  /** Warnings about the monitor's own network and time. */
  notes: string[];
}> {
  const due = config.sites.filter(({ slug }) => watching?.due.has(slug) ?? true);
  // What other machines have sent is known only then.
  if (combiner?.isOutside) await preparing;
  const sites = due.filter((site) => combiner?.canDecide(site) ?? true);
  progress.sites = sites.map(({ name }) => name);
  const isFirst = watching?.isFirst ?? true;
  const isOwn = (site: Site) => combiner?.checks(site) ?? true;
  const own = sites.filter(isOwn);
  combiner?.askProbes(sites);
  const [{ userAgent, github, readVariable }, rateLimited] = await Promise.all([
    connecting,
    isFirst ? findRateLimited(own, root) : undefined,
    isFirst ? warmUp(own) : undefined,
  ]);
  const addresses = config.canaries ?? defaultCanaries(environment.api);
  const width = nameWidth(sites.map(({ name }) => name), environment.columns);
  const ready = preparing.then(async ({ state, windows, recordEarly }) => {
    const received = isFirst ? await openReceivedBeats(root, own) : undefined;
    const failedBefore = state.loadedState.runState?.failedCanaries ?? 0;
    const distrusted = isDistrusted(failedBefore);
    return {
      ...toEarlierRuns(state, windows),
      findHeartbeat(site: Site) {
        const known = state.streaks.get(site.slug)?.heartbeat;
        return received === undefined ? known : received.addTo(known, site, run.time);
      },
      received,
      failedBefore,
      distrusted,
      canaries: new Canaries({ addresses, reaches: isReachable, distrusted }),
      // Preliminary, for the log and for early recording: `decide` computes outcomes again from the newest state.
      outcomes: new Outcomes(state, run, windows),
      recordEarly,
    };
  });
  const waiting = new WaitingLine(sites, { clock, log });
  const changed = new Set<ProbeResult>();
  const early = new EarlyRecorder({
    clock,
    slugs: sites.map(({ slug }) => slug),
    async record(results) {
      const { canaries, recordEarly } = await ready;
      const hasUnreached = results.some(({ state, unreached }) => state === "down" && unreached);
      const settled = selectSettled(results, {
        isNetworkDoubtful: hasUnreached && await canaries.checkUncounted() === "failing",
        isPending: (slug) => early.isPending(slug),
      });
      const hasTransition = settled.some((result) => changed.has(result));
      if (!hasTransition || !await recordEarly!(settled)) return [];
      for (const { site } of settled) progress.recorded.add(site.name);
      return settled;
    },
  });
  /** Combined results and those of the run's own checks that are in them, by slug. */
  const combined = new Map<string, { own?: ProbeResult; result: ProbeResult }>();
  const settle = async (site: Site, own?: ProbeResult) => {
    const { outcomes, recordEarly } = await ready;
    const result = await combiner?.combine(site, own) ?? own!;
    // Its attempts were cut off.
    if (watching?.stop.aborted) return;
    combined.set(site.slug, { own, result });
    progress.checked.add(site.name);
    const outcome = outcomes.add(result);
    log.line(resultLine(outcome.result, width));
    const hasTransition = recordEarly !== undefined && isTransition(outcome);
    if (hasTransition) changed.add(result);
    early.add(result, hasTransition);
    waiting.end(site);
  };
  let isPrivate: Promise<boolean> | undefined;
  const checking = checkSites({ ...config, sites: own }, {
    clock,
    random,
    secrets,
    root,
    userAgent,
    readVariable,
    earlier: ready,
    keepsBody: async ({ keepBody }) => keepBody || await (isPrivate ??= findPrivate(github, clock)),
    mayRest: ({ slug }) => rateLimited?.has(slug) ?? watching!.history.mayRest(slug),
    reaches: isReachable,
    stop: watching?.stop,
    onRetry: (site, retry) => waiting.retry(site, retry),
    onAttempt: (site) => {
      waiting.attempted(site);
      early.attempted(site.slug);
    },
    onEvaluated: ({ slug }) => early.evaluated(slug),
    onResult: (result) => settle(result.site, result),
  });
  const others = sites.filter((site) => !isOwn(site)).map((site) => settle(site));
  const [all] = await Promise.all([checking, ...others]);
  // The others were left out, as the program is to end.
  const checked = all.filter(({ site }) => combined.has(site.slug));
  await early.end();
  const final = new Map(checked.map((result) => [result.site.slug, result]));
  const results = await Promise.all(
    sites.filter(({ slug }) => combined.has(slug)).map((site) => {
      const before = combined.get(site.slug)!;
      const recorded = early.recorded.get(site.slug);
      const own = final.get(site.slug);
      // The runner's own network may have turned out to be at fault only at the end.
      if (recorded !== undefined || own === before.own) return recorded ?? before.result;
      return combiner?.combine(site, own) ?? own!;
    }),
  );
  const { failedBefore, canaries, distrusted, received } = await ready;
  const failed = await canaries.failed();
  return {
    results,
    failedCanaries: failed === undefined
      ? undefined
      : countFailedRuns(failedBefore, failed, checked),
    received,
    notes: [
      ...failed ? [canaryNote(addresses, { results: checked, distrusted })] : [],
      ...outOfTimeNote(checked, config),
      ...combiner?.notes() ?? [],
    ],
  };
}

function toEarlierRuns(
  { records, streaks }: HistoryState,
  windows: SiteWindows,
): Omit<EarlierRuns, "canaries"> {
  return {
    isKnownDown: ({ slug }) => records.get(slug)?.status === "down",
    mayBeDown: ({ slug }) => windows.get(slug)?.expected === "down",
    runsNotAsked: ({ slug }) => streaks.get(slug)?.notAsked ?? 0,
    wasUnfinished: ({ slug }) => streaks.get(slug)?.unfinished === true,
    restsUntil: ({ slug }) => streaks.get(slug)?.restUntil,
    findRegistration: ({ slug }) => streaks.get(slug)?.registration,
  };
}

/** True if nobody else can read the repository; it counts as public if GitHub does not say. */
async function findPrivate(
  github: Pick<GitHub, "isPublic"> | undefined,
  clock: Clock,
): Promise<boolean> {
  const late = clock.wait(VISIBILITY_TIMEOUT).then(() => true);
  return !(await Promise.race([github?.isPublic().catch(() => true) ?? true, late]));
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
