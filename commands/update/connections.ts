import type { ReadVariable } from "../../lib/checks/observation.ts";
import type { Config } from "../../lib/config/config.ts";
import { ownRepository } from "../../lib/config/repository.ts";
import type { RepositoryInfo } from "../../lib/git/repository.ts";
import type { GitHub } from "../../lib/github/github.ts";
import type { Tracker } from "../../lib/incidents/incident_event.ts";
import { filesTracker, issuesTracker } from "../../lib/incidents/issue_effect.ts";
import { IssueNumbers } from "../../lib/incidents/issue_handler.ts";
import type { Problem } from "../../lib/io/problem.ts";
import type { Secrets } from "../../lib/io/secrets/secrets.ts";
import { channelsByKey, findSubscribers } from "../../lib/notifications/channel_list.ts";
import {
  findUnusableChannels,
  planChannelNotices,
  planUnusableNotices,
  type UnusableChannels,
} from "../../lib/notifications/channel_problems.ts";
import type { MessageDependencies } from "../../lib/notifications/message_handler.ts";
import type { Language } from "../../lib/text/language.ts";
import { ENGLISH_LANGUAGE, loadPageLanguage } from "../../lib/text/languages.ts";
import { createHandlers } from "../../lib/pipeline/execute_effects.ts";
import type { EffectTargets } from "../../lib/pipeline/plan_effects.ts";
import {
  issueBody,
  issueComment,
  type IssuePlaces,
  issueTitle,
  issueTitles,
} from "../../templates/issue/issue.ts";
import { sharedTexts } from "../../templates/issue/shared_issue.ts";
import { createBadges } from "../../templates/graph/badge.ts";
import type { Context } from "../shared/context.ts";
import { reachGitHub } from "../shared/reach_github.ts";
import { createSending } from "../shared/sending.ts";
import { openVariables } from "../shared/variables.ts";

/** GitHub, the tracker and the channels of a run, and the handlers of effects on them. */
export interface Connections {
  /** Absent without a token, or a repository on GitHub. */
  github?: GitHub;
  /** True if the remote is on GitHub, and incidents have no issues only because a token is missing. */
  lacksToken: boolean;
  targets: EffectTargets;
  unusable: UnusableChannels;
  messages: MessageDependencies;
  readVariable: ReadVariable;
  userAgent: string;
  repositoryUrl?: string;
  /** The monitored folder in the repository, empty for its top. */
  folder: string;
}

/** Connects to issues and workflows of the token's repository, and to the configured channels. */
export async function connect(
  config: Config,
  { remoteUrl, prefix: folder }: RepositoryInfo,
  { isPartial, problems, file }: {
    /** True if the configuration does not list all sites and channels. */
    isPartial: boolean;
    problems: readonly Problem[];
    file: string;
  },
  context: Context,
): Promise<Connections> {
  const { environment, secrets, clock, watching } = context;
  const sending = await createSending(config, remoteUrl, context);
  const { monitor, userAgent, language, places: { home, page } } = sending;
  const github = reachGitHub({ config, remoteUrl }, context);
  const repositoryUrl = github === undefined ? home : `${environment.server}/${github.repository}`;
  const places = repositoryUrl === undefined
    ? undefined
    : { repository: repositoryUrl, folder, page };
  const known = findSubscribers(config, secrets);
  const unusable = await findUnusableChannels(known, sending);
  const reported = [...unusable.unsendable, ...secrets.isEmpty ? [] : unusable.lacking];
  const channels = known.map((channel) =>
    reported.some(({ key }) => key === channel.key)
      ? { ...channel, isUnsendable: true as const }
      : channel
  );
  const issues = new IssueNumbers();
  const messages = {
    channels: channelsByKey(channels),
    isPartial: isPartial || secrets.isEmpty,
    sending: { ...sending, places: { home: repositoryUrl, page } },
    issues,
  };
  return {
    github,
    lacksToken: config.issues && github === undefined &&
      ownRepository({}, environment, remoteUrl) !== undefined,
    targets: {
      tracker: createTracker(config, { github, places, language, secrets }),
      dispatches: github !== undefined,
      channels,
      isPartial: messages.isPartial,
      notices: [
        ...planChannelNotices(problems, file, language),
        ...planUnusableNotices(reported, language),
      ],
      monitor,
      language,
      handlers: createHandlers({ github, messages, issues, clock }),
      issues,
      drawBadge: createBadges(await loadPageLanguage(config)),
    },
    unusable,
    messages,
    readVariable: watching?.readVariable ?? openVariables({ config, remoteUrl }, context),
    userAgent,
    repositoryUrl,
    folder,
  };
}

/** Creates the tracker of the incidents; new issues are opened if GitHub is given. */
export function createTracker(
  { issues, lockIssues, assignees, sites }: Config,
  { github, places, language, secrets }: {
    github?: GitHub;
    /** Absent if the repository has no page. */
    places?: IssuePlaces;
    language: Language;
    secrets: Secrets;
  },
): Tracker {
  if (!issues || places === undefined) return filesTracker;
  // Another language is mostly chosen in place of English.
  const titled = language.code === "en" ? [language] : [language, ENGLISH_LANGUAGE];
  return issuesTracker({
    place: github === undefined
      ? `${filesTracker.place} (no HOST_PAT or GITHUB_TOKEN)`
      : `issues of ${github.repository}`,
    folder: places.folder,
    opens: github !== undefined,
    texts: {
      title: (event) => secrets.redact(issueTitle(event, language)),
      titles: (event) => issueTitles(event, titled).map((title) => secrets.redact(title)),
      body: (event) => secrets.redact(issueBody(event, places, language)),
      comment: (event) => secrets.redact(issueComment(event, places, language)),
      ...sharedTexts(sites, places, language, (text) => secrets.redact(text)),
    },
    lock: lockIssues,
    assignees,
  });
}
