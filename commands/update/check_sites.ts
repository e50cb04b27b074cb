import { isReachable } from "../../lib/checks/connection.ts";
import type { Config } from "../../lib/config/config.ts";
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
import { random } from "../../lib/io/clock.ts";
import type { HistoryState } from "../../lib/pipeline/history_state.ts";
import { isTransition, Outcomes } from "../../lib/pipeline/outcomes.ts";
import { canaryNote } from "../../templates/terminal/check.ts";
import { nameWidth, resultLine, waitingFor } from "../../templates/terminal/lines.ts";
import { outOfTimeNote } from "../../templates/terminal/update_notes.ts";
import type { Context } from "../shared/context.ts";
import { EarlyRecorder } from "./early_recorder.ts";

/** Results of all sites, and of the canaries. */
interface CheckedSites {
  results: ProbeResult[];
  /** Runs in a row in which the canaries failed while sites answered; absent if they were not asked. */
  failedCanaries?: number;
  /** Warnings about the monitor's own network and time. */
  notes: string[];
}

/**
 * Checks every site and logs each result as it arrives. `recordEarly` records changes while other sites are
 * still being checked, and returns true if that worked.
 */
export async function checkAllSites(
  config: Config,
  { run, state, userAgent, windows, recordEarly }: {
    run: Run;
    state: HistoryState;
    userAgent: string;
    /** Sites that are in maintenance. */
    windows: SiteWindows;
    recordEarly?(results: readonly ProbeResult[]): Promise<boolean>;
  },
  { clock, secrets, root, log, environment }: Context,
): Promise<CheckedSites> {
  const { sites } = config;
  const before = state.loadedState.runState?.failedCanaries ?? 0;
  const distrusted = isDistrusted(before);
  const addresses = config.canaries ?? defaultCanaries(environment.api);
  const canaries = new Canaries({ addresses, reaches: isReachable, distrusted });
  const width = nameWidth(sites.map(({ name }) => name));
  // Preliminary, for the log and for early recording: `decide` computes outcomes again from the newest state.
  const outcomes = new Outcomes(state, run, windows);
  const left = new Map(sites.map(({ slug, name }) => [slug, name]));
  const showProgress = () => log.progress(waitingFor([...left.values()]));
  const changed = new Set<ProbeResult>();
  const early = new EarlyRecorder({
    clock,
    slugs: left.keys(),
    async record(results) {
      const isAlone = results.some(({ state, unreached }) => state === "down" && unreached);
      const settled = selectSettled(results, {
        isNetworkDoubtful: isAlone && await canaries.checkUncounted() === "failing",
        isPending: (slug) => early.isPending(slug),
      });
      const isNews = settled.some((result) => changed.has(result));
      return isNews && await recordEarly!(settled) ? settled : [];
    },
  });
  showProgress();
  const checked = await checkSites(config, {
    clock,
    random,
    secrets,
    root,
    userAgent,
    canaries,
    reaches: isReachable,
    isKnownDown: ({ slug }) => state.records.get(slug)?.status === "down",
    mayBeDown: ({ slug }) => windows.get(slug)?.expected === "down",
    runsNotAsked: ({ slug }) => state.streaks.get(slug)?.notAsked ?? 0,
    wasUnfinished: ({ slug }) => state.streaks.get(slug)?.unfinished === true,
    restsUntil: ({ slug }) => state.streaks.get(slug)?.restUntil,
    onAttempt: ({ slug }) => early.attempted(slug),
    onEvaluated: ({ slug }) => early.evaluated(slug),
    onResult: (result) => {
      const outcome = outcomes.add(result);
      log.line(resultLine(outcome.result, width));
      const isNews = recordEarly !== undefined && isTransition(outcome);
      if (isNews) changed.add(result);
      early.add(result, isNews);
      left.delete(result.site.slug);
      showProgress();
    },
  });
  await early.end();
  const results = checked.map((result) => early.recorded.get(result.site.slug) ?? result);
  const failed = await canaries.failed();
  return {
    results,
    failedCanaries: failed === undefined ? undefined : countFailedRuns(before, failed, results),
    notes: [
      ...failed ? [canaryNote(addresses, { results, distrusted })] : [],
      ...outOfTimeNote(results, config),
    ],
  };
}
