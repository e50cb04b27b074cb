import type { SiteState } from "../../lib/evaluation/results.ts";
import { computeOutageLength, incidentPath } from "../../lib/history/incident.ts";
import type { Change, Published } from "../../lib/history/store/store.ts";
import type { Outcome } from "../../lib/pipeline/outcomes.ts";
import type { State } from "../../lib/state.ts";
import { column, textWidth } from "../../lib/text/columns.ts";
import { paint } from "../../lib/text/paint.ts";
import { wrap } from "../../lib/text/wrap.ts";
import { describeAfter } from "../../lib/time.ts";
import { formatCondition, formatMilliseconds } from "../words.ts";

export const LONGEST_NAME = 40;
const SIGNS = { up: "✔", degraded: "▲", down: "✘", maintenance: "•", unknown: "?" };

export const STATE_COLORS: Readonly<Record<State, (text: string) => string>> = {
  up: paint.green,
  degraded: paint.yellow,
  down: paint.red,
  maintenance: paint.cyan,
  unknown: paint.dim,
};

export function stateMark(state: State): string {
  return STATE_COLORS[state](SIGNS[state]);
}

/** Columns of a row of {@linkcode resultLine} besides the name and the error. */
const OTHER_CELLS = 30;

/** Columns for names in rows that fit a terminal of `columns`. */
export function nameWidth(names: readonly string[], columns = Infinity): number {
  const longest = Math.max(4, ...names.map(textWidth));
  return Math.min(LONGEST_NAME, longest, columns - OTHER_CELLS);
}

/** Blanks between two columns. */
export const GAP = "  ";
const SHORTEST_CELL = 8;

/** Pads cells to columns and omits empty columns; column `flexible` is cut so that a row fits into `room`. */
export function alignCells(
  rows: readonly (readonly string[])[],
  { numeric = [], flexible = 0, room = Infinity }: {
    numeric?: readonly number[];
    flexible?: number;
    room?: number;
  } = {},
): string[][] {
  const widths = (rows[0] ?? []).map((_, index) =>
    Math.max(...rows.map((row) => textWidth(row[index]!)))
  );
  const used = widths.filter((width) => width > 0)
    .reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  const left = Math.max(SHORTEST_CELL, widths[flexible]! + room - used);
  if (used > room) widths[flexible] = Math.min(widths[flexible]!, left);
  return rows.map((row) =>
    row.map((text, index) =>
      numeric.includes(index) ? text.padStart(widths[index]!) : column(text, widths[index]!)
    ).filter((_, index) => widths[index]! > 0)
  );
}

/** Formats facts below each other, each label dim; texts are wrapped, and facts without text are omitted. */
export function factLines(
  facts: readonly (readonly [label: string, text: string | undefined])[],
  columns = Infinity,
): string {
  const known = facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
  const width = Math.max(...known.map(([label]) => label.length)) + GAP.length;
  return known.flatMap(([label, text]) =>
    wrap(text, columns - width)
      .map((line, index) => paint.dim(column(index === 0 ? label : "", width)) + line)
  ).join("\n");
}

/** Joins the paragraphs of an output, without empty ones. */
export function joinParts(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Formats rows as an indented table. */
export function indentRows(rows: readonly string[][], numeric: readonly number[] = []): string[] {
  return alignCells(rows, { numeric }).map((cells) => `  ${cells.join(GAP)}`.trimEnd());
}

/** Formats the place of a record as the end of a sentence: ` in 9f3c01a on branch main.` */
export function formatRecorded({ commit, place }: Published): string {
  return commit === undefined ? `: ${place}.` : ` in ${commit.slice(0, 7)} on ${place}.`;
}

export function resultLine(result: SiteState, width: number): string {
  const { site: { name }, state, code, responseTime, attempts, error, locations } = result;
  // Several locations make an attempt each; those that see the same count.
  const counted = locations?.filter((one) => (one.state === "up") === (state === "up"));
  const isRetried = (counted ?? [result]).some((one) => one.attempts > 1);
  const retried = isRetried ? paint.dim(` (${attempts} attempts)`) : "";
  const cells = [
    stateMark(state),
    column(name, width),
    column(state, "maintenance".length),
    column(code === 0 ? "" : String(code), 3),
    formatMilliseconds(responseTime).padStart(9),
  ];
  return `  ${cells.join(" ")}  ${error ?? ""}${retried}`.trimEnd();
}

/** Describes a state change of a site; `undefined` if there is none worth a line. */
export function changeLine(outcome: Outcome): string | undefined {
  const { result: { site: { name } }, change, incident } = outcome;
  if (change === undefined || (change.from === undefined && change.to === "up")) return undefined;
  const file = incident === undefined ? "" : paint.dim(` → ${incidentPath(incident.id)}`);
  if (change.to !== "up") return `${name} is ${formatCondition(outcome)}${file}`;
  const ended = incident && { ...incident.incident, end: incident.incident.end ?? change.at };
  const length = ended === undefined ? "" : describeAfter(computeOutageLength(ended));
  return `${name} is up again${length}${file}`;
}

/** Lists files with their new contents, for dry runs. */
export function plannedFiles(files: Change["files"]): string {
  return [...files].map(([path, content]) => {
    const text = content instanceof Uint8Array ? new TextDecoder().decode(content) : content;
    return `\n--- ${path}\n${text === null ? "(removed)" : text.trimEnd()}`;
  }).join("\n");
}
