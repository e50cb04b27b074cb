import type { Context } from "../../lib/context.ts";
import type { Recorded } from "../../lib/history/record_run.ts";
import { changeLine } from "../../templates/check_lines.ts";
import { jobSummary } from "../../templates/job_summary.ts";
import {
  abandonedLine,
  closingLine,
  dryRunText,
  jobOutputs,
  updateJson,
} from "../../templates/update_report.ts";
import { handOn } from "./endings.ts";

/** Tells what came of a run: on the terminal, as data, and to the job. `seen` is what people should know beside of the sites. */
export async function report(
  { decision, published, failure }: Recorded,
  seen: readonly string[],
  context: Context,
): Promise<void> {
  const { log, json, dryRun, environment, secrets } = context;
  const { outcomes, abandoned } = decision;
  for (const outcome of outcomes) {
    const line = changeLine(outcome);
    const alarms = environment.onPlatform && outcome.result.state !== "up";
    if (line !== undefined && alarms) log.warn(line);
    else if (line !== undefined) log.line(line);
  }
  for (const incident of abandoned) log.line(abandonedLine(incident));
  const notes = published?.notes ?? [];
  for (const note of notes) log.warn(note);
  if (dryRun) log.line(dryRunText(decision));
  if (published !== undefined) log.line(closingLine(decision, published));
  if (json) log.data(updateJson(decision, { published, failure }));
  const told = [
    ...failure === undefined ? [] : [secrets.redact(failure.message)],
    ...seen,
    ...abandoned.map(abandonedLine),
    ...notes,
  ];
  await handOn({ outputs: jobOutputs(outcomes), summary: jobSummary(outcomes, told) }, context);
}
