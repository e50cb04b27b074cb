import { checkout, run } from "./steps.ts";
import type { WorkflowTemplate } from "./values.ts";

/** Writes statistics and badges. */
export const responseTime: WorkflowTemplate = ({ action }) => ({
  permissions: { "contents: write": "statistics and badges" },
  checkout: checkout(),
  steps: [
    run("response-time", { name: "Write statistics and badges", action }),
  ],
});
