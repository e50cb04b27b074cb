import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import { join } from "node:path";
import { parse } from "@std/yaml";
import { PROJECT } from "./program.ts";

/** How the platform runs an action. */
export interface ActionRun {
  inputs: Readonly<Record<string, string>>;
  /** The folder of the job. */
  workspace: string;
  /** The whole environment of the steps. */
  env: Readonly<Record<string, string>>;
  /** The repository that the action is of. @default {"monitor-action/monitor-action"} */
  action?: string;
}

/** What a job sees of an action that ran. */
export interface ActionResult {
  outputs: Record<string, string>;
  summary: string;
  stdout: string;
  code: number;
  /** Actions of others that it asked for: they are not run here, and count as failed. */
  used: string[];
}

interface Step {
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
}

/**
 * Runs our composite action as the platform does: its expressions by the platform's own evaluator, its
 * scripts by `bash --noprofile --norc -eo pipefail`, outputs and summary through files.
 */
export async function runAction(
  { inputs, workspace, env, action: repository = "monitor-action/monitor-action" }: ActionRun,
): Promise<ActionResult> {
  const github = { action_repository: repository };
  const action = parse(await Deno.readTextFile(join(PROJECT, "action.yml"))) as {
    outputs: Record<string, { value: string }>;
    runs: { steps: Step[] };
  };
  const steps: Record<string, unknown> = {};
  const result: ActionResult = { outputs: {}, summary: "", stdout: "", code: 0, used: [] };
  for (const step of action.runs.steps) {
    const evaluate = (text: string) => interpolate(text, { github, inputs, steps });
    if (step.if !== undefined && evaluate(step.if) !== "true") continue;
    if (step.uses !== undefined) {
      result.used.push(step.uses);
      continue;
    }
    const variables = Object.entries(step.env ?? {}).map((
      [name, text],
    ) => [name, evaluate(String(text))]);
    const ran = await runScript(step.run!, workspace, { ...env, ...Object.fromEntries(variables) });
    result.stdout += ran.stdout;
    result.summary += ran.summary;
    if (step.id !== undefined) steps[step.id] = { outputs: ran.outputs };
    if (ran.code !== 0) {
      result.code = ran.code;
      break;
    }
  }
  for (const [name, { value }] of Object.entries(action.outputs)) {
    result.outputs[name] = interpolate(value, { github, inputs, steps });
  }
  return result;
}

async function runScript(script: string, cwd: string, env: Record<string, string>) {
  const folder = await Deno.makeTempDir();
  const files = {
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
  };
  for (const file of Object.values(files)) await Deno.writeTextFile(file, "");
  const { code, stdout, stderr } = await new Deno.Command("/bin/bash", {
    args: ["--noprofile", "--norc", "-eo", "pipefail", "-c", script],
    cwd,
    clearEnv: true,
    env: { ...env, ...files, GITHUB_ACTION_PATH: PROJECT, GITHUB_ACTIONS: "true" },
  }).output();
  const lines = (await Deno.readTextFile(files.GITHUB_OUTPUT)).split("\n").filter((line) =>
    line !== ""
  );
  const outputs = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  const summary = await Deno.readTextFile(files.GITHUB_STEP_SUMMARY);
  await Deno.remove(folder, { recursive: true });
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, outputs, summary, stdout: text(stdout) + text(stderr) };
}

/** A value of a workflow in which no expression refers to anything, as the platform reads it. */
export function evaluated(text: string): string {
  return interpolate(text, {});
}

/** A value of a workflow as the platform reads it, given what expressions may refer to. */
export function evaluatedIn(text: string, context: Record<string, unknown>): string {
  return interpolate(text, context);
}

function interpolate(text: string, context: Record<string, unknown>): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => {
    const { tokens } = new Lexer(expression.trim()).lex();
    const tree = new Parser(tokens, Object.keys(context), []).parse();
    return new Evaluator(tree, toData(context) as data.Dictionary).evaluate().coerceString();
  });
}

function toData(value: unknown): data.ExpressionData {
  if (value === null || value === undefined) return new data.Null();
  if (typeof value === "boolean") return new data.BooleanData(value);
  if (Array.isArray(value)) return new data.Array(...value.map(toData));
  if (typeof value !== "object") return new data.StringData(String(value));
  const pairs = Object.entries(value).map(([key, item]) => ({ key, value: toData(item) }));
  return new data.Dictionary(...pairs);
}
