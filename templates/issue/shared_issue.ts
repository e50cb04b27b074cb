import type { Site } from "../../lib/config/config.ts";
import { readPlaces, readVotes, sayError, sayPlaces } from "../../lib/evaluation/location_words.ts";
import { type Incident, INCIDENTS_FOLDER } from "../../lib/history/incident.ts";
import type { GroupedIncident, SharedIssueEvent } from "../../lib/incidents/incident_event.ts";
import { MOST_ISSUES } from "../../lib/incidents/shared_issues.ts";
import { fitParts } from "../../lib/notifications/fit_text.ts";
import type { Language } from "../../lib/text/language.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { escapeMentions } from "../markdown/markdown.ts";
import { issueFooter, type IssuePlaces } from "./issue.ts";

/** Most characters of lists: GitHub takes 65,536 of a text. */
const LONGEST_LIST = 50_000;
const LONGEST_NAME = 100;
const LONGEST_ERROR = 200;

/** Texts of an issue that incidents share; `redact` is applied to each. */
export function sharedTexts(
  sites: readonly Pick<Site, "slug" | "name">[],
  places: IssuePlaces,
  language: Language,
  redact: (text: string) => string,
): Record<"sharedTitle" | "sharedBody" | "sharedComment", (event: SharedIssueEvent) => string> {
  const names = new Map(sites.map(({ slug, name }) => [slug, name]));
  return {
    sharedTitle: (event) => redact(sharedIssueTitle(event, language)),
    sharedBody: (event) => redact(sharedIssueBody(event, { names, places, language })),
    sharedComment: (event) => redact(sharedIssueComment(event, { names, language })),
  };
}

interface ListContext {
  /** Names of sites by their slugs. */
  names: ReadonlyMap<string, string>;
  language: Language;
}

/** The title of an issue that incidents share: it stays while sites fail and recover. */
function sharedIssueTitle(
  { group }: Pick<SharedIssueEvent, "group">,
  { say, isolate }: Language,
): string {
  const title = group === undefined
    ? say("manySitesFail")
    : say("manySitesFailOf", { GROUP: isolate(shorten(plainText(group), LONGEST_NAME)) });
  return `🛑 ${title}`;
}

/** The body of an issue that incidents share, with the list of its sites. The caller adds the hidden marker. */
function sharedIssueBody(
  { group, open, start }: SharedIssueEvent,
  { names, places: { repository, folder }, language }: ListContext & { places: IssuePlaces },
): string {
  const { say, utcMinute } = language;
  const files = (folder + INCIDENTS_FOLDER).toWellFormed().split("/").map(encodeURIComponent).join(
    "/",
  );
  const values = { COUNT: open.length, TIME: utcMinute(start) };
  const LINK = new URL(`${repository}/tree/HEAD/${files}`).href;
  return [
    group === undefined
      ? say("sharedFailing", values)
      : say("sharedFailingOf", { ...values, GROUP: showGroup(group, language) }),
    listSites(open, { names, language }),
    say("sharedWhy", { COUNT: MOST_ISSUES, LINK }),
    issueFooter(language),
  ].join("\n\n") + "\n";
}

function sharedIssueComment(
  { action, group, open }: SharedIssueEvent,
  { names, language }: ListContext,
): string {
  const { say } = language;
  const GROUP = group === undefined ? undefined : showGroup(group, language);
  if (action === "close") {
    const text = GROUP === undefined ? say("sharedResolved") : say("sharedResolvedOf", { GROUP });
    return `${text}\n`;
  }
  // It is also reopened for another site if a person has closed it.
  const isAgain = action === "reopen" && open.some(({ incident }) => incident.reopened.length > 0);
  const COUNT = open.length;
  const headline = GROUP === undefined
    ? say(isAgain ? "sharedAgain" : "sharedNow", { COUNT })
    : say(isAgain ? "sharedAgainOf" : "sharedNowOf", { COUNT, GROUP });
  return `${headline}\n\n${listSites(open, { names, language })}\n`;
}

function showGroup(group: string, { isolate }: Language): string {
  return isolate(escapeMentions(shorten(plainText(group), LONGEST_NAME)));
}

function listSites(open: readonly GroupedIncident[], { names, language }: ListContext): string {
  const lines = open.map(({ incident }) =>
    `- ${language.startLine(saySite(incident, { names, language }))}`
  );
  const join = (some: readonly string[]) =>
    [
      ...some,
      ...some.length === lines.length
        ? []
        : [language.say("andMore", { COUNT: lines.length - some.length })],
    ].join("\n");
  return join(fitParts(lines, (some) => join(some).length <= LONGEST_LIST, language).parts);
}

function saySite({ slug, kind, error: found }: Incident, { names, language }: ListContext): string {
  const { say, isolate } = language;
  const isDown = kind === "down";
  const error = shorten(plainText(found), LONGEST_ERROR);
  const NAME = isolate(escapeMentions(shorten(plainText(names.get(slug) ?? slug), LONGEST_NAME)));
  if (error === "") return say(isDown ? "isDown" : "isDegraded", { NAME });
  const votes = readVotes(error);
  const places = votes && readPlaces(votes.places);
  const ERROR = sayError(error, language, escapeMentions);
  if (votes === undefined || places === undefined) {
    return say(isDown ? "isDownError" : "isDegradedError", { NAME, ERROR });
  }
  if (votes.state !== kind) return say("isDegradedButDown", { NAME, VOTES: ERROR });
  const PLACES = sayPlaces(places, language, escapeMentions);
  if (votes.reason === "") return say(isDown ? "isDownIn" : "isDegradedIn", { NAME, PLACES });
  const values = { NAME, PLACES, ERROR: isolate(escapeMentions(votes.reason)) };
  return say(isDown ? "isDownInError" : "isDegradedInError", values);
}
