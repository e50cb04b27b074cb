import type { Incident } from "../lib/history/incident.ts";
import { windowStatistics } from "../lib/statistics/api/statistics_file.ts";
import type { Statistics } from "../lib/statistics/statistics.ts";
import { plainText } from "../lib/text/plain_text.ts";

type Data = Readonly<Record<string, unknown>>;

/** Members of an output, those that are absent as `null`. */
export function withNulls(values: object): Data {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value ?? null]));
}

/** Data of an incident; `end` is `null` if it is ongoing. */
export function incidentJson(id: string, incident: Incident): Data {
  const { kind, start, end, code, error, issue } = incident;
  return withNulls({ id, kind, start, end, code, cause: plainText(error), issue });
}

/** Data of statistics, with the keys of `api/`. */
export function statisticsJson(own: Statistics): Data {
  const { objective, ...others } = windowStatistics(own);
  return withNulls({ ...others, objective: objective && withNulls(objective) });
}
