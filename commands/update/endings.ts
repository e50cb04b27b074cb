import type { LoadedConfig } from "../../lib/config/load.ts";
import { formatProblem, hasUnusableChannel, isUsable } from "../../lib/io/problem.ts";
import type { Context } from "../shared/context.ts";
import { publishJobReport } from "../shared/job_report.ts";
import { jobSummary } from "../../templates/terminal/update.ts";
import { jobOutputs, updateJson } from "../../templates/terminal/update.ts";

const NOTHING = { outcomes: [], abandoned: [], maintenance: [], effects: [], files: new Map() };

/** Ends a run that has nothing to check, and returns its exit code. */
export async function endWithNothing(
  { config, problems, file }: LoadedConfig,
  context: Context,
): Promise<number> {
  const usable = isUsable(problems);
  const allPaused = config !== undefined && config.sites.length > 0;
  const told = problems.filter(({ severity }) => severity !== "notice");
  const notes = told.map((problem) => formatProblem(problem, file));
  if (allPaused) {
    notes.push("every site is paused");
    context.log.line("Every site is paused: nothing is checked.");
  }
  const failure = usable || allPaused
    ? undefined
    : new Error(`Cannot monitor anything: see ${file}`);
  if (context.json) context.log.data(updateJson(NOTHING, { failure }));
  const outputs = failure === undefined ? jobOutputs([]) : {};
  await publishJobReport({ outputs, summary: jobSummary([], notes) }, context);
  if (failure !== undefined) return 2;
  return hasUnusableChannel(problems) ? 1 : 0;
}

/** Ends a run that can't begin. */
export async function refuse(failure: unknown, context: Context): Promise<never> {
  const message = failure instanceof Error ? failure.message : String(failure);
  if (context.json) context.log.data(updateJson(NOTHING, { failure: { message } }));
  const summary = jobSummary([], [context.secrets.redact(message)]);
  await publishJobReport({ outputs: {}, summary }, context);
  throw failure;
}
