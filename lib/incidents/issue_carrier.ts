import { type Carrier, CarrierError, type PlannedEffect, type Receipt } from "../outbox/effect.ts";
import type { Means } from "../outbox/means.ts";
import { NO_PLATFORM_CARRIER } from "../outbox/no_github.ts";
import { overGitHub } from "../outbox/over_github.ts";
import { addComment } from "./add_comment.ts";
import { type IssueEffect, type IssueToOpen, parseIssueEffect } from "./issue_effect.ts";
import { type Desk, openIssue } from "./open_issue.ts";
import { issueOf, ownIssues } from "./own_issues.ts";

/** How far GitHub's clock may be from ours, in both directions. */
const SKEW = { hours: 24 };

/** Opens the issues of incidents, and brings them along. */
export function issueCarrier({ github, clock, issues }: Means): Carrier {
  if (github === undefined) return NO_PLATFORM_CARRIER;
  const desk = { github, clock };
  return {
    carry(effect, before) {
      const data = parseIssueEffect(effect.data);
      if (data === undefined) {
        throw new CarrierError("Cannot read what another version of the program planned", {
          prospect: "final",
        });
      }
      const onNumber = (number: number) => {
        if (effect.line !== undefined) issues?.set(effect.line, number);
      };
      return overGitHub(() => carry(effect, { data, before, desk, onNumber }));
    },
  };
}

async function carry(
  effect: PlannedEffect,
  { data, before, desk, onNumber }: {
    data: IssueEffect;
    before: readonly Receipt[];
    desk: Desk;
    onNumber(number: number): void;
  },
): Promise<Receipt> {
  const { github } = desk;
  const { name, title, titles } = data;
  const start = Temporal.Instant.from(data.start).subtract(SKEW);
  const open = async (issue: IssueToOpen) => (
    { issue: await openIssue({ name, start, title, issue, onNumber }, desk) }
  );
  if (data.action === "open") return await open(data.issue);
  const number = lastIssue(before) ?? data.number;
  const issue = number === undefined
    ? (await ownIssues(github, name, start)).at(0)
    : await issueOf(github, name, { number, titles });
  if (issue === undefined) {
    const isMissing = data.action === "reopen" || number === undefined;
    return isMissing && data.action !== "close" ? await open(data.issue) : { isGone: true };
  }
  const isClosing = data.action === "close";
  const change = {
    ...!isClosing && titles.includes(issue.title) && issue.title !== title ? { title } : {},
    ...data.action === "reopen" && !issue.isOpen ? { isOpen: true } : {},
  };
  if (Object.keys(change).length > 0) await github.changeIssue(issue.number, change);
  const since = effect.planned.subtract(SKEW);
  await addComment({ number: issue.number, text: data.comment, purpose: effect.id, since }, desk);
  if (isClosing && issue.isOpen) await github.changeIssue(issue.number, { isOpen: false });
  return { issue: issue.number };
}

/** The number of the issue that those before in the line have opened or found last. */
function lastIssue(before: readonly Receipt[]): number | undefined {
  const numbers = before.map(({ issue }) => issue).filter((issue) => typeof issue === "number");
  return numbers.at(-1);
}
