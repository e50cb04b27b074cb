import type { ReadVariable } from "../../lib/checks/observation.ts";
import { isReachable } from "../../lib/checks/connection.ts";
import { warmUp } from "../../lib/checks/warm_up.ts";
import type { Config, Site } from "../../lib/config/config.ts";
import { Batches } from "../../lib/evaluation/batches.ts";
import {
  Canaries,
  defaultCanaries,
  doubtUnreached,
  isDistrusted,
} from "../../lib/evaluation/canaries.ts";
import { checkSites, type EarlierRuns } from "../../lib/evaluation/check_sites.ts";
import type { ProbeResult, SiteWindows } from "../../lib/evaluation/results.ts";
import type { Run } from "../../lib/history/checks_log.ts";
import type { GitHub } from "../../lib/github/github.ts";
import { recordPath } from "../../lib/config/record_path.ts";
import { parseRecord } from "../../lib/history/record.ts";
import { type Clock, random } from "../../lib/io/clock.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import type { HistoryState } from "../../lib/pipeline/history_state.ts";
import type { RunResults } from "../../lib/pipeline/decide.ts";
import { Outcomes } from "../../lib/pipeline/outcomes.ts";
import { nameWidth, resultLine } from "../../templates/terminal/lines.ts";
import { canaryNote, type RunProgress } from "../../templates/terminal/progress.ts";
import { outOfTimeNote } from "../../templates/terminal/update.ts";
import type { Context } from "./context.ts";
import type { ReceivedBeats } from "./received_beats.ts";
import { WaitingLine } from "./progress.ts";
import type { LocationCombiner } from "./combine_locations.ts";

/** Milliseconds that GitHub has to answer whether the repository is public, while alerts wait. */
const VISIBILITY_TIMEOUT = 2_000;

/** Results that a run records. */
export interface Checked extends RunResults {
  /** Warnings about the monitor's own network and time. */
  notes: readonly string[];
}

/**
 * Checks every site and logs each result as it arrives, once `preparing` has resolved. In a job all results are
 * yielded together; `watch` gets those of quick sites without waiting for slow ones. With `combiner`, other jobs and
 * probes check as well, and results are combined before they are evaluated further; sites that the run can't decide
 * are left out.
 */
export async function* checkAllSites(
  config: Config,
  { run, preparing, connecting, progress, combiner }: {
    run: Run;
    progress: RunProgress;
    preparing: Promise<{ state: HistoryState; windows: SiteWindows; received?: ReceivedBeats }>;
    connecting: Promise<{
      userAgent: string;
      github?: Pick<GitHub, "isPublic">;
      /** Absent if no heartbeat is checked. */
      readVariable?: ReadVariable;
    }>;
    combiner?: LocationCombiner;
  },
  { clock, secrets, root, log, environment, watching }: Context,
): AsyncGenerator<Checked, void, void> {
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
  const ready = preparing.then(({ state, windows, received }) => {
    const distrusted = isDistrusted(state.loadedState.runState?.failedCanaries ?? 0);
    return {
      ...toEarlierRuns(state, windows),
      findHeartbeat(site: Site) {
        const known = state.streaks.get(site.slug)?.heartbeat;
        return received === undefined ? known : received.addTo(known, site, run.time);
      },
      distrusted,
      canaries: new Canaries({ addresses, reaches: isReachable, distrusted }),
      // Preliminary, for the log: `decide` computes outcomes again from the newest state.
      outcomes: new Outcomes(state, run, windows),
    };
  });
  const waiting = new WaitingLine(sites, { clock, log });
  const batches = new Batches<Combined>(watching === undefined ? undefined : clock);
  const settle = async (site: Site, own?: ProbeResult) => {
    const { outcomes } = await ready;
    const result = await combiner?.combine(site, own) ?? own!;
    if (result.state !== "up") await watching?.whenParentsAreRecorded(site);
    if (watching?.stop.aborted) {
      watching.onLeftOut(site);
      return;
    }
    progress.checked.add(site.name);
    const { result: seen } = outcomes.add(result);
    const line = resultLine(seen, width);
    if (watching?.isFirst) log.firstRow(line);
    else log.line(line);
    waiting.end(site);
    watching?.onChecked(seen);
    batches.add({ site, own, result });
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
    onAttempt: (site) => waiting.attempted(site),
    onResult: (result) => settle(result.site, result),
  });
  const others = sites.filter((site) => !isOwn(site)).map((site) => settle(site));
  const all = Promise.all([checking, ...others]).finally(() => batches.end());
  // It is awaited at the end.
  all.catch(() => {});
  for await (const batch of batches) {
    const { canaries, distrusted } = await ready;
    const results = await finishBatch(batch, canaries, combiner);
    const haveCanariesFailed = await canaries.takeFailed();
    yield {
      results: sites.flatMap(({ slug }) => results.get(slug) ?? []),
      haveCanariesFailed,
      watched: config.sites.filter((site) => combiner?.canDecide(site) ?? true),
      addUsed: (before) => combiner?.addUsed(before, new Set(results.keys())) ?? new Map(),
      notes: [
        ...haveCanariesFailed ? [canaryNote(addresses, { distrusted })] : [],
        ...outOfTimeNote([...results.values()], config),
        ...combiner?.notes() ?? [],
      ],
    };
  }
  await all;
}

/** A result, combined of the run's own check, if it makes one, and those of other locations. */
interface Combined {
  site: Site;
  own?: ProbeResult;
  result: ProbeResult;
}

/** The results of a batch by slug: only now it may be clear that the runner's own network is at fault. */
async function finishBatch(
  batch: readonly Combined[],
  canaries: Canaries,
  combiner?: LocationCombiner,
): Promise<Map<string, ProbeResult>> {
  const own = batch.flatMap(({ own }) => own ?? []);
  const doubted = new Map(
    (await doubtUnreached(own, canaries)).map((result) => [result.site.slug, result]),
  );
  const finished = batch.map(async ({ site, own, result }) => {
    const after = doubted.get(site.slug);
    if (after === own) return [site.slug, result] as const;
    return [site.slug, await combiner?.combine(site, after) ?? after!] as const;
  });
  return new Map(await Promise.all(finished));
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
    const text = await workspace.read(recordPath(slug)) ?? "";
    return text.includes("429") && parseRecord(text)?.code === 429 ? [slug] : [];
  }));
  return new Set(found.flat());
}
