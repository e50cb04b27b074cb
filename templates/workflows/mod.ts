import {
  ANNOUNCE,
  isHosted,
  locationWorkflowPath,
  WORKFLOW_KEYS,
  type WorkflowKey,
  workflowPath,
  WORKFLOWS,
} from "../../lib/config/workflows.ts";
import { listSelfHostedLocations, planLegs } from "../../lib/config/legs.ts";
import { findHome } from "../../lib/config/locations.ts";
import { TRUSTED } from "../../lib/github/issues.ts";
import { STATUS_LABEL } from "../../lib/incidents/issue_labels.ts";
import { MAINTENANCE_LABEL } from "../../lib/incidents/maintenance/announcement.ts";
import { MANUAL_LABEL } from "../../lib/incidents/manual_incidents.ts";
import { joinWorkflow } from "../../lib/setup/workflow_files.ts";
import { listBeatVariables, passedSecrets } from "../../lib/setup/workflow_settings.ts";
import { renderAnnounceWorkflow, renderForms } from "./announce.ts";
import { checkedOutFolders, checkJob, renderLocationWorkflow, RESULTS } from "./locations.ts";
import { checkout, download, page, RESULTS_FOLDER, run, start } from "./steps.ts";
import {
  findHead,
  quoteYaml,
  renderWorkflow,
  type WorkflowParts,
  type WorkflowValues,
} from "./workflow.ts";

/** Condition for steps that run even if those before them failed. */
const IN_ANY_CASE = "!cancelled()";

/** True unless the commit of a push says that it starts nothing. */
const NOT_SKIPPED = "!contains(github.event.head_commit.message || '', '[skip ci]')";

const READS_ISSUES = { "issues: read": "what people write on incidents" };

/** True if a check needs a permission that `update` does not have; GitHub's runners let no ping through. */
function needsPing({ sites, runner }: WorkflowValues["config"]): boolean {
  return !isHosted(runner.uptime) && sites.some(({ check }) => check === "icmp");
}

const TEMPLATES: Readonly<Record<WorkflowKey, (values: WorkflowValues) => WorkflowParts>> = {
  uptime: ({ config, action, folders, shards }) => {
    const legs = planLegs(config, shards);
    return {
      permissions: {
        "contents: write": "what is recorded, and the events that start other workflows",
        "issues: write": "incidents",
      },
      ...legs === undefined ? {} : { before: checkJob(legs, { config, action, folders }) },
      checkout: checkout(checkedOutFolders(folders)),
      steps: [
        ...legs === undefined ? [] : [download(RESULTS)],
        run(needsPing(config) ? "update-with-ping" : "update", {
          name: legs === undefined ? "Check every site" : "Decide about every site",
          action,
          inputs: legs === undefined ? {} : { results: RESULTS_FOLDER },
          secrets: passedSecrets(config),
          variables: listBeatVariables(config),
        }),
      ],
    };
  },
  responseTime: (values) => ({
    permissions: { "contents: write": "statistics and badges" },
    checkout: checkout(),
    steps: [
      run("response-time", { name: "Write statistics and badges", action: values.action }),
    ],
  }),
  graphs: (values) => ({
    permissions: { "contents: write": "graphs" },
    checkout: checkout(),
    steps: [run("graphs", { name: "Draw graphs", action: values.action })],
  }),
  site: (values) => values.config.skipGeneratingWebsite ? NO_PAGE : sitePage(values),
  summary: (values) => ({
    permissions: { "contents: write": "the README", ...READS_ISSUES },
    checkout: checkout(),
    steps: [run("readme", { name: "Write the summary", action: values.action })],
  }),
  setup: (values) => {
    const { action, config, configFile } = values;
    const { uptime, graphs } = WORKFLOWS;
    const condition = IN_ANY_CASE;
    return {
      triggers: ["push:", `  paths: [${quoteYaml(configFile)}]`],
      condition: {
        why: "Only on the default branch, and not if the commit says [skip ci].",
        expression: [
          NOT_SKIPPED,
          "&& (github.event_name != 'push' || github.ref_name == github.event.repository.default_branch)",
        ],
      },
      permissions: {
        "contents: write": "what the commands write; workflows take a HOST_PAT",
        ...READS_ISSUES,
      },
      checkout: checkout(),
      steps: [
        run("update-template", { name: "Bring the workflows up to date", action }),
        run("response-time", { name: "Write statistics and badges", condition, action }),
        run("readme", { name: "Write the summary", condition, action }),
        start(uptime.name, uptime.event, condition),
        start(graphs.name, graphs.event, condition),
        ...config.skipGeneratingWebsite ? [] : page(values, condition),
      ],
    };
  },
};

const NO_PAGE: WorkflowParts = {
  permissions: { "contents: read": "nothing is written" },
  checkout: [],
  steps: [[
    "- name: Build no page",
    "  shell: bash",
    '  run: echo "There is no status page, as skipGeneratingWebsite says in the configuration."',
  ]],
};

const LABELS = [STATUS_LABEL, MANUAL_LABEL, MAINTENANCE_LABEL];

function sitePage(values: WorkflowValues): WorkflowParts {
  const list = (words: readonly string[]) => `fromJSON('${JSON.stringify(words)}')`;
  return {
    triggers: [
      "# What people write on incidents and maintenance is on the page in minutes.",
      "issues:",
      "  types: [opened, edited, deleted, closed, reopened, labeled, unlabeled]",
      "issue_comment:",
      "  types: [created, edited, deleted]",
    ],
    condition: {
      why:
        "Not for a commit that says so, nor for what is written where the page does not show it.",
      expression: [
        NOT_SKIPPED,
        "&& (!github.event.issue",
        ...LABELS.map((label) => `|| contains(github.event.issue.labels.*.name, '${label}')`),
        `|| contains(${list(LABELS)}, github.event.label.name))`,
        `&& (!github.event.comment || contains(${
          list(TRUSTED)
        }, github.event.comment.author_association))`,
      ],
    },
    permissions: {
      "contents: write": "the page's branch, and the timelines of incidents",
      ...READS_ISSUES,
    },
    checkout: checkout(),
    steps: page(values),
  };
}

/**
 * Renders all workflows by their paths: those of the table, then one for each location on the user's machines, then
 * those with which people announce something, and the forms for that.
 */
export function renderWorkflowFiles(values: WorkflowValues): Map<string, string> {
  const { config, shards } = values;
  const home = planLegs(config, shards) === undefined ? findHome(config) : undefined;
  return new Map([
    ...WORKFLOW_KEYS.map((key): [path: string, text: string] => {
      const head = findHead(key, values);
      // Without other jobs the deciding run checks as the only hosted location.
      const runner = key === "uptime" ? home?.runner ?? head.runner : head.runner;
      const text = renderWorkflow({ ...head, runner }, values, TEMPLATES[key](values));
      return [workflowPath(key), joinWorkflow(text)];
    }),
    ...listSelfHostedLocations(config).map((location): [path: string, text: string] => [
      locationWorkflowPath(location),
      joinWorkflow(renderLocationWorkflow(location, values)),
    ]),
    ...config.announce
      ? [
        [ANNOUNCE.path, renderAnnounceWorkflow(values)] as const,
        ...renderForms(values),
      ].map(([path, text]): [path: string, text: string] => [path, joinWorkflow(text)])
      : [],
  ]);
}
