import type { Incident } from "./incident.ts";

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const NUMBER = String.raw`0|[1-9]\d{0,8}`;
/** A text that needs no quotes, as it can be nothing else, or one in single quotes; of plain letters, on one line. */
const TEXT = [
  String.raw`(?!(?:[Tt]rue|TRUE|[Ff]alse|FALSE|[Nn]ull|NULL)\n)`,
  String.raw`[A-Za-z](?:[!-9;-~]|:(?=[!-~])| +(?=[!"$-~]))*`,
  "|'(?:[ -&(-~]|'')*'",
].join("");

const FILE = new RegExp(
  [
    `^slug: (?<slug>${TEXT})\n`,
    "kind: (?<kind>down|degraded)\n",
    `start: (?<start>${TIME})\n`,
    `confirmed: (?<confirmed>${TIME})\n`,
    `(?:end: (?<end>${TIME})\n)?`,
    `code: (?<code>${NUMBER})\n`,
    `error: (?<error>${TEXT})\n`,
    `attempts: (?<attempts>${NUMBER})\n`,
    `(?:issue: (?<issue>[1-9]\\d{0,8})\n)?$`,
  ].join(""),
);

/**
 * Reads the file of an incident to which nothing has happened but its end, as it is written here; `undefined`
 * for any other text. Nearly all are such, and a parser of YAML takes thirty times as long for one.
 */
export function plainIncident(text: string): Incident | undefined {
  const { slug, kind, start, confirmed, end, code, error, attempts, issue } =
    FILE.exec(text)?.groups ?? {};
  if (slug === undefined) return undefined;
  try {
    return {
      slug: unquoted(slug),
      kind: kind as Incident["kind"],
      start: Temporal.Instant.from(start!),
      confirmed: Temporal.Instant.from(confirmed!),
      ...end === undefined ? {} : { end: Temporal.Instant.from(end) },
      code: Number(code),
      error: unquoted(error!),
      attempts: Number(attempts),
      ...issue === undefined ? {} : { issue: Number(issue) },
      reopened: [],
      ended: [],
      changes: [],
      reasons: [],
      affects: [],
      updates: [],
    };
  } catch (error) {
    // A day that no month has.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function unquoted(text: string): string {
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text;
}
