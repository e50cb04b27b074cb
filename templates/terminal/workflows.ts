import type { Config } from "../../lib/config/config.ts";
import type { Published } from "../../lib/history/store/store.ts";
import { missedSecrets } from "../../lib/setup/workflow_settings.ts";
import {
  isWritten,
  type PlannedWorkflow,
  type WorkflowFate,
} from "../../lib/setup/workflow_files.ts";
import { escapeMarkdown, markdownTable, notesList } from "../markdown/markdown.ts";
import { count } from "../words.ts";
import { plannedFiles } from "./lines.ts";

interface WorkflowsReport {
  config: Config;
  /** The action as the workflows name it. */
  action: string;
  plan: readonly PlannedWorkflow[];
  /** Paths of workflows that are no longer needed. */
  needless: readonly string[];
  /** Absent on a dry run. */
  published?: Published;
  dryRun: boolean;
}

const FATES: Readonly<Record<WorkflowFate, string>> = {
  new: "new",
  updated: "brought up to date",
  replaced: "replaced, with what was changed by hand",
  same: "up to date already",
  edited: "changed by hand, and left alone",
  foreign: "made by somebody else, and left alone",
};

export function workflowsWarnings(
  { config, plan, needless, published }: WorkflowsReport,
): string[] {
  const left = plan.filter(({ fate }) => fate === "edited" || fate === "foreign");
  const missed = missedSecrets(config);
  return [
    ...published?.refused === undefined ? [] : [refusalText(published.refused)],
    ...left.map(leftAlone),
    ...missed.length === 0 ? [] : [
      `secrets: does not list ${
        missed.map((name) => `$${name}`).join(", ")
      }, which the configuration mentions: the workflows do not hand over what is not listed`,
    ],
    ...needless.map((path) =>
      `${path} is no longer needed, the workflows beside it do what it does: remove it`
    ),
    ...published?.notes ?? [],
  ];
}

function refusalText({ message }: Error): string {
  return [
    `The workflows stay as they were: ${message}.`,
    "No built-in token of a job may write workflow files. Make a token of your own with the scopes repo and workflow",
    "(a fine-grained one with Contents and Workflows: read and write), save it as the secret HOST_PAT, and run Setup CI",
    "again; or commit the files that follow yourself.",
  ].join(" ");
}

function leftAlone({ path, fate, difference }: PlannedWorkflow): string {
  if (fate === "foreign") {
    return `${path} was not made by this program, so it stays as it is: to have ours, remove it, or run update-template --force`;
  }
  return [
    `${path} was changed by hand where no lines are kept, so it stays as it is: move your lines between "# monitor: keep" and "# /monitor: keep" after update-template --force. That would change:`,
    ...difference,
  ].join("\n");
}

export function workflowsText(report: WorkflowsReport): string {
  const { plan, published, dryRun } = report;
  const files = new Map(plan.filter(isWritten).map(({ path, text }) => [path, text]));
  const isPrinted = dryRun || published?.refused !== undefined;
  return [...isPrinted && files.size > 0 ? [plannedFiles(files), ""] : [], lastLine(report)]
    .join("\n");
}

function lastLine({ plan, action, published, dryRun }: WorkflowsReport): string {
  const written = plan.filter(isWritten).length;
  const left = plan.filter(({ fate }) => fate === "edited" || fate === "foreign").length;
  const rest = left === 0 ? "" : `, ${left} left alone`;
  const title = `Workflows at ${action}`;
  if (written === 0) return `${title}: nothing new${rest}.`;
  const changes = `${title}: ${count(written, "file")} to write${rest}.`;
  if (dryRun || published?.refused !== undefined) return `${changes} Nothing was written.`;
  const commit = published?.commit === undefined ? "" : ` in ${published.commit.slice(0, 7)}`;
  return `${title}: ${count(written, "file")} written${rest}${commit}: ${published?.place}.`;
}

export function workflowsSummary(report: WorkflowsReport): string {
  const rows = report.plan.map(({ path, fate }) => [escapeMarkdown(path), FATES[fate]]);
  const table = markdownTable(["Workflow", ""], rows);
  const notes = workflowsWarnings(report).map((note) => note.split("\n")[0]!);
  return `### ${escapeMarkdown(lastLine(report))}\n\n${table}${notesList(notes)}`;
}

export function workflowsJson(
  { plan, action, needless, published }: WorkflowsReport,
): unknown {
  return {
    action,
    workflows: plan.map(({ path, fate, text, difference }) => ({ path, fate, text, difference })),
    needless,
    commit: published?.commit ?? null,
    place: published?.place ?? null,
    refused: published?.refused?.message ?? null,
  };
}
