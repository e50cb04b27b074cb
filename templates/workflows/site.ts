import { TRUSTED } from "../../lib/github/issues.ts";
import { STATUS_LABEL } from "../../lib/incidents/issue_labels.ts";
import { MAINTENANCE_LABEL } from "../../lib/incidents/maintenance/announcement.ts";
import { MANUAL_LABEL } from "../../lib/incidents/manual_incidents.ts";
import { NOT_SKIPPED } from "./not_skipped.ts";
import { checkout, page } from "./steps.ts";
import type { WorkflowParts, WorkflowTemplate } from "./values.ts";

/** Labels of the issues that the page shows. */
const SHOWN = [STATUS_LABEL, MANUAL_LABEL, MAINTENANCE_LABEL];

/** Where an issue or a comment started it: whether the page shows that. */
const CONCERNS_PAGE = [
  "(!github.event.issue",
  ...SHOWN.map((label) => `|| contains(github.event.issue.labels.*.name, '${label}')`),
  `|| contains(${list(SHOWN)}, github.event.label.name))`,
  `&& (!github.event.comment || contains(${
    list(TRUSTED)
  }, github.event.comment.author_association))`,
];

/** A list in an expression. */
function list(words: readonly string[]): string {
  return `fromJSON('${JSON.stringify(words)}')`;
}

/** Builds the status page, and publishes it. */
export const site: WorkflowTemplate = (values) =>
  values.config.skipGeneratingWebsite ? NO_PAGE : withPage(values);

const NO_PAGE: WorkflowParts = {
  permissions: { "contents: read": "nothing is written" },
  checkout: [],
  steps: [[
    "- name: Build no page",
    "  shell: bash",
    '  run: echo "There is no status page, as skipGeneratingWebsite says in the configuration."',
  ]],
};

const withPage: WorkflowTemplate = (values) => ({
  triggers: [
    "# Comments on incidents and maintenance are on the page within minutes.",
    "issues:",
    "  types: [opened, edited, deleted, closed, reopened, labeled, unlabeled]",
    "issue_comment:",
    "  types: [created, edited, deleted]",
  ],
  condition: {
    why: "Not for commits with [skip ci], nor for issues that the page does not show.",
    expression: [NOT_SKIPPED, `&& ${CONCERNS_PAGE[0]}`, ...CONCERNS_PAGE.slice(1)],
  },
  permissions: {
    "contents: write": "the branch of the page, and timelines of incidents",
    "issues: read": "comments on incidents",
  },
  checkout: checkout(),
  steps: page(values),
});
