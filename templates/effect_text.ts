import { parseIssueEffect } from "../lib/incidents/issue_effect.ts";
import type { Effect } from "../lib/outbox/effect.ts";

/** What an effect does, with the words that it brings to others, for who only wants to see it. */
export function effectText(effect: Effect): string {
  const issue = effect.carrier === "issue" ? parseIssueEffect(effect.data) : undefined;
  const what = `  ${effect.what}`;
  if (issue === undefined) return what;
  const text = issue.action === "open" ? `${issue.title}\n\n${issue.issue.body}` : issue.comment;
  const lines = text.trimEnd().split("\n").map((line) => line === "" ? "" : `      ${line}`);
  return `${what}\n\n${lines.join("\n")}\n`;
}
