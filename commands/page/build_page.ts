import type { Config } from "../../lib/config/config.ts";
import { EXPORT_FOLDER } from "../../lib/config/page_path.ts";
import {
  findRepository,
  readRepositoryInfo,
  type RepositoryInfo,
} from "../../lib/git/repository.ts";
import { GitHubError } from "../../lib/github/github.ts";
import { openTree } from "../../lib/io/file_tree.ts";
import { openRasterizer } from "../../lib/io/png.ts";
import { formatProblem } from "../../lib/io/problem.ts";
import { assertOwnFolder, type Assets, ASSETS_FOLDER, openAssets } from "../../lib/page/assets.ts";
import { type SyncedPage, syncPage } from "../../lib/page/export.ts";
import { NOTHING_SAID } from "../../lib/page/feed_state.ts";
import { isVariableFont } from "../../lib/page/font.ts";
import { findChartDays } from "../../lib/page/outages.ts";
import { describeHiddenIcons } from "../../lib/page/place.ts";
import {
  keepPageOut,
  type PageBefore,
  readBuiltPage,
  readPublishedPage,
} from "../../lib/page/publish.ts";
import { findMissingFiles, withoutMissing } from "../../lib/page/missing_files.ts";
import { type PageSettings, toPageSettings } from "../../lib/page/settings.ts";
import { GRAPH_FONTS } from "../../templates/graph/style.ts";
import { renderPreview } from "../../templates/pages/preview_svg.ts";
import { count } from "../../templates/words.ts";
import type { Context } from "../shared/context.ts";
import { type OpenedReport, openReport } from "../shared/open_report.ts";
import { reachGitHub, whyNoGitHub } from "../shared/reach_github.ts";
import { bringTimelines } from "../shared/timelines.ts";
import { builtFiles, pageFiles } from "./page_files.ts";
import { homePage } from "../../lib/config/repository.ts";
import type { Incident } from "../../lib/history/incident.ts";
import { readOlderTimes } from "../../lib/history/older_times.ts";
import type { StoredIncident } from "../../lib/history/stored_incidents.ts";
import { listRepeated } from "../../lib/incidents/maintenance/windows.ts";
import { collectImpacts } from "../../lib/incidents/impact.ts";
import { selectPublicIncidents } from "../../lib/statistics/report/public_report.ts";
import { createLanguage } from "../../templates/pages/language.ts";
import type { View } from "../../templates/pages/view.ts";

export interface BuiltPage {
  settings: PageSettings;
  /** Time of the last check; absent if there was none. */
  checks?: Temporal.Instant;
  kept: SyncedPage;
  /** True if a job may publish it. */
  isForVisitors: boolean;
  notes: readonly string[];
}

/** Builds the status page; `undefined` if the configuration is unusable, and `"unwanted"` if it has no page. */
export async function buildPage(
  context: Context,
  { isPreview }: { isPreview: boolean },
): Promise<BuiltPage | "unwanted" | undefined> {
  const { root, log, secrets, environment } = context;
  const [opened, repositoryInfo, exclusion, rasterizer] = await Promise.all([
    openReport(context, { isShown: true }),
    readRepositoryInfo(root),
    keepPageOut(root),
    // Its fonts are loaded meanwhile.
    openRasterizer(GRAPH_FONTS),
  ]);
  if (opened === undefined) return undefined;
  if (opened.config.skipGeneratingWebsite) return "unwanted";
  const config = isPreview ? withoutRequests(opened.config) : opened.config;
  const readOnly = isPreview || opened.isDetached;
  const { timelines, notes: timelineNotes } = await bringTimelines(
    { ...opened, config, repositoryInfo, readOnly },
    context,
  );
  const isOfJob = environment.onGitHub && !isPreview;
  const { live, hidden, note, isPublic } = await decideVisibility(
    config,
    repositoryInfo,
    { isPreview, isOfJob },
    context,
  );
  const assets = openAssets(root);
  assertOwnFolder(root);
  const tree = openTree(root, EXPORT_FOLDER);
  const before = readBuiltPage(tree) ?? await readPublished(context);
  const shown = { ...opened, config: { ...opened.config, pages: { ...config.pages, live } } };
  const incidents = selectPublicIncidents(timelines.incidents, opened.read.hidden);
  const olderTimes = await readOlderTimes(
    opened.snapshot,
    opened.read.histories,
    findChartDays(incidents.values(), opened.report.time),
  );
  const view = {
    ...await collectView(shown, incidents, { ...repositoryInfo, isPublic }, assets, context),
    olderTimes,
  };
  const { settings, checks, report } = view;
  const missing = findMissingFiles(config["status-website"] ?? {}, settings, assets.paths);
  const icons = describeHiddenIcons(
    report.sites.map(({ site }) => site),
    { assets: assets.paths, home: settings },
  );
  const notes = [
    ...timelineNotes,
    ...note === undefined ? [] : [note],
    ...hidden === undefined ? [] : [
      `The page is not published without status-website.publish: true in the configuration: ${hidden}`,
    ],
    ...missing.map((problem) => formatProblem(problem, opened.file)),
    ...icons === undefined ? [] : [
      `The icons of ${icons} are not shown: use emoji or files of ${ASSETS_FOLDER}/; icons of other addresses are not loaded`,
    ],
  ];
  const { redact } = secrets;
  const preview = await rasterizer.png(renderPreview(view));
  const files = pageFiles(view, preview, {
    ...{ assets, redact, warn: (text) => notes.push(text) },
    before: before?.said ?? NOTHING_SAID,
  });
  const kept = await syncPage(files, {
    tree,
    built: (others) => builtFiles(view, { others, before: before?.build, redact }),
    onProgress: (done) => {
      if (done % 50 === 1) log.progress(`Building the page: ${done} files`);
    },
  });
  log.endProgress();
  notes.push(...exclusion);
  const isForVisitors = hidden === undefined;
  return { settings, checks, kept, isForVisitors, notes };
}

