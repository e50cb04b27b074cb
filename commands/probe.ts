import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type Config, hasAllSites, type Site } from "../lib/config/config.ts";
import { listCheckedSites } from "../lib/config/legs.ts";
import { computeShard, type Location } from "../lib/config/locations.ts";
import { homePage } from "../lib/config/repository.ts";
import type { ProbeResult } from "../lib/evaluation/results.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import type { Run } from "../lib/history/checks_log.ts";
import {
  formatResults,
  parseShard,
  resultsFile,
  type Shard,
} from "../lib/history/location_results.ts";
import { sendLocationTexts } from "../lib/history/store/location_texts.ts";
import { planMaintenance } from "../lib/incidents/maintenance/plan_maintenance.ts";
import { readMaintenancePlans, siteWindows } from "../lib/incidents/maintenance/windows.ts";
import { randomName } from "../lib/io/clock.ts";
import { userAgent } from "../lib/io/requests.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { openHistory } from "../lib/pipeline/history_state.ts";
import { UsageError } from "../lib/text/arguments.ts";
import { commitAuthor } from "../templates/commit_message.ts";
import type { RunProgress } from "../templates/terminal/progress.ts";
import { countSites } from "../templates/words.ts";
import { type Command, type Context, loadReported, storeOptions } from "./shared/context.ts";
import { runStoppably } from "./shared/progress.ts";
import { reachGitHub } from "./shared/reach_github.ts";
import { checkAllSites } from "./shared/check_sites.ts";
import { findOwnLocation } from "./shared/combine_locations.ts";

/**
 * Checks the sites of one location or shard, and saves the results for the deciding run in a file or in the ref of the
 * location. It records nothing, notifies nobody, and succeeds even if sites are down.
 */
export const probe: Command = (context) =>
  runStoppably((progress) => runProbe(progress, context), context);

async function runProbe(progress: RunProgress, context: Context): Promise<number> {
  const { log, options, clock } = context;
  const loaded = await loadReported(context);
  const { config } = loaded;
  if (config === undefined) return 2;
  const location = findOwnLocation(config, options.text("location"));
  const shard = readShard(options.text("shard"));
  const target = options.text("results");
  if (target === undefined && (location === undefined || shard !== undefined)) {
    const lack = location === undefined ? "no --location is given" : "a shard has no ref";
    throw new UsageError(
      `Cannot send the results: ${lack}; name a file with --results for the deciding job`,
    );
  }
  const sites = selectSites(config, location, shard);
  progress.sites = sites.map(({ name }) => name);
  const run: Run = { id: randomName(), time: clock.now() };
  const results = sites.length === 0
    ? []
    : await checkFrom({ ...config, sites }, { run, location, loaded, progress }, context);
  log.endProgress();
  const head = { location: location?.id, shard, run: run.id, time: clock.now() };
  if (context.json) log.data(JSON.parse(formatResults(head, results)));
  if (target !== undefined) {
    const file = /\.json$/i.test(target) ? target : join(target, resultsFile(head));
    await writeNamed(resolve(context.root, file), formatResults(head, results), context);
    log.change(`Wrote the results of ${countSites(sites.length)} to ${file}.`);
    return 0;
  }
  const place = await sendLocationTexts(context.root, {
    id: location!.id,
    texts: new Map([["results.json", formatResults(head, results)]]),
    author: commitAuthor(config),
    run: run.id,
    time: head.time,
    clock,
  });
  log.change(`Sent the results of ${countSites(sites.length)} to ${place}.`);
  return 0;
}

/** Writes a file that the user has named. In the monitored folder no link may lead out of it. */
async function writeNamed(path: string, text: string, { root }: Context): Promise<void> {
  const way = relative(root, path);
  const isInside = !isAbsolute(way) && way.split(sep)[0] !== "..";
  if (isInside) await folderWorkspace(root).write(way.split(sep).join("/"), text);
  else await folderWorkspace(dirname(path)).write(basename(path), text);
}

/** @throws {UsageError} If the text is no shard. */
function readShard(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const shard = parseShard(text);
  if (shard === undefined) {
    throw new UsageError(`Cannot use --shard ${text}: expected NUMBER/TOTAL, such as 2/10`);
  }
  return shard.of === 1 ? undefined : shard;
}

function selectSites(
  { sites }: Config,
  location: Location | undefined,
  shard: Shard | undefined,
): Site[] {
  return listCheckedSites(sites, location)
    .filter(({ slug }) => shard === undefined || computeShard(slug, shard.of) === shard.number);
}

async function checkFrom(
  config: Config,
  { run, location, loaded: { file, problems }, progress }: {
    run: Run;
    location?: Location;
    loaded: Awaited<ReturnType<typeof loadReported>>;
    progress: RunProgress;
  },
  context: Context,
): Promise<readonly ProbeResult[]> {
  const { root, environment, log, secrets } = context;
  const { remoteUrl, prefix: folder } = await readRepositoryInfo(root);
  const isPartial = !hasAllSites(problems, context.config);
  const scope = { sites: config.sites, time: run.time, keepDays: config.history.keepDays };
  const prepare = async () => {
    const [{ state }, { plans }] = await Promise.all([
      openHistory(root, scope, storeOptions(context, file)),
      readMaintenancePlans(config, {
        ...{ isPartial, folder, now: run.time },
        redact: (text) => secrets.redact(text),
      }),
    ]);
    const place = location === undefined ? "" : ` from ${location.name}`;
    log.group(`Checking ${countSites(config.sites.length)}${place}.`);
    return {
      state,
      windows: siteWindows(planMaintenance(state, plans, run.time).windows, run.time),
    };
  };
  const [checked] = await Array.fromAsync(checkAllSites(config, {
    run,
    preparing: prepare(),
    connecting: Promise.resolve({
      userAgent: userAgent(homePage(config, environment, remoteUrl)),
      github: reachGitHub({ config, remoteUrl }, context),
    }),
    progress,
  }, context));
  log.endGroup();
  for (const note of checked?.notes ?? []) log.warn(note);
  return checked?.results ?? [];
}
