import { WORKFLOWS } from "../../lib/config/workflows.ts";
import { NOT_SKIPPED } from "./not_skipped.ts";
import { quoted } from "./quoted.ts";
import { checkout, page, run, start } from "./steps.ts";
import type { WorkflowTemplate } from "./values.ts";

/** Of steps that don't need those before them: a README without markers keeps no page back. */
const IN_ANY_CASE = "!cancelled()";

/** Brings everything up to date with the configuration. */
export const setup: WorkflowTemplate = (values) => {
  const { action, config, configFile } = values;
  const { name, event } = WORKFLOWS.graphs;
  return {
    triggers: ["push:", `  paths: [${quoted(configFile)}]`],
    condition: {
      why: "Not for commits with [skip ci], nor for other branches than the default one.",
      expression: [
        NOT_SKIPPED,
        "&& (github.event_name != 'push' || github.ref_name == github.event.repository.default_branch)",
      ],
    },
    permissions: {
      "contents: write": "files of the commands; workflow files need HOST_PAT",
      "issues: read": "comments on incidents",
    },
    checkout: checkout(),
    steps: [
      run("update-template", { name: "Update the workflows", action }),
      run("response-time", {
        name: "Write statistics and badges",
        condition: IN_ANY_CASE,
        action,
      }),
      run("readme", { name: "Write the summary", condition: IN_ANY_CASE, action }),
      start(name, event, IN_ANY_CASE),
      ...config.skipGeneratingWebsite ? [] : page(values, IN_ANY_CASE),
    ],
  };
};
