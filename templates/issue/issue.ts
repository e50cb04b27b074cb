import { statusWords } from "../../lib/checks/http/status_words.ts";
import type { IncidentEvent } from "../../lib/incidents/event.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { describeDuration } from "../../lib/time.ts";
import { CALM, flapsText } from "../../lib/evaluation/flapping.ts";
import { inertMarkdown } from "../markdown.ts";
import { formatMilliseconds } from "../measures.ts";
import { formatMinute } from "../words.ts";
import { hintFor } from "./hints.ts";
import { dependencyLines } from "./dependency_lines.ts";
import { factsTable, type Seen, seenIn } from "./issue_facts.ts";
import { checksLink, historyLinks, incidentLink, type IssuePlaces } from "./issue_links.ts";

export type { IssuePlaces };

/** Characters that GitHub allows in a title. */
const LONGEST_TITLE = 256;
/** Longest name within a text, in characters. */
const LONGEST_NAME = 100;

const FOOTER =
  "<sub>This issue closes by itself when the site is back. Comments of collaborators that begin with " +
  "`Investigating:`, `Identified:`, `Monitoring:`, `Resolved:` or `Post-mortem:` become its timeline.</sub>\n";

/** The title of an incident's issue, as plain text: how the site is, or how it was before it came back. */
export function issueTitle(event: IncidentEvent): string {
  const { expiry } = event.incident;
  const degraded = expiry === undefined ? " has degraded performance" : `: ${expiry}`;
  const [before, after] = seenIn(event).condition === "degraded"
    ? ["⚠️ ", degraded]
    : ["🛑 ", " is down"];
  const left = LONGEST_TITLE - [...before, ...after].length;
  return before + cutAtWord(nameOf(event), left) + after;
}

/** What the issue of an incident says first. The caller adds what it finds it by. */
export function issueBody(event: IncidentEvent, places: IssuePlaces): string {
  const { site } = event;
  const seen = seenIn(event);
  const parts = [
    `${shownName(event)} has been **${seen.condition}** since ${beginning(seen)}`,
    ...(event.flaps === undefined ? [] : [flappingLine(event)]),
    ...dependencyLines(event),
    ...(site === undefined ? [] : [factsTable(site, seen)]),
    ...hint(event, seen),
    historyLinks(event, seen.since, places),
    FOOTER,
  ];
  return parts.map((part) => part.trimEnd()).join("\n\n") + "\n";
}

/** What a comment says of something that happens to an incident later. */
export function issueComment(event: IncidentEvent, places: IssuePlaces): string {
  const { action } = event;
  if (action === "close") return `${closing(event)}\n\n${incidentLink(event, places)}\n`;
  if (action === "affects") return [...dependencyLines(event), ""].join("\n");
  if (action === "flap") return `${flappingLine(event)}\n\n${incidentLink(event, places)}\n`;
  const seen = seenIn(event);
  const { condition, since } = seen;
  if (action === "reason") {
    const { at } = event.incident.reasons.at(-1)!;
    const parts = [
      `**The reason has changed** since ${beginning({ ...seen, since: at })}`,
      ...hint(event, seen),
      checksLink(at, places),
    ];
    return parts.join("\n\n") + "\n";
  }
  const news = action === "reopen"
    ? `${condition === "down" ? "Down" : "Degraded"} again`
    : condition === "down"
    ? "Now down"
    : "Answers again, but degraded";
  const parts = [
    `**${news}** since ${beginning(seen)}`,
    ...(event.flaps === undefined ? [] : [flappingLine(event)]),
    ...dependencyLines(event),
    ...(action === "update" ? hint(event, seen) : []),
    checksLink(since, places),
  ];
  return parts.join("\n\n") + "\n";
}

/** Explains that a flapping site gets no further comments until it stays up. */
function flappingLine(event: IncidentEvent): string {
  const often = event.flaps === undefined ? "" : ` (${flapsText(event.flaps)})`;
  return `**Flapping:** ${
    shownName(event)
  } keeps changing its state${often}. This issue stays open, and nothing more is said, until it has ` +
    `been up in ${CALM} runs in a row.`;
}

/** When and why, to the end of a sentence. */
function beginning({ since, error }: Seen): string {
  const reason = error === "" ? "" : `: ${inertMarkdown(error)}`;
  return `${formatMinute(since)}${reason}${/[.!?…]$/.test(error) ? "" : "."}`;
}

function hint({ site }: IncidentEvent, seen: Seen): string[] {
  const text = site === undefined || seen.condition !== "down" ? undefined : hintFor(seen, site);
  return text === undefined ? [] : [`**Hint:** ${text}`];
}

/** That an incident is over, how long it was, and what showed that. */
function closing(event: IncidentEvent): string {
  const { incident: { kind, start, end = event.at }, site, at, result, original } = event;
  if (original !== undefined) {
    const { id, issue } = original;
    const name = issue === undefined ? `incident ${inertMarkdown(id)}` : `#${issue}`;
    return `**Resolved:** this is a duplicate of ${name}, which is about the same outage.`;
  }
  const length = end.since(start).total("milliseconds");
  const after = length < 1000 ? "" : ` after ${describeDuration(length)}`;
  if (site === undefined) {
    return `**Resolved:** ${
      shownName(event)
    } is no longer monitored, which ends this incident${after}.`;
  }
  const back = kind === "degraded" ? "is as it should be again" : "is up again";
  const { code = 0, responseTime } = result?.state === "up" ? result : {};
  const told = [
    ...(site.check === "http" && code > 0 ? [statusWords(code)] : []),
    ...(responseTime === undefined ? [] : [formatMilliseconds(responseTime)]),
  ];
  const answer = told.length === 0 ? "" : `: ${told.join(", ")}`;
  return `**Resolved:** ${shownName(event)} ${back}${after}. First good attempt at ${
    formatMinute(at)
  }${answer}.`;
}

/** The name of a site; of one that is no longer monitored, what its files go by. */
function nameOf({ site, incident }: IncidentEvent): string {
  return plainText(site?.name ?? incident.slug);
}

function shownName(event: IncidentEvent): string {
  return inertMarkdown(cutAtWord(nameOf(event), LONGEST_NAME));
}

/** A text of at most `length` characters, cut after a word unless that one is very long. */
function cutAtWord(text: string, length: number): string {
  const cut = shorten(text, length);
  return cut === text ? text : cut.replace(/\s+\S{0,40}…$/u, "…");
}
