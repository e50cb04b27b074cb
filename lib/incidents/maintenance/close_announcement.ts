import * as v from "valibot";
import type { GitHub, Issue } from "../../github/github.ts";
import type { Clock } from "../../io/clock.ts";
import type { Effect, EffectHandler, Receipt } from "../../outbox/effect.ts";
import type { Language } from "../../text/language.ts";
import { formatTime } from "../../time.ts";
import { createGitHubHandler, unknownEffect } from "../github_effects.ts";
import { addComment } from "../marked_texts.ts";
import { announced, isMaintenanceLabel } from "./announcement.ts";
import type { EndedAnnouncement } from "./plan_maintenance.ts";

const ANNOUNCEMENT_EFFECT = v.object({
  issue: v.number(),
  /** When the window ended, ISO 8601. */
  until: v.string(),
  timezone: v.string(),
  comment: v.string(),
});

type AnnouncementEffect = v.InferOutput<typeof ANNOUNCEMENT_EFFECT>;

/** Parses the data of an effect; `undefined` if another version of the program wrote it. */
export function parseAnnouncementEffect(data: unknown): AnnouncementEffect | undefined {
  const result = v.safeParse(ANNOUNCEMENT_EFFECT, data);
  return result.success ? result.output : undefined;
}

/**
 * Plans to comment on and close the issue of a maintenance window that is over. An issue that is reopened
 * with another end is closed again later. `timezone` applies to times without an offset.
 */
export function closeAnnouncement(
  { name, until, issue }: EndedAnnouncement,
  { timezone, language }: { timezone: string; language: Language },
): Effect {
  const data: AnnouncementEffect = {
    issue,
    until: formatTime(until),
    timezone,
    comment: language.say("issueMaintenanceOver", { TIME: language.utcMinute(until) }),
  };
  const queue = `announcement-${issue}`;
  return {
    // By the issue alone: what was over before anybody looked has no file, and names of files are taken by others.
    id: `${queue}/completed@${formatTime(until)}`,
    handler: "announcement",
    queue,
    description: `close issue #${issue}, because its maintenance is over (${name})`,
    data: { ...data },
  };
}

/** Largest assumed delay of GitHub's clock. */
const SKEW = { hours: 24 };

/** Creates the handler that closes issues whose maintenance is over, unless they have been closed or changed. */
export function createAnnouncementHandler(
  github: GitHub | undefined,
  { clock }: { clock: Clock },
): EffectHandler {
  return createGitHubHandler(github, async (github, { id, data }): Promise<Receipt> => {
    const effect = parseAnnouncementEffect(data);
    if (effect === undefined) throw unknownEffect();
    const { issue: number, comment: text, timezone } = effect;
    const issue = await github.issue(number);
    if (issue === undefined) return { isGone: true };
    if (!isOver(issue, timezone, clock.now())) return { issue: number, isLeft: true };
    const since = Temporal.Instant.from(effect.until).subtract(SKEW);
    await addComment({ number, text, purpose: id, since }, { github, clock });
    await github.changeIssue(number, { isOpen: false });
    return { issue: number };
  });
}

/** True if an issue still announces a window that is over; its end may have been changed meanwhile. */
function isOver(issue: Issue, timezone: string, now: Temporal.Instant): boolean {
  if (!issue.isOpen || !issue.labels.some(isMaintenanceLabel)) return false;
  const { window } = announced(issue, { sites: [], timezone });
  return window === undefined || Temporal.Instant.compare(window.until, now) <= 0;
}
