export interface Workflow {
  name: string;
  file: string;
  event: string;
  command: string;
  /** Default schedule; absent if only events start it. */
  schedule?: string;
}

export const WORKFLOW_FOLDER = ".github/workflows";

/** The workflow that moves a repository here from Upptime, and removes itself. */
export const IMPORT_WORKFLOW = `${WORKFLOW_FOLDER}/import.yml`;

export const FORM_FOLDER = ".github/ISSUE_TEMPLATE";

/** The workflow in which people announce incidents, and the forms for issues beside it. */
export const ANNOUNCE = {
  name: "Announce",
  event: "announce",
  path: `${WORKFLOW_FOLDER}/announce.yml`,
  incidentForm: `${FORM_FOLDER}/report-incident.yml`,
  maintenanceForm: `${FORM_FOLDER}/plan-maintenance.yml`,
} as const;

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

export type WorkflowKey = keyof typeof WORKFLOWS;

export type ScheduledKey = Exclude<WorkflowKey, "setup">;

export const WORKFLOW_KEYS = Object.keys(WORKFLOWS) as WorkflowKey[];

export const SCHEDULED_KEYS = WORKFLOW_KEYS.filter((key): key is ScheduledKey =>
  "schedule" in WORKFLOWS[key]
);

/** True if the labels of a runner mean a machine of GitHub. */
export function isHosted(labels: readonly string[]): boolean {
  return !labels.some((label) => /self-hosted/i.test(label));
}

/** The workflow of a location on a machine of the user. */
export function locationWorkflowPath({ id }: { id: string }): string {
  return `${WORKFLOW_FOLDER}/uptime-${id}.yml`;
}

/** True if a file in {@linkcode WORKFLOW_FOLDER} has the name of a location's workflow. */
export function isLocationWorkflow(name: string): boolean {
  return /^uptime-[a-z\d-]+\.yml$/.test(name);
}

export function workflowPath(key: WorkflowKey): string {
  return `${WORKFLOW_FOLDER}/${WORKFLOWS[key].file}`;
}
