/** A workflow of a monitoring repository. */
export interface Workflow {
  /** Name on GitHub. */
  name: string;
  /** Name of the file in {@linkcode WORKFLOW_FOLDER}. */
  file: string;
  /** Repository event that starts it. */
  event: string;
  /** Main command of the action. */
  command: string;
  /** Default schedule; absent if only events start it. */
  schedule?: string;
}

/** GitHub's folder for workflows. */
export const WORKFLOW_FOLDER = ".github/workflows";

/** All workflows, by their key in the configuration. */
export const WORKFLOWS = {
  uptime: {
    name: "Uptime CI",
    file: "uptime.yml",
    event: "uptime",
    command: "update",
    schedule: "*/5 * * * *",
  },
  responseTime: {
    name: "Response Time CI",
    file: "response-time.yml",
    event: "response_time",
    command: "response-time",
    schedule: "0 23 * * *",
  },
  graphs: {
    name: "Graphs CI",
    file: "graphs.yml",
    event: "graphs",
    command: "graphs",
    schedule: "0 0 * * *",
  },
  site: {
    name: "Static Site CI",
    file: "site.yml",
    event: "static_site",
    command: "site",
    schedule: "0 1 * * *",
  },
  summary: {
    name: "Summary CI",
    file: "summary.yml",
    event: "summary",
    command: "readme",
    schedule: "0 0 * * *",
  },
  setup: {
    name: "Setup CI",
    file: "setup.yml",
    event: "setup",
    command: "update-template",
  },
} as const satisfies Readonly<Record<string, Workflow>>;

/** A key of {@linkcode WORKFLOWS}. */
export type WorkflowKey = keyof typeof WORKFLOWS;

/** A workflow that runs by a schedule. */
export type ScheduledKey = Exclude<WorkflowKey, "setup">;

/** Keys of all workflows. */
export const WORKFLOW_KEYS = Object.keys(WORKFLOWS) as WorkflowKey[];

/** Keys of the workflows that run by a schedule. */
export const SCHEDULED_KEYS = WORKFLOW_KEYS.filter((key): key is ScheduledKey =>
  "schedule" in WORKFLOWS[key]
);

/**
 * Path of a workflow in the repository.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(workflowPath("responseTime"), ".github/workflows/response-time.yml");
 * ```
 */
export function workflowPath(key: WorkflowKey): string {
  return `${WORKFLOW_FOLDER}/${WORKFLOWS[key].file}`;
}
