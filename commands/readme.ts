import type { Config } from "../lib/config/config.ts";
import { homePage } from "../lib/config/repository.ts";
import { findRepository, readRepositoryInfo } from "../lib/git/repository.ts";
import { GitHubError } from "../lib/github/github.ts";
import { randomName } from "../lib/io/clock.ts";
import { openAssets } from "../lib/page/assets.ts";
import { computeOverall } from "../lib/page/overall.ts";
import { findIcon } from "../lib/page/place.ts";
import { type PageSettings, toPageSettings } from "../lib/page/settings.ts";
import {
  type FilledAbout,
  type FolderReadmeOptions,
  keepReadme,
  NoMarkersError,
  planAbout,
  planReadme,
  toReadmeLinks,
} from "../lib/setup/readme.ts";
import { toMarkers } from "../lib/setup/readme_markers.ts";
import { presentWorkflows } from "../lib/setup/workflow_files.ts";
import { loadTexts } from "../lib/text/languages.ts";
import { mergeMessages, type Messages } from "../lib/text/messages.ts";
import { commitAuthor, filesMessage } from "../templates/commit_message.ts";
import { type NewReadme, newReadme } from "../templates/markdown/new_readme.ts";
import { liveStatus, readmeSummary, type ReadmeView } from "../templates/markdown/readme.ts";
import { createLanguage } from "../templates/pages/language.ts";
import { formatRecorded } from "../templates/terminal/lines.ts";
import { countSites } from "../templates/words.ts";
import type { Command, Context } from "./shared/context.ts";
import { reportResult } from "./shared/job_report.ts";
import { type OpenedReport, openReport } from "./shared/open_report.ts";
import { reachGitHub } from "./shared/reach_github.ts";
import { bringTimelines } from "./shared/timelines.ts";

export const readme: Command = async (context) => {
  const { root, log, environment } = context;
  const opened = await openReport(context);
  if (opened === undefined) return 2;
  const { config, report, snapshot } = opened;
  const repositoryInfo = await readRepositoryInfo(root);
  const { prefix, remoteUrl } = repositoryInfo;
  const settings = await toPageSettings(config, {
    repository: homePage(config, environment, remoteUrl),
  });
  const options = readmeOptions(opened, {
    ...{ config, settings, file: opened.file, repository: await findRepository(root) },
    messages: mergeMessages(config.i18n, await loadTexts(settings.lang)),
    workflows: prefix === "" ? await presentWorkflows(snapshot) : [],
  }, context);
  // Finds mistakes in the README before anything is requested or written.
  const planned = await planReadme(snapshot, options).catch((error) => {
    if (!(error instanceof NoMarkersError) || !environment.onGitHub) throw error;
    log.warn(error.message);
  });
  // A repository need not have a summary, so its jobs succeed.
  if (planned === undefined) return 0;
  const { notes: timelineNotes } = await bringTimelines(
    { ...opened, repositoryInfo, readOnly: false },
    context,
  );
  const kept = await keepReadme(opened.store, options, {
    ...{ run: randomName(), time: context.clock.now() },
    ...{ message: filesMessage(config, "readmeContent"), author: commitAuthor(config) },
  });
  const about = await fillAbout(config, settings, remoteUrl, context);
  const { readme: { path, isNew, lacking }, published } = kept;
  const notes = [
    ...timelineNotes,
    ...published.notes,
    ...lacking.length === 0 ? [] : [
      `${path} has no place for the summary: run with --add-markers, or add ${
        lacking.join(" and ")
      }, each on a line of its own`,
    ],
    ...about.note === undefined ? [] : [about.note],
  ];
  for (const note of notes) log.warn(note);
  const filled = Object.entries(about.filled).map(([key, value]) =>
    `${key} (${[value].flat().join(", ")})`
  );
  if (filled.length > 0) log.line(`The repository got ${filled.join("; ")}.`);
  const fate = !isNew ? ": nothing new." : ` written${formatRecorded(published)}`;
  const data = {
    file: path,
    changed: isNew,
    overall: computeOverall(report),
    sites: report.sites.map(({ site: { slug } }) => slug),
    commit: published.commit ?? null,
    place: published.place,
    about: about.filled,
  };
  const line = `Summary of ${countSites(report.sites.length)} in ${path}${fate}`;
  await reportResult(line, data, context, { notes });
  return 0;
};

/** Fills in the empty parts of the repository's About box, if there is a token. */
async function fillAbout(
  config: Config,
  settings: PageSettings,
  remoteUrl: string | undefined,
  context: Context,
): Promise<FilledAbout> {
  const github = reachGitHub({ config, remoteUrl }, context);
  if (github === undefined) return { filled: {} };
  let isRead = false;
  try {
    const missing = planAbout(await github.about(), config, settings);
    isRead = true;
    if (Object.keys(missing).length === 0) return { filled: {} };
    await github.describe(missing);
    return { filled: missing };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const keys = "skipDescriptionUpdate, skipHomepageUpdate and skipTopicsUpdate";
    const cure = isRead && error.kind === "misconfigured"
      ? `; or fill in description, website and topics by hand, or set ${keys} to true`
      : "";
    return { filled: {}, note: `${error.message}${cure}` };
  }
}

function readmeOptions(
  { report, workspace }: OpenedReport,
  { messages, ...fresh }: NewReadme & { settings: PageSettings; messages: Messages },
  { root, options }: Context,
): FolderReadmeOptions {
  const { config, settings, repository } = fresh;
  return {
    workspace,
    markers: toMarkers(config),
    addsMarkers: options.has("add-markers"),
    texts() {
      const { paths: assets } = openAssets(root);
      const { lang, timezone, address: page } = settings;
      const view: ReadmeView = {
        report,
        language: createLanguage(messages, lang, timezone),
        links: toReadmeLinks(repository, config.graphs),
        page,
        hasDarkGraphs: config.graphs.dark,
        iconOf: ({ icon }) =>
          icon === undefined ? undefined : findIcon(icon, { assets, home: settings }),
      };
      return { summary: readmeSummary(view), live: liveStatus(view) };
    },
    fresh: () => newReadme(fresh),
  };
}
