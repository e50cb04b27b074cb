import { listed } from "../../lib/text/listed.ts";
import { column, fit, textWidth } from "../../lib/text/columns.ts";
import type { Outcome } from "../../lib/pipeline/outcomes.ts";
import { incidentPath } from "../../lib/history/incident.ts";
import { paint } from "../../lib/text/paint.ts";
import type { State } from "../../lib/state.ts";
import { describeDuration } from "../../lib/time.ts";
import type { CheckResult } from "../../lib/evaluation/judge.ts";
import { conditionText } from "../condition.ts";
import { formatMilliseconds } from "../measures.ts";
import { STATE_COLOURS } from "./state_colours.ts";

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

/** One verdict on a line of the terminal. */
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

/** What a run is still waiting for. */
export function waitingFor(names: readonly string[]): string {
  if (names.length === 0) return "recording";
  return `waiting for ${listed(names, 2, (name) => fit(name, LONGEST_NAME))}`;
}

/** What changed for a site, in a sentence; `undefined` where nothing a person would want to hear. */
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
