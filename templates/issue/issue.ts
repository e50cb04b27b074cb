import { statusWords } from "../../lib/checks/network_failure.ts";
import type { IncidentEvent } from "../../lib/incidents/incident_event.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { readVotes } from "../../lib/evaluation/location_words.ts";
import { parseWebAddress } from "../../lib/text/safe_parse.ts";
import { describeAfter, formatTime } from "../../lib/time.ts";
import { CALM, flapsText } from "../../lib/evaluation/flapping.ts";
import {
  codeBlock,
  escapeMentions,
  markdownLink,
  markdownTable,
  openAddress,
} from "../markdown/markdown.ts";
import {
  confirmationTime,
  describeAddress,
  formatMilliseconds,
  formatMinute,
  PHASES,
} from "../words.ts";
import { findHint } from "../../lib/incidents/hints.ts";
import type { Phases } from "../../lib/checks/observation.ts";
import { shownAddress, type Site } from "../../lib/config/config.ts";
import { toSitePageAddress } from "../../lib/config/page_path.ts";
import { checksPath } from "../../lib/history/checks_log.ts";
import { computeOutageLength, incidentPath } from "../../lib/history/incident.ts";
import { recordPath } from "../../lib/config/record_path.ts";
import { cutText, fitParts } from "../../lib/notifications/fit_text.ts";

/** Longest title on GitHub, name in a text, and address, in UTF-16 units. */
const LONGEST_TITLE = 256;
const LONGEST_NAME = 100;
const LONGEST_ADDRESS = 100;
const MOST_NAMES = 50;

/** The end of the body of every issue. */
export const FOOTER =
  "<sub>This issue closes by itself when the site is back. Comments of collaborators that begin with " +
  "`Investigating:`, `Identified:`, `Monitoring:`, `Resolved:` or `Post-mortem:` become its timeline; `/ack` acknowledges it.</sub>";

export interface IssuePlaces {
  /** Address of the repository, such as `https://github.com/acme/status`. */
  repository: string;
  /** The monitored folder in the repository: empty, or a path that ends in `/`. */
  folder: string;
  page?: string;
}

/** The title of an incident's issue, as plain text. */
export function issueTitle(event: IncidentEvent): string {
  const { expiry } = event.incident;
  const degraded = expiry === undefined ? " has degraded performance" : `: ${expiry}`;
  const [before, after] = describeFailure(event).condition === "degraded"
    ? ["⚠️ ", degraded]
    : ["🛑 ", " is down"];
  const left = LONGEST_TITLE - before.length - after.length;
  return before + cutText(plainName(event), left) + after;
}

/** The body of an incident's issue. The caller adds the hidden marker. */
export function issueBody(event: IncidentEvent, places: IssuePlaces): string {
  const { site, incident: { slug } } = event;
  const failure = describeFailure(event);
  const { page } = places;
  const links = [
    ...page === undefined
      ? []
      : [markdownLink("Status page", new URL(toSitePageAddress(page, slug)))],
    fileLink("History of this site", "commits", recordPath(slug), places),
    checksLink(failure.since, places),
    incidentLink(event, places),
  ];
  return paragraphs(
    `${displayName(event)} has been **${failure.condition}**${sinceAndWhy(failure)}`,
    flappingNote(event),
    dependencyNotes(event),
    site === undefined ? "" : factsTable(site, failure),
    hint(event, failure),
    site === undefined ? "" : aboutSite(site),
    failure.body === undefined ? "" : `Start of the answer:\n\n${codeBlock(failure.body)}`,
    links.join(" · "),
    FOOTER,
  );
}

export function issueComment(event: IncidentEvent, places: IssuePlaces): string {
  const { action } = event;
  if (action === "close") return paragraphs(closingNote(event), incidentLink(event, places));
  if (action === "acknowledge") return paragraphs(acknowledgedNote(event));
  if (action === "affects") return paragraphs(dependencyNotes(event));
  if (action === "flap") return paragraphs(flappingText(event), incidentLink(event, places));
  const failure = describeFailure(event);
  const { condition, since } = failure;
  if (action === "reason") {
    const { at } = event.incident.reasons.at(-1)!;
    const text = sinceAndWhy({ since: at, error: failure.error });
    return paragraphs(
      `**The reason has changed**${text}`,
      hint(event, failure),
      checksLink(at, places),
    );
  }
  const headline = action === "reopen"
    ? `${condition === "down" ? "Down" : "Degraded"} again`
    : condition === "down"
    ? "Now down"
    : "Answers again, but degraded";
  return paragraphs(
    `**${headline}**${sinceAndWhy(failure)}`,
    flappingNote(event),
    dependencyNotes(event),
    action === "update" ? hint(event, failure) : "",
    checksLink(since, places),
  );
}

