import type { Outcome } from "../../lib/pipeline/outcomes.ts";
import { conditionText } from "../condition.ts";
import { escapeMarkdown, markdownTable } from "../markdown.ts";
import { formatMilliseconds, NOTHING } from "../measures.ts";
import { countSites, countStates, STATE_SIGNS } from "../words.ts";

/**
 * The table of a run that a job shows on its page. `notes` stand below it, one a line; what a note has
 * after an empty line is shown as it stands.
 */
export function jobSummary(outcomes: readonly Outcome[], notes: readonly string[]): string {
  const states = outcomes.map(({ result }) => result.state);
  const title = outcomes.length === 0
    ? "### Nothing was checked\n"
    : `### Checked ${countSites(states.length)}: ${countStates(states)}\n`;
  const rows = outcomes.map((outcome) => [
    escapeMarkdown(outcome.result.site.name),
    `${STATE_SIGNS[outcome.result.state]} ${escapeMarkdown(conditionText(outcome))}`,
    outcome.result.code === 0 ? NOTHING : String(outcome.result.code),
    formatMilliseconds(outcome.result.responseTime),
  ]);
  const header = ["Site", "Condition", "Code", "Response time"];
  const table = rows.length === 0 ? "" : `\n${markdownTable(header, rows, [2, 3])}`;
  return title + table + notesList(notes);
}

/** Notes below something else, one a line; nothing where there are none. */
export function notesList(notes: readonly string[]): string {
  return notes.length === 0 ? "" : `\n${notes.map(listItem).join("")}`;
}

function listItem(note: string): string {
  const [first = "", ...rest] = note.split("\n\n");
  const code = rest.join("\n\n").trimEnd().split("\n").map((line) => `      ${line}\n`).join("");
  return `- ${escapeMarkdown(first)}\n${rest.length === 0 ? "" : `\n${code}`}`;
}
