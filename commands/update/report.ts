import type { Context } from "../shared/context.ts";
import type { Decision } from "../../lib/pipeline/decide.ts";
import { publishJobReport } from "../shared/job_report.ts";
import { previewMessage } from "../../lib/notifications/message_handler.ts";
import type { Carriers } from "../../lib/outbox/effect.ts";
import { needsPerson } from "../../lib/outbox/ends.ts";
import type { MessageMeans } from "../../lib/outbox/means.ts";
import { changeLine } from "../../templates/terminal/lines.ts";
import {
  abandonedLine,
  carriedLine,
  closingLine,
  dryRunText,
  effectsOf,
  jobOutputs,
  updateJson,
} from "../../templates/terminal/update.ts";
import { maintenanceLine, waitingMessages } from "../../templates/terminal/update_notes.ts";
import { jobSummary } from "../../templates/terminal/update.ts";
import type { RecordedRun } from "./record.ts";

/** What is told beside of the sites. */
interface Beside {
  /** What people should know. */
  seen: readonly string[];
  /** What the page of a job tells beside. */
  hints: readonly string[];
  /** What this run has got to send messages with. */
  messages: Pick<MessageMeans, "channels" | "sending">;
  carriers: Carriers;
  /** Page of the repository. */
  home?: string;
}

/** Tells what came of a run: on the terminal, as data, and to the job. */
export async function report(
  { decision, published, failure, carried }: RecordedRun,
  { seen, hints, messages, carriers, home }: Beside,
  context: Context,
): Promise<void> {
  const { log, json, dryRun, environment, secrets } = context;
  const { outcomes, abandoned, maintenance } = decision;
  for (const outcome of outcomes) {
    const line = changeLine(outcome);
    const alarms = environment.onGitHub && outcome.result.state !== "up";
    if (line !== undefined && alarms) log.warn(line);
    else if (line !== undefined) log.line(line);
  }
  for (const incident of abandoned) log.line(abandonedLine(incident));
  for (const change of maintenance) log.line(maintenanceLine(change));
  const notes = published?.notes ?? [];
  for (const note of notes) log.warn(note);
  const undone = carried.filter((end) => "failed" in end);
  for (const end of carried) {
    const line = carriedLine(end, home);
    if (needsPerson(end)) log.error(line);
    else if ("failed" in end) log.warn(line);
    else log.line(line);
  }
  const waiting = waitingMessages(decision.memory.outbox, carriers);
  for (const note of waiting) log.warn(note);
  const previews = dryRun ? previewsOf(decision, messages) : undefined;
  if (previews !== undefined) log.line(dryRunText(decision, previews));
  if (published !== undefined) log.line(closingLine(decision, published));
  if (json) log.data(updateJson(decision, { published, failure, carried, previews }));
  const told = [
    ...failure === undefined ? [] : [failure.message],
    ...seen,
    ...abandoned.map(abandonedLine),
    ...maintenance.map(maintenanceLine),
    ...notes,
    ...undone.map((end) => carriedLine(end, home)),
    ...waiting,
    ...hints,
  ].map((note) => secrets.redact(note));
  await publishJobReport(
    { outputs: jobOutputs(outcomes), summary: jobSummary(outcomes, told) },
    context,
  );
}

/** What the messages of a run would be, by the ids of their effects. */
function previewsOf(decision: Decision, messages: Beside["messages"]): Map<string, unknown> {
  const previews = effectsOf(decision).map((effect): [string, unknown] => [
    effect.id,
    previewMessage(effect, messages),
  ]);
  return new Map(previews.filter(([, preview]) => preview !== undefined));
}
