import { impactOf } from "../../lib/history/manual_incident.ts";
import { endOf, type StoredIncident } from "../../lib/history/stored_incidents.ts";
import { column } from "../../lib/text/columns.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { count, formatMinute, longDuration, type NamedSite, siteName } from "../words.ts";
import { type DescribedIncident, listChanges } from "./incidents.ts";
import { wrap } from "./lines.ts";

const LABEL = 13;
const INDENT = "  ";
/** Longer lines of prose are hard to read. */
const WIDEST_TEXT = 100;

interface ViewOptions {
  now: Temporal.Instant;
  columns: number;
  sites: readonly NamedSite[];
  /** All incidents, by id: one may be the cause of another. */
  all: ReadonlyMap<string, StoredIncident>;
  /** Address of the repository, if it is known. */
  home?: string;
}

/** Formats everything known of one incident. */
export function incidentView(described: DescribedIncident, options: ViewOptions): string {
  const { incident, stage, sites, what, mark } = described;
  const width = Math.min(options.columns, WIDEST_TEXT);
  const isOfSite = incident.kind === "down" || incident.kind === "degraded";
  const head = isOfSite ? `${sites} ${stage === "over" ? "was" : "is"} ${what}` : what;
  const facts = factsOf(described, options).flatMap(([label, text]) => {
    if (text === undefined) return [];
    const [first = "", ...more] = wrap(text, width - LABEL);
    const name = paint.dim(column(label, LABEL));
    return [`${name}${first}`, ...more.map((line) => " ".repeat(LABEL) + line)];
  });
  const text = "text" in incident && incident.text !== "" ? wrap(incident.text, width) : [];
  const changes = listChanges(incident).map(({ at, word }) => `${formatMinute(at)}  ${word}`);
  return [
    `${mark} ${wrap(head, width - 2).join(`\n${INDENT}`)}`,
    facts.join("\n"),
    text.join("\n"),
    section("changes", changes),
    section("timeline", timelineLines(incident, width)),
  ].filter((part) => part !== "").join("\n\n");
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [paint.dim(title), ...lines].join("\n");
}

function timelineLines({ updates, issue }: StoredIncident, width: number): string[] {
  if (updates.length === 0) return issue === undefined ? [] : ["No updates have been written yet."];
  return updates.flatMap(({ at, phase, text }, index) => {
    const name = phase === undefined ? "" : `  ${phase[0]!.toUpperCase()}${phase.slice(1)}`;
    const lines = text === "" ? [] : wrap(text, width - INDENT.length);
    return [
      ...index === 0 ? [] : [""],
      `${paint.cyan(formatMinute(at))}${name}`,
      ...lines.map((line) => line === "" ? "" : INDENT + line),
    ];
  });
}

type Fact = [label: string, text: string | undefined];

function factsOf({ id, incident, stage }: DescribedIncident, options: ViewOptions): Fact[] {
  const { now, home } = options;
  const { start, end, issue } = incident;
  const seconds = (to: Temporal.Instant) =>
    longDuration(Math.max(1, to.since(start).total("seconds")));
  const isAhead = stage === "ahead";
  return [
    ["incident", id],
    [isAhead ? "begins" : "began", formatMinute(start)],
    end === undefined
      ? ["lasts", isAhead ? undefined : `${seconds(now)} so far`]
      : ["ended", `${formatMinute(end)}, after ${seconds(end)}`],
    ...factsOfKind(incident, options),
    ["issue", issue && (home === undefined ? `#${issue}` : `${home}/issues/${issue}`)],
  ].map(([label, text]) => [label as string, text as string | undefined]);
}

function factsOfKind(incident: StoredIncident, { all, sites }: ViewOptions): Fact[] {
  const list = (slugs: readonly string[]) =>
    slugs.length === 0 ? undefined : slugs.map((slug) => siteName(slug, sites)).join(", ");
  if (incident.kind === "manual") {
    return [["impact", impactOf(incident)], ["sites", list(incident.sites)]];
  }
  if (incident.kind === "maintenance") {
    const expected = [...incident.sites].map(([slug, state]) =>
      `${siteName(slug, sites)} (${state})`
    );
    return [
      ["until", incident.end === undefined ? formatMinute(endOf(incident)!) : undefined],
      ["sites", expected.length === 0 ? undefined : expected.join(", ")],
    ];
  }
  const { confirmed, attempts, code, cause, affects } = incident;
  const other = cause === undefined ? undefined : all.get(cause);
  const causeText = other !== undefined && "slug" in other
    ? `${siteName(other.slug, sites)} (${cause})`
    : cause && plainText(cause);
  return [
    ["confirmed", `${formatMinute(confirmed)}, by ${count(attempts, "attempt")}`],
    ["code", code === 0 ? undefined : String(code)],
    ["because of", causeText],
    ["affects", list(affects)],
  ];
}
