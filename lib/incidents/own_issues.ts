import type { GitHub, Issue } from "../github/github.ts";
import { incidentMarker } from "./markers.ts";

/**
 * The issues that our own account opened for an incident, the one that counts first: open before closed,
 * then the lower number. What others have pasted our marker into is none.
 */
export async function ownIssues(
  github: GitHub,
  name: string,
  start: Temporal.Instant,
): Promise<Issue[]> {
  const marker = incidentMarker(name);
  const issues = await github.issuesSince(start);
  const marked = issues.filter(({ body }) => body.includes(marker));
  if (marked.length === 0) return [];
  const account = await github.account();
  return marked.filter(({ author }) => author === account)
    .sort((one, other) => Number(other.isOpen) - Number(one.isOpen) || one.number - other.number);
}

/** The issue that a number stands for; `undefined` where it was deleted, moved, or is about something else. */
export async function issueOf(
  github: GitHub,
  name: string,
  { number, titles }: { number: number; titles: readonly string[] },
): Promise<Issue | undefined> {
  const issue = await github.issue(number);
  if (issue === undefined) return undefined;
  if (issue.body.includes(incidentMarker(name))) return issue;
  const isOurs = titles.includes(issue.title) && issue.author === await github.account();
  return isOurs ? issue : undefined;
}
