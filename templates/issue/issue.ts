import { statusWords } from "../../lib/checks/network_failure.ts";
import type { IncidentEvent } from "../../lib/incidents/incident_event.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { describeDuration, formatTime } from "../../lib/time.ts";
import { CALM, flapsText } from "../../lib/evaluation/flapping.ts";
import { escapeMentions, markdownLink, markdownTable, openAddress } from "../markdown/markdown.ts";
import { confirmationTime, formatMilliseconds, formatMinute } from "../words.ts";
import { hintFor } from "./hints.ts";
import type { Phases } from "../../lib/checks/observation.ts";
import type { Site } from "../../lib/config/config.ts";
import { pageOfSite } from "../../lib/config/page_address.ts";
import { shownAddress } from "../../lib/config/shown_address.ts";
import { checksPath } from "../../lib/history/checks_log.ts";
import { incidentPath } from "../../lib/history/incident.ts";
import { recordPath } from "../../lib/history/record.ts";
import { fitParts } from "../../lib/notifications/fit_text.ts";

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

function beginning({ since, error }: Seen): string {
  const reason = error === "" ? "" : `: ${escapeMentions(error)}`;
  return `${formatMinute(since)}${reason}${/[.!?…]$/.test(error) ? "" : "."}`;
}

function hint({ site }: IncidentEvent, seen: Seen): string[] {
  const text = site === undefined || seen.condition !== "down" ? undefined : hintFor(seen, site);
  return text === undefined ? [] : [`**Hint:** ${text}`];
}