/** Describes a built page: `Status page: 21 pages (240 files, 1 written, 0 removed), site/status-page/export`. */
export function pageLine({ kept: { pages, files, written, removed } }: BuiltPage): string {
  const changes = written.size + removed.length === 0
    ? "nothing changed"
    : `${written.size} written, ${removed.length} removed`;
  return `Status page: ${count(pages, "page")} (${
    count(files, "file")
  }, ${changes}), ${EXPORT_FOLDER}`;
}

async function readPublished({ root, environment }: Context): Promise<PageBefore | undefined> {
  const repository = environment.onGitHub ? await findRepository(root) : undefined;
  return repository && await readPublishedPage(repository);
}

/** Disables all requests to GitHub in a configuration. */
function withoutRequests(config: Config): Config {
  const live = config.pages.live === "off" ? "off" : "page";
  return { ...config, issues: false, pages: { ...config.pages, live } };
}

/**
 * Decides who may see what: `live` is the source of live data for the script, `note` explains why it differs from
 * the configuration, and `hidden` why the page must not be published. Pages link to records in the repository only if
 * it is public, and the page of a private one is published only if the configuration allows it. Unknown counts as
 * private.
 */
async function decideVisibility(
  config: Config,
  { remoteUrl, prefix }: RepositoryInfo,
  { isPreview, isOfJob }: { isPreview: boolean; isOfJob: boolean },
  context: Context,
): Promise<
  { live: Config["pages"]["live"]; note?: string; hidden?: string; isPublic: boolean }
> {
  const { live } = config.pages;
  const mayHide = isOfJob && !config["status-website"]?.publish;
  const isDirect = live === "repository";
  // The open page asks for the summary at the top of the repository.
  const unfit = prefix === "" ? undefined : "the configuration is not at the top of the repository";
  const notPublic = isPreview
    ? "a preview asks nobody"
    : await whyNotPublic(config, remoteUrl, context);
  const isPublic = notPublic === undefined;
  const hidden = mayHide ? notPublic : undefined;
  const reason = isDirect ? unfit ?? notPublic : undefined;
  if (reason === undefined) return { live, hidden, isPublic };
  const note = `pages.live is page and not repository here: ${reason}`;
  return { live: "page", note, hidden, isPublic };
}

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

async function collectView(
  { config, report }: Pick<OpenedReport, "config" | "report">,
  incidents: ReadonlyMap<string, StoredIncident>,
  { remoteUrl, branch, prefix, isPublic }: RepositoryInfo & { isPublic: boolean },
  assets: Assets,
  { environment, clock }: Context,
): Promise<Omit<View, "olderTimes">> {
  const now = clock.now();
  const repository = homePage(config, environment, remoteUrl);
  const commits = isPublic && repository !== undefined && branch !== undefined
    ? `${repository}/commits/${encodeURIComponent(`${branch}/${prefix}`).replaceAll("%2F", "/")}`
    : undefined;
  const settings = withoutMissing(
    await toPageSettings(config, { repository, commits }),
    assets.paths,
  );
  const font = settings.font === undefined ? undefined : assets.read(settings.font);
  const sites = report.sites.map((one) => ({
    ...one,
    history: { ...one.history, incidents: withTimelines(one.history.incidents, incidents) },
  }));
  return {
    report: {
      ...report,
      sites,
      impacts: collectImpacts(
        incidents.values(),
        report.time,
        sites.map(({ site }) => site),
      ),
    },
    checks: report.lastCheck,
    // A page can't have these names.
    incidents: new Map([...incidents].filter(([id]) => !/^\.{0,2}$/.test(id))),
    repeated: listRepeated(config.maintenance),
    assets: assets.paths,
    settings: { ...settings, isVariableFont: font !== undefined && isVariableFont(font) },
    language: createLanguage(settings.messages, settings.lang, settings.timezone),
    built: now,
  };
}

function withTimelines(
  own: ReadonlyMap<string, Incident>,
  brought: ReadonlyMap<string, StoredIncident>,
): Map<string, Incident> {
  return new Map([...own].map(([id, incident]) => {
    const now = brought.get(id);
    return [id, now !== undefined && "slug" in now ? now : incident];
  }));
}
