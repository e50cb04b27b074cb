import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import { parse } from "@std/yaml";
import { runAction } from "./runner/action.ts";

/** How the steps of a workflow without a repository are run. */
export interface StepsRun {
  /** What stands in the workflow's file. */
  text: string;
  /** What its expressions refer to: `secrets`, `vars`, `github`. */
  contexts: Readonly<Record<string, unknown>>;
  /** The folder of the job. */
  workspace: string;
  /** The environment of the runner. */
  env: Readonly<Record<string, string>>;
}

/** What came of them. */
export interface RanSteps {
  /** Whether the condition of the job held. */
  isStarted: boolean;
  /** Names of the steps that ran. */
  ran: string[];
  isFailed: boolean;
  /** Everything they printed. */
  log: string;
}

interface Step {
  id?: string;
  name: string;
  if?: string;
  env?: Record<string, unknown>;
  with?: Record<string, unknown>;
  uses?: string;
  run?: string;
}

/** Runs the one job of a workflow as the platform does: scripts by bash, our action by its own steps. */
export async function runSteps({ text, contexts, workspace, env }: StepsRun): Promise<RanSteps> {
  const { jobs } = parse(text) as { jobs: Record<string, { if?: string; steps: Step[] }> };
  const [job] = Object.values(jobs);
  const result: RanSteps = { isStarted: false, ran: [], isFailed: false, log: "" };
  if (!isMet(job!.if, contexts, result)) return result;
  result.isStarted = true;
  const steps: Record<string, unknown> = {};
  for (const step of job!.steps) {
    const seen = { ...contexts, steps };
    if (!isMet(step.if, seen, result)) continue;
    result.ran.push(step.name);
    const variables = { ...env, ...filled(step.env, seen) };
    const ran = step.uses === undefined
      ? await runScript(step.run!, workspace, variables)
      : await runAction({ inputs: filled(step.with, seen), workspace, env: variables });
    result.log += ran.stdout;
    if (step.id !== undefined) steps[step.id] = { outputs: ran.outputs };
    if (ran.code !== 0) result.isFailed = true;
  }
  return result;
}

async function runScript(script: string, cwd: string, env: Record<string, string>) {
  const output = await Deno.makeTempFile();
  const { code, stdout, stderr } = await new Deno.Command("/bin/bash", {
    args: ["--noprofile", "--norc", "-eo", "pipefail", "-c", script],
    cwd,
    clearEnv: true,
    env: { ...env, GITHUB_OUTPUT: output, GITHUB_ACTIONS: "true" },
  }).output();
  const lines = (await Deno.readTextFile(output)).split("\n").filter((line) => line !== "");
  await Deno.remove(output);
  const outputs = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, outputs, stdout: text(stdout) + text(stderr) };
}

function filled(values: Record<string, unknown> = {}, contexts: StepsRun["contexts"]) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      String(value).replace(
        /\$\{\{(.*?)\}\}/gs,
        (_, expression: string) => evaluate(expression, contexts, false).coerceString(),
      ),
    ]),
  );
}

function isMet(
  condition: string | undefined,
  contexts: StepsRun["contexts"],
  { isFailed }: RanSteps,
): boolean {
  const expression = condition?.replace(/^\s*\$\{\{(.*)\}\}\s*$/s, "$1") ?? "success()";
  const asks = /\b(?:success|failure|always|cancelled)\s*\(/.test(expression);
  if (!asks && isFailed) return false;
  return evaluate(expression, contexts, isFailed).coerceString() === "true";
}

function evaluate(expression: string, contexts: StepsRun["contexts"], isFailed: boolean) {
  const functions = Object.entries({ success: !isFailed, cancelled: false }).map((
    [name, value],
  ) => ({ name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(value) }));
  const { tokens } = new Lexer(expression.trim()).lex();
  const tree = new Parser(tokens, Object.keys(contexts), functions).parse();
  const known = new Map(functions.map((one) => [one.name, one]));
  return new Evaluator(tree, toData(contexts) as data.Dictionary, known).evaluate();
}

function toData(value: unknown): data.ExpressionData {
  if (Array.isArray(value)) return new data.Array(...value.map(toData));
  if (typeof value !== "object" || value === null) return new data.StringData(String(value ?? ""));
  const pairs = Object.entries(value).map(([key, item]) => ({ key, value: toData(item) }));
  return new data.Dictionary(...pairs);
}
