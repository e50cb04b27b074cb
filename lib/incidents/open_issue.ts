import type { Clock } from "../io/clock.ts";
import type { GitHub } from "../github/github.ts";
import { addComment } from "./add_comment.ts";
import type { IssueToOpen } from "./issue_effect.ts";
import { makeOnce } from "./make_once.ts";
import { incidentMarker, withMarker } from "./markers.ts";
import { ownIssues } from "./own_issues.ts";

/** What issues are written with. */
export interface Desk {
  github: GitHub;
  clock: Clock;
}

/** An incident that is to have an issue. */
export interface NewIncident {
  /** What it is called in the marker. */
  name: string;
  start: Temporal.Instant;
  title: string;
  issue: IssueToOpen;
  /** Called with the number of the issue as soon as it is known. */
  onNumber(number: number): void;
}

/** Opens the issue of an incident unless it is there, closes what is one too many, and returns its number. */
export async function openIssue(
  { name, start, title, issue: { body, labels, assignees, lock }, onNumber }: NewIncident,
  { github, clock }: Desk,
): Promise<number> {
  const find = async () => (await ownIssues(github, name, start)).at(0);
  const create = async () => {
    const text = withMarker(body, incidentMarker(name));
    const issue = { title, body: text, labels: labels.map((label) => label.name), assignees };
    return await makeOnce(find, () => github.createIssue(issue), clock);
  };
  // Asked for meanwhile: whoever looks for the issue once it is there has to know it.
  github.account().catch(() => {});
  const made = await find() ?? await create();
  // Another run may have been at it at the same moment.
  const [kept = made, ...others] = await ownIssues(github, name, start);
  onNumber(kept.number);
  if (lock) await github.lockIssue(kept.number);
  for (const { number, isOpen } of others) {
    if (!isOpen) continue;
    const text = `Duplicate of #${kept.number}`;
    const purpose = `${name}/duplicate-of-${kept.number}`;
    await addComment({ number, text, purpose, since: start }, { github, clock });
    await github.changeIssue(number, { isOpen: false, isDuplicate: true });
  }
  return kept.number;
}
