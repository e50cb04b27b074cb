import { join } from "node:path";
import { parse } from "@std/yaml";
import { PROJECT } from "../program.ts";
import { interpolate, isMet } from "./expressions.ts";
import { runScript, type StepResult } from "./script.ts";

/** How GitHub runs an action. */
export interface ActionRun {
  inputs: Readonly<Record<string, string>>;
  /** The folder of the job. */
  workspace: string;
  /** The whole environment of the steps. */
  env: Readonly<Record<string, string>>;
  /** The repository that the action is of. @default {"monitor-action/monitor-action"} */
  action?: string;
  /** Folder that GitHub unpacked the action into. @default {PROJECT} */
  path?: string;
  /** Kills the processes of its scripts. */
  lost?: AbortSignal;
}

/** The outcome of an action, as a job gets it. */
export interface ActionResult extends StepResult {
  /** Requested third-party actions: they are not run here, and count as failed. */
  used: string[];
  /** The environment of each of these. */
  environments: Record<string, string>[];
}

interface Step {
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
}

/**
 * Runs our composite action as GitHub does: its expressions by GitHub's own evaluator, its
 * scripts by bash.
 */
export async function runAction(
  {
    inputs,
    workspace,
    env,
    action: repository = "monitor-action/monitor-action",
    path = PROJECT,
    lost,
  }: ActionRun,
): Promise<ActionResult> {
  const action = parse(await Deno.readTextFile(join(path, "action.yml"))) as {
    outputs: Record<string, { value: string }>;
    runs: { steps: Step[] };
  };
  const steps: Record<string, unknown> = {};
  const known = { github: { action_repository: repository }, inputs, steps };
  const result: ActionResult = {
    outputs: {},
    summary: "",
    stdout: "",
    code: 0,
    used: [],
    environments: [],
  };
  for (const step of action.runs.steps) {
    if (!isMet(step.if, known, "success")) continue;
    const variables = Object.entries(step.env ?? {}).map(([name, text]) => [
      name,
      interpolate(String(text), known),
    ]);
    const environment = { ...env, ...Object.fromEntries(variables) };
    if (step.uses !== undefined) {
      result.used.push(step.uses);
      result.environments.push(environment);
      continue;
    }
    const variablesOfStep = { ...environment, GITHUB_ACTION_PATH: path };
    const ran = await runScript(step.run!, workspace, variablesOfStep, lost);
    result.stdout += ran.stdout;
    result.summary += ran.summary;
    if (step.id !== undefined) steps[step.id] = { outputs: ran.outputs };
    if (ran.code !== 0) {
      result.code = ran.code;
      break;
    }
  }
  for (const [name, { value }] of Object.entries(action.outputs)) {
    result.outputs[name] = interpolate(value, known);
  }
  return result;
}
