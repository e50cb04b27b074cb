import { type Legs, listCheckedSites } from "../../lib/config/legs.ts";
import type { Location } from "../../lib/config/locations.ts";
import { WORKFLOWS } from "../../lib/config/workflows.ts";
import { INCIDENTS_FOLDER } from "../../lib/history/incident.ts";
import { STATE_FOLDER } from "../../lib/config/record_path.ts";
import { keepLines } from "../../lib/setup/workflow_files.ts";
import { listCheckSecrets } from "../../lib/setup/workflow_settings.ts";
import { checkout, JOB_TOKEN, RESULTS_FOLDER, run, upload } from "./steps.ts";
import {
  findHead,
  indent,
  quoteLabels,
  quoteYaml,
  renderWorkflow,
  TIMEOUT,
  type WorkflowParts,
  type WorkflowValues,
} from "./workflow.ts";

/** Pattern of the artifacts with results. */
export const RESULTS = "results-*";

/** Name in place of a location's id, if the jobs only divide the sites. */
const NO_LOCATION = "all";

/** A job that only checks gets its own token, with which it finds out if the repository is public. */
const OWN_TOKEN = { token: null, variables: [["GITHUB_TOKEN", "github.token"]] } as const;

/** Folders of the checkout of a job that checks; files at the top and records of sites come with any sparse checkout. */
export function checkedOutFolders(folders: WorkflowValues["folders"]): readonly string[] {
  return folders === "all" ? [] : [INCIDENTS_FOLDER, STATE_FOLDER, ...folders];
}

/** Renders the matrix job that checks for the deciding job: each location with each shard. */
export function checkJob(
  { locations, shards }: Legs,
  { config, action, folders }: Pick<WorkflowValues, "config" | "action" | "folders">,
): NonNullable<WorkflowParts["before"]> {
  const hasLocations = locations.length > 0;
  const isDivided = shards > 1;
  const id = hasLocations ? "${{ matrix.location.id }}" : NO_LOCATION;
  const shard = isDivided ? "${{ matrix.shard }}" : "1";
  const names = [
    ...hasLocations ? ["from ${{ matrix.location.name }}"] : [],
    ...isDivided ? [`shard ${shard} of ${shards}`] : [],
  ];
  // The attempt keeps results of a job that is run again apart from those before.
  const name = `results-${id}-${shard}-of-${shards}-\${{ github.run_attempt }}`;
  const file = `${RESULTS_FOLDER}/${name}.json`;
  const sites = hasLocations
    ? locations.flatMap((location) => listCheckedSites(config.sites, location))
    : listCheckedSites(config.sites, undefined);
  const lines = [
    `name: Check ${names.join(", ")}`,
    "strategy:",
    "  fail-fast: false",
    "  matrix:",
    ...indent(4, [
      ...hasLocations ? ["location:", ...indent(2, locations.flatMap(matrixLines))] : [],
      ...isDivided
        ? [`shard: [${Array.from({ length: shards }, (_, index) => index + 1).join(", ")}]`]
        : [],
    ]),
    `runs-on: ${
      hasLocations ? "${{ matrix.location.runner }}" : quoteLabels(config.runner.uptime)
    }`,
    `timeout-minutes: ${TIMEOUT}`,
    "permissions:",
    "  contents: read # what is checked; results are recorded by the deciding job",
    ...indent(2, keepLines("check-permissions")),
    ...keepLines("check-job"),
    "steps:",
    ...indent(2, [
      ...checkout(checkedOutFolders(folders), JOB_TOKEN),
      ...keepLines("check-before"),
      ...run("probe", {
        name: "Check",
        action,
        inputs: {
          ...hasLocations ? { location: id } : {},
          ...isDivided ? { shard: `${shard}/${shards}` } : {},
          results: file,
        },
        ...OWN_TOKEN,
        secrets: listCheckSecrets(config, sites),
      }),
      ...upload(name, file),
      ...keepLines("check-after"),
    ]),
  ];
  return { id: "check", lines };
}

function matrixLines({ id, name, runner = [] }: Location): string[] {
  return [
    `- id: ${quoteYaml(id)}`,
    `  name: ${quoteYaml(name)}`,
    `  runner: ${quoteLabels(runner)}`,
  ];
}

/**
 * Renders the workflow of a self-hosted location. A job that waits for an offline machine delays nothing else, and a
 * later run replaces it.
 */
export function renderLocationWorkflow(
  location: Location,
  values: WorkflowValues,
): string {
  const { config, action, folders } = values;
  const { id, name, runner = [] } = location;
  const sites = listCheckedSites(config.sites, location);
  const needsPing = sites.some(({ check }) => check === "icmp");
  const head = {
    ...findHead("uptime", values),
    ...{ name: `${WORKFLOWS.uptime.name}: ${name}`, id: `uptime-${id}`, runner },
    isReplaced: true,
  };
  return renderWorkflow(head, values, {
    permissions: { "contents: write": "the location's own ref, for its results" },
    checkout: checkout(checkedOutFolders(folders), JOB_TOKEN),
    steps: [
      run(needsPing ? "probe-with-ping" : "probe", {
        name: "Check, and send the results to Uptime CI",
        action,
        inputs: { location: quoteYaml(id) },
        ...OWN_TOKEN,
        secrets: listCheckSecrets(config, sites),
      }),
    ],
  });
}
