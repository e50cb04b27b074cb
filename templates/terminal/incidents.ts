import { impactOf } from "../../lib/history/manual_incident.ts";
import {
  endOf,
  isCalledOff,
  slugsOf,
  type Stage,
  stageOf,
  type StoredIncident,
} from "../../lib/history/stored_incidents.ts";
import { currentReason } from "../../lib/incidents/plan_incident.ts";
import { column, textWidth } from "../../lib/text/columns.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { formatTime, utcDay, utcMinute } from "../../lib/time.ts";
import { count, type NamedSite, shortDuration, siteName } from "../words.ts";
import { stateMark } from "./lines.ts";

/** An incident, a notice or a maintenance window with its texts for the terminal. */
export interface DescribedIncident {
  id: string;
  incident: StoredIncident;
  stage: Stage;
  /** A coloured sign, one column wide. */
  mark: string;
  /** Names of the affected sites, on one line. */
  sites: string;
  /** The problem, or the title given by people, on one line. */
  what: string;
}

export function describeIncident(
  id: string,
  incident: StoredIncident,
  { sites, now }: { sites: readonly NamedSite[]; now: Temporal.Instant },
): DescribedIncident {
  const stage = stageOf(incident, now);
  return {
    id,
    incident,
    stage,
    mark: stage === "over"
      ? stateMark("up")
      : incident.kind === "manual"
      ? paint.yellow("◆")
      : stateMark(incident.kind),
    sites: slugsOf(incident).map((slug) => siteName(slug, sites)).join(", "),
    what: describeProblem(incident),
  };
}

function describeProblem(incident: StoredIncident): string {
  if (incident.kind === "maintenance" || incident.kind === "manual") {
    const name = plainText(incident.name);
    return isCalledOff(incident) ? `called off: ${name}` : name;
  }
  const { error: reason } = incident.end === undefined ? currentReason(incident) : incident;
  const error = plainText(reason);
  return error === "" ? incident.kind : `${incident.kind}: ${error}`;
}

/** Selects open and upcoming incidents, and those that ended since a moment; the newest first, upcoming ones last. */
export function selectIncidents(
  all: readonly DescribedIncident[],
  since: Temporal.Instant,
): Record<Stage, DescribedIncident[]> {
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

/** Days for which ended incidents are listed. */
export const LISTED_DAYS = 14;
const GAP = "  ";
const HEADINGS = { open: "open", ahead: "ahead", over: `last ${LISTED_DAYS} days` };
const STAGES = ["open", "ahead", "over"] as const;

/** Lists current and recent incidents, one per line. */
export function incidentList(
  all: readonly DescribedIncident[],
  now: Temporal.Instant,
  columns: number,
): string {
  if (all.length === 0) return "No incidents yet.";
  const selected = selectIncidents(all, now.subtract({ hours: LISTED_DAYS * 24 }));
  const rows = new Map(
    STAGES.flatMap((stage) => selected[stage]).map((one) => [one, factsOf(one, now)]),
  );
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(textWidth));
  const widths = [0, 1, 2, 3].map((index) =>
    widest([...rows.values()].map((texts) => texts[index]!))
  );
  const shown = [...rows.keys()];
  const sites = Math.min(
    widest(shown.map((one) => one.sites)),
    Math.max(8, Math.floor(columns / 6)),
  );
  const fixed = [sites, ...widths].filter((width) => width > 0)
    .reduce((sum, width) => sum + GAP.length + width, 0);
  // Without room the lines get longer than the terminal.
  const room = Math.max(16, columns - fixed - "✔ ".length);
  const what = Math.min(widest(shown.map((one) => one.what)), room);
  const line = (one: DescribedIncident) => {
    const texts = rows.get(one)!.map((text, index) => column(text, widths[index]!));
    const cells = [column(one.sites, sites), column(one.what, what), ...texts];
    return `${one.mark} ${cells.filter((cell) => cell !== "").join(GAP)}`.trimEnd();
  };
  const parts = STAGES.filter((stage) => selected[stage].length > 0)
    .map((stage) => [paint.dim(HEADINGS[stage]), ...selected[stage].map(line)].join("\n"));
  return [...parts, summarize(all, selected)].join("\n\n");
}

