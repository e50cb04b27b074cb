import type { Config } from "../../lib/config/config.ts";
import type { Secrets } from "../../lib/io/secrets/secrets.ts";
import type { GitHub } from "../../lib/github/github.ts";
import type { Listeners } from "../../lib/pipeline/owed.ts";
import { filesTracker, issuesTracker } from "../../lib/incidents/issue_effect.ts";
import { findSubscribers } from "../../lib/notifications/channel_list.ts";
import {
  issueBody,
  issueComment,
  type IssuePlaces,
  issueTitle,
} from "../../templates/issue/issue.ts";

/** What a run has got to tell others with. */
export interface Reach {
  /** Absent where there is no token, or no repository of GitHub. */
  github?: GitHub;
  /** Absent where the repository has no page. */
  places?: IssuePlaces;
  secrets: Secrets;
  /** Whether the configuration does not tell all, because some of it can't be read or it is another one. */
  isPartial?: boolean;
  /** Name of the monitor in messages. */
  monitor?: string;
}

/** Who wants of what a run finds; new issues are opened and workflows started where GitHub can be reached. */
export function listenersOf(
  config: Config,
  { github, places, secrets, isPartial = false, monitor }: Reach,
): Listeners {
  const { issues, lockIssues, assignees } = config;
  const dispatches = github !== undefined;
  const heard = {
    dispatches,
    channels: findSubscribers(config, secrets),
    isPartial: isPartial || secrets.isEmpty,
    monitor,
  };
  if (!issues || places === undefined) return { tracker: filesTracker, ...heard };
  const tracker = issuesTracker({
    place: github === undefined
      ? `${filesTracker.place} (no HOST_PAT or GITHUB_TOKEN)`
      : `issues of ${github.repository}`,
    folder: places.folder,
    opens: github !== undefined,
    texts: {
      title: (event) => secrets.redact(issueTitle(event)),
      body: (event) => secrets.redact(issueBody(event, places)),
      comment: (event) => secrets.redact(issueComment(event, places)),
    },
    lock: lockIssues,
    assignees,
  });
  return { tracker, ...heard };
}
