import type { Config } from "../lib/config/config.ts";
import { WORKFLOWS } from "../lib/config/workflows.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import { type GitHub, GitHubError, type Issue } from "../lib/github/github.ts";
import {
  ANNOUNCE_KEYS,
  type Announcement,
  type AnnounceRequest,
  parsePayload,
  planAnnouncement,
} from "../lib/incidents/announce.ts";
import { SHOWING_EVENTS } from "../lib/incidents/github_effects.ts";
import { STATUS_LABEL } from "../lib/incidents/issue_labels.ts";
import { MAINTENANCE_LABEL } from "../lib/incidents/maintenance/announcement.ts";
import { MANUAL_LABEL } from "../lib/incidents/manual_incidents.ts";
import { announcementMarker, isMarked, makeOnce } from "../lib/incidents/marked_texts.ts";
import { WriteAccess } from "../lib/incidents/write_access.ts";
import { randomName } from "../lib/io/clock.ts";
import { UsageError } from "../lib/text/arguments.ts";
import { loadLanguage } from "../lib/text/languages.ts";
import { joinNames } from "../lib/text/words.ts";
import { utcDay } from "../lib/time.ts";
import {
  announcedLines,
  announcedSummary,
  renderAnnouncement,
} from "../templates/issue/announcement.ts";
import { type Command, type Context, loadReported } from "./shared/context.ts";
import { publishJobReport } from "./shared/job_report.ts";
import { reachGitHub, whyNoGitHub } from "./shared/reach_github.ts";

/** Opens, updates or resolves the issue of an incident that people report, and starts the workflows that show it. */
export const announce: Command = async (context) => {
  const { root, environment, json, log } = context;
  const { config } = await loadReported(context);
  if (config === undefined) return 2;
  const { title, text, ...rest } = readRequest(context);
  const redact = (written: string | undefined) => written && context.secrets.redact(written);
  const request = { ...rest, title: redact(title), text: redact(text) };
  const announcement = planAnnouncement(request, config.sites);
  if (!config.issues) {
    throw new UsageError(
      "Cannot announce: issues: false in the configuration keeps incidents in files only, so that no issue is read",
    );
  }
  const { remoteUrl } = await readRepositoryInfo(root);
  const github = reachGitHub({ config, remoteUrl }, context);
  if (github === undefined) throw new UsageError(`Cannot announce: ${whyNoGitHub(environment)}`);
  const language = await loadLanguage(config);
  const render = (marker: string) => renderAnnouncement(announcement, marker, language);
  const issue = announcement.action === "open"
    ? await open(announcement, { github, render }, context)
    : await change(announcement, { github, render }, context);
  const isShown = !isHidden(announcement, config);
  if (!isShown) {
    log.warn(
      "Page and README do not show this incident, because all of its sites have public: false",
    );
  }
  const started = isShown ? await startWorkflows(github, config, context) : [];
  const address = `${environment.server}/${github.repository}/issues/${issue}`;
  const done = { announcement, issue, address, started };
  log.line(announcedLines(done));
  if (json) log.data({ ...announcement, issue, address, started });
  await publishJobReport({ outputs: {}, summary: () => announcedSummary(done, language) }, context);
  return 0;
};

/** The request of the command line; without one, that of the workflow. */
function readRequest({ words, options, environment }: Context): AnnounceRequest {
  const given = Object.fromEntries(
    ANNOUNCE_KEYS.filter((key) => options.has(key))
      .map((key) => [key, key === "sites" ? options.texts(key).join() : options.text(key)]),
  );
  const isEmpty = words.length === 0 && Object.keys(given).length === 0;
  if (isEmpty && environment.announcement !== undefined) {
    return parsePayload(environment.announcement);
  }
  if (words.length === 0) return given;
  const isText = options.has("update") || options.has("resolve");
  if (isText && options.has("text")) {
    throw new UsageError("Cannot announce: give the text once, either alone or with --text");
  }
  return { ...given, [isText ? "text" : "title"]: words.join(" ") };
}

interface Target {
  github: GitHub;
  /** The text of the announcement, with its marker. */
  render(marker: string): string;
}

