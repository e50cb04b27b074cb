import { column, textWidth } from "../../lib/text/columns.ts";
import { paint } from "../../lib/text/paint.ts";
import { utcDay, utcMinute } from "../../lib/time.ts";
import { shortDuration } from "../measures.ts";
import { count } from "../words.ts";
import { endOf } from "../../lib/history/stage_of.ts";
import { listedIncidents, type ToldIncident } from "./told_incident.ts";

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

/** When it began, how long it lasts, how much was written on it, and its issue. */
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
