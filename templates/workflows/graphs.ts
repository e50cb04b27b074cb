import { checkout, run } from "./steps.ts";
import type { WorkflowTemplate } from "./values.ts";

/** Draws graphs. */
export const graphs: WorkflowTemplate = ({ action }) => ({
  permissions: { "contents: write": "graphs" },
  checkout: checkout(),
  steps: [run("graphs", { name: "Draw graphs", action })],
});
