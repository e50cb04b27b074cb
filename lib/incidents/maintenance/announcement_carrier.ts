import type { Issue } from "../../github/github.ts";
import { addComment } from "../add_comment.ts";
import { type Carrier, CarrierError, type Receipt } from "../../outbox/effect.ts";
import type { Means } from "../../outbox/means.ts";
import { NO_PLATFORM_CARRIER } from "../../outbox/no_github.ts";
import { overGitHub } from "../../outbox/over_github.ts";
import { announced, isMaintenanceLabel } from "./announced.ts";
import { parseAnnouncementEffect } from "./announcement_effect.ts";

/** How far GitHub's clock may be behind ours. */
const SKEW = { hours: 24 };

/** Closes issues whose maintenance is over, unless somebody did, or made them about something else. */
export function announcementCarrier({ github, clock }: Means): Carrier {
  if (github === undefined) return NO_PLATFORM_CARRIER;
  return {
    carry({ id, data }) {
      const owed = parseAnnouncementEffect(data);
      if (owed === undefined) {
        throw new CarrierError("Cannot read what another version of the program planned", {
          prospect: "final",
        });
      }
      const { issue: number, comment: text, timezone } = owed;
      return overGitHub(async (): Promise<Receipt> => {
        const issue = await github.issue(number);
        if (issue === undefined) return { isGone: true };
        if (!isOver(issue, timezone, clock.now())) return { issue: number, isLeft: true };
        const since = Temporal.Instant.from(owed.until).subtract(SKEW);
        await addComment({ number, text, purpose: id, since }, { github, clock });
        await github.changeIssue(number, { isOpen: false });
        return { issue: number };
      });
    },
  };
}

/** Whether an issue still announces something that is over; it may have been given another end meanwhile. */
function isOver(issue: Issue, timezone: string, now: Temporal.Instant): boolean {
  if (!issue.isOpen || !issue.labels.some(isMaintenanceLabel)) return false;
  const { window } = announced(issue, { sites: [], timezone });
  return window === undefined || Temporal.Instant.compare(window.until, now) <= 0;
}
