import { putTogether } from "../../lib/setup/workflows/kept_lines.ts";
import { WORKFLOW_KEYS, type WorkflowKey, workflowPath } from "../../lib/config/workflows.ts";
import { frame } from "./frame.ts";
import { graphs } from "./graphs.ts";
import { responseTime } from "./response_time.ts";
import { setup } from "./setup.ts";
import { site } from "./site.ts";
import { summary } from "./summary.ts";
import { uptime } from "./uptime.ts";
import type { WorkflowTemplate, WorkflowValues } from "./values.ts";

/** The template of each workflow. */
const TEMPLATES: Readonly<Record<WorkflowKey, WorkflowTemplate>> = {
  uptime,
  responseTime,
  graphs,
  site,
  summary,
  setup,
};

/** The text of every workflow by its path, as a repository gets it that has none. */
export function workflowFiles(values: WorkflowValues): Map<string, string> {
  return new Map(
    WORKFLOW_KEYS.map((key) => {
      const text = frame(key, values, TEMPLATES[key](values));
      return [workflowPath(key), putTogether(text, new Map())];
    }),
  );
}
