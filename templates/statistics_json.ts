import { windowStatistics } from "../lib/statistics/api/window_statistics.ts";
import type { Statistics } from "../lib/statistics/statistics.ts";

/** Statistics as data, with the keys of the published ones; `null` where nothing is known. */
export function statisticsJson(own: Statistics): Readonly<Record<string, unknown>> {
  const { objective, ...others } = windowStatistics(own);
  return { ...withNulls(others), objective: objective === undefined ? null : withNulls(objective) };
}

function withNulls(values: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value ?? null]));
}