function paragraphs(...parts: readonly string[]): string {
  return parts.map((part) => part.trimEnd()).filter((part) => part !== "").join("\n\n") + "\n";
}

interface Failure {
  condition: "down" | "degraded";
  since: Temporal.Instant;
  /** HTTP status; 0 without an answer. */
  code: number;
  error: string;
  attempts: number;
  confirmed: Temporal.Instant;
  phases?: Phases;
  responseTime?: number;
  /** Start of the answer's body, if it may be kept. */
  body?: string;
}

/** Takes the failure from the run's result, else from the incident; of an incident that is over, the worst. */
function describeFailure({ incident, condition: now, result, at }: IncidentEvent): Failure {
  const worst = incident.kind === "degraded" ? "degraded" : "down";
  const isOver = now === undefined || now === "up";
  const condition = isOver ? worst : now;
  const since = isOver ? incident.start : at;
  if (result !== undefined && result.state === condition) {
    const { confirmedBy, attempts, error = "" } = result;
    return { ...result, condition, since, error, attempts: confirmedBy ?? attempts };
  }
  const kept = condition === worst ? {} : { code: 0, error: "" };
  return { ...incident, condition, since, ...kept };
}

function acknowledgedNote({ incident, at }: IncidentEvent): string {
  const by = incident.acknowledgements.find((one) => one.at.equals(at))?.by ?? "";
  const name = escapeMentions(shorten(plainText(by), LONGEST_NAME));
  return `**Acknowledged** by ${name} at ${formatMinute(at)}, with the command \`ack\`.`;
}

function flappingNote(event: IncidentEvent): string {
  return event.flaps === undefined ? "" : flappingText(event);
}

/** Explains that a flapping site gets no further comments until it stays up. */
function flappingText(event: IncidentEvent): string {
  const often = event.flaps === undefined ? "" : ` (${flapsText(event.flaps)})`;
  return `**Flapping:** ${displayName(event)} keeps changing state${often}. ` +
    `This issue stays open, without further comments, until it has been up in ${CALM} runs in a row.`;
}

/** Names the root cause that suppressed the incident until now, and the sites that depend on this one. */
function dependencyNotes({ affected = [], released }: IncidentEvent): string {
  const name = (one: string) => escapeMentions(shorten(plainText(one), LONGEST_NAME));
  const notes: string[] = [];
  if (released !== undefined) {
    const back = released.isBack ? ", which is up again" : "";
    notes.push(
      `Notifications were suppressed until now: the cause was ${name(released.name)}${back}.`,
    );
  }
  if (affected.length > 0) {
    const { parts, more } = fitParts(affected, (some) => some.length <= MOST_NAMES);
    const list = [...parts.map(name), ...more === undefined ? [] : [more]].join(", ");
    const why = affected.length === 1 ? "it depends on this" : "they depend on it";
    notes.push(`**Also failing**, because ${why}: ${list}.`);
  }
  return notes.join("\n\n");
}

/** The locations, the time and the error of a failure, as the end of a sentence that may name its condition. */
function sinceAndWhy(
  { condition, since, error }:
    & Pick<Failure, "since" | "error">
    & Partial<Pick<Failure, "condition">>,
): string {
  const votes = readVotes(error);
  const [places, rest] = votes !== undefined && votes.state === condition
    ? [` ${escapeMentions(votes.places)}`, votes.reason]
    : ["", error];
  const reason = rest === "" ? "" : `: ${escapeMentions(rest)}`;
  const end = /[.!?…]$/.test(rest) ? "" : ".";
  return `${places} since ${formatMinute(since)}${reason}${end}`;
}

function aboutSite({ description, runbook }: Site): string {
  const url = parseWebAddress(runbook ?? "");
  const instructions = url === undefined
    ? escapeMentions(runbook ?? "")
    : markdownLink(shorten(url.href, LONGEST_ADDRESS), url);
  return [
    ...description === undefined ? [] : [`**About:** ${escapeMentions(description)}`],
    ...instructions === "" ? [] : [`**Runbook:** ${instructions}`],
  ].join("  \n");
}

function hint({ site, before }: IncidentEvent, failure: Failure): string {
  if (site === undefined || failure.condition !== "down") return "";
  const text = findHint({ ...failure, before }, site);
  return text === undefined ? "" : `**Hint:** ${text}`;
}

