import type { Config } from "../../lib/config/config.ts";
import { EXPORT_FOLDER, PAGES_BRANCH } from "../../lib/config/page_path.ts";
import { commitAuthor } from "../commit_message.ts";
import { quoteYaml, type WorkflowValues } from "./workflow.ts";

export const CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1";
const UPLOAD = "actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0";
const DOWNLOAD = "actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1";
const DEPLOY = "peaceiris/actions-gh-pages@84c30a85c19949d7eee79c4ff27748b70285e453 # v4.1.0";

const TOKEN = "${{ secrets.HOST_PAT || github.token }}";

export const SETUP_TOKEN = "${{ secrets.HOST_PAT || secrets.GH_PAT || github.token }}";

export const JOB_TOKEN = "${{ github.token }}";

/** Folder of the checkout for the results of other jobs; hidden ones would not be uploaded. */
export const RESULTS_FOLDER = "monitor-results";

/** Checks out the newest commit of the branch; with `folders` only those, and the files above them. */
export function checkout(folders: readonly string[] = [], token = TOKEN): string[] {
  const sparse = folders.length === 0 ? [] : [
    "# Only files that the checks read, with those of the folders above; git fetches large ones",
    "# on demand.",
    "sparse-checkout: |",
    ...folders.map((folder) => `  ${folder}`),
    "filter: blob:limit=100k",
  ];
  return [
    "- name: Check out",
    `  uses: ${CHECKOUT}`,
    "  with:",
    "    # The newest commit, even if the job has waited.",
    "    ref: ${{ github.ref_name }}",
    `    token: ${token}`,
    "    fetch-depth: 1",
    ...sparse.map((line) => `    ${line}`),
  ];
}

export function run(
  command: string,
  { name, id, condition, action, inputs = {}, token = TOKEN, secrets = [], variables = [] }: {
    name: string;
    id?: string;
    condition?: string;
    action: string;
    inputs?: Readonly<Record<string, string>>;
    /** Absent if the command gets none. */
    token?: string | null;
    secrets?: readonly string[] | "all";
    variables?: readonly (readonly [name: string, expression: string])[];
  },
): string[] {
  const environment = [
    ...token === null ? [] : [`HOST_PAT: ${token}`],
    ...secretsContext(secrets),
    ...variables.map(([name, expression]) => `${name}: \${{ ${expression} }}`),
  ];
  return [
    `- name: ${name}`,
    ...id === undefined ? [] : [`  id: ${id}`],
    ...onlyIf(condition),
    `  uses: ${action}`,
    "  with:",
    `    command: ${command}`,
    ...Object.entries(inputs).map(([key, value]) => `    ${key}: ${value}`),
    ...environment.length === 0 ? [] : ["  env:", ...environment.map((line) => `    ${line}`)],
  ];
}

function onlyIf(...conditions: (string | undefined)[]): string[] {
  const all = conditions.filter((one) => one !== undefined);
  return all.length === 0 ? [] : [`  if: \${{ ${all.join(" && ")} }}`];
}

/** The JSON of secrets; GitHub inserts each as JSON, so that no secret ends its text. */
function secretsContext(secrets: readonly string[] | "all"): string[] {
  if (secrets === "all") return ["SECRETS_CONTEXT: ${{ toJSON(secrets) }}"];
  if (secrets.length === 0) return [];
  return [
    "SECRETS_CONTEXT: |-",
    "  {",
    ...secrets.map((name, index) =>
      `    "${name}": \${{ toJSON(secrets.${name}) }}${index + 1 < secrets.length ? "," : ""}`
    ),
    "  }",
  ];
}

/** Uploads a file for later jobs. A failure does not fail the job: the deciding run names what is missing. */
export function upload(name: string, file: string): string[] {
  return [
    "- name: Upload the results for the deciding job",
    "  continue-on-error: true",
    `  uses: ${UPLOAD}`,
    "  with:",
    `    name: ${name}`,
    `    path: ${file}`,
    "    retention-days: 1",
  ];
}

/** Downloads the files of other jobs of the run, from all of its attempts. */
export function download(pattern: string): string[] {
  return [
    "- name: Download the results of the other jobs",
    "  continue-on-error: true",
    `  uses: ${DOWNLOAD}`,
    "  with:",
    `    pattern: ${pattern}`,
    `    path: ${RESULTS_FOLDER}`,
    "    merge-multiple: true",
  ];
}

export function page(
  { config, action }: Pick<WorkflowValues, "config" | "action">,
  condition?: string,
): string[][] {
  const build = run("site", { name: "Build the page", id: "page", condition, action });
  return [build, deploy(config, condition)];
}

function deploy(config: Config, condition: string | undefined): string[] {
  const { singleCommit = false } = config["status-website"] ?? {};
  const { name, email } = commitAuthor(config);
  return [
    "- name: Publish the page",
    "  # The page of a private repository is published if status-website.publish is true.",
    ...onlyIf(condition, "steps.page.outputs.publish == 'true'"),
    `  uses: ${DEPLOY}`,
    "  with:",
    `    github_token: ${TOKEN}`,
    `    publish_dir: ${EXPORT_FOLDER}`,
    `    publish_branch: ${PAGES_BRANCH}`,
    `    force_orphan: ${singleCommit}`,
    `    user_name: ${quoteYaml(name)}`,
    `    user_email: ${quoteYaml(email)}`,
  ];
}

/** Starts a workflow by its event; a failure does not fail the job. */
export function start(name: string, event: string, condition?: string): string[] {
  return [
    `- name: Start ${name}`,
    ...onlyIf(condition),
    "  continue-on-error: true",
    "  shell: bash",
    "  env:",
    `    TOKEN: ${TOKEN}`,
    "  run: |",
    "    curl --fail-with-body --silent --show-error --max-time 30 --retry 3 \\",
    '      --header @- --header "Accept: application/vnd.github+json" \\',
    `      --data '{"event_type":"${event}"}' \\`,
    '      "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/dispatches" <<< "Authorization: Bearer $TOKEN"',
  ];
}
