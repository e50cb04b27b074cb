import { join } from "node:path";
import { parse } from "@std/yaml";
import { cleanEnvironment } from "../program.ts";
import { runAction } from "./action.ts";
import { checkout } from "./checkout.ts";
import { deployPages } from "./deploy_pages.ts";
import { type Contexts, interpolate, isMet, type JobStatus } from "./expressions.ts";
import { runScript, type StepResult } from "./script.ts";

/** What starts a workflow. */
export interface WorkflowEvent {
  name: string;
  /** What the platform tells of it. */
  payload?: Readonly<Record<string, unknown>>;
}

/** How the platform runs a workflow. */
export interface WorkflowRun {
  /** What stands in the workflow's file. */
  text: string;
  event: WorkflowEvent;
  /** Path of the repository that is checked out. */
  remote: string;
  secrets?: Readonly<Record<string, string>>;
  /** Address of the platform's API. */
  api: string;
  /** `owner/name` of the repository. */
  repository: string;
  /** The token that the platform makes for the job. */
  token: string;
  /** Further variables of the runner's environment. */
  env?: Readonly<Record<string, string>>;
}

/** A step that ran, or was passed over. */
export interface RanStep extends StepResult {
  name: string;
  isSkipped: boolean;
}

interface Step {
  id?: string;
  name?: string;
  if?: string | boolean;
  uses?: string;
  with?: Record<string, unknown>;
  env?: Record<string, unknown>;
  run?: string;
  "continue-on-error"?: boolean;
}

interface Job {
  if?: string | boolean;
  env?: Record<string, unknown>;
  steps: Step[];
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

/**
 * Runs a workflow as the platform does, each job in a clone of its own: expressions by the platform's
 * own evaluator, scripts by bash, our action's own steps; of the actions of others checkout and the
 * deployment of pages are carried out on the repository of this machine.
 */
export async function runWorkflow(run: WorkflowRun): Promise<RanWorkflow> {
  const workflow = parse(run.text) as Workflow;
  if (!listens(workflow, run.event)) return { status: "not started", steps: [] };
  const result: RanWorkflow = { status: "skipped", steps: [] };
  for (const job of Object.values(workflow.jobs)) {
    const contexts = contextsOf(run, workflow);
    if (!isMet(job.if, contexts, "success")) continue;
    const workspace = await Deno.makeTempDir();
    const env = { ...environmentOf(run, workspace), ...filled(workflow.env, contexts) };
    const ran = await runJob(job, { run, workspace, contexts, env });
    result.steps.push(...ran.steps);
    result.status = result.status === "failure" ? "failure" : ran.status;
    await Deno.remove(workspace, { recursive: true });
  }
  return result;
}

function listens({ on }: Workflow, { name, payload }: WorkflowEvent): boolean {
  if (!Object.hasOwn(on, name)) return false;
  const types = on[name]?.types;
  return types === undefined || types.includes(String(payload?.["action"]));
}

interface JobPlace {
  run: WorkflowRun;
  workspace: string;
  contexts: Contexts;
  env: Readonly<Record<string, string>>;
}

async function runJob(
  job: Job,
  { run, workspace, contexts, env }: JobPlace,
): Promise<{ status: JobStatus; steps: RanStep[] }> {
  const known: Record<string, unknown> = {};
  const ran: RanStep[] = [];
  let status: JobStatus = "success";
  for (const step of job.steps) {
    const name = step.name ?? step.uses ?? step.run ?? "";
    const seen = { ...contexts, steps: known };
    if (!isMet(step.if, seen, status)) {
      ran.push({ name, isSkipped: true, code: 0, outputs: {}, summary: "", stdout: "" });
      continue;
    }
    const variables = { ...env, ...filled(job.env, seen), ...filled(step.env, seen) };
    const result = await runStep(step, { run, workspace, contexts: seen, env: variables });
    ran.push({ name, isSkipped: false, ...result });
    if (step.id !== undefined) known[step.id] = { outputs: result.outputs };
    if (result.code !== 0 && step["continue-on-error"] !== true) status = "failure";
  }
  return { status, steps: ran };
}

function runStep(
  step: Step,
  { run, workspace, contexts, env }: JobPlace,
): Promise<StepResult> {
  if (step.uses === undefined) {
    return runScript(interpolate(step.run!, contexts), workspace, env);
  }
  const inputs = filled(step.with, contexts);
  const [action = ""] = step.uses.split("@");
  if (action === "actions/checkout") return checkout(inputs, { remote: run.remote, workspace });
  if (action === "peaceiris/actions-gh-pages") return deployPages(inputs, workspace);
  if (action.endsWith("/monitor-action")) {
    return runAction({ inputs, workspace, env, action });
  }
  throw new Error(`No step here does what ${step.uses} does`);
}

function filled(
  values: Readonly<Record<string, unknown>> = {},
  contexts: Contexts,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, interpolate(String(value), contexts)]),
  );
}

function contextsOf(run: WorkflowRun, workflow: Workflow): Contexts {
  const { event, repository, token, api, secrets = {} } = run;
  return {
    secrets: { ...secrets, GITHUB_TOKEN: token },
    vars: {},
    env: {},
    github: {
      token,
      repository,
      event: event.payload ?? {},
      event_name: event.name,
      workflow: workflow.name,
      ref: "refs/heads/main",
      ref_name: "main",
      repository_owner: repository.split("/")[0],
      api_url: api,
    },
  };
}

function environmentOf(run: WorkflowRun, workspace: string): Record<string, string> {
  return {
    ...cleanEnvironment(),
    CI: "true",
    GITHUB_API_URL: run.api,
    GITHUB_REPOSITORY: run.repository,
    GITHUB_EVENT_NAME: run.event.name,
    GITHUB_REF_NAME: "main",
    GITHUB_WORKSPACE: workspace,
    RUNNER_TEMP: join(workspace, ".git"),
    ...run.env,
  };
}
