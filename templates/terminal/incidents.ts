import { currentReason } from "../../lib/incidents/reason.ts";
import { endOf, isCalledOff, type Stage, stageOf } from "../../lib/history/stage_of.ts";
import { slugsOf, type StoredIncident } from "../../lib/history/stored_incidents.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { count, type NamedSite, shortDuration, siteName } from "../words.ts";
import { stateMark } from "./lines.ts";
import { column, textWidth } from "../../lib/text/columns.ts";
import { formatTime, utcDay, utcMinute } from "../../lib/time.ts";
import { impactOf } from "../../lib/history/manual_incident.ts";

/** An incident as it is told: of a site, of maintenance, or one that people tell of. */
export interface ToldIncident {
  id: string;
  incident: StoredIncident;
  stage: Stage;
  /** A coloured sign, one column wide. */
  mark: string;
  /** Names of the sites it is about, on one line; empty where it names none. */
  sites: string;
  what: string;
}

/** An incident as it is told at a moment. */
export function toldIncident(
  id: string,
  incident: StoredIncident,
  { sites, now }: { sites: readonly NamedSite[]; now: Temporal.Instant },
): ToldIncident {
  const stage = stageOf(incident, now);
  return {
    id,
    incident,
    stage,
    mark: stage === "over" ? stateMark("up") : MARKS[incident.kind],
    sites: slugsOf(incident).map((slug) => siteName(slug, sites)).join(", "),
    what: whatOf(incident),
  };
}

export function listedIncidents(
  all: readonly ToldIncident[],
  since: Temporal.Instant,
): Record<Stage, ToldIncident[]> {
  const newestFirst = all.toSorted((one, other) =>
    Temporal.Instant.compare(other.incident.start, one.incident.start)
  );
  const at = (stage: Stage) => newestFirst.filter((one) => one.stage === stage);
  return {
    open: at("open"),
    ahead: at("ahead").reverse(),
    over: at("over").filter(({ incident }) =>
      Temporal.Instant.compare(endOf(incident)!, since) >= 0
    ),
  };
}

const MARKS: Readonly<Record<StoredIncident["kind"], string>> = {
  down: stateMark("down"),
  degraded: stateMark("degraded"),
  maintenance: stateMark("maintenance"),
  manual: paint.yellow("◆"),
};

function whatOf(incident: StoredIncident): string {
  if (incident.kind === "maintenance" || incident.kind === "manual") {
    const name = plainText(incident.name);
    return isCalledOff(incident) ? `called off: ${name}` : name;
  }
  const { error: reason } = incident.end === undefined ? currentReason(incident) : incident;
  const error = plainText(reason);
  return error === "" ? incident.kind : `${incident.kind}: ${error}`;
}

/** Days that an incident which is over is listed for. */
export const LISTED_DAYS = 14;

const GAP = "  ";
/** Part of a line that the names of sites take at most. */
const SITES_SHARE = 1 / 6;
const HEADINGS = { open: "open", ahead: "ahead", over: `last ${LISTED_DAYS} days` };
const STAGES = ["open", "ahead", "over"] as const;

/** Incidents of now and of the last days, one a line, for a terminal of some columns. */
export function incidentList(
  all: readonly ToldIncident[],
  now: Temporal.Instant,
  columns: number,
): string {
  if (all.length === 0) return "No incidents yet.";
  const listed = listedIncidents(all, now.subtract({ hours: LISTED_DAYS * 24 }));
  const shown = STAGES.flatMap((stage) => listed[stage]);
  const facts = new Map(shown.map((one) => [one, factsOf(one, now)]));
  const widths = [0, 1, 2, 3].map((index) =>
    Math.max(0, ...[...facts.values()].map((texts) => textWidth(texts[index]!)))
  );
  const widest = Math.max(0, ...shown.map((one) => textWidth(one.sites)));
  const sites = Math.min(widest, Math.max(8, Math.floor(columns * SITES_SHARE)));
  const fixed = [
    "✔".length,
    ...[sites, ...widths].flatMap((width) => width === 0 ? [] : [GAP.length + width]),
  ];
  const room = columns - fixed.reduce((sum, width) => sum + width, 0) - GAP.length + 1;
  const longest = Math.max(0, ...shown.map((one) => textWidth(one.what)));
  // Where there is no room for it, the line is longer than the terminal, but says what is.
  const what = Math.min(longest, Math.max(16, room));
  const line = (one: ToldIncident) => {
    const texts = facts.get(one)!.map((text, index) => column(text, widths[index]!));
    const cells = [column(one.sites, sites), column(one.what, what), ...texts];
    return `${one.mark} ${cells.filter((cell) => cell !== "").join(GAP)}`.trimEnd();
  };
  const parts = STAGES.filter((stage) => listed[stage].length > 0)
    .map((stage) => [paint.dim(HEADINGS[stage]), ...listed[stage].map(line)].join("\n"));
  return [...parts, summary(all, listed)].join("\n\n");
}

