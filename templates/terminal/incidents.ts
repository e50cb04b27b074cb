import { withError } from "../../lib/evaluation/location_words.ts";
import { toImpact } from "../../lib/history/manual_incident.ts";
import {
  computeStage,
  findEnd,
  isCalledOff,
  listSlugs,
  type Stage,
  type StoredIncident,
} from "../../lib/history/stored_incidents.ts";
import { currentReason } from "../../lib/incidents/plan_incident.ts";
import { computeLength } from "../../lib/page/incidents.ts";
import { listChanges } from "../../lib/page/timeline.ts";
import { fit } from "../../lib/text/columns.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { wrap } from "../../lib/text/wrap.ts";
import { withNulls } from "../json.ts";
import {
  count,
  formatMinute,
  longDuration,
  type NamedSite,
  shortDuration,
  siteName,
} from "../words.ts";
import {
  acknowledgementJson,
  formatAcknowledgements,
  formatAcknowledger,
} from "./acknowledgements.ts";
import { alignCells, factLines, GAP, joinParts, stateMark } from "./lines.ts";

type Incidents = readonly (readonly [id: string, incident: StoredIncident])[];

/** The problem, or the title given by people, on one line. */
function describeProblem(incident: StoredIncident): string {
  if (incident.kind === "maintenance" || incident.kind === "manual") {
    const name = plainText(incident.name);
    return isCalledOff(incident) ? `canceled: ${name}` : name;
  }
  const { error } = incident.end === undefined ? currentReason(incident) : incident;
  return withError(incident.kind, plainText(error));
}

function incidentMark(incident: StoredIncident, now: Temporal.Instant): string {
  if (computeStage(incident, now) === "over") return stateMark("up");
  return incident.kind === "manual" ? paint.yellow("◆") : stateMark(incident.kind);
}

/** Days for which ended incidents are listed. */
const LISTED_DAYS = 14;

/** Selects open and upcoming incidents, and those that ended lately; the newest first, upcoming ones last. */
export function selectIncidents(
  incidents: ReadonlyMap<string, StoredIncident>,
  now: Temporal.Instant,
): Record<Stage, Incidents> {
  const newestFirst = [...incidents].sort(([, one], [, other]) =>
    Temporal.Instant.compare(other.start, one.start)
  );
  const since = now.subtract({ hours: LISTED_DAYS * 24 });
  const at = (stage: Stage) => newestFirst.filter(([, one]) => computeStage(one, now) === stage);
  return {
    open: at("open"),
    ahead: at("ahead").reverse(),
    over: at("over").filter(([, one]) => Temporal.Instant.compare(findEnd(one)!, since) >= 0),
  };
}

const HEADINGS = { open: "open", ahead: "ahead", over: `last ${LISTED_DAYS} days` };

export function incidentList(
  incidents: ReadonlyMap<string, StoredIncident>,
  options: { now: Temporal.Instant; columns: number; sites: readonly NamedSite[] },
): string {
  if (incidents.size === 0) return "No incidents yet.";
  const selected = selectIncidents(incidents, options.now);
  const lines = incidentLines(Object.values(selected).flat(), options);
  const parts = Object.entries(selected).map(([stage, own]) =>
    own.length === 0
      ? ""
      : [paint.dim(HEADINGS[stage as Stage]), ...lines.splice(0, own.length)].join("\n")
  );
  const { open, over } = selected;
  const verb = open.length === 1 ? "is" : "are";
  const ended = `${over.length} ended in the last ${LISTED_DAYS} days`;
  return joinParts(
    ...parts,
    `${
      count(open.length, "incident")
    } ${verb} open, ${ended}, ${incidents.size} in total. Times are UTC.`,
  );
}

/**
 * Formats a line for each incident. Names of sites are shown if there are any. `knownUntil` is the end of the time
 * in which an open incident was seen, in milliseconds, if checks have stopped.
 */
export function incidentLines(
  incidents: Incidents,
  { now, columns, sites, knownUntil }: {
    now: Temporal.Instant;
    columns: number;
    sites?: readonly NamedSite[];
    knownUntil?: number;
  },
): string[] {
  const rows = incidents.map(([, incident]) => {
    const { updates, issue, start } = incident;
    const stage = computeStage(incident, now);
    const isLost = stage === "open" && knownUntil !== undefined;
    const until = isLost ? Temporal.Instant.fromEpochMilliseconds(knownUntil) : now;
    const seconds = stage === "ahead"
      ? start.since(now).total("seconds")
      : computeLength(incident, until);
    const length = shortDuration(Math.max(1, seconds));
    const names = listSlugs(incident).map((slug) => siteName(slug, sites ?? [])).join(", ");
    return [
      sites === undefined ? "" : fit(names, Math.max(8, Math.floor(columns / 6))),
      describeProblem(incident),
      formatMinute(start).slice(0, -" UTC".length),
      `${stage === "ahead" ? "in " : isLost ? "at least " : ""}${length}`,
      [
        formatAcknowledger(incident, now),
        updates.length === 0 ? "" : count(updates.length, "update"),
      ]
        .filter((part) => part !== "").join(", "),
      issue === undefined ? "" : `#${issue}`,
    ];
  });
  const aligned = alignCells(rows, { flexible: 1, room: columns - "✔ ".length });
  return aligned.map((cells, index) =>
    `${incidentMark(incidents[index]![1], now)} ${cells.join(GAP)}`.trimEnd()
  );
}

