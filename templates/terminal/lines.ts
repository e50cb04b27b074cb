import { listed } from "../../lib/text/listed.ts";
import { column, fit, textWidth } from "../../lib/text/columns.ts";
import type { Outcome } from "../../lib/pipeline/outcomes.ts";
import { incidentPath } from "../../lib/history/incident.ts";
import { paint } from "../../lib/text/paint.ts";
import type { State } from "../../lib/state.ts";
import { describeDuration } from "../../lib/time.ts";
import type { CheckResult } from "../../lib/evaluation/judge.ts";
import { conditionText, count, formatMilliseconds } from "../words.ts";
import type { Change } from "../../lib/history/store/store.ts";
import { graphemes } from "../../lib/text/graphemes.ts";
import { plainText } from "../../lib/text/plain_text.ts";

const LONGEST_NAME = 40;
const WIDEST = "maintenance".length;
const SIGNS = { up: "✔", degraded: "▲", down: "✘", maintenance: "•", unknown: "?" };

/** A state as a coloured sign. */
export function stateMark(state: State): string {
  return STATE_COLOURS[state](SIGNS[state]);
}

/** Width of the column that holds all names given. */
export function nameWidth(names: readonly string[]): number {
  return Math.min(LONGEST_NAME, Math.max(4, ...names.map(textWidth)));
}

export function verdictLine(result: CheckResult, width: number): string {
  const { site: { name }, state, code, responseTime, attempts, error } = result;
  const retried = attempts > 1 ? paint.dim(` (${attempts} attempts)`) : "";
  const cells = [
    stateMark(state),
    column(name, width),
    column(state, WIDEST),
    column(code === 0 ? "" : String(code), 3),
    formatMilliseconds(responseTime).padStart(9),
  ];
  return `  ${cells.join(" ")}  ${error ?? ""}${retried}`.trimEnd();
}

export function waitingFor(names: readonly string[]): string {
  if (names.length === 0) return "recording";
  return `waiting for ${listed(names, 2, (name) => fit(name, LONGEST_NAME))}`;
}

export function changeLine(outcome: Outcome): string | undefined {
  const { result, change, incident } = outcome;
  if (change === undefined || (change.from === undefined && change.to === "up")) return undefined;
  const file = incident === undefined ? "" : paint.dim(` → ${incidentPath(incident.id)}`);
  const { name } = result.site;
  if (change.to !== "up") return `${name} is ${conditionText(outcome)}${file}`;
  const length = incident === undefined
    ? ""
    : ` after ${describeDuration(change.at.since(incident.incident.start).total("milliseconds"))}`;
  return `${name} is up again${length}${file}`;
}

export const STATE_COLOURS: Readonly<Record<State, (text: string) => string>> = {
  up: paint.green,
  degraded: paint.yellow,
  down: paint.red,
  maintenance: paint.cyan,
  unknown: paint.dim,
};

/** Files that would be written, for who only wants to see them. */
export function plannedFiles(files: Change["files"]): string {
  return [...files].map(([path, content]) =>
    `\n--- ${path}\n${content === null ? "(removed)" : textOf(content).trimEnd()}`
  ).join("\n");
}

function textOf(content: string | Uint8Array): string {
  return typeof content === "string" ? content : new TextDecoder().decode(content);
}

/** Files that would get another content or go, without that: the length in bytes, or `null` for one that goes. */
export function plannedChanges(
  changes: Iterable<readonly [path: string, bytes: number | null]>,
): string {
  return [...changes].map(([path, bytes]) =>
    bytes === null ? `${path} (removed)` : `${path} (${count(bytes, "byte")})`
  ).join("\n");
}

/**
 * A text that somebody wrote as lines of a terminal, none wider than `width` columns: its lines stay lines,
 * empty ones between them one, and nothing in it steers the terminal.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(wrapped("We look\x1b[31m into\n\n\n- the router", 10), ["We look", "[31m into", "", "- the", "  router"]);
 * ```
 */
export function wrapped(text: string, width: number): string[] {
  const lines = text.split(/\r\n?|\n/).flatMap((line) => {
    // What goes on of a list or of code stands under its begin.
    const indent = /^ {0,8}/.exec(line)![0];
    const plain = plainText(line);
    const hanging = indent + (/^(?:[-*+]|\d{1,3}[.)]) /.exec(plain)?.[0].replace(/./gs, " ") ?? "");
    return plain === "" ? [""] : linesOf(plain, { indent, hanging, width });
  });
  return lines.filter((line, index) => line !== "" || lines[index - 1] !== "")
    .join("\n").replace(/^\n+|\n+$/g, "").split("\n");
}

function linesOf(
  text: string,
  { indent, hanging, width }: { indent: string; hanging: string; width: number },
): string[] {
  const lines: string[] = [];
  const room = Math.max(2, width - hanging.length);
  let line = "";
  let used = 0;
  const end = () => {
    lines.push((lines.length === 0 ? indent : hanging) + line);
    [line, used] = ["", 0];
  };
  for (const word of text.split(" ").flatMap((word) => pieces(word, room))) {
    const columns = textWidth(word);
    const first = lines.length === 0 ? width - indent.length : room;
    if (used > 0 && used + 1 + columns > first) end();
    line += used > 0 ? ` ${word}` : word;
    used += (used > 0 ? 1 : 0) + columns;
  }
  if (used > 0) end();
  return lines;
}

/** A word in pieces that fit. */
function pieces(word: string, width: number): string[] {
  if (textWidth(word) <= width) return [word];
  const all: string[] = [];
  let [piece, used] = ["", 0];
  for (const segment of graphemes(word)) {
    const columns = textWidth(segment);
    if (used + columns > width) {
      all.push(piece);
      [piece, used] = ["", 0];
    }
    piece += segment;
    used += columns;
  }
  return [...all, piece];
}
