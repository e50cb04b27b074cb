import { join } from "node:path";
import { parse } from "@std/yaml";
import { cleanEnvironment } from "../program.ts";
import { type Contexts, isMet, type JobStatus } from "./expressions.ts";
import { filled, type Job, type RanStep, runJob } from "./job.ts";

/** The event that starts a workflow. */
export interface WorkflowEvent {
  name: string;
  /** Its payload. */
  payload?: Readonly<Record<string, unknown>>;
}

/** How GitHub runs a workflow. */
export interface WorkflowRun {
  /** The text of the workflow's file. */
  text: string;
  event: WorkflowEvent;
  /** Path of the repository to check out; absent if there is none. */
  remote?: string;
  /** The folder of its jobs; without it each has one of its own, which is gone in the end. */
  workspace?: string;
  secrets?: Readonly<Record<string, string>>;
  vars?: Readonly<Record<string, string>>;
  /** GitHub: the address of its API, and `owner/name` of the repository. */
  github?: { url: string; repository: string };
  /** Further variables of the runner's environment. */
  env?: Readonly<Record<string, string>>;
}

interface Workflow {
  name: string;
  on: Record<string, { types?: string[] } | null>;
  env?: Record<string, unknown>;
  jobs: Record<string, Job>;
}

/** A workflow that was run. */
export interface RanWorkflow {
  status: JobStatus | "not started" | "skipped";
  steps: RanStep[];
}

/** A GitHub context without requests. */
const NO_PLATFORM = { url: "http://127.0.0.1:9", repository: "acme/status" };

/** The token that GitHub makes for a job. */
const TOKEN = "ghs_TokenOfTheJob";

/**
 * Runs a workflow as GitHub does, each job in a folder of its own: expressions by GitHub's
 * own evaluator, scripts by bash, our action's own steps; of third-party actions only checkout
 * and the deployment of pages are executed, on a local repository.
 */
export async function runWorkflow(run: WorkflowRun): Promise<RanWorkflow> {
  const workflow = parse(run.text) as Workflow;
  if (!listens(workflow, run.event)) return { status: "not started", steps: [] };
  const result: RanWorkflow = { status: "skipped", steps: [] };
  const contexts = contextsOf(run, workflow);
  for (const job of Object.values(workflow.jobs)) {
    if (!isMet(job.if, contexts, "success")) continue;
    const workspace = run.workspace ?? await Deno.makeTempDir();
    const env = { ...environmentOf(run, workspace), ...filled(workflow.env, contexts) };
    const ran = await runJob(job, { remote: run.remote, workspace, contexts, env });
    result.steps.push(...ran.steps);
    result.status = result.status === "failure" ? "failure" : ran.status;
    if (run.workspace === undefined) await Deno.remove(workspace, { recursive: true });
  }
  return result;
}

function listens({ on }: Workflow, { name, payload }: WorkflowEvent): boolean {
  if (!Object.hasOwn(on, name)) return false;
  const types = on[name]?.types;
  return types === undefined || types.includes(String(payload?.["action"]));
}

function contextsOf(
  { event, github = NO_PLATFORM, secrets = {}, vars = {} }: WorkflowRun,
  { name }: Workflow,
): Contexts {
  const { url, repository } = github;
  return {
    secrets: { ...secrets, GITHUB_TOKEN: TOKEN },
    vars,
    env: {},
    github: {
      token: TOKEN,
      repository,
      event: event.payload ?? {},
      event_name: event.name,
      workflow: name,
      ref: "refs/heads/main",
      ref_name: "main",
      repository_owner: repository.split("/")[0],
      api_url: url,
    },
  };
}

function environmentOf(
  { event, github = NO_PLATFORM, env }: WorkflowRun,
  workspace: string,
): Record<string, string> {
  return {
    ...cleanEnvironment(),
    CI: "true",
    GITHUB_API_URL: github.url,
    GITHUB_REPOSITORY: github.repository,
    GITHUB_EVENT_NAME: event.name,
    GITHUB_REF_NAME: "main",
    GITHUB_WORKSPACE: workspace,
    RUNNER_TEMP: join(workspace, ".git"),
    ...env,
  };
}
