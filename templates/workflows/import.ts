import { WORKFLOWS } from "../../lib/config/workflows.ts";
import { CHECKOUT, SETUP_TOKEN, start } from "./steps.ts";

/**
 * Renders the workflow that moves a repository here from Upptime. It takes the token that Upptime's users have saved,
 * the past of the branch without the graphs in it, and all secrets, which show the channels that are set up.
 */
export function renderImportWorkflow(action: string): string {
  const { name, event } = WORKFLOWS.setup;
  return [
    "# Run it once, in Actions > Import CI > Run workflow: it moves this repository from Upptime to Monitor Action,",
    "# with its whole past, and removes itself.",
    "name: Import CI",
    "",
    "on:",
    "  workflow_dispatch:",
    "",
    "permissions:",
    "  contents: write # the past, the configuration, and the event that starts Setup CI",
    "  issues: read # incidents",
    "",
    "jobs:",
    "  import:",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 60",
    "    steps:",
    ...[
      "- name: Check out",
      `  uses: ${CHECKOUT}`,
      "  with:",
      "    ref: ${{ github.ref_name }}",
      `    token: ${SETUP_TOKEN}`,
      "    # All commits, and no old graphs.",
      "    fetch-depth: 0",
      "    filter: blob:none",
      "- name: Import",
      "  id: import",
      `  uses: ${action}`,
      "  with:",
      "    command: import",
      "  env:",
      `    HOST_PAT: ${SETUP_TOKEN}`,
      "    SECRETS_CONTEXT: ${{ toJSON(secrets) }}",
      ...start(name, event, "steps.import.outputs.imported == 'true'"),
    ].map((line) => `      ${line}`),
    "",
  ].join("\n");
}
