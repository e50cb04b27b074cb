import { type Config, shownAddress } from "../lib/config/config.ts";
import type { Author } from "../lib/git/objects.ts";
import type { COMMIT_PLACEHOLDERS } from "../lib/config/keys/top_keys.ts";
import type { Decision } from "../lib/pipeline/decide.ts";
import type { Outcome } from "../lib/pipeline/outcomes.ts";
import type { Condition } from "../lib/state.ts";
import type { Maintenance } from "../lib/history/maintenance.ts";
import type { MaintenanceChange } from "../lib/incidents/maintenance/plan_maintenance.ts";
import { joinFirst } from "../lib/text/words.ts";
import { maintenanceNews } from "./terminal/maintenance.ts";
import { count, countSites, countStates } from "./words.ts";

/** The part of Upptime's template that names code and time. */
const ANSWER = " ($RESPONSE_CODE in $RESPONSE_TIME ms)";
const STATUS_CHANGE = `$PREFIX $SITE_NAME is $STATUS${ANSWER}`;
/** Keeps a commit from starting workflows. */
const SKIP = "[skip ci]";

/** Commit of the executed effects, if the run state is on the branch. */
export const NOTE_MESSAGE = `Note what was carried out ${SKIP}`;
/** Commit of planned reports, if the run state is on the branch. */
export const PLAN_MESSAGE = `Plan reports ${SKIP}`;
/** Commit of a history that was kept as plain files before. */
export const TAKE_IN_MESSAGE = `Take in the history kept as files so far ${SKIP}`;
export const WORKFLOWS_MESSAGE = `Bring the workflows up to date ${SKIP}`;

const SEVERITY: readonly Condition[] = ["down", "degraded", "up"];

type Messages = Pick<Config, "commitMessages">;

/** The author of commits; by default GitHub's account for jobs. */
export function commitAuthor({ commitMessages }: Messages): Author {
  const {
    commitAuthorName: name = "Monitor Action",
    commitAuthorEmail: email = "41898282+github-actions[bot]@users.noreply.github.com",
    signoff,
  } = commitMessages;
  return { name, email, signsOff: signoff };
}

/** The message of a run's commit: changes, suppressed incidents last, else the number of sites in each state. */
export function commitMessage(
  { outcomes, maintenance, flushedRuns = 1 }: Pick<Decision, "outcomes" | "maintenance"> & {
    flushedRuns?: number;
  },
  texts: Pick<
    Config,
    | "commitMessages"
    | "commitPrefixStatusUp"
    | "commitPrefixStatusDown"
    | "commitPrefixStatusDegraded"
  >,
): string {
  const isSuppressed = ({ open }: Outcome) => Number(open?.cause !== undefined);
  const prefixes = {
    up: texts.commitPrefixStatusUp,
    degraded: texts.commitPrefixStatusDegraded,
    down: texts.commitPrefixStatusDown,
  };
  const template = texts.commitMessages.statusChange;
  const changed = outcomes.filter(({ change }) =>
    change !== undefined && !(change.from === undefined && change.to === "up")
  ).sort((one, other) =>
    SEVERITY.indexOf(one.change!.to) - SEVERITY.indexOf(other.change!.to) ||
    isSuppressed(one) - isSuppressed(other)
  );
  const lines = [
    ...changed.map((outcome) => changeLine(outcome, prefixes[outcome.change!.to], template)),
    ...maintenance.map(({ action, maintenance: one }) => neutralize(maintenanceNews(action, one))),
  ];
  if (lines.length > 0) return joinLines(lines);
  const states = outcomes.map(({ result }) => result.state);
  const times = flushedRuns > 1 ? ` ${flushedRuns} times` : "";
  return joinLines([`Check ${countSites(states.length)}${times}: ${countStates(states)}`]);
}

/** Puts the first line into the subject with the number of the others, and all of them into the body. */
function joinLines(all: readonly string[]): string {
  const lines = all.map((line) => line.replaceAll(SKIP, "").trim());
  const more = lines.length - 1;
  return more === 0
    ? `${lines[0]} ${SKIP}`
    : [`${lines[0]} and ${more} more ${SKIP}`, "", ...lines].join("\n");
}

function changeLine({ result, change }: Outcome, prefix: string, template?: string): string {
  const { site, code, responseTime, expiry } = result;
  const time = Math.round(responseTime ?? 0);
  const values: Record<typeof COMMIT_PLACEHOLDERS[number], string> = {
    PREFIX: prefix,
    EMOJI: prefix,
    SITE_NAME: neutralize(site.name),
    SITE_URL: neutralize(shownAddress(site) ?? site.name),
    SITE_METHOD: site.method ?? "GET",
    STATUS: change!.to,
    RESPONSE_CODE: String(code),
    RESPONSE_TIME: String(time),
  };
  const usual = change!.to === "degraded" && expiry !== undefined
    ? `$PREFIX $SITE_NAME: ${expiry}`
    : STATUS_CHANGE;
  const known: Readonly<Record<string, string>> = values;
  return (template ?? usual).replace(ANSWER, formatAnswer(code, time))
    .replace(/\$([A-Z_]+)/g, (text, name) => known[name] ?? text)
    .replace(/\s+/g, " ").trim();
}

/** Formats code and milliseconds without those that are 0, which say that there are none. */
function formatAnswer(code: number, time: number): string {
  const parts = [...code === 0 ? [] : [code], ...time === 0 ? [] : [`${time} ms`]];
  return parts.length === 0 ? "" : ` (${parts.join(" in ")})`;
}

/** Neutralizes mentions: GitHub notifies people and links or closes issues named in a commit message. */
function neutralize(text: string): string {
  return text.replace(/[@#](?=\w)/g, "$&\u200b");
}

export function maintenanceMessage(
  action: MaintenanceChange["action"],
  maintenance: readonly Maintenance[],
): string {
  return joinLines(maintenance.map((one) => neutralize(maintenanceNews(action, one))));
}

export function acknowledgementMessage(incidents: readonly string[], by: string): string {
  return joinLines([neutralize(`Acknowledge ${joinFirst(incidents, 3)} (${by})`)]);
}

export function muteMessage(
  action: "mute" | "unmute",
  slugs: readonly string[],
  by: string,
): string {
  const verb = action === "mute" ? "Mute" : "Unmute";
  return joinLines([neutralize(`${verb} ${joinFirst(slugs, 3)} (${by})`)]);
}

/** The message of the commit that moves a repository here from Upptime. */
export const IMPORT_MESSAGE = `Import the past from Upptime ${SKIP}`;

const DEFAULTS = {
  graphsUpdate: "Draw graphs",
  summaryJson: "Update statistics",
  readmeContent: "Update the summary in the README",
};

/** The message of a commit of generated files, which the configuration may replace. */
export function filesMessage({ commitMessages }: Messages, key: keyof typeof DEFAULTS): string {
  return joinLines([commitMessages[key] ?? DEFAULTS[key]]);
}

export function timelinesMessage(incidents: number): string {
  const timelines = incidents === 1 ? "timeline" : "timelines";
  return joinLines([`Bring along the ${timelines} of ${count(incidents, "incident")}`]);
}
