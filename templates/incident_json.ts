import type { Incident } from "../lib/history/incident.ts";
import { plainText } from "../lib/text/plain_text.ts";
import { formatTime } from "../lib/time.ts";

/** An incident as data, without what only the program needs; `end` is `null` while it goes on. */
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
