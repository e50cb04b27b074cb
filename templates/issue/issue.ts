import { type Expiry, readExpiry } from "../../lib/checks/certificates.ts";
import { statusWords } from "../../lib/checks/network_failure.ts";
import type { IncidentEvent } from "../../lib/incidents/incident_event.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { parseWebAddress } from "../../lib/text/safe_parse.ts";
import { CALM, sayFlaps } from "../../lib/evaluation/flapping.ts";
import type { Language } from "../../lib/text/language.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { codeBlock, escapeMentions, markdownLink } from "../markdown/markdown.ts";
import { findHint } from "../../lib/incidents/hints.ts";
import type { Site } from "../../lib/config/config.ts";
import { toSitePageAddress } from "../../lib/config/page_path.ts";
import { checksPath } from "../../lib/history/checks_log.ts";
import { computeOutageLength, incidentPath } from "../../lib/history/incident.ts";
import { recordPath } from "../../lib/config/record_path.ts";
import { cutText, fitParts } from "../../lib/notifications/fit_text.ts";
import { sayMilliseconds } from "../words.ts";
import { factsTable } from "./facts_table.ts";
import {
  AGAIN,
  describeFailure,
  type Failure,
  NOW,
  sayFailure,
  sayReason,
  SINCE,
} from "./failure.ts";

/** Longest title on GitHub, name in a text, and address, in UTF-16 units. */
const LONGEST_TITLE = 256;
const LONGEST_NAME = 100;
const LONGEST_ADDRESS = 100;
const MOST_NAMES = 50;

/** Shortest length of an outage that is said, in milliseconds. */
const SHORTEST = 50;

/** The end of the body of every issue. */
export function issueFooter({ say, isolate }: Language): string {
  const phase = (key: MessageKey) => `\`${say(key)}:\``;
  const text = say("issueFooter", {
    INVESTIGATING: phase("investigating"),
    IDENTIFIED: phase("identified"),
    MONITORING: phase("monitoring"),
    RESOLVED: phase("resolved"),
    POSTMORTEM: phase("postMortem"),
    COMMAND: isolate("`/ack`"),
  });
  return `<sub>${text}</sub>`;
}

export interface IssuePlaces {
  /** Address of the repository, such as `https://github.com/acme/status`. */
  repository: string;
  /** The monitored folder in the repository: empty, or a path that ends in `/`. */
  folder: string;
  page?: string;
}

/** The title of an incident's issue, as plain text. */
export function issueTitle(event: IncidentEvent, language: Language): string {
  const isDegraded = describeFailure(event).condition === "degraded";
  const sign = isDegraded ? "⚠️ " : "🛑 ";
  const { expiry } = event.incident;
  const say = (NAME: string) =>
    !isDegraded
      ? language.say("isDown", { NAME })
      : expiry === undefined
      ? language.say("siteDegraded", { NAME })
      : sayExpiry(NAME, expiry, language);
  const title = (name: string) => sign + language.startLine(say(language.isolate(name)));
  return title(cutText(plainName(event), LONGEST_TITLE - title("").length));
}

/** The titles of an incident's issue in some languages, in each that of an outage first. */
export function issueTitles(event: IncidentEvent, languages: readonly Language[]): string[] {
  return languages.flatMap((language) =>
    (["down", "degraded"] as const).map((condition) =>
      issueTitle({ ...event, condition }, language)
    )
  );
}

const EXPIRIES: Readonly<Record<Expiry["what"], readonly [MessageKey, MessageKey]>> = {
  certificate: ["siteCertificateExpires", "siteCertificateExpired"],
  domain: ["siteDomainExpires", "siteDomainExpired"],
};

function sayExpiry(NAME: string, expiry: string, { say, relative, isolate }: Language): string {
  const read = readExpiry(expiry);
  if (read === undefined) return say("withReason", { TEXT: NAME, REASON: isolate(expiry) });
  const { what, count, unit } = read;
  const [expires, expired] = EXPIRIES[what];
  return say(count < 0 ? expired : expires, { NAME, WHEN: relative(count, unit) });
}

/** The body of an incident's issue. The caller adds the hidden marker. */
export function issueBody(event: IncidentEvent, places: IssuePlaces, language: Language): string {
  const { site, incident: { slug } } = event;
  const { say } = language;
  const failure = describeFailure(event);
  const name = displayName(event, language);
  const { page } = places;
  const links = [
    ...page === undefined
      ? []
      : [markdownLink(say("statusPage"), new URL(toSitePageAddress(page, slug)))],
    fileLink(say("linkHistory"), "commits", recordPath(slug), places),
    checksLink(failure.since, places, language),
    incidentLink(event, places, language),
  ];
  return paragraphs(
    sayFailure(SINCE[failure.condition], name, failure, language),
    flappingNote(event, language),
    dependencyNotes(event, language),
    site === undefined ? "" : factsTable(site, failure, language),
    hint(event, failure, language),
    site === undefined ? "" : aboutSite(site, language),
    failure.body === undefined ? "" : `${say("startOfAnswer")}\n\n${codeBlock(failure.body)}`,
    links.join(" · "),
    issueFooter(language),
  );
}

export function issueComment(
  event: IncidentEvent,
  places: IssuePlaces,
  language: Language,
): string {
  const { action } = event;
  const link = () => incidentLink(event, places, language);
  if (action === "close") return paragraphs(closingNote(event, language), link());
  if (action === "acknowledge") return paragraphs(acknowledgedNote(event, language));
  if (action === "affects") return paragraphs(dependencyNotes(event, language));
  if (action === "flap") return paragraphs(flappingText(event, language), link());
  const failure = describeFailure(event);
  const { condition, since } = failure;
  const name = displayName(event, language);
  if (action === "reason") {
    const { at } = event.incident.reasons.at(-1)!;
    return paragraphs(
      sayReason({ since: at, error: failure.error }, language),
      hint(event, failure, language),
      checksLink(at, places, language),
    );
  }
  return paragraphs(
    sayFailure((action === "reopen" ? AGAIN : NOW)[condition], name, failure, language),
    flappingNote(event, language),
    dependencyNotes(event, language),
    action === "update" ? hint(event, failure, language) : "",
    checksLink(since, places, language),
  );
}

