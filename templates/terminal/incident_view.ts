import { impactOf } from "../../lib/history/manual_incident.ts";
import { column } from "../../lib/text/columns.ts";
import type { StoredIncident } from "../../lib/history/stored_incidents.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { count, formatMinute, longDuration, type NamedSite, siteName } from "../words.ts";
import { wrapped } from "./lines.ts";
import { changesOf, type ToldIncident } from "./incidents.ts";
import { endOf } from "../../lib/history/stage_of.ts";

const LABEL = 13;
const INDENT = "  ";
/** Wider lines of prose are hard to read. */
const WIDEST_TEXT = 100;

interface ViewOptions {
  now: Temporal.Instant;
  columns: number;
  sites: readonly NamedSite[];
  all: ReadonlyMap<string, StoredIncident>;
  /** Page of the repository, where it has one. */
  home?: string;
}

export function incidentView(told: ToldIncident, options: ViewOptions): string {
  const { incident } = told;
  const { columns } = options;
  const width = Math.min(columns, WIDEST_TEXT);
  const [title = "", ...rest] = wrapped(headOf(told), width - 2);
  const facts = factsOf(told, options).flatMap(([label, text]) => {
    const [first = "", ...more] = wrapped(text, width - LABEL);
    const name = paint.dim(column(label, LABEL));
    return [`${name}${first}`, ...more.map((line) => " ".repeat(LABEL) + line)];
  });
  const text = "text" in incident && incident.text !== "" ? wrapped(incident.text, width) : [];
  return [
    [`${told.mark} ${title}`, ...rest.map((line) => INDENT + line)].join("\n"),
    facts.join("\n"),
    text.join("\n"),
    section("changes", changesOf(incident).map(({ at, word }) => `${formatMinute(at)}  ${word}`)),
    section("timeline", timelineLines(incident, width)),
  ].filter((part) => part !== "").join("\n\n");
}

/** `Shop is down: connection refused`, or what people call it. */
function headOf({ incident, stage, sites, what }: ToldIncident): string {
  const isOfSite = incident.kind === "down" || incident.kind === "degraded";
  return isOfSite ? `${sites} ${stage === "over" ? "was" : "is"} ${what}` : what;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [paint.dim(title), ...lines].join("\n");
}

function timelineLines({ updates, issue }: StoredIncident, width: number): string[] {
  if (updates.length === 0) return issue === undefined ? [] : ["Nobody has written anything yet."];
  return updates.flatMap(({ at, phase, text }, index) => {
    const name = phase === undefined ? "" : `  ${phase[0]!.toUpperCase()}${phase.slice(1)}`;
    const lines = text === "" ? [] : wrapped(text, width - INDENT.length);
    const gap = index === 0 ? [] : [""];
    return [
      ...gap,
      `${paint.cyan(formatMinute(at))}${name}`,
      ...lines.map((line) => line === "" ? "" : INDENT + line),
    ];
  });
}

function factsOf({ id, incident, stage }: ToldIncident, options: ViewOptions): [string, string][] {
  const { now, home } = options;
  const { start, issue } = incident;
  const seconds = (to: Temporal.Instant) =>
    longDuration(Math.max(1, to.since(start).total("seconds")));
  const begins = stage === "ahead" ? "begins" : "began";
  const facts: [string, string | undefined][] = [
    ["incident", id],
    [begins, formatMinute(start)],
    incident.end === undefined
      ? [stage === "ahead" ? "" : "lasts", stage === "ahead" ? undefined : `${seconds(now)} so far`]
      : ["ended", `${formatMinute(incident.end)}, after ${seconds(incident.end)}`],
    ...ownFacts(incident, options),
    [
      "issue",
      issue === undefined
        ? undefined
        : home === undefined
        ? `#${issue}`
        : `${home}/issues/${issue}`,
    ],
  ];
  return facts.flatMap(([label, text]) => text === undefined ? [] : [[label, text]]);
}

function ownFacts(incident: StoredIncident, options: ViewOptions): [string, string | undefined][] {
  const named = (slug: string) => siteName(slug, options.sites);
  if (incident.kind === "manual") {
    return [
      ["impact", impactOf(incident)],
      ["sites", incident.sites.length === 0 ? undefined : incident.sites.map(named).join(", ")],
    ];
  }
  if (incident.kind === "maintenance") {
    const expected = [...incident.sites].map(([slug, state]) => `${named(slug)} (${state})`);
    return [
      ["until", incident.end === undefined ? formatMinute(endOf(incident)!) : undefined],
      ["sites", expected.length === 0 ? undefined : expected.join(", ")],
    ];
  }
  const { confirmed, attempts, code, cause, affects } = incident;
  return [
    ["confirmed", `${formatMinute(confirmed)}, by ${count(attempts, "attempt")}`],
    ["code", code === 0 ? undefined : String(code)],
    ["because of", cause === undefined ? undefined : causeText(cause, options)],
    ["affects", affects.length === 0 ? undefined : affects.map(named).join(", ")],
  ];
}

function causeText(cause: string, { all, sites }: ViewOptions): string {
  const other = all.get(cause);
  return other !== undefined && "slug" in other
    ? `${siteName(other.slug, sites)} (${cause})`
    : plainText(cause);
}
