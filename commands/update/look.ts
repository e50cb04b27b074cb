import { isReachable } from "../../lib/checks/connection.ts";
import type { Config } from "../../lib/config/config.ts";
import type { Context } from "../shared/context.ts";
import { random } from "../../lib/io/clock.ts";
import { isNewsToAll, Outcomes } from "../../lib/pipeline/outcomes.ts";
import type { Run } from "../../lib/history/checks_log.ts";
import type { HistoryState } from "../../lib/pipeline/state.ts";
import {
  Canaries,
  countFailedRuns,
  defaultCanaries,
  isDistrusted,
} from "../../lib/evaluation/canaries.ts";
import { checkSites } from "../../lib/evaluation/check_sites.ts";
import { selectSettled } from "../../lib/evaluation/dependencies.ts";
import type { ProbeResult, SiteWindows } from "../../lib/evaluation/results.ts";
import { EarlyRecorder } from "./early.ts";
import { outOfTimeNote } from "../../templates/terminal/update_notes.ts";
import { canaryNote } from "../../templates/terminal/check.ts";
import { nameWidth, resultLine, waitingFor } from "../../templates/terminal/lines.ts";
import { countSites } from "../../templates/words.ts";

/** What there is to know before sites are looked at. */
interface Beginning {
  run: Run;
  state: HistoryState;
  /** Where the history is kept, in words. */
  place: string;
  /** Where incidents are kept, in words. */
  tracker: string;
  /** Sites that are not looked at for now. */
  paused: number;
  /** What requests call themselves. */
  agent: string;
  /** Sites that are in maintenance. */
  windows: SiteWindows;
  /** Records results before the others arrive, and returns true if that worked; absent if nothing is recorded early. */
  recordEarly?(results: readonly ProbeResult[]): Promise<boolean>;
}

/** What was seen of the sites, and of the canaries. */
export interface Seen {
  results: ProbeResult[];
  /** Runs in a row in which the canaries failed while sites answered; absent where they were not asked. */
  failedCanaries?: number;
  /** Warnings about the monitor itself: its network, its time. */
  notes: string[];
}

/** Looks at every site, and shows the verdicts as they come. */
export async function lookAtSites(
  config: Config,
  { run, state, place, tracker, paused, agent, windows, recordEarly }: Beginning,
  { clock, secrets, root, log, environment }: Context,
): Promise<Seen> {
  const { sites } = config;
  const before = state.recalled.memory?.failedCanaries ?? 0;
  const distrusted = isDistrusted(before);
  const addresses = config.canaries ?? defaultCanaries(environment.api);
  const canaries = new Canaries({ addresses, reaches: isReachable, distrusted });
  const others = paused === 0 ? "" : ` (${paused} paused)`;
  log.group(
    `Checking ${countSites(sites.length)}${others}. History: ${place}. Incidents: ${tracker}.`,
  );
  const width = nameWidth(sites.map(({ name }) => name));
  const outcomes = new Outcomes(state, run, windows);
  const left = new Map(sites.map(({ slug, name }) => [slug, name]));
  const progress = () => log.progress(waitingFor([...left.values()]));
  progress();
  const changed = new Set<ProbeResult>();
  const early = new EarlyRecorder({
    clock,
    slugs: left.keys(),
    async record(looks) {
      const isAlone = looks.some(({ state, unreached }) => state === "down" && unreached);
      const settled = selectSettled(looks, {
        isNetworkDoubtful: isAlone && await canaries.checkUncounted() === "failing",
        isPending: (slug) => early.isPending(slug),
      });
      const isNews = settled.some((look) => changed.has(look));
      return isNews && await recordEarly!(settled) ? settled : [];
    },
  });
  const checked = await checkSites(config, {
    clock,
    random,
    secrets,
    root,
    userAgent: agent,
    canaries,
    reaches: isReachable,
    isKnownDown: ({ slug }) => state.records.get(slug)?.status === "down",
    mayBeDown: ({ slug }) => windows.get(slug)?.expected === "down",
    runsNotAsked: ({ slug }) => state.streaks.get(slug)?.notAsked ?? 0,
    wasUnfinished: ({ slug }) => state.streaks.get(slug)?.unfinished === true,
    restsUntil: ({ slug }) => state.streaks.get(slug)?.restUntil,
    onAttempt: ({ slug }) => early.attempted(slug),
    onEvaluated: ({ slug }) => early.evaluated(slug),
    onResult: (look) => {
      const outcome = outcomes.add(look);
      log.line(resultLine(outcome.result, width));
      const isNews = recordEarly !== undefined && isNewsToAll(outcome);
      if (isNews) changed.add(look);
      early.add(look, isNews);
      left.delete(look.site.slug);
      progress();
    },
  });
  await early.end();
  log.endGroup();
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
