import { listPageAddresses } from "../lib/setup/page_addresses.ts";
import { computeBilling, computeGlobalpingLoad } from "../lib/setup/billing.ts";
import type { Config } from "../lib/config/config.ts";
import { formatProblem, isUsable, type Problem } from "../lib/io/problem.ts";
import { allSecretNames } from "../lib/config/references.ts";
import { homePage } from "../lib/config/repository.ts";
import { loadConfig } from "../lib/config/load.ts";
import { openAssets } from "../lib/page/assets.ts";
import { findMissingFiles } from "../lib/page/missing_files.ts";
import { toPageSettings } from "../lib/page/settings.ts";
import { type Command, type Context, storeOptions } from "./shared/context.ts";
import { readRepositoryInfo, RepositoryError } from "../lib/git/repository.ts";
import { workspaceFiles } from "../lib/history/store/files_store.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { planShards } from "./shared/workflows.ts";
import { reportResult } from "./shared/job_report.ts";
import { loadStoredRunState } from "../lib/history/run_state.ts";
import { findSubscribers, type Subscriber } from "../lib/notifications/channel_list.ts";
import {
  channelName,
  findUnnotified,
  listRoutes,
  tabulateRoutes,
} from "../lib/notifications/routes.ts";
import {
  incompleteChannels,
  unsupportedNote,
  unsupportedServices,
} from "../lib/config/upptime/channels.ts";
import { findUnwarned } from "../lib/notifications/certificate_routes.ts";
import { createSending } from "./shared/sending.ts";
import {
  findUnusableChannels,
  missingSecretsNote,
  unsendableNote,
} from "../lib/notifications/channel_problems.ts";
import { openStore } from "../lib/history/store/open_store.ts";
import { defaultCanaries, isDistrusted } from "../lib/evaluation/canaries.ts";
import {
  type Validation,
  validationJson,
  validationText,
} from "../templates/terminal/validation.ts";

export const validate: Command = async (context) => {
  const { secrets } = context;
  const workspace = folderWorkspace(context.root);
  const { config, problems: read, file } = await loadConfig(workspace, context);
  const { remoteUrl } = await readRepositoryInfo(context.root);
  const repository = homePage(config ?? {}, context.environment, remoteUrl);
  const text = await workspace.read(file) ?? "";
  const problems = [
    ...read,
    ...scaleProblems(config?.sites.length ?? 0),
    ...config === undefined ? [] : await findMissing(config, { text, repository }, context),
  ].toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
  for (const problem of problems) context.log.problem(problem, file);
  const names = config === undefined ? [] : allSecretNames(config);
  const channels = config === undefined ? [] : findSubscribers(config, secrets);
  const sites = config?.sites ?? [];
  const files = workspaceFiles(workspace);
  const validation: Validation = {
    file,
    problems,
    config,
    billing: config && computeBilling(config, await planShards(config, files)),
    globalping: config && computeGlobalpingLoad(config),
    addresses: config === undefined ? {} : listPageAddresses(config, repository),
    distrusted: config === undefined ? undefined : await distrustedCanaries(config, context),
    secrets: names,
    routes: listRoutes(channels, sites),
    routeRows: tabulateRoutes(channels, sites),
    channels: channels.map(({ notification }) => channelName(notification)),
    unnotified: findUnnotified(channels, sites),
    unwarned: config && await findUnwarned(channels, { config, problems, text }),
    unusable: config === undefined ? [] : await unusableChannels(config, channels, context),
    unsupported: unsupportedNote(
      unsupportedServices(secrets.names(), (name) => secrets.value(name)),
    ),
    everyday: secrets.warning,
    missing: secrets.isEmpty
      ? []
      : secrets.substitute(names.map((name) => `$${name}`).join(" ")).missing,
  };
  const notes = problems.map((problem) => formatProblem(problem, file));
  await reportResult(validationText(validation), validationJson(validation), context, { notes });
  return isUsable(problems) ? 0 : 2;
};

/** Most files of a folder, such as `history/`, that GitHub shows. */
const MOST_SHOWN = 1000;
/** Most sites that one repository is made for. */
const MOST_SITES = 5000;

function scaleProblems(sites: number): Problem[] {
  if (sites <= MOST_SHOWN) return [];
  const number = sites.toLocaleString("en");
  const message = sites > MOST_SITES
    ? `${number} are too many for one repository: monitor some of them in a second one`
    : `${number} are more than the ${
      MOST_SHOWN.toLocaleString("en")
    } files of a folder that GitHub shows: open the others by their path`;
  return [{ severity: "warning", path: ["sites"], message }];
}

/** Warns of files that the page needs and the folder lacks. */
async function findMissing(
  config: Config,
  { text, repository }: { text: string; repository: string | undefined },
  { root }: Context,
): Promise<Problem[]> {
  const website = config["status-website"];
  if (website === undefined || config.skipGeneratingWebsite) return [];
  const home = await toPageSettings(config, { repository });
  const missing = findMissingFiles(website, home, openAssets(root).paths);
  if (missing.length === 0) return [];
  // Loaded only if there is something to place.
  const { locate } = await import("../lib/config/yaml/positions.ts");
  const messages = new Set(missing.map(({ message }) => message));
  // Mistakes of YAML, which it finds too, are reported already.
  return locate(missing, text).filter(({ message }) => messages.has(message));
}

async function unusableChannels(
  config: Config,
  channels: readonly Subscriber[],
  context: Context,
): Promise<string[]> {
  const { secrets } = context;
  const sending = await createSending(config, undefined, context);
  const { unsendable } = await findUnusableChannels(channels, sending);
  if (secrets.isEmpty) return unsendable.map(unsendableNote);
  const incomplete = incompleteChannels((name) => secrets.value(name) ?? "");
  return [...unsendable.map(unsendableNote), ...incomplete.map(missingSecretsNote)];
}

/** Canaries that recent runs distrust, as far as this clone knows; `undefined` if there are none. */
async function distrustedCanaries(
  { canaries }: Config,
  context: Context,
): Promise<string[] | undefined> {
  const { root, environment } = context;
  try {
    const quietly = { ...storeOptions(context), warn() {}, offline: true, readOnly: false };
    const store = await openStore(root, quietly);
    const { runState } = await loadStoredRunState(await store.read());
    if (!isDistrusted(runState?.failedCanaries ?? 0)) return undefined;
    return canaries ?? defaultCanaries(environment.api);
  } catch (error) {
    // A repository in which nothing can be recorded is no fault of the configuration.
    if (!(error instanceof RepositoryError)) throw error;
    return undefined;
  }
}
