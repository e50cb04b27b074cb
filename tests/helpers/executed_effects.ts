import type { Config } from "../../lib/config/config.ts";
import type { EffectTargets } from "../../lib/pipeline/plan_effects.ts";
import type { IncidentEvent } from "../../lib/incidents/incident_event.ts";
import { issuesTracker } from "../../lib/incidents/issue_effect.ts";
import { toSubscribers } from "../../lib/notifications/channel_list.ts";
import type { EffectHandlers } from "../../lib/outbox/effect.ts";
import { issueBody, issueComment, issueTitle, issueTitles } from "../../templates/issue/issue.ts";
import { sharedTexts } from "../../templates/issue/shared_issue.ts";
import { LANGUAGE } from "./languages.ts";

const PLACES = { repository: "https://github.com/acme/status", folder: "" };

/** Messages and issue changes of runs whose effects are executed at once; `numbers` of issues are by queue. */
export function toEffectTargets(
  { notifications, sites }: Pick<Config, "notifications" | "sites">,
  numbers: Map<string, number>,
): Pick<EffectTargets, "handlers" | "tracker" | "channels"> {
  const done = { execute: () => Promise.resolve({}) };
  const handlers: EffectHandlers = {
    message: done,
    announcement: done,
    reaction: done,
    issue: {
      execute: ({ queue }) => {
        const issue = numbers.get(queue!) ?? numbers.size + 1;
        numbers.set(queue!, issue);
        return Promise.resolve({ issue });
      },
    },
  };
  const texts = {
    title: (event: IncidentEvent) => issueTitle(event, LANGUAGE),
    titles: (event: IncidentEvent) => issueTitles(event, [LANGUAGE]),
    body: (event: IncidentEvent) => issueBody(event, PLACES, LANGUAGE),
    comment: (event: IncidentEvent) => issueComment(event, PLACES, LANGUAGE),
    ...sharedTexts(sites, PLACES, LANGUAGE, String),
  };
  const options = { place: "issues", folder: "", opens: true, texts, lock: true, assignees: [] };
  const channels = toSubscribers({ notifications, sites });
  return { handlers, tracker: issuesTracker(options), channels };
}
