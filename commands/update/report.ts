import type { Context } from "../../lib/context.ts";
import { needsPerson } from "../../lib/outbox/ends.ts";
import { carriedLine } from "../../templates/carried.ts";
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
import type { RecordedRun } from "./record.ts";

/** What is told beside of the sites. */
interface Beside {
  /** What people should know. */
  seen: readonly string[];
  /** Page of the repository. */
  home?: string;
}

/** Tells what came of a run: on the terminal, as data, and to the job. */
export async function report(
  { decision, published, failure, carried }: RecordedRun,
  { seen, home }: Beside,
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
  const undone = carried.filter((end) => "failed" in end);
  for (const end of carried) {
    const line = carriedLine(end, home);
    if (needsPerson(end)) log.error(line);
    else if ("failed" in end) log.warn(line);
    else log.line(line);
  }
  if (dryRun) log.line(dryRunText(decision));
  if (published !== undefined) log.line(closingLine(decision, published));
  if (json) log.data(updateJson(decision, { published, failure, carried }));
  const told = [
    ...failure === undefined ? [] : [secrets.redact(failure.message)],
    ...seen,
    ...abandoned.map(abandonedLine),
    ...notes,
    ...undone.map((end) => secrets.redact(carriedLine(end, home))),
  ];
  await handOn({ outputs: jobOutputs(outcomes), summary: jobSummary(outcomes, told) }, context);
}
