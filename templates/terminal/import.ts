import { type LeftVersion, type Outcome, OUTCOMES } from "../../lib/import/collect_histories.ts";
import { recordPath } from "../../lib/config/record_path.ts";
import type { ImportPlan } from "../../lib/import/plan_import.ts";
import type { ImportedWorkflows } from "../../lib/setup/workflow_files.ts";
import { formatProblem, type Problem } from "../../lib/io/problem.ts";
import { formatDate, formatMoment } from "../../lib/time.ts";
import { joinFirst } from "../../lib/text/words.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { count, countSites } from "../words.ts";
import { indentRows } from "./lines.ts";

interface ImportReport {
  plan: ImportPlan;
  workflows: ImportedWorkflows;
  /** Every file that is written or removed, `null` for the latter. */
  files: ReadonlyMap<string, unknown>;
  notes: readonly string[];
}

export function importText({ plan, workflows, files, notes }: ImportReport): string {
  const { collected, converted, versions, deletions, days, incidents, issues, maintenance } = plan;
  const { outcomes, sites } = collected;
  const checks = outcomes.check + outcomes.message;
  const archived = sites.filter(({ site }) => site.isArchived).length;
  const number = issues.joined.length + issues.alone.length + issues.further.length;
  const past = maintenance.windows.length;
  return [
    `${count(versions, "version")} of ${countSites(sites.length)} in the log: ${
      count(checks, "check")
    }, ${count(days, "day")}, ${count(incidents, "incident")} with ${count(number, "issue")}${
      past === 0 ? "" : `, ${count(past, "maintenance window")}`
    }.`,
    "",
    ...indentRows(sites.map(({ site, checks }) => [
      plainText(site.name),
      site.slug,
      checks.length === 0 ? "no checks" : count(checks.length, "check"),
      checks.length === 0
        ? ""
        : `${formatDate(checks[0]!.time)} to ${formatDate(checks.at(-1)!.time)}`,
      site.isArchived ? "archived" : "",
    ])),
    ...archived === 0 ? [] : [
      "The configuration no longer lists archived sites: status --archived shows them once this is committed.",
    ],
    ...section("Not imported", leftLines(collected.left)),
    ...deletions === 0
      ? []
      : [`${count(deletions, "deletion")} of files: the history before them is imported too.`],
    ...plan.unseen === 0 ? [] : [
      `Only Upptime's summaries show the downtime of ${
        count(plan.unseen, "day")
      }: it counts, without an incident.`,
    ],
    ...section("Issues", issueLines(issues)),
    ...section("Configuration", [
      ...converted.changes,
      ...problemLines(converted.problems),
    ]),
    ...section("Workflows", [
      ...[...workflows.files].map(([path, text]) =>
        `${text === null ? "removes" : "writes"} ${path}`
      ),
      ...workflows.edited.map((path) =>
        `${path} had your own steps, which git's history keeps: add them again between the keep comments`
      ),
      ...workflows.foreign.map((path) =>
        `${path} stays, but runs a part of Upptime: change or remove it`
      ),
      ...workflows.occupied.map((path) =>
        `${path} stays: it is yours, so the workflow of that name is not written`
      ),
    ]),
    ...section("Note", notes),
    "",
    `${count([...files.values()].filter((one) => one !== null).length, "file")} to write, ${
      [...files.values()].filter((one) => one === null).length
    } to remove.`,
  ].join("\n");
}

export function importData({ plan, workflows, files, notes }: ImportReport): unknown {
  const { collected, converted, versions, deletions, days, incidents, issues } = plan;
  const paths = (isRemoved: boolean) =>
    [...files].filter(([, one]) => (one === null) === isRemoved).map(([path]) => path);
  return {
    versions,
    outcomes: collected.outcomes,
    deletions,
    checks: collected.outcomes.check + collected.outcomes.message,
    days,
    unseenDowntime: plan.unseen,
    incidents,
    issues,
    maintenance: plan.maintenance.windows.length,
    sites: collected.sites.map(({ site, checks, incidents, start }) => ({
      name: site.name,
      slug: site.slug,
      archived: site.isArchived,
      listed: site.places.length,
      files: site.files,
      checks: checks.length,
      incidents: incidents.length,
      startTime: checks.length === 0 ? null : formatMoment(start),
      lastUpdated: checks.length === 0 ? null : formatMoment(checks.at(-1)!.time),
    })),
    notImported: collected.left,
    configuration: { changes: converted.changes, problems: converted.problems },
    workflows: {
      edited: workflows.edited,
      foreign: workflows.foreign,
      occupied: workflows.occupied,
    },
    notes,
    written: paths(false),
    removed: paths(true),
  };
}

const MOST_NUMBERS = 20;

const MOST_NAMED = 5;

function leftLines(left: readonly LeftVersion[]): string[] {
  const groups = Map.groupBy(left, ({ outcome }) => outcome);
  return (Object.keys(OUTCOMES) as Outcome[]).flatMap((outcome) => {
    const own = groups.get(outcome) ?? [];
    const named = own.map(({ file, commit }) => `${recordPath(file)} in ${commit.slice(0, 7)}`);
    return own.length === 0 ? [] : [
      `${count(own.length, "version")}, ${OUTCOMES[outcome]}: ${joinFirst(named, MOST_NAMED)}`,
    ];
  });
}

function issueLines({ further, left, open }: ImportPlan["issues"]): string[] {
  const lines: [numbers: readonly number[], fact: string][] = [
    [further, "are further issues of an incident: their addresses lead to it"],
    [left, "belong to no site: not imported"],
    [
      open,
      "are still open, but their sites were up again or no longer checked: close them by hand",
    ],
  ];
  return lines.flatMap(([numbers, fact]) =>
    numbers.length === 0
      ? []
      : [`${joinFirst(numbers.map((number) => `#${number}`), MOST_NUMBERS)} ${fact}`]
  );
}

const MOST_LINES = 10;

/** One line for problems that differ only in their place. */
function problemLines(problems: readonly Problem[]): string[] {
  const kinds = Map.groupBy(
    problems,
    ({ path, message }) => `${path.filter((key) => typeof key === "string")} ${message}`,
  );
  return [...kinds.values()].map(([first, ...others]) => {
    const line = formatProblem(first!, ".monitorrc.yml");
    if (others.length === 0) return line;
    const places = joinFirst(others.map((other) => other.line), MOST_LINES);
    return `${line} (also in ${others.length === 1 ? "line" : "lines"} ${places})`;
  });
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0
    ? []
    : ["", `${title}:`, ...lines.map((line) => `  ${line.trimEnd().replaceAll("\n", "\n  ")}`)];
}
