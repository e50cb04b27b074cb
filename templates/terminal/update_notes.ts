import type { Outcome } from "../../lib/pipeline/outcomes.ts";
import {
  conditionText,
  count,
  countSites,
  countStates,
  formatMilliseconds,
  formatMinute,
  formatMinuteFrom,
  NOTHING,
  STATE_SIGNS,
} from "../words.ts";
import { escapeMarkdown, markdownTable } from "../markdown/markdown.ts";
import type { Carriers } from "../../lib/outbox/effect.ts";
import { obstacle } from "../../lib/pipeline/effect_handlers.ts";
import { listed } from "../../lib/text/listed.ts";
import type { Entry } from "../../lib/outbox/outbox.ts";
import type { Decision } from "../../lib/pipeline/decide.ts";
import type { Config } from "../../lib/config/config.ts";
import type { CheckResult } from "../../lib/evaluation/judge.ts";
import { incidentPath } from "../../lib/history/incident.ts";
import type { Maintenance } from "../../lib/history/maintenance.ts";
import type { MaintenanceChange } from "../../lib/incidents/maintenance/plan_maintenance.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { describeDuration } from "../../lib/time.ts";

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

/** Messages that a line names at most. */
const MOST_NAMED = 10;

/** Lines about messages that a run can't send, one for each thing that it lacks. */
export function waitingMessages(outbox: readonly Entry[], carriers: Carriers): string[] {
  const waiting = outbox.filter(({ carrier, done }) => carrier === "message" && done === undefined)
    .map((entry) => ({ what: entry.what, need: obstacle(entry, carriers) }));
  const byNeed = Map.groupBy(waiting, ({ need }) => need);
  return [...byNeed].flatMap(([need, own]) => {
    if (need === undefined) return [];
    const whats = listed([...new Set(own.map(({ what }) => what))], MOST_NAMED);
    const wait = own.length === 1 ? "waits" : "wait";
    return [`${count(own.length, "message")} ${wait} for a run that has ${need}: ${whats}`];
  });
}

/** Sites that are named for one reason; others are counted. */
const MOST_NAMES = 10;

/**
 * Warns of every site that is shown as unknown after a run, with the reason. Sites with the same reason share a
 * line, because a job shows only ten warnings. A run without any result is an error.
 */
export function unknownNotes(
  { outcomes, memory }: Pick<Decision, "outcomes" | "memory">,
  isBlind: boolean,
): { errors: string[]; warnings: string[] } {
  const runsOf = ({ result: { site: { slug } } }: Outcome) =>
    memory.sites[slug]?.unknown?.runs ?? 0;
  const unknown = outcomes.filter((outcome) => {
    const runs = runsOf(outcome);
    return runs > 1 || (runs === 1 && outcome.since === undefined);
  });
  const byReason = Map.groupBy(unknown, ({ result }) => result.error ?? "no reason is known");
  const warnings = [...byReason].map(([reason, own]) => {
    const names = listed(own.map(({ result }) => result.site.name), MOST_NAMES);
    const verb = own.length === 1 ? "is" : "are";
    const runs = Math.max(...own.map(runsOf));
    return `${names} ${verb} unknown, without a result in ${count(runs, "run")}: ${reason}`;
  });
  const errors = isBlind
    ? [`Nothing is monitored: this run has no result for ${countSites(outcomes.length)}`]
    : [];
  return { errors, warnings };
}

/** Warns of a run that was out of time before it had checked every site; empty if it was not. */
export function outOfTimeNote(
  results: readonly Pick<CheckResult, "missing">[],
  { runDeadline }: Pick<Config, "runDeadline">,
): string[] {
  const count = (missing: CheckResult["missing"]) =>
    results.filter((result) => result.missing === missing).length;
  const [notAsked, unfinished] = [count("notAsked"), count("unfinished")];
  if (notAsked + unfinished === 0) return [];
  const parts = [
    ...notAsked === 0 ? [] : [`${notAsked} not asked, which come first in the next run`],
    ...unfinished === 0 ? [] : [`${unfinished} without an answer in time`],
  ];
  const seconds = runDeadline / 1000;
  return [
    `Only ${results.length - notAsked - unfinished} of ${
      countSites(results.length)
    } were checked within ` +
    `the ${seconds} s of runDeadline (${parts.join("; ")}): raise runDeadline or concurrency`,
  ];
}

export function maintenanceLine({ id, action, maintenance }: MaintenanceChange): string {
  return `${maintenanceNews(action, maintenance)}${paint.dim(` → ${incidentPath(id)}`)}`;
}

/** Characters of a name in one line: whole sentences may be announced. */
const LONGEST_NAME = 80;

export function maintenanceNews(
  action: MaintenanceChange["action"],
  maintenance: Maintenance,
): string {
  const { start, until, end } = maintenance;
  const name = shorten(plainText(maintenance.name), LONGEST_NAME);
  const sites = namesOf(maintenance);
  const time = `from ${formatMinute(start)} to ${formatMinuteFrom(until, start)}`;
  if (action === "announce") return `Maintenance is announced: ${name}, ${time}${sites}`;
  if (action === "begin") {
    return `Maintenance begins: ${name}, until ${formatMinuteFrom(until, start)}${sites}`;
  }
  if (action === "change") return `Maintenance is changed: ${name}, ${time}${sites}`;
  const lasted = end!.since(start).total("milliseconds");
  return lasted === 0
    ? `Maintenance is called off: ${name}`
    : `Maintenance is over: ${name}, after ${describeDuration(lasted)}`;
}

export function damagedNote(path: string): string {
  return `${path} can't be read, and the maintenance in it does not count; mend it, or remove it`;
}

/** More slugs than these no line lists. */
const MOST = 3;

function namesOf({ sites }: Maintenance): string {
  if (sites.size === 0) return "";
  const slugs = [...sites.keys()];
  return ` (${slugs.length > MOST ? count(slugs.length, "site") : slugs.join(", ")})`;
}