function paragraphs(...parts: readonly string[]): string {
  return parts.map((part) => part.trimEnd()).filter((part) => part !== "").join("\n\n") + "\n";
}

function acknowledgedNote({ incident, at }: IncidentEvent, language: Language): string {
  const by = incident.acknowledgements.find((one) => one.at.equals(at))?.by ?? "";
  return language.say("commentAcknowledged", {
    NAME: showName(by, language),
    TIME: language.utcMinute(at),
  });
}

function flappingNote(event: IncidentEvent, language: Language): string {
  return event.flaps === undefined ? "" : flappingText(event, language);
}

/** Explains that a flapping site gets no further comments until it stays up. */
function flappingText(event: IncidentEvent, language: Language): string {
  const { say } = language;
  const NAME = displayName(event, language);
  const first = event.flaps === undefined
    ? say("issueFlapping", { NAME })
    : say("issueFlappingOften", { NAME, CHANGES: sayFlaps(event.flaps, language) });
  return language.joinSentences([first, say("issueStaysOpen", { COUNT: CALM })]);
}

/** Names the root cause that suppressed the incident until now, and the sites that depend on this one. */
function dependencyNotes({ affected = [], released }: IncidentEvent, language: Language): string {
  const { say } = language;
  const notes: string[] = [];
  if (released !== undefined) {
    const NAME = showName(released.name, language);
    notes.push(say(released.isBack ? "issueSuppressedBack" : "issueSuppressed", { NAME }));
  }
  if (affected.length > 0) {
    const { parts } = fitParts(affected, (some) => some.length <= MOST_NAMES, language);
    const names = parts.map((one) => showName(one, language))
      .reduce((ONE, OTHER) => say("commaBetween", { ONE, OTHER }));
    const more = affected.length - parts.length;
    const LIST = more === 0 ? names : say("listAndMore", { LIST: names, COUNT: more });
    notes.push(say("issueAlsoFailing", { COUNT: affected.length, LIST }));
  }
  return notes.join("\n\n");
}

function aboutSite({ description, runbook }: Site, { say, isolate }: Language): string {
  const url = parseWebAddress(runbook ?? "");
  const instructions = url === undefined
    ? escapeMentions(runbook ?? "")
    : markdownLink(shorten(url.href, LONGEST_ADDRESS), url);
  return [
    ...description === undefined
      ? []
      : [say("issueAbout", { TEXT: isolate(escapeMentions(description)) })],
    ...instructions === "" ? [] : [say("issueRunbook", { TEXT: isolate(instructions) })],
  ].join("  \n");
}

function hint({ site, before }: IncidentEvent, failure: Failure, language: Language): string {
  if (site === undefined || failure.condition !== "down") return "";
  const TEXT = findHint({ ...failure, before }, site, language, language.utcMinute);
  return TEXT === undefined ? "" : language.say("issueHint", { TEXT });
}

function closingNote(event: IncidentEvent, language: Language): string {
  const { incident, incident: { kind, end = event.at }, site, at, result } = event;
  const { say } = language;
  const NAME = displayName(event, language);
  const length = computeOutageLength({ ...incident, end });
  const sayEnd = (alone: MessageKey, after: MessageKey) =>
    length < SHORTEST
      ? say(alone, { NAME })
      : say(after, { NAME, TIME: language.duration(length) });
  if (site === undefined) return sayEnd("issueGone", "issueGoneAfter");
  const { code = 0, responseTime } = result?.state === "up" ? result : {};
  const answer = [
    ...site.check === "http" && code > 0 ? [language.isolate(statusWords(code))] : [],
    ...responseTime === undefined ? [] : [sayMilliseconds(responseTime, language)],
  ];
  const TIME = language.utcMinute(at);
  const back = kind === "degraded"
    ? sayEnd("issueNormal", "issueNormalAfter")
    : sayEnd("issueUp", "issueUpAfter");
  const first = answer.length === 0
    ? say("issueFirstGood", { TIME })
    : say("issueFirstGoodAnswer", {
      TIME,
      ANSWER: answer.reduce((ONE, OTHER) => say("commaBetween", { ONE, OTHER })),
    });
  return language.joinSentences([back, first]);
}

/** The name of a site; its slug if it is no longer monitored. */
function plainName({ site, incident }: IncidentEvent): string {
  return plainText(site?.name ?? incident.slug);
}

function displayName(event: IncidentEvent, { isolate }: Language): string {
  return isolate(escapeMentions(cutText(plainName(event), LONGEST_NAME)));
}

function showName(name: string, { isolate }: Language): string {
  return isolate(escapeMentions(shorten(plainText(name), LONGEST_NAME)));
}

function checksLink(at: Temporal.Instant, places: IssuePlaces, { say }: Language): string {
  return fileLink(say("linkChecks"), "blob", checksPath(at), places);
}

function incidentLink({ id }: IncidentEvent, places: IssuePlaces, { say }: Language): string {
  return fileLink(say("linkIncident"), "blob", incidentPath(id), places);
}

function fileLink(text: string, view: string, path: string, places: IssuePlaces): string {
  const file = (places.folder + path).toWellFormed().split("/").map(encodeURIComponent).join("/");
  return markdownLink(text, new URL(`${places.repository}/${view}/HEAD/${file}`));
}
