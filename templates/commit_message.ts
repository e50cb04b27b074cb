import type { Config } from "../lib/config/config.ts";
import type { Author } from "../lib/git/objects.ts";
import { COMMIT_PLACEHOLDERS } from "../lib/config/keys/record_keys.ts";
import { shownAddress } from "../lib/config/shown_address.ts";
import type { Decision } from "../lib/pipeline/decide.ts";
import type { Outcome } from "../lib/pipeline/outcomes.ts";
import type { Condition } from "../lib/state.ts";
import type { Maintenance } from "../lib/history/maintenance.ts";
import type { MaintenanceChange } from "../lib/incidents/maintenance/plan_maintenance.ts";
import { maintenanceNews } from "./terminal/update_notes.ts";
import { count, countSites, countStates } from "./words.ts";

const STATUS_CHANGE = "$PREFIX $SITE_NAME is $STATUS ($RESPONSE_CODE in $RESPONSE_TIME ms)";
/** Keeps a commit of ours from starting workflows. */
const SKIP = "[skip ci]";

/** The message of a commit that says what was carried out, where the memory stands on the branch. */
export const NOTE_MESSAGE = `Note what was carried out ${SKIP}`;

/** The message of a commit that takes in what was kept as plain files before. */
export const TAKE_IN_MESSAGE = `Take in the history kept as files so far ${SKIP}`;

/** The message of a commit of workflows. */
export const WORKFLOWS_MESSAGE = `Bring the workflows up to date ${SKIP}`;

const SEVERITY: readonly Condition[] = ["down", "degraded", "up"];

type Texts = Pick<
  Config,
  | "commitMessages"
  | "commitPrefixStatusUp"
  | "commitPrefixStatusDown"
  | "commitPrefixStatusDegraded"
>;

const AUTHOR = {
  name: "Monitor Action",
  email: "41898282+github-actions[bot]@users.noreply.github.com",
};

interface ToldByCommit extends Pick<Decision, "outcomes" | "maintenance"> {
  /** Runs whose checks it holds. @default {1} */
  folded?: number;
}

export function commitAuthor({ commitMessages }: Pick<Config, "commitMessages">): Author {
  const { commitAuthorName: name = AUTHOR.name, commitAuthorEmail: email = AUTHOR.email, signoff } =
    commitMessages;
  return { name, email, signsOff: signoff };
}

/**
 * The message of a commit: what changed, last what is put down to something else; else how many sites are
 * how, and how often that was seen since the last one. Nothing ever reads it back.
 */
export function commitMessage(
  { outcomes, maintenance, folded = 1 }: ToldByCommit,
  texts: Texts,
): string {
  const told = outcomes.filter(({ change }) =>
    change !== undefined && !(change.from === undefined && change.to === "up")
  ).sort((one, other) =>
    SEVERITY.indexOf(one.change!.to) - SEVERITY.indexOf(other.change!.to) ||
    Number(isPutDown(one)) - Number(isPutDown(other))
  );
  const lines = [
    ...told.map((outcome) => changeLine(outcome, texts)),
    ...maintenance.map(({ action, maintenance: one }) =>
      withoutReferences(maintenanceNews(action, one))
    ),
  ];
  if (lines.length === 0) {
    const states = outcomes.map(({ result }) => result.state);
    const times = folded > 1 ? ` ${folded} times` : "";
    lines.push(`Check ${countSites(states.length)}${times}: ${countStates(states)}`);
  }
  return messageOf(lines);
}

/** The first of some lines tells how many there are, and where there are several all stand below. */
function messageOf(all: readonly string[]): string {
  const [first, ...others] = all.map((line) => line.replaceAll(SKIP, "").trim());
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const body = others.length === 0 ? [] : ["", first!, ...others];
  return [`${first}${more} ${SKIP}`, ...body].join("\n");
}

function isPutDown({ open }: Outcome): boolean {
  return open?.cause !== undefined;
}

function changeLine({ result, change }: Outcome, texts: Texts): string {
  const prefixes = {
    up: texts.commitPrefixStatusUp,
    degraded: texts.commitPrefixStatusDegraded,
    down: texts.commitPrefixStatusDown,
  };
  const prefix = prefixes[change!.to];
  const values: Record<typeof COMMIT_PLACEHOLDERS[number], string> = {
    PREFIX: prefix,
    EMOJI: prefix,
    SITE_NAME: withoutReferences(result.site.name),
    SITE_URL: withoutReferences(shownAddress(result.site) ?? result.site.name),
    SITE_METHOD: result.site.method ?? "GET",
    STATUS: change!.to,
    RESPONSE_CODE: String(result.code),
    RESPONSE_TIME: String(Math.round(result.responseTime ?? 0)),
  };
  const { expiry } = result;
  const usual = change!.to === "degraded" && expiry !== undefined
    ? `$PREFIX $SITE_NAME: ${expiry}`
    : STATUS_CHANGE;
  const template = texts.commitMessages.statusChange ?? usual;
  const line = template.replace(
    /\$([A-Z_]+)/g,
    (text, name) => isPlaceholder(name) ? values[name] : text,
  );
  return line.replace(/\s+/g, " ").trim();
}

function isPlaceholder(name: string): name is typeof COMMIT_PLACEHOLDERS[number] {
  return COMMIT_PLACEHOLDERS.some((known) => known === name);
}

/** GitHub notifies people and links or closes issues that a commit message names; a site's name shall not. */
function withoutReferences(text: string): string {
  return text.replace(/[@#](?=\w)/g, "$&\u200b");
}

/** The message of a commit by which somebody begins maintenance, or ends it. */
export function maintenanceMessage(
  action: MaintenanceChange["action"],
  maintenance: readonly Maintenance[],
): string {
  return messageOf(maintenance.map((one) => withoutReferences(maintenanceNews(action, one))));
}

/** The message of a commit of graphs. */
export function graphsMessage({ commitMessages }: Pick<Config, "commitMessages">): string {
  return withSkip(commitMessages.graphsUpdate ?? "Draw graphs");
}

/** The message of a commit of statistics. */
export function statisticsMessage({ commitMessages }: Pick<Config, "commitMessages">): string {
  return withSkip(commitMessages.summaryJson ?? "Update statistics");
}

/** The message of a commit of the summary in the README. */
export function readmeMessage({ commitMessages }: Pick<Config, "commitMessages">): string {
  return withSkip(commitMessages.readmeContent ?? "Update the summary in the README");
}

/** The message of a commit of what people wrote on some incidents. */
export function timelinesMessage(incidents: number): string {
  return withSkip(
    `Bring along the ${incidents === 1 ? "timeline" : "timelines"} of ${
      count(incidents, "incident")
    }`,
  );
}

function withSkip(text: string): string {
  return `${text.replaceAll(SKIP, "").trim()} ${SKIP}`;
}
