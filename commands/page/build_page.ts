import type { Config } from "../../lib/config/config.ts";
import { EXPORT_FOLDER, PAGE_PATHS } from "../../lib/config/page_path.ts";
import {
  findRepository,
  readRepositoryInfo,
  type RepositoryInfo,
} from "../../lib/git/repository.ts";
import { GitHubError } from "../../lib/github/github.ts";
import { openTree } from "../../lib/io/file_tree.ts";
import { openRasterizer } from "../../lib/io/png.ts";
import { assertOwnFolder, ASSETS_FOLDER, openAssets } from "../../lib/page/assets.ts";
import { type Build, parseBuild, type SyncedPage, syncPage } from "../../lib/page/export.ts";
import { describeHiddenIcons } from "../../lib/page/place.ts";
import { findMissingFiles } from "../../lib/page/settings.ts";
import { keepPageOut, publishedBuild } from "../../lib/page/publish.ts";
import type { PageSettings } from "../../lib/page/settings.ts";
import type { Timelines } from "../../lib/pipeline/timelines.ts";
import { commitAuthor, timelinesMessage } from "../../templates/commit_message.ts";
import { GRAPH_FONTS } from "../../templates/graph/style.ts";
import type { Context } from "../shared/context.ts";
import { openReport } from "../shared/open_report.ts";
import { reachGitHub, whyNoGitHub } from "../shared/reach_github.ts";
import { bringTimelines, type BroughtTimelines } from "../shared/timelines.ts";
import { builtFiles, pageFiles, previewMessage } from "./page_files.ts";
import { viewOf } from "./page_view.ts";

interface BuildOptions {
  /** True if nothing may be written to the history or requested. */
  isPreview: boolean;
}

/** A page that was built, or would be. */
export interface BuiltPage {
  settings: PageSettings;
  /** Time of the last check; absent if there was none. */
  checks?: Temporal.Instant;
  kept: SyncedPage;
  timelines: BroughtTimelines;
  /** True if a job may publish it. */
  isForVisitors: boolean;
  /** Things the user should know, for people. */
  notes: string[];
}

/**
 * Builds the status page of a folder; `undefined` if the configuration is unusable, and `"unwanted"` if
 * it switches the page off.
 */
export async function buildPage(
  context: Context,
  { isPreview }: BuildOptions,
): Promise<BuiltPage | "unwanted" | undefined> {
  const { root, log, secrets, dryRun } = context;
  const readOnly = dryRun || isPreview;
  const [opened, rasterizer] = await Promise.all([
    openReport(context, { isShown: true }),
    // It takes in its fonts meanwhile.
    openRasterizer(GRAPH_FONTS),
  ]);
  if (opened === undefined) return undefined;
  if (opened.config.skipGeneratingWebsite) return "unwanted";
  const config = isPreview ? askingNobody(opened.config) : opened.config;
  const repositoryInfo = await readRepositoryInfo(root);
  const timelines = await bringTimelines(
    { ...opened, config, repositoryInfo, readOnly: readOnly || opened.isDetached },
    { author: commitAuthor, message: timelinesMessage },
    context,
  );
  const isOfJob = context.environment.onGitHub && !isPreview;
  const visibility = await visibilityOf(config, { ...repositoryInfo, isOfJob }, context);
  const { live, hidden } = visibility;
  const assets = openAssets(root);
  assertOwnFolder(root);
  const tree = openTree(root, EXPORT_FOLDER);
  const before = parseBuild(new TextDecoder().decode(tree.read(PAGE_PATHS.build))) ??
    await publishedBefore(context);
  const shown = { ...opened, config: { ...opened.config, pages: { ...config.pages, live } } };
  const view = viewOf(shown, {
    incidents: timelines.timelines.incidents,
    repositoryInfo,
    assets: assets.paths,
  }, context);
  const missing = findMissingFiles(view.settings, assets.paths);
  const sites = view.report.sites.map(({ site }) => site);
  const iconless = describeHiddenIcons(sites, { assets: assets.paths, home: view.settings });
  const notes = notesOf({ ...visibility, timelines: timelines.timelines, missing, iconless });
  const { redact } = secrets;
  const warn = (note: string) => notes.push(note);
  const files = pageFiles(view, await previewMessage(view, rasterizer), { assets, redact, warn });
  const kept = await syncPage(files, {
    tree,
    dryRun,
    built: (others) => builtFiles(view, { others, before, redact }),
    onProgress: (done) => {
      if (done % 50 === 1) log.progress(`Building the page: ${done} files`);
    },
  });
  log.endProgress();
  if (!dryRun) notes.push(...await keepPageOut(root));
  const isForVisitors = hidden === undefined;
  return { settings: view.settings, checks: view.checks, kept, timelines, isForVisitors, notes };
}