function closing(event: IncidentEvent): string {
  const { incident: { kind, start, end = event.at }, site, at, result, original } = event;
  if (original !== undefined) {
    const { id, issue } = original;
    const name = issue === undefined ? `incident ${escapeMentions(id)}` : `#${issue}`;
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
  return escapeMentions(cutAtWord(nameOf(event), LONGEST_NAME));
}

/** A text of at most `length` characters, cut after a word unless that one is very long. */
function cutAtWord(text: string, length: number): string {
  const cut = shorten(text, length);
  return cut === text ? text : cut.replace(/\s+\S{0,40}…$/u, "…");
}

export interface Seen {
  condition: "down" | "degraded";
  since: Temporal.Instant;
  /** HTTP status; 0 where none came. */
  code: number;
  error: string;
  attempts: number;
  confirmed: Temporal.Instant;
  phases?: Phases;
  /** Milliseconds. */
  responseTime?: number;
}

function seenIn({ incident, condition: now, result, at }: IncidentEvent): Seen {
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

/** The table of an issue. */
function factsTable(site: Site, seen: Seen): string {
  const { condition, since, code, error, attempts, confirmed, phases, responseTime } = seen;
  const isHttp = site.check === "http";
  const answered = code === 0 ? "no HTTP answer" : statusWords(code);
  const isDown = condition === "down";
  const isSlow = !isDown && (responseTime ?? 0) > site.degradedLeave * site.maxResponseTime;
  const isSaid = error === `answered ${answered}` || (isSlow && error.startsWith("answered after"));
  const isSure = Temporal.Instant.compare(since, confirmed) <= 0;
  const time = confirmationTime(seen, since);
  const rows: [label: string, value: string | undefined][] = [
    ["Code", isHttp ? answered : undefined],
    ["Error", isSaid ? undefined : escapeMentions(error)],
    ["Attempts", isDown ? `${attempts}${time === undefined ? "" : ` in ${time}`}` : undefined],
    [
      "Response time",
      isSlow
        ? `${formatMilliseconds(responseTime)} (${
          formatMilliseconds(site.maxResponseTime)
        } allowed)`
        : undefined,
    ],
    ["Phases", phases === undefined ? undefined : phasesText(phases)],
    [isDown ? "First failing attempt" : "First seen", secondText(since)],
    ["Confirmed", isSure ? secondText(confirmed) : undefined],
  ];
  const shown = rows.filter((row): row is [string, string] =>
    row[1] !== undefined && row[1] !== ""
  );
  return markdownTable(["Site", target(site)], shown);
}

function target(site: Site): string {
  const how = site.check === "http" ? site.method ?? "GET" : site.check;
  const address = siteLink(site) ?? "(its address is not shown)";
  return how === "GET" ? address : `${escapeMentions(how)} ${address}`;
}

const PHASES: Readonly<Record<keyof Phases, string>> = {
  dns: "name",
  connect: "connection",
  tls: "TLS",
  ttfb: "first byte",
  download: "download",
};

/**
 * Where the time went, without what took none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const phases = { dns: 4.2, connect: 18, tls: 0, ttfb: 60, download: 0.3 };
 * assertEquals(phasesText(phases), "name 4 ms, connection 18 ms, first byte 60 ms");
 * ```
 */
export function phasesText(phases: Phases): string {
  return Object.entries(PHASES).flatMap(([phase, name]) => {
    const time = Math.round(phases[phase as keyof Phases]);
    return time === 0 ? [] : [`${name} ${formatMilliseconds(time)}`];
  }).join(", ");
}

/** A moment to the second, as logs of servers are searched. */
function secondText(time: Temporal.Instant): string {
  return `${formatTime(time).slice(0, 19).replace("T", " ")} UTC`;
}

/** Longest address that is shown, in characters. */
const LONGEST_ADDRESS = 100;

export interface IssuePlaces {
  /** Address of the repository's page, such as `https://github.com/acme/status`. */
  repository: string;
  /** The monitored folder in the repository: empty, or a path that ends in `/`. */
  folder: string;
  /** Address of the status page, where there is one. */
  page?: string;
}

/** Links to everything that is kept of a site and of one incident of it. */
function historyLinks(
  event: IncidentEvent,
  since: Temporal.Instant,
  places: IssuePlaces,
): string {
  const { slug } = event.incident;
  const { page } = places;
  return [
    ...(page === undefined ? [] : [markdownLink("Status page", new URL(pageOfSite(page, slug)))]),
    markdownLink("History of this site", inside(places, "commits", recordPath(slug))),
    checksLink(since, places),
    incidentLink(event, places),
  ].join(" · ");
}

/** A link to all checks of the day of a moment. */
function checksLink(at: Temporal.Instant, places: IssuePlaces): string {
  return markdownLink("Checks of the day", inside(places, "blob", checksPath(at)));
}

/** A link to what is kept of an incident. */
function incidentLink({ id }: IncidentEvent, places: IssuePlaces): string {
  return markdownLink("File of this incident", inside(places, "blob", incidentPath(id)));
}

/** A place in the repository, by the path of a file in the monitored folder. */
function inside({ repository, folder }: IssuePlaces, view: string, path: string): URL {
  return new URL(`${repository}/${view}/HEAD/${encoded(folder + path)}`);
}

/** The address of a site, as a link where a browser can follow it; `undefined` where it is hidden. */
function siteLink(site: Site): string | undefined {
  const address = shownAddress(site);
  if (address === undefined) return undefined;
  const text = shorten(address, LONGEST_ADDRESS);
  const url = openAddress(site);
  return url === undefined ? escapeMentions(text) : markdownLink(text, url);
}

function encoded(path: string): string {
  return path.toWellFormed().split("/").map(encodeURIComponent).join("/");
}

/** Longest name within a text, in characters. */
const LONGEST_PARENT = 100;
/** Sites that are named. */
const MOST_NAMES = 50;

function dependencyLines(
  { affected = [], released }: Pick<IncidentEvent, "affected" | "released">,
): string[] {
  return [
    ...released === undefined ? [] : [releaseLine(released)],
    ...affected.length === 0 ? [] : [affectedLine(affected)],
  ];
}

function affectedLine(affected: readonly string[]): string {
  const { parts, more } = fitParts(affected, (some) => some.length <= MOST_NAMES);
  const list = [...parts.map(shown), ...more === undefined ? [] : [more]].join(", ");
  const why = affected.length === 1 ? "it depends on this" : "they depend on it";
  return `**Also failing**, because ${why}: ${list}.`;
}

function releaseLine({ name, isBack }: NonNullable<IncidentEvent["released"]>): string {
  const back = isBack ? ", which is up again" : "";
  return `Nobody was told of this until now: it was put down to ${shown(name)}${back}.`;
}

function shown(name: string): string {
  return escapeMentions(shorten(plainText(name), LONGEST_PARENT));
}
