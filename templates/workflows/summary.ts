import { checkout, run } from "./steps.ts";
import type { WorkflowTemplate } from "./values.ts";

/** Brings the README up to date. */
export const summary: WorkflowTemplate = ({ action }) => ({
  permissions: {
    "contents: write": "the README",
    "issues: read": "comments on incidents",
  },
  checkout: checkout(),
  steps: [run("readme", { name: "Write the summary", action })],
});
