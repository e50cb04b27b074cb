import { runAction } from "./action.ts";
import { checkout } from "./checkout.ts";
import { deployPages } from "./deploy_pages.ts";
import { type Contexts, interpolate, isMet, type JobStatus } from "./expressions.ts";
import { runScript, type StepResult } from "./script.ts";

/** A step of a workflow, as its file has it. */
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

/** A job of a workflow, as its file has it. */
export interface Job {
  name?: string;
  if?: string | boolean;
  needs?: string | string[];
  strategy?: { "fail-fast"?: boolean; matrix: Readonly<Record<string, readonly unknown[]>> };
  env?: Record<string, unknown>;
  steps: Step[];
}

/** Stand-ins for third-party actions, by `owner/name`: each gets its inputs and the folder of the job. */
export type OtherActions = Readonly<
  Record<string, (inputs: Record<string, string>, workspace: string) => Promise<StepResult>>
>;

/** The folder and the contexts of a job. */
export interface JobPlace {
  workspace: string;
  /** Path of the repository to check out; absent if there is none. */
  remote?: string;
  contexts: Contexts;
  env: Readonly<Record<string, string>>;
  actions?: OtherActions;
  /** Aborted when the machine of the job is gone: its processes are killed, and no further step runs. */
  lost?: AbortSignal;
}

/** A step that ran, or was passed over. */
export interface RanStep extends StepResult {
  name: string;
  isSkipped: boolean;
}

/** Runs the steps of a job, one after the other, whatever its condition. */
export async function runJob(
  job: Job,
  { contexts, env, ...place }: JobPlace,
): Promise<{ status: JobStatus; steps: RanStep[] }> {
  const known: Record<string, unknown> = {};
  const ran: RanStep[] = [];
  let status: JobStatus = "success";
  for (const step of job.steps) {
    if (place.lost?.aborted) return { status: "failure", steps: ran };
    const name = step.name ?? step.uses ?? step.run ?? "";
    const seen = { ...contexts, steps: known };
    if (!isMet(step.if, seen, status)) {
      ran.push({ name, isSkipped: true, code: 0, outputs: {}, summary: "", stdout: "" });
      continue;
    }
    const variables = { ...env, ...filled(job.env, seen), ...filled(step.env, seen) };
    const result = await runStep(step, { ...place, contexts: seen, env: variables });
    ran.push({ name, isSkipped: false, ...result });
    if (step.id !== undefined) known[step.id] = { outputs: result.outputs };
    if (result.code !== 0 && step["continue-on-error"] !== true) status = "failure";
  }
  return { status, steps: ran };
}

function runStep(
  step: Step,
  { remote, workspace, contexts, env, actions = {}, lost }: JobPlace,
): Promise<StepResult> {
  if (step.uses === undefined) {
    return runScript(interpolate(step.run!, contexts), workspace, env, lost);
  }
  const inputs = filled(step.with, contexts);
  const [action = ""] = step.uses.split("@");
  if (Object.hasOwn(actions, action)) return actions[action]!(inputs, workspace);
  if (action === "actions/checkout" && remote !== undefined) {
    return checkout(inputs, { remote, workspace });
  }
  if (action === "peaceiris/actions-gh-pages") return deployPages(inputs, workspace);
  if (action.endsWith("/monitor-action")) {
    return runAction({ inputs, workspace, env, action, lost });
  }
  throw new Error(`No step here does what ${step.uses} does`);
}

/** Texts by name, with their expressions evaluated. */
export function filled(
  values: Readonly<Record<string, unknown>> = {},
  contexts: Contexts,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, interpolate(String(value), contexts)]),
  );
}