/** Longer lines of prose are hard to read. */
const WIDEST_TEXT = 100;

/** Formats everything known of one incident; `home` is the address of the repository, if it is known. */
export function incidentView(
  id: string,
  incident: StoredIncident,
  { now, columns, sites, home }: {
    now: Temporal.Instant;
    columns: number;
    sites: readonly NamedSite[];
    home?: string;
  },
): string {
  const width = Math.min(columns, WIDEST_TEXT);
  const { start, end, issue, updates } = incident;
  const plannedEnd = findEnd(incident);
  const names = (slugs: readonly string[]) => slugs.map((slug) => siteName(slug, sites)).join(", ");
  const length = longDuration(Math.max(1, computeLength(incident, now)));
  const expected = incident.kind === "maintenance"
    ? [...incident.sites].map(([slug, state]) => `${siteName(slug, sites)} (${state})`).join(", ")
    : names(listSlugs(incident));
  const facts = factLines([
    ["incident", id],
    ["start", formatMinute(start)],
    ["end", end && formatMinute(end)],
    ["planned end", end === undefined ? plannedEnd && formatMinute(plannedEnd) : undefined],
    ["length", length],
    ["sites", expected],
    ...incident.kind === "manual" ? [["impact", toImpact(incident)] as const] : [],
    ...incident.kind === "down" || incident.kind === "degraded"
      ? [
        [
          "confirmed",
          `${formatMinute(incident.confirmed)}, by ${count(incident.attempts, "attempt")}`,
        ],
        ["code", incident.code === 0 ? undefined : String(incident.code)],
        ["caused by", incident.cause && plainText(incident.cause)],
        ["affects", names(incident.affects)],
      ] as const
      : [],
    [
      "issue",
      issue === undefined ? "" : home === undefined ? `#${issue}` : `${home}/issues/${issue}`,
    ],
  ], width);
  const acknowledged = "acknowledgements" in incident ? formatAcknowledgements(incident, now) : [];
  const changes = [
    ...listChanges(incident).map(({ at, word: text }) => ({ at, text })),
    ...acknowledged,
  ].sort((one, other) => Temporal.Instant.compare(one.at, other.at))
    .map(({ at, text }) => `${formatMinute(at)}${GAP}${text}`);
  const timeline = updates.map(({ at, phase = "", text }) =>
    [
      `${paint.cyan(formatMinute(at))}${GAP}${phase}`.trimEnd(),
      ...wrap(text, width - GAP.length).map((line) => `${GAP}${line}`.trimEnd()),
    ].join("\n")
  );
  return joinParts(
    `${incidentMark(incident, now)} ${wrap(describeProblem(incident), width - 2).join(`\n${GAP}`)}`,
    facts,
    "text" in incident ? wrap(incident.text, width).join("\n") : "",
    changes.length === 0 ? "" : [paint.dim("changes"), ...changes].join("\n"),
    timeline.length === 0 ? "" : [paint.dim("timeline"), timeline.join("\n\n")].join("\n"),
  );
}

/** Data for `incidents --json`; `written` are the paths of written files. */
export function incidentsJson(
  incidents: Incidents,
  { now, stale, written }: {
    now: Temporal.Instant;
    stale?: string;
    written: readonly string[];
  },
): unknown {
  return withNulls({
    time: now,
    stale,
    written,
    incidents: incidents.map(([id, incident]) => (
      { id, stage: computeStage(incident, now), ...incidentData(incident) }
    )),
  });
}

function incidentData(incident: StoredIncident): Record<string, unknown> {
  const { kind, start, end, issue } = incident;
  const common = withNulls({ kind, sites: listSlugs(incident), start, end, issue });
  const updates = incident.updates.map(({ at, phase, text }) => withNulls({ at, phase, text }));
  if (incident.kind === "manual") {
    const { name, text } = incident;
    return { ...common, name, impact: toImpact(incident), text, updates };
  }
  if (incident.kind === "maintenance") {
    const { name, source, until, sites: expected, text } = incident;
    return { ...common, name, source, until, expected, text, updates };
  }
  const { confirmed, code, error, attempts, cause, affects } = incident;
  return {
    ...common,
    ...withNulls({ confirmed, code, error, attempts, cause, affects }),
    changes: listChanges(incident).map(({ at, word }) => ({ at, what: word })),
    acknowledgements: incident.acknowledgements.map(acknowledgementJson),
    updates,
  };
}
