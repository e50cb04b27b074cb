import { join } from "node:path";
import { parse } from "@std/yaml";
import { cleanEnvironment } from "../program.ts";
import type { Artifacts } from "./artifacts.ts";
import { type Contexts, interpolate, isMet, type JobStatus } from "./expressions.ts";
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
  /** The artifacts of the run; without them no job may use any. */
  artifacts?: Artifacts;
  /** The attempt of which the jobs that failed are run again, with those that need them. */
  again?: RanWorkflow;
  /** Called before a job starts, or one of a matrix; returns what is special about its machine. */
  onJob?(job: StartedJob): Machine | void;
}

/** A job that is about to run. */
export interface StartedJob {
  id: string;
  /** Name for people, with the values of a matrix. */
  name: string;
  matrix: Readonly<Record<string, unknown>>;
}

/** What is special about the machine of one job. */
export interface Machine {
  env?: Readonly<Record<string, string>>;
  /** Aborted when the machine is gone. */
  lost?: AbortSignal;
}

interface Workflow {
  name: string;
  on: Record<string, { types?: string[] } | null>;
  env?: Record<string, unknown>;
  jobs: Record<string, Job>;
}

/** The outcome of a job; of a matrix each one is a job of its own. */
export interface RanJob extends StartedJob {
  status: JobStatus | "skipped" | "cancelled";
  steps: RanStep[];
}

/** A workflow that was run. */
export interface RanWorkflow {
  status: JobStatus | "not started" | "skipped";
  attempt: number;
  jobs: RanJob[];
  /** The steps of all its jobs. */
  steps: RanStep[];
}

/** A GitHub context without requests. */
const NO_PLATFORM = { url: "http://127.0.0.1:9", repository: "acme/status" };

/** The token that GitHub makes for a job. */
const TOKEN = "ghs_TokenOfTheJob";

/**
 * Runs a workflow as GitHub does, each job in a folder of its own, one after another: expressions by GitHub's
 * own evaluator, scripts by bash, our action's own steps; of third-party actions only checkout, artifacts and the
 * deployment of pages are executed, on a local repository and folder.
 */
export async function runWorkflow(run: WorkflowRun): Promise<RanWorkflow> {
  const workflow = parse(run.text) as Workflow;
  const attempt = (run.again?.attempt ?? 0) + 1;
  if (!listens(workflow, run.event)) return { status: "not started", attempt, jobs: [], steps: [] };
  const jobs: RanJob[] = [];
  for (const [id, job] of inOrder(workflow.jobs)) {
    const needed = [job.needs ?? []].flat();
    const before = jobs.filter((one) => needed.includes(one.id));
    const earlier = run.again?.jobs.filter((one) => one.id === id) ?? [];
    const mustRepeat = before.some((one) => !run.again?.jobs.includes(one));
    const contexts = contextsOf(run, workflow, { attempt, needs: toNeeds(needed, before) });
    const status = before.every((one) => one.status === "success") ? "success" : "failure";
    const isWanted = isMet(job.if, contexts, status);
    let hasFailed = false;
    for (const matrix of listLegs(job)) {
      const name = interpolate(job.name ?? id, { ...contexts, matrix });
      const started: StartedJob = { id, name, matrix };
      const kept = earlier.find((one) => one.name === name);
      if (kept?.status === "success" && !mustRepeat) {
        jobs.push(kept);
        continue;
      }
      const isCancelled: boolean = hasFailed && job.strategy?.["fail-fast"] !== false;
      const ran: Pick<RanJob, "status" | "steps"> = isWanted && !isCancelled
        ? await runOne(job, started, { run, workflow, contexts })
        : { status: isWanted ? "cancelled" : "skipped", steps: [] };
      hasFailed ||= ran.status === "failure";
      jobs.push({ ...started, ...ran });
    }
  }
  const statuses = jobs.map(({ status }) => status);
  return {
    status: statuses.every((one) => one === "skipped")
      ? "skipped"
      : statuses.some((one) => one === "failure" || one === "cancelled")
      ? "failure"
      : "success",
    attempt,
    jobs,
    steps: jobs.flatMap(({ steps }) => steps),
  };
}

async function runOne(
  job: Job,
  started: StartedJob,
  { run, workflow, contexts }: { run: WorkflowRun; workflow: Workflow; contexts: Contexts },
): Promise<Pick<RanJob, "status" | "steps">> {
  const { remote, artifacts } = run;
  const { env: ofMachine, lost } = run.onJob?.(started) ?? {};
  const workspace = run.workspace ?? await Deno.makeTempDir();
  const all = { ...contexts, matrix: started.matrix };
  const env = { ...environmentOf(run, workspace), ...filled(workflow.env, all), ...ofMachine };
  const ran = await runJob(job, {
    ...{ remote, workspace, contexts: all, env, lost },
    actions: artifacts?.actions,
  });
  if (run.workspace === undefined) await Deno.remove(workspace, { recursive: true });
  return ran;
}

/** Jobs in an order in which each comes after those that it needs. */
function inOrder(jobs: Readonly<Record<string, Job>>): [id: string, job: Job][] {
  const left = Object.entries(jobs);
  const ordered: [string, Job][] = [];
  while (left.length > 0) {
    const index = left.findIndex(([, { needs = [] }]) =>
      [needs].flat().every((one) => ordered.some(([id]) => id === one))
    );
    if (index === -1) throw new Error("The jobs need each other");
    ordered.push(...left.splice(index, 1));
  }
  return ordered;
}

/** The combinations of a job's matrix; a single one without values if it has no matrix. */
function listLegs({ strategy }: Job): Record<string, unknown>[] {
  let legs: Record<string, unknown>[] = [{}];
  for (const [name, values] of Object.entries(strategy?.matrix ?? {})) {
    if (name === "include" || name === "exclude") throw new Error(`No ${name} of a matrix here`);
    legs = legs.flatMap((leg) => values.map((value) => ({ ...leg, [name]: value })));
  }
  return legs;
}

/** The context of needed jobs: of a matrix one result for all. */
function toNeeds(needed: readonly string[], before: readonly RanJob[]): Contexts {
  const resultOf = (id: string) => {
    const statuses = before.filter((one) => one.id === id).map(({ status }) => status);
    const worst = (["failure", "cancelled", "skipped"] as const)
      .find((one) => statuses.includes(one));
    return worst ?? "success";
  };
  return Object.fromEntries(needed.map((id) => [id, { result: resultOf(id), outputs: {} }]));
}

function listens({ on }: Workflow, { name, payload }: WorkflowEvent): boolean {
  if (!Object.hasOwn(on, name)) return false;
  const types = on[name]?.types;
  return types === undefined || types.includes(String(payload?.["action"]));
}

function contextsOf(
  { event, github = NO_PLATFORM, secrets = {}, vars = {} }: WorkflowRun,
  { name }: Workflow,
  { attempt, needs }: { attempt: number; needs: Contexts },
): Contexts {
  const { url, repository } = github;
  return {
    secrets: { ...secrets, GITHUB_TOKEN: TOKEN },
    vars,
    needs,
    env: {},
    runner: { os: "Linux" },
    github: {
      token: TOKEN,
      repository,
      event: event.payload ?? {},
      event_name: event.name,
      workflow: name,
      run_attempt: attempt,
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