function factsOf(told: ToldIncident, now: Temporal.Instant): string[] {
  const { updates, issue, start } = told.incident;
  return [
    shortMoment(start, now),
    lengthOf(told, now),
    updates.length === 0 ? "" : count(updates.length, "update"),
    issue === undefined ? "" : `#${issue}`,
  ];
}

function lengthOf({ incident, stage }: ToldIncident, now: Temporal.Instant): string {
  const between = (from: Temporal.Instant, to: Temporal.Instant) =>
    shortDuration(Math.max(1, to.since(from).total("seconds")));
  if (stage === "ahead") return `in ${between(now, incident.start)}`;
  return between(incident.start, stage === "open" ? now : endOf(incident)!);
}

/** A moment to the minute without the year where that is this one: `11-21 10:05`. */
function shortMoment(time: Temporal.Instant, now: Temporal.Instant): string {
  const text = utcMinute(time);
  return utcDay(time).slice(0, 4) === utcDay(now).slice(0, 4) ? text.slice("YYYY-".length) : text;
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function summary(
  all: readonly ToldIncident[],
  { open, ahead, over }: ReturnType<typeof listedIncidents>,
): string {
  const before = all.length - open.length - ahead.length - over.length;
  const kept = open.filter(({ incident }) => incident.kind === "maintenance").length;
  const broken = open.length - kept;
  const parts = [
    ...broken === 0 ? [] : [`${count(broken, "incident")} ${broken === 1 ? "is" : "are"} open`],
    ...kept === 0 ? [] : ["maintenance goes on"],
  ];
  const going = open.length === 0 ? "Nothing is open" : capitalized(parts.join(", "));
  const recent = over.length === 0
    ? `none ended in the last ${LISTED_DAYS} days`
    : `${over.length} ended in the last ${LISTED_DAYS} days`;
  return `${going}, ${recent}${before === 0 ? "" : `, ${before} before`}. Times are UTC.`;
}

export interface IncidentChange {
  at: Temporal.Instant;
  word: "down" | "degraded" | "ended" | "reopened";
}

export function changesOf(incident: StoredIncident): IncidentChange[] {
  if (incident.kind === "maintenance" || incident.kind === "manual") return [];
  const { start, kind, changes, reopened, ended, end } = incident;
  const [first] = changes;
  const began = first === undefined ? kind : first.state === "down" ? "degraded" : "down";
  const all: IncidentChange[] = [
    { at: start, word: began },
    ...changes.map(({ at, state }) => ({ at, word: state })),
    ...ended.map((at) => ({ at, word: "ended" as const })),
    ...reopened.map((at) => ({ at, word: "reopened" as const })),
    ...end === undefined ? [] : [{ at: end, word: "ended" as const }],
  ];
  return all.sort((one, other) => Temporal.Instant.compare(one.at, other.at));
}

export function incidentsJson(
  incidents: readonly ToldIncident[],
  { now, stale, written }: {
    now: Temporal.Instant;
    stale?: string;
    /** Paths of the files that were written, or would be. */
    written: readonly string[];
  },
): unknown {
  return {
    time: formatTime(now),
    stale: stale ?? null,
    written,
    incidents: incidents.map(({ id, incident, stage }) => ({ id, stage, ...dataOf(incident) })),
  };
}

function dataOf(incident: StoredIncident): Record<string, unknown> {
  const { kind, start, end, issue, updates } = incident;
  const common = {
    kind,
    sites: slugsOf(incident),
    start: formatTime(start),
    end: end === undefined ? null : formatTime(end),
    issue: issue ?? null,
  };
  const timeline = updates.map(({ at, phase, text }) => (
    { at: formatTime(at), phase: phase ?? null, text }
  ));
  if (incident.kind === "manual") {
    const { name, text } = incident;
    return { ...common, name, impact: impactOf(incident), text, updates: timeline };
  }
  if (incident.kind === "maintenance") {
    const { name, source, until, sites, text } = incident;
    const expected = Object.fromEntries(sites);
    return { ...common, name, source, until: formatTime(until), expected, text, updates: timeline };
  }
  const { confirmed, code, error, attempts, cause, affects } = incident;
  return {
    ...common,
    confirmed: formatTime(confirmed),
    ...{ code, error, attempts, cause: cause ?? null, affects },
    changes: changesOf(incident).map(({ at, word }) => ({ at: formatTime(at), what: word })),
    updates: timeline,
  };
}
