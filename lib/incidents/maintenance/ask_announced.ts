import type { GitHub } from "../../github/github.ts";
import { GitHubError } from "../../github/github_error.ts";
import { announced, type AnnouncementSurroundings, MAINTENANCE_LABEL } from "./announced.ts";
import type { PlannedWindow } from "../../evaluation/window.ts";

/** The maintenance that issues announce. */
export interface AskedAnnouncements {
  /** Windows ahead, under way and over, as long as their issues are open; absent where GitHub did not tell. */
  windows?: PlannedWindow[];
  /** Numbers of issues that announce something of which it can't be told when it is. */
  unclear?: number[];
  /** What people should know of it, a sentence each without a full stop. */
  notes: string[];
}

/**
 * Asks GitHub what maintenance its open issues announce. Issues of people who may not speak for the
 * repository count for nothing.
 */
export async function askAnnounced(
  github: Pick<GitHub, "openIssuesLabelled">,
  surroundings: AnnouncementSurroundings,
): Promise<AskedAnnouncements> {
  try {
    const issues = await github.openIssuesLabelled(MAINTENANCE_LABEL);
    const read = issues.filter(({ isTrusted }) => isTrusted)
      .map((issue) => ({ ...announced(issue, surroundings), number: issue.number }));
    return {
      windows: read.flatMap(({ window }) => window ?? []),
      unclear: read.flatMap(({ window, isElsewhere, number }) =>
        window === undefined && !isElsewhere ? [number] : []
      ),
      notes: read.flatMap(({ problems }) => problems),
    };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return { notes: [`${error.message}. Maintenance that was known before counts all the same`] };
  }
}