/** The page that a job before this one has published. */
async function publishedBefore({ root, environment }: Context): Promise<Build | undefined> {
  if (!environment.onGitHub) return undefined;
  const repository = await findRepository(root);
  return repository && await publishedBuild(repository);
}

/** A configuration by which GitHub is not asked for anything. */
function askingNobody(config: Config): Config {
  const { pages } = config;
  return {
    ...config,
    issues: false,
    pages: { ...pages, live: pages.live === "off" ? "off" : "page" },
  };
}

interface Noteworthy extends Pick<Visibility, "note" | "hidden"> {
  timelines: Timelines;
  /** Files of the owner's that are named and missing. */
  missing: readonly string[];
  /** Sites whose icon is not shown, in words. */
  iconless?: string;
}

function notesOf(
  { timelines: { published, failure }, note, hidden, missing, iconless }: Noteworthy,
) {
  return [
    ...published?.notes ?? [],
    ...failure === undefined ? [] : [`What was read was not kept: ${failure.message}`],
    ...note === undefined ? [] : [note],
    ...hidden === undefined ? [] : [
      `The page is not published without status-website.publish: true in the configuration: ${hidden}`,
    ],
    ...missing.map((path) =>
      `The configuration names ${path}, but there is no ${ASSETS_FOLDER}/${path}`
    ),
    ...iconless === undefined ? [] : [
      `No icon is shown of ${iconless}: icons are emoji or files of ${ASSETS_FOLDER}/, and none is fetched from elsewhere`,
    ],
  ];
}

/** Visibility of the page, and why it differs from the configuration. */
interface Visibility {
  /** Source of live data for the script of the page. */
  live: Config["pages"]["live"];
  /** Why that differs from the configuration. */
  note?: string;
  /** Why the page must not be published. */
  hidden?: string;
}

/**
 * Decides who may see what. Pages link to the repository only if it is public, and the page of a private
 * one is published only if the configuration allows it. GitHub is asked each time if it matters, and
 * unknown counts as private.
 */
async function visibilityOf(
  config: Config,
  { remoteUrl, prefix, isOfJob }: RepositoryInfo & {
    /** True if a job builds the page to publish it. */
    isOfJob: boolean;
  },
  context: Context,
): Promise<Visibility> {
  const { live } = config.pages;
  const pageAsks = isOfJob && !config["status-website"]?.publish;
  const scriptAsks = live === "repository";
  const notAtTop = scriptAsks && prefix !== ""
    ? "the configuration is not at the top of the repository"
    : undefined;
  const notPublic = pageAsks || (scriptAsks && notAtTop === undefined)
    ? await whyNotPublic(config, remoteUrl, context)
    : undefined;
  const hidden = pageAsks ? notPublic : undefined;
  const reason = scriptAsks ? notAtTop ?? notPublic : undefined;
  if (reason === undefined) return { live, hidden };
  return { live: "page", note: `pages.live is page and not repository here: ${reason}`, hidden };
}

/** Why the repository is not known to be public; `undefined` if it is public. */
async function whyNotPublic(
  config: Config,
  remoteUrl: string | undefined,
  context: Context,
): Promise<string | undefined> {
  const github = reachGitHub({ config, remoteUrl }, context);
  if (github === undefined) return whyNoGitHub(context.environment);
  try {
    return await github.isPublic() ? undefined : "the repository is private";
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return error.message;
  }
}
