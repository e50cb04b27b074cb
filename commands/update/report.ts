import { type LoadedConfig, UneditedConfigError } from "../../lib/config/load.ts";
import {
  incompleteChannels,
  unsupportedNote,
  unsupportedServices,
} from "../../lib/config/upptime/channels.ts";
import { formatProblem, hasUnusableChannel, isUsable } from "../../lib/io/problem.ts";
import {
  missingSecretsNote,
  unsendableNote,
  withoutSecretsNote,
} from "../../lib/notifications/channel_problems.ts";
import { previewMessage } from "../../lib/notifications/message_handler.ts";
import { type EntryResult, needsUser } from "../../lib/outbox/outbox.ts";
import type { PublishedRun } from "../../lib/pipeline/record_run.ts";
import { createLanguage, type Language } from "../../lib/text/language.ts";
import { loadLanguage } from "../../lib/text/languages.ts";
import { mergeMessages } from "../../lib/text/messages.ts";
import { changeLine } from "../../templates/terminal/lines.ts";
import {
  abandonedLine,
  closingLine,
  dryRunText,
  entryResultLine,
  isNoteworthy,
  jobOutputs,
  listEffects,
  refusedMessages,
  updateJson,
  waitingMessages,
} from "../../templates/terminal/update.ts";
import { jobSummary } from "../../templates/markdown/job_summary.ts";
import { maintenanceLine } from "../../templates/terminal/maintenance.ts";
import { type Context, messageOf } from "../shared/context.ts";
import { publishJobReport } from "../shared/job_report.ts";
import type { Connections } from "./connections.ts";

/**
 * Reports a run: in the log, as JSON, and to the job. `notes` are shown in the job's summary, `hints` after them.
 * A run that proves that `watch` works is reported like a change.
 */
export async function reportRun(
  { decision, published, failure, executed }: PublishedRun & { executed: EntryResult[] },
  { messages, targets: { handlers, language }, repositoryUrl }: Connections,
  { notes, hints, provesWork }: {
    notes: readonly string[];
    hints: readonly string[];
    provesWork: boolean;
  },
  context: Context,
): Promise<void> {
  const { log, json, dryRun, environment, secrets } = context;
  const { outcomes, abandoned, maintenance } = decision;
  for (const outcome of outcomes) {
    const line = changeLine(outcome);
    const isAlarm = environment.onGitHub && outcome.result.state !== "up";
    if (line !== undefined && isAlarm) log.warn(line);
    else if (line !== undefined) log.change(line);
  }
  const changes = [
    ...abandoned.map((one) => abandonedLine(one)),
    ...maintenance.map((one) => maintenanceLine(one)),
  ];
  for (const change of changes) log.change(change);
  for (const note of published?.notes ?? []) log.warn(note);
  for (const end of executed) {
    const line = entryResultLine(end, repositoryUrl);
    if (needsUser(end)) log.error(line);
    else if (isNoteworthy(end)) log.warn(line);
    else log.change(line);
  }
  const waiting = waitingMessages(decision.runState.outbox, handlers);
  for (const note of waiting) log.warn(note);
  const refused = refusedMessages(decision.runState.outbox);
  for (const note of refused) log.error(note);
  const previews = dryRun
    ? new Map(
      (await Promise.all(
        listEffects(decision).map(async (effect): Promise<[string, unknown]> => [
          effect.id,
          await previewMessage(effect, messages),
        ]),
      )).filter(([, preview]) => preview !== undefined),
    )
    : undefined;
  if (previews !== undefined) log.line(dryRunText(decision, previews));
  if (published !== undefined) {
    const closing = closingLine(decision, published);
    if (published.commit !== undefined || provesWork) log.change(closing);
    else log.line(closing);
  }
  if (json) log.data(updateJson(decision, { published, failure, executed, previews }));
  const all = [
    ...failure === undefined ? [] : [failure.message],
    ...notes,
    ...changes,
    ...published?.notes ?? [],
    ...executed.filter(isNoteworthy).map((end) => entryResultLine(end, repositoryUrl)),
    ...waiting,
    ...refused,
    ...hints,
  ].map((note) => secrets.redact(note));
  await publishJobReport(
    { outputs: jobOutputs(outcomes), summary: () => jobSummary(outcomes, all, language) },
    context,
  );
}

/**
 * Reports the channels that this run can't send to, before they have to be notified. `fails` is true if the
 * settings of a channel are unusable, or if the run has secrets but not those of a channel; a run without any
 * secrets, as on a laptop, only logs a line.
 */
export function reportChannels(
  { unusable }: Pick<Connections, "unusable">,
  { secrets, log }: Pick<Context, "secrets" | "log">,
): { notes: string[]; fails: boolean } {
  const errors = unusable.unsendable.map(unsendableNote);
  for (const error of errors) log.error(error);
  const lacking = [
    ...unusable.lacking,
    ...incompleteChannels((name) => secrets.value(name) ?? ""),
  ];
  const unsupported = unsupportedNote(
    unsupportedServices(secrets.names(), (name) => secrets.value(name)),
  );
  const warnings = [
    ...secrets.isEmpty ? [] : lacking.map(missingSecretsNote),
    ...unsupported === undefined ? [] : [unsupported],
  ];
  for (const warning of warnings) log.warn(warning);
  if (secrets.warning !== undefined) log.warn(secrets.warning);
  if (!secrets.isEmpty || lacking.length === 0) {
    return { notes: [...errors, ...warnings], fails: errors.length > 0 || lacking.length > 0 };
  }
  const note = withoutSecretsNote(lacking);
  log.line(`${note}.`);
  return { notes: [...errors, note], fails: errors.length > 0 };
}

const NOTHING = { outcomes: [], abandoned: [], maintenance: [], effects: [], files: new Map() };

export async function reportNothing(
  { config, problems, file }: LoadedConfig,
  context: Context,
): Promise<number> {
  const allPaused = config !== undefined && config.sites.length > 0;
  const notes = problems.filter(({ severity }) => severity !== "notice")
    .map((problem) => formatProblem(problem, file));
  if (allPaused) {
    notes.push("every site is paused");
    context.log.line("Every site is paused: nothing is checked.");
  }
  const failure = isUsable(problems) || allPaused
    ? undefined
    : new Error(`Cannot monitor anything: see ${file}`);
  if (context.json) context.log.data(updateJson(NOTHING, { failure }));
  const outputs = failure === undefined ? jobOutputs([]) : {};
  const language = config === undefined ? english() : await loadLanguage(config);
  await publishJobReport({ outputs, summary: () => jobSummary([], notes, language) }, context);
  if (failure !== undefined) return 2;
  return hasUnusableChannel(problems) ? 1 : 0;
}

/** The language without a configuration. */
function english(): Language {
  return createLanguage("en", mergeMessages());
}

/** Reports an error that keeps a run from starting, and throws it. */
export async function reportRefusal(failure: unknown, context: Context): Promise<never> {
  if (failure instanceof UneditedConfigError) throw failure;
  const message = messageOf(failure);
  if (context.json) context.log.data(updateJson(NOTHING, { failure: { message } }));
  const summary = () => jobSummary([], [context.secrets.redact(message)], english());
  await publishJobReport({ outputs: {}, summary }, context);
  throw failure;
}
