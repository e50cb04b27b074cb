import { parseIssueEffect } from "../../lib/incidents/issue_effect.ts";
import { parseAnnouncementEffect } from "../../lib/incidents/maintenance/announcement_effect.ts";
import type { Effect } from "../../lib/outbox/effect.ts";

/** What effects would send, as data, by their ids. */
export type Previews = ReadonlyMap<string, unknown>;

/** What an effect does, with the words that it brings to others, for who only wants to see it. */
export function effectText(effect: Effect, previews: Previews): string {
  const what = `  ${effect.what}`;
  const text = textOf(effect, previews);
  if (text === undefined) return what;
  const lines = text.trimEnd().split("\n").map((line) => line === "" ? "" : `      ${line}`);
  return `${what}\n\n${lines.join("\n")}\n`;
}

function textOf({ id, carrier, data }: Effect, previews: Previews): string | undefined {
  if (previews.has(id)) return JSON.stringify(previews.get(id), null, 2);
  if (carrier === "announcement") return parseAnnouncementEffect(data)?.comment;
  const issue = carrier === "issue" ? parseIssueEffect(data) : undefined;
  if (issue === undefined) return undefined;
  return issue.action === "open" ? `${issue.title}\n\n${issue.issue.body}` : issue.comment;
}