/** Opens the issue of a new incident, and returns its number. */
async function open(
  announcement: Extract<Announcement, { action: "open" }>,
  { github, render }: Target,
  { clock }: Context,
): Promise<number> {
  const { title, labels } = announcement;
  const marker = announcementMarker(randomName());
  const since = clock.now().subtract(SKEW);
  const find = async () =>
    (await github.issuesSince(since)).find(({ body }) => body.includes(marker));
  const body = render(marker);
  const make = () => github.createIssue({ title, body, labels, assignees: [] });
  const issue = await makeOnce(find, make, clock);
  if (hasLabel(issue, MANUAL_LABEL)) return issue.number;
  throw new Error(
    `Opened issue #${issue.number}, but without its labels, so that it is no incident: the account of the token may not write in ${github.repository}; add the labels ${
      joinNames(labels)
    }, or use a token of an account that may`,
  );
}

/** Largest assumed difference between GitHub's clock and this one. */
const SKEW = { hours: 24 };

/** Comments on the issue of an incident, and closes it if that is resolved. */
async function change(
  announcement: Exclude<Announcement, { action: "open" }>,
  { github, render }: Target,
  { clock }: Context,
): Promise<number> {
  const { action, issue: number } = announcement;
  const issue = await github.issue(number);
  const why = issue === undefined
    ? `it does not exist in ${github.repository}`
    : whyNot(announcement, issue) ?? await whyNotShown(issue, github, clock.now());
  if (why !== undefined) throw new UsageError(`Cannot ${action} issue #${number}: ${why}`);
  const marker = announcementMarker(randomName());
  const since = clock.now().subtract(SKEW);
  const find = async () =>
    (await github.comments(number, since)).find(({ body }) => body.includes(marker));
  await makeOnce(find, () => github.comment(number, render(marker)), clock);
  if (action === "resolve") await github.changeIssue(number, { isOpen: false });
  return number;
}

const SHOWN_LABELS = [STATUS_LABEL, MANUAL_LABEL, MAINTENANCE_LABEL];

function hasLabel({ labels }: Pick<Issue, "labels">, wanted: string): boolean {
  return labels.some((label) => label.toLowerCase() === wanted);
}

/** Why an issue can't be changed that way; `undefined` if it can. */
function whyNot(
  announcement: Exclude<Announcement, { action: "open" }>,
  issue: Issue,
): string | undefined {
  const { action, phase } = announcement;
  if (!SHOWN_LABELS.some((label) => hasLabel(issue, label))) {
    return `it is no incident, because it has no label ${MANUAL_LABEL}`;
  }
  if (action === "resolve" && isMarked(issue.body)) {
    return "a check found this incident, and it ends when the site is up again; an update tells people more about it";
  }
  if (action === "resolve" && !hasLabel(issue, MANUAL_LABEL)) {
    return "it is no incident but maintenance, which ends when you close the issue";
  }
  if (issue.isOpen) return undefined;
  if (action === "resolve") return "it is closed already";
  return phase === "post-mortem"
    ? undefined
    : "it is closed; reopen it first, or use the phase post-mortem";
}

/** Why nobody sees an issue; `undefined` if it is ours, or its author may write or is not known. */
async function whyNotShown(
  issue: Issue,
  github: GitHub,
  now: Temporal.Instant,
): Promise<string | undefined> {
  if (isMarked(issue.body)) return undefined;
  const counts = await new WriteAccess(github, undefined, utcDay(now)).counts(issue);
  return counts === false
    ? `its author ${issue.author} has no write access, so that the status page does not show it; announce the incident anew`
    : undefined;
}

/** True for a new incident that concerns hidden sites alone. */
function isHidden(announcement: Announcement, { sites }: Config): boolean {
  if (announcement.action !== "open" || announcement.sites.length === 0) return false;
  const hidden = new Set(sites.flatMap((site) => site.public ? [] : site.slug));
  return announcement.sites.every((slug) => hidden.has(slug));
}

/** Starts the workflows that show the announcement: an issue by a job's token starts none. Returns their names. */
async function startWorkflows(
  github: GitHub,
  { skipGeneratingWebsite }: Config,
  { log }: Context,
): Promise<string[]> {
  const started: string[] = [];
  for (const { event, name } of Object.values(WORKFLOWS)) {
    const isNeeded = SHOWING_EVENTS.includes(event) &&
      !(skipGeneratingWebsite && event === WORKFLOWS.site.event);
    if (!isNeeded) continue;
    try {
      await github.dispatch(event);
      started.push(name);
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      log.warn(`${error.message}. It shows the announcement when it runs next`);
    }
  }
  return started;
}
