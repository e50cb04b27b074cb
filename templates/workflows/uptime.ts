import { INCIDENTS_FOLDER } from "../../lib/history/incident.ts";
import { STATE_FOLDER } from "../../lib/pipeline/memory.ts";
import { handedSecrets } from "../../lib/setup/workflows/handed_secrets.ts";
import { checkout, run } from "./steps.ts";
import type { WorkflowTemplate } from "./values.ts";

/** What a run reads beside the files at the top and the records of sites, which come along. */
const FOLDERS = [INCIDENTS_FOLDER, STATE_FOLDER];

/** Checks every site. */
export const uptime: WorkflowTemplate = ({ config, action, folders }) => ({
  permissions: {
    "contents: write": "the history, and events that start other workflows",
    "issues: write": "incidents",
  },
  checkout: checkout(folders === "all" ? [] : [...FOLDERS, ...folders]),
  steps: [
    run("update", { name: "Check every site", action, secrets: handedSecrets(config) }),
  ],
});
