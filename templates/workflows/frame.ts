import { plainText } from "../../lib/text/plain_text.ts";
import { type WorkflowKey, WORKFLOWS } from "../../lib/config/workflows.ts";
import { keepLines, MADE_LINE } from "../../lib/setup/workflows/kept_lines.ts";
import { quoted } from "./quoted.ts";
import type { WorkflowParts, WorkflowValues } from "./values.ts";

/** Minutes after which GitHub ends a job that hangs. */
const TIMEOUT = 10;

/** The whole text of a workflow. */
export function frame(
  key: WorkflowKey,
  values: WorkflowValues,
  parts: WorkflowParts,
): string {
  const { name, file } = WORKFLOWS[key];
  const id = file.replace(/\.yml$/, "");
  const lines = [
    `# Made by Monitor Action from ${plainText(values.configFile)}; Setup CI brings it up to date.`,
    '# Your own runs-on stays, and so do lines between a "monitor: keep" and the "/monitor: keep" after',
    "# it. If anything else was changed, this file stays as it is, and Setup CI says so.",
    MADE_LINE,
    ...keepLines("top"),
    `name: ${name}`,
    "",
    "on:",
    ...indented(2, triggerLines(key, values, parts)),
    "",
    "permissions:",
    ...indented(2, [
      ...Object.entries(parts.permissions).map(([right, why]) => `${right} # ${why}`),
      ...keepLines("permissions"),
    ]),
    "",
    "jobs:",
    `  ${id}:`,
    ...indented(4, jobLines(id, values.config.runner[key], parts)),
  ];
  return lines.join("\n") + "\n";
}

function triggerLines(
  key: WorkflowKey,
  { config: { workflowSchedule } }: WorkflowValues,
  { triggers = [] }: WorkflowParts,
): string[] {
  const schedule = key === "setup" ? [] : [
    "schedule:",
    `  - cron: ${quoted(workflowSchedule[key])} # UTC`,
  ];
  return [
    ...schedule,
    "workflow_dispatch:",
    "repository_dispatch:",
    `  types: [${WORKFLOWS[key].event}]`,
    ...triggers,
    ...keepLines("on"),
  ];
}

function jobLines(
  id: string,
  runner: readonly string[],
  { condition, checkout, steps }: WorkflowParts,
): string[] {
  return [
    ...condition === undefined ? [] : conditionLines(condition),
    `runs-on: ${labels(runner)}`,
    `timeout-minutes: ${TIMEOUT}`,
    "# One at a time; of those that wait, GitHub keeps the newest.",
    "concurrency:",
    `  group: monitor-${id}`,
    "  cancel-in-progress: false",
    ...keepLines("job"),
    "steps:",
    ...indented(2, [
      ...checkout,
      ...keepLines("before"),
      ...steps.flat(),
      ...keepLines("after"),
    ]),
  ];
}

function conditionLines({ expression, why }: NonNullable<WorkflowParts["condition"]>): string[] {
  const lines = expression.map((line) => `  ${line}`);
  return [`# ${why}`, "if: >-", "  ${{", ...lines, "  }}"];
}

function labels(all: readonly string[]): string {
  const [first = "", ...others] = all.map(quoted);
  return others.length === 0 ? first : `[${[first, ...others].join(", ")}]`;
}

function indented(by: number, lines: readonly string[]): string[] {
  return lines.map((line) => line === "" ? "" : " ".repeat(by) + line);
}
