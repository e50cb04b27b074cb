/** One of the workflows that keep a monitor going. */
export interface Workflow {
  /** What people start and disable it by. */
  name: string;
  /** Its file in {@linkcode WORKFLOW_FOLDER}. */
  file: string;
  /** The event of the repository that starts it. */
  event: string;
  /** What it is there for, the command of the action that it runs. */
  command: string;
  /** When it runs where the configuration says nothing; absent where nothing but an event starts it. */
  schedule?: string;
}

/** Where GitHub looks for workflows. */
export const WORKFLOW_FOLDER = ".github/workflows";

/** Every workflow, by the word that keys of the configuration have for it. */
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

/** The workflows that run by a schedule. */
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
