import { locationWindow } from "../../lib/statistics/api/statistics_file.ts";
import { WINDOW_NAMES } from "../../lib/history/windows.ts";
import {
  type LocationReport,
  sortWorstFirst,
} from "../../lib/statistics/report/location_reports.ts";
import { fit } from "../../lib/text/columns.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { withNulls } from "../json.ts";
import { formatMilliseconds, formatMinute, formatShare } from "../words.ts";
import { alignCells, GAP, LONGEST_NAME, stateMark } from "./lines.ts";

/** Formats the locations of a site, the worst first, with their figures of the last 24 hours. */
export function locationLines(locations: readonly LocationReport[], columns: number): string {
  const sorted = sortWorstFirst(locations, "day");
  const header = ["locations", "", "up 24h", "mean", "p95"];
  const rows = sorted.map(({ name, state, statistics: { day } }) => [
    fit(name, LONGEST_NAME),
    state,
    formatShare(day.uptime),
    formatMilliseconds(day.responseTimes?.mean),
    formatMilliseconds(day.responseTimes?.p95),
  ]);
  const [head, ...cells] = alignCells([header, ...rows], { numeric: [2, 3, 4] });
  return [
    paint.dim(`  ${head!.join(GAP)}`.trimEnd()),
    ...cells.map((row, index) => {
      const location = sorted[index]!;
      const line = [...row, describeLast(location)].join(GAP).trimEnd();
      return `${stateMark(location.state)} ${fit(line, columns - 2)}`;
    }),
  ].join("\n");
}

/** Reason why a location does not see the site up: its last error, or the time of its last result. */
function describeLast({ state, last }: LocationReport): string {
  if (last === undefined) return "no result yet";
  if (state === "unknown" && last.state !== "unknown") {
    return `no result since ${formatMinute(last.time)}`;
  }
  return plainText(last.error ?? "");
}

/** Data of a location, with the keys of `api/` and the error of its last result. */
export function locationJson(location: LocationReport): Readonly<Record<string, unknown>> {
  const { name, state, last, statistics } = location;
  return {
    ...{ name, state },
    lastUpdated: last?.time ?? null,
    cause: last?.error === undefined ? null : plainText(last.error),
    windows: new Map(
      WINDOW_NAMES.map((window) => [window, withNulls(locationWindow(statistics[window]))]),
    ),
  };
}