function closingNote(event: IncidentEvent): string {
  const { incident, incident: { kind, end = event.at }, site, at, result } = event;
  const name = displayName(event);
  const after = describeAfter(computeOutageLength({ ...incident, end }));
  if (site === undefined) {
    return `**Resolved:** ${name} is no longer monitored, which ends this incident${after}.`;
  }
  const back = kind === "degraded" ? "is back to normal" : "is up again";
  const { code = 0, responseTime } = result?.state === "up" ? result : {};
  const answer = [
    ...site.check === "http" && code > 0 ? [statusWords(code)] : [],
    ...responseTime === undefined ? [] : [formatMilliseconds(responseTime)],
  ].join(", ");
  const first = `First good attempt at ${formatMinute(at)}${answer === "" ? "" : `: ${answer}`}.`;
  return `**Resolved:** ${name} ${back}${after}. ${first}`;
}

/** The name of a site; its slug if it is no longer monitored. */
function plainName({ site, incident }: IncidentEvent): string {
  return plainText(site?.name ?? incident.slug);
}

function displayName(event: IncidentEvent): string {
  return escapeMentions(cutText(plainName(event), LONGEST_NAME));
}

function factsTable(site: Site, failure: Failure): string {
  const { condition, since, code, error, attempts, confirmed, phases, responseTime } = failure;
  const answer = code === 0 ? "no HTTP answer" : statusWords(code);
  const isDown = condition === "down";
  const { maxResponseTime } = site;
  const isSlow = !isDown && (responseTime ?? 0) > site.degradedLeave * maxResponseTime;
  const isRepeated = error === `answered ${answer}` ||
    (isSlow && error.startsWith("answered after"));
  const isConfirmed = Temporal.Instant.compare(since, confirmed) <= 0;
  const time = confirmationTime(failure, since);
  const allowed = `${formatMilliseconds(responseTime)} (${
    formatMilliseconds(maxResponseTime)
  } allowed)`;
  const method = site.check === "http" ? site.method ?? "GET" : site.check;
  const schedule = describeAddress(site);
  const address = siteLink(site) ??
    (schedule === undefined ? "(its address is not shown)" : escapeMentions(schedule));
  const isHeartbeat = site.check === "heartbeat";
  const rows: [label: string, value: string | undefined][] = [
    ["Group", site.group && escapeMentions(site.group)],
    ["Code", site.check === "http" ? answer : undefined],
    ["Error", isRepeated ? undefined : escapeMentions(error)],
    [
      "Attempts",
      isDown && !isHeartbeat ? `${attempts}${time === undefined ? "" : ` in ${time}`}` : undefined,
    ],
    ["Response time", isSlow ? allowed : undefined],
    ["Phases", phases === undefined ? undefined : formatPhases(phases)],
    [isHeartbeat ? "Since" : isDown ? "First failing attempt" : "First seen", secondText(since)],
    ["Confirmed", isConfirmed ? secondText(confirmed) : undefined],
  ];
  return markdownTable(
    ["Site", method === "GET" ? address : `${escapeMentions(method)} ${address}`],
    rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== ""),
  );
}

/** Formats phases without those that took no time: `name look-up 4 ms, first byte 60 ms`. */
function formatPhases(phases: Phases): string {
  return Object.entries(PHASES).flatMap(([phase, name]) => {
    const time = Math.round(phases[phase as keyof Phases]);
    return time === 0 ? [] : [`${name} ${formatMilliseconds(time)}`];
  }).join(", ");
}

function secondText(time: Temporal.Instant): string {
  return `${formatTime(time).slice(0, 19).replace("T", " ")} UTC`;
}

/** The address of a site, as a link if possible; `undefined` if it is hidden. */
function siteLink(site: Site): string | undefined {
  const address = shownAddress(site);
  if (address === undefined) return undefined;
  const text = shorten(address, LONGEST_ADDRESS);
  const url = openAddress(site);
  return url === undefined ? escapeMentions(text) : markdownLink(text, url);
}

function checksLink(at: Temporal.Instant, places: IssuePlaces): string {
  return fileLink("Checks of the day", "blob", checksPath(at), places);
}

function incidentLink({ id }: IncidentEvent, places: IssuePlaces): string {
  return fileLink("File of this incident", "blob", incidentPath(id), places);
}

function fileLink(text: string, view: string, path: string, places: IssuePlaces): string {
  const file = (places.folder + path).toWellFormed().split("/").map(encodeURIComponent).join("/");
  return markdownLink(text, new URL(`${places.repository}/${view}/HEAD/${file}`));
}
