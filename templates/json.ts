import type { Incident } from "../lib/history/incident.ts";
import { locationWindow, windowStatistics } from "../lib/statistics/api/statistics_file.ts";
import type { Statistics } from "../lib/statistics/statistics.ts";
import { plainText } from "../lib/text/plain_text.ts";
import { formatTime } from "../lib/time.ts";

/** Data of an incident; `end` is `null` if it is ongoing. */
export function incidentJson(id: string, incident: Incident): Readonly<Record<string, unknown>> {
  const { kind, start, end, code, error, issue } = incident;
  return {
    id,
    kind,
    start: formatTime(start),
    end: end === undefined ? null : formatTime(end),
    code,
    cause: plainText(error),
    issue: issue ?? null,
  };
}

/** Data of statistics, with the keys of `api/`; unknown values are `null`. */
export function statisticsJson(own: Statistics): Readonly<Record<string, unknown>> {
  const { objective, ...others } = windowStatistics(own);
  return { ...withNulls(others), objective: objective === undefined ? null : withNulls(objective) };
}

/** The same as seen from one location. */
export function locationWindowJson(own: Statistics): Readonly<Record<string, unknown>> {
  return withNulls(locationWindow(own));
}

function withNulls(values: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value ?? null]));
}
