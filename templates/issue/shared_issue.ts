import type { Site } from "../../lib/config/config.ts";
import { withError } from "../../lib/evaluation/location_words.ts";
import { INCIDENTS_FOLDER } from "../../lib/history/incident.ts";
import type { GroupedIncident, SharedIssueEvent } from "../../lib/incidents/incident_event.ts";
import { MOST_ISSUES } from "../../lib/incidents/shared_issues.ts";
import { joinFitting } from "../../lib/notifications/fit_text.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { escapeMentions } from "../markdown/markdown.ts";
import { countSites, formatMinute } from "../words.ts";
import { FOOTER, type IssuePlaces } from "./issue.ts";

/** Most characters of lists: GitHub takes 65,536 of a text. */
const LONGEST_LIST = 50_000;
const LONGEST_NAME = 100;
const LONGEST_ERROR = 200;

/** Texts of an issue that incidents share; `redact` is applied to each. */
export function sharedTexts(
  sites: readonly Pick<Site, "slug" | "name">[],
  places: IssuePlaces,
  redact: (text: string) => string,
): Record<"sharedTitle" | "sharedBody" | "sharedComment", (event: SharedIssueEvent) => string> {
  const names = new Map(sites.map(({ slug, name }) => [slug, name]));
  return {
    sharedTitle: (event) => redact(sharedIssueTitle(event)),
    sharedBody: (event) => redact(sharedIssueBody(event, names, places)),
    sharedComment: (event) => redact(sharedIssueComment(event, names)),
  };
}

/** Names of sites by their slugs. */
type SiteNames = ReadonlyMap<string, string>;

/** The title of an issue that incidents share: it stays while sites fail and recover. */
function sharedIssueTitle({ group }: Pick<SharedIssueEvent, "group">): string {
  return `🛑 Many sites${ofGroup(group, (name) => name)} are failing`;
}

/** The body of an issue that incidents share, with the list of its sites. The caller adds the hidden marker. */
function sharedIssueBody(
  { group, open, start }: SharedIssueEvent,
  names: SiteNames,
  { repository, folder }: IssuePlaces,
): string {
  const files = (folder + INCIDENTS_FOLDER).toWellFormed().split("/").map(encodeURIComponent).join(
    "/",
  );
  return [
    `**${countSites(open.length)}**${ofGroup(group)} ${
      open.length === 1 ? "has" : "have"
    } been failing since ${formatMinute(start)}:`,
    listSites(open, names),
    `More than ${MOST_ISSUES} incidents were opened within an hour, so those of a group share an issue. ` +
    `Each one has its own [file](${new URL(`${repository}/tree/HEAD/${files}`).href}).`,
    FOOTER,
  ].join("\n\n") + "\n";
}

function sharedIssueComment(
  { action, group, open }: SharedIssueEvent,
  names: SiteNames,
): string {
  if (action === "close") return `**Resolved:** all sites${ofGroup(group)} are up again.\n`;
  // It is also reopened for another site if a person has closed it.
  const isAgain = open.some(({ incident }) => incident.reopened.length > 0);
  const headline = action === "reopen" && isAgain ? "Failing again" : "Now failing";
  return `**${headline}:** ${countSites(open.length)}${ofGroup(group)}.\n\n${
    listSites(open, names)
  }\n`;
}

function ofGroup(group: string | undefined, show = escapeMentions): string {
  return group === undefined ? "" : ` of ${show(shorten(plainText(group), LONGEST_NAME))}`;
}

function listSites(open: readonly GroupedIncident[], names: SiteNames): string {
  const lines = open.map(({ incident: { slug, kind, error } }) => {
    const name = escapeMentions(shorten(plainText(names.get(slug) ?? slug), LONGEST_NAME));
    const reason = escapeMentions(withError(kind, shorten(plainText(error), LONGEST_ERROR)));
    return `- ${name} is ${reason}`;
  });
  return joinFitting(lines, { separator: "\n", longest: LONGEST_LIST });
}