/** Start, duration, number of updates, and issue. */
function factsOf({ incident, stage }: DescribedIncident, now: Temporal.Instant): string[] {
  const { updates, issue, start } = incident;
  const between = (from: Temporal.Instant, to: Temporal.Instant) =>
    shortDuration(Math.max(1, to.since(from).total("seconds")));
  const isThisYear = utcDay(start).slice(0, 4) === utcDay(now).slice(0, 4);
  return [
    isThisYear ? utcMinute(start).slice("YYYY-".length) : utcMinute(start),
    stage === "ahead"
      ? `in ${between(now, start)}`
      : between(start, stage === "open" ? now : endOf(incident)!),
    updates.length === 0 ? "" : count(updates.length, "update"),
    issue === undefined ? "" : `#${issue}`,
  ];
}

function summarize(
  all: readonly DescribedIncident[],
  { open, ahead, over }: ReturnType<typeof selectIncidents>,
): string {
  const before = all.length - open.length - ahead.length - over.length;
  const maintenance = open.filter(({ incident }) => incident.kind === "maintenance").length;
  const broken = open.length - maintenance;
  const parts = [
    ...broken === 0 ? [] : [`${count(broken, "incident")} ${broken === 1 ? "is" : "are"} open`],
    ...maintenance === 0 ? [] : ["maintenance is ongoing"],
  ];
  const text = parts.length === 0 ? "nothing is open" : parts.join(", ");
  const ended = `${over.length === 0 ? "none" : over.length} ended in the last ${LISTED_DAYS} days`;
  const earlier = before === 0 ? "" : `, ${before} before`;
  return `${text[0]!.toUpperCase()}${text.slice(1)}, ${ended}${earlier}. Times are UTC.`;
}

/** Lists the state changes of an incident of a site, by time; none for others. */
export function listChanges(
  incident: StoredIncident,
): { at: Temporal.Instant; word: "down" | "degraded" | "ended" | "reopened" }[] {
  if (incident.kind === "maintenance" || incident.kind === "manual") return [];
  const { start, kind, changes, reopened, ended, end } = incident;
  const [first] = changes;
  const started = first === undefined ? kind : first.state === "down" ? "degraded" : "down";
  return [
    { at: start, word: started },
    ...changes.map(({ at, state }) => ({ at, word: state })),
    ...ended.map((at) => ({ at, word: "ended" as const })),
    ...reopened.map((at) => ({ at, word: "reopened" as const })),
    ...end === undefined ? [] : [{ at: end, word: "ended" as const }],
  ].sort((one, other) => Temporal.Instant.compare(one.at, other.at));
}

/** Data for `incidents --json`; `written` are the paths of written files. */
export function incidentsJson(
  incidents: readonly DescribedIncident[],
  { now, stale, written }: {
    now: Temporal.Instant;
    stale?: string;
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
  const { kind, start, end, issue } = incident;
  const common = {
    kind,
    sites: slugsOf(incident),
    start: formatTime(start),
    end: end === undefined ? null : formatTime(end),
    issue: issue ?? null,
  };
  const updates = incident.updates.map(({ at, phase, text }) => (
    { at: formatTime(at), phase: phase ?? null, text }
  ));
  if (incident.kind === "manual") {
    const { name, text } = incident;
    return { ...common, name, impact: impactOf(incident), text, updates };
  }
  if (incident.kind === "maintenance") {
    const { name, source, until, sites, text } = incident;
    const expected = Object.fromEntries(sites);
    return { ...common, name, source, until: formatTime(until), expected, text, updates };
  }
  const { confirmed, code, error, attempts, cause, affects } = incident;
  return {
    ...common,
    confirmed: formatTime(confirmed),
    ...{ code, error, attempts, cause: cause ?? null, affects },
    changes: listChanges(incident).map(({ at, word }) => ({ at: formatTime(at), what: word })),
    updates,
  };
}
