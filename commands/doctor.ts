import { listPageAddresses } from "../lib/setup/page_addresses.ts";
import { computeBilling } from "../lib/setup/billing.ts";
import { USUAL_COLUMNS } from "../lib/text/columns.ts";
import { WORKFLOWS } from "../lib/config/workflows.ts";
import { loadConfigIfAny, type LoadedConfig } from "../lib/config/load.ts";
import { homePage, ownRepository } from "../lib/config/repository.ts";
import { type Command, type Context, storeOptions } from "./shared/context.ts";
import { type Facts, readActiveLocations } from "../lib/setup/doctor/facts.ts";
import { examine } from "../lib/setup/doctor/examine.ts";
import { readRepositoryInfo, RepositoryError } from "../lib/git/repository.ts";
import { readRepositorySettings, unknownSettings } from "../lib/github/repository_settings.ts";
import { USUAL_PACE } from "../lib/github/limits.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { githubOptions, whyNoGitHub } from "./shared/reach_github.ts";
import { findUnwarned } from "../lib/notifications/certificate_routes.ts";
import { findSubscribers } from "../lib/notifications/channel_list.ts";
import { unsupportedServices } from "../lib/config/upptime/channels.ts";
import { countUpptimeRecords } from "../lib/history/upptime_history.ts";
import { loadStoredRunState } from "../lib/history/run_state.ts";
import { readRunStarts } from "../lib/history/run_starts.ts";
import { readNewest } from "../lib/pipeline/uncommitted.ts";
import { computeRunGaps } from "../lib/statistics/run_gaps.ts";
import { DAY } from "../lib/time.ts";
import { openStoreOrFolder } from "../lib/history/store/open_store.ts";
import { workspaceFiles } from "../lib/history/store/files_store.ts";
import { newestAction, planShards, planWorkflowUpdate } from "./shared/workflows.ts";
import { doctorJson, doctorText } from "../templates/terminal/doctor.ts";

/** Milliseconds that a person waits for all answers of GitHub together. */
const PATIENCE = 30_000;

const NO_REPOSITORY = "the repository on GitHub is unknown; " +
  '"git remote add origin https://github.com/OWNER/REPOSITORY.git" names it';

export const doctor: Command = async (context) => {
  const { root, log, json, clock, environment } = context;
  const loaded = await loadConfigIfAny(folderWorkspace(root), context);
  const { remoteUrl } = await readRepositoryInfo(root);
  const { config } = loaded ?? {};
  const repository = ownRepository(config ?? {}, environment, remoteUrl);
  const now = clock.now();
  const since = now.subtract({ hours: 7 * 24 });
  log.progress("asking GitHub, and reading the history");
  const options = githubOptions({ config, remoteUrl }, context);
  const pace = { ...USUAL_PACE, budget: PATIENCE };
  const [github, files, known] = await Promise.all([
    options === undefined
      ? unknownSettings(repository === undefined ? NO_REPOSITORY : whyNoGitHub(environment))
      : readRepositorySettings({ ...options, pace }, WORKFLOWS.uptime.file, since),
    compareWorkflows(loaded, context),
    readRuns(loaded, context),
  ]);
  const { runs, activeLocations } = known;
  const isUpptime = await countUpptimeRecords(folderWorkspace(root)) > 0;
  log.endProgress();
  const given = context.secrets.isEmpty
    ? undefined
    : context.secrets.names().filter((name) => context.secrets.value(name) !== "");
  const findings = examine({
    ...github,
    now,
    file: loaded?.file ?? ".monitorrc.yml",
    config,
    errors: loaded?.problems.filter(({ severity }) => severity === "error").length ?? 0,
    billing: config &&
      computeBilling(config, await planShards(config, workspaceFiles(folderWorkspace(root)))),
    isUpptime,
    files,
    given,
    everyday: context.secrets.warning,
    unsupported: unsupportedServices(
      [...given ?? [], ...github.secrets.value ?? []],
      (name) => context.secrets.value(name) || "true",
    ),
    // Where Uptime CI runs is unknown.
    runs: repository === undefined && runs.value !== undefined && runs.value.last === undefined
      ? { why: NO_REPOSITORY, isWrong: false }
      : runs,
    activeLocations,
    addresses: config === undefined
      ? {}
      : listPageAddresses(config, homePage(config, environment, remoteUrl)),
    unwarned: await findUnwarnedSites(loaded, context),
  });
  log.line(doctorText({ repository, findings }, environment.columns ?? USUAL_COLUMNS));
  if (json) log.data(doctorJson({ repository, findings }));
  return findings.some(({ verdict }) => verdict === "change") ? 1 : 0;
};

async function findUnwarnedSites(
  loaded: LoadedConfig | undefined,
  { root, secrets }: Context,
): Promise<Facts["unwarned"]> {
  if (loaded?.config === undefined) return [];
  const { config, problems, file } = loaded;
  const text = await folderWorkspace(root).read(file) ?? "";
  return await findUnwarned(findSubscribers(config, secrets), { config, problems, text });
}

async function compareWorkflows(
  loaded: LoadedConfig | undefined,
  context: Context,
): Promise<Facts["files"]> {
  if (loaded?.config === undefined) return [];
  const workspace = folderWorkspace(context.root);
  const { config, file } = loaded;
  const action = await newestAction(config, context);
  const text = await workspace.read(file) ?? "";
  const files = workspaceFiles(workspace);
  return (await planWorkflowUpdate({ config, file, text }, action, files, { force: false })).plan;
}

async function readRuns(
  loaded: LoadedConfig | undefined,
  context: Context,
): Promise<Pick<Facts, "runs" | "activeLocations">> {
  if (loaded?.config === undefined) {
    return { runs: { why: "the configuration is missing", isWrong: false } };
  }
  const { config: { workflowSchedule }, file } = loaded;
  const now = context.clock.now().epochMilliseconds;
  try {
    const { store } = await openStoreOrFolder(context.root, storeOptions(context, file));
    const { newest } = await readNewest(store, folderWorkspace(context.root));
    const { rows } = await loadStoredRunState(newest);
    const starts = await readRunStarts(newest, now - 7 * DAY, rows);
    return {
      runs: { value: computeRunGaps(starts, { schedule: workflowSchedule.uptime, now }) },
      activeLocations: await readActiveLocations(newest, now, rows),
    };
  } catch (error) {
    if (!(error instanceof RepositoryError)) throw error;
    return { runs: { why: error.message, isWrong: true } };
  }
}
