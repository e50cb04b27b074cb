import type { Config } from "../../lib/config/config.ts";
import { incidentPath } from "../../lib/history/incident.ts";
import type { Expected, Maintenance, PlannedWindow } from "../../lib/history/maintenance.ts";
import type { MaintenanceChange } from "../../lib/incidents/maintenance/plan_maintenance.ts";
import { fit } from "../../lib/text/columns.ts";
import { joinFirst } from "../../lib/text/words.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { DAY, describeDuration, isBefore } from "../../lib/time.ts";
import { withNulls } from "../json.ts";
import {
  countSites,
  formatMinute,
  formatMinuteFrom,
  shortDuration,
  siteName,
  STATE_SIGNS,
  zonedMinute,
} from "../words.ts";
import { joinParts } from "./lines.ts";
import { formatCommand } from "../../lib/text/invocation.ts";

/** The configured sites, the time zone of the output, and its width. */
interface Output extends Pick<Config, "sites" | "timezone"> {
  now: Temporal.Instant;
  columns: number;
}

const MOST_NAMES = 8;
const EXPECTATIONS: Readonly<Record<Expected, string>> = {
  down: "",
  degraded: " (may be degraded)",
  none: " (announced only)",
};

/** Formats a window: `🔧 Backup, 2026-11-29 03:00 to 04:30 Europe/Berlin (in 5h 54m): Shop`. */
function windowLine(
  { name, start, until, sites: expected, issue, source }: PlannedWindow,
  { sites, timezone, now, columns }: Output,
): string {
  const isAhead = isBefore(now, start);
  const end = zonedMinute(until, timezone, isAhead ? start : now);
  const time = isAhead ? `${zonedMinute(start, timezone)} to ${end}` : `until ${end}`;
  const seconds = (isAhead ? start : until).since(now).total("seconds");
  const rest = isAhead ? `in ${shortDuration(seconds)}` : `${shortDuration(seconds)} left`;
  const names = joinFirst(
    [...expected],
    MOST_NAMES,
    ([slug, state]) => `${siteName(slug, sites)}${EXPECTATIONS[state]}`,
  );
  const origin = { issue: `issue #${issue}`, configuration: "configured", hand: "started by hand" };
  const text = `${plainText(name)}, ${time} ${timezone} (${rest})`;
  const whose = `${names === "" ? "no sites are named" : names}; ${origin[source]}`;
  return fit(`${STATE_SIGNS.maintenance} ${text}: ${whose}`, columns).trimEnd();
}

export function maintenanceList(windows: readonly PlannedWindow[], output: Output): string {
  if (windows.length === 0) {
    return `No maintenance is ongoing or planned.\n${
      paint.dim(
        `Plan it with maintenance: in the configuration, or start it with "${
          formatCommand("maintenance start SITE --for 1h")
        }".`,
      )
    }`;
  }
  const { ongoing, ahead } = split(windows, output.now);
  const section = (title: string, some: readonly PlannedWindow[]) =>
    some.length === 0
      ? ""
      : [paint.dim(title), ...some.map((one) => windowLine(one, output))].join("\n");
  return joinParts(section("In maintenance now", ongoing), section("Ahead", ahead));
}

function split(windows: readonly PlannedWindow[], now: Temporal.Instant) {
  const { ongoing = [], ahead = [] } = Object.groupBy(
    windows,
    ({ start }) => isBefore(now, start) ? "ahead" : "ongoing",
  );
  return { ongoing, ahead };
}

/** Milliseconds ahead in which windows are listed below the status, and the most that are. */
const SOON = 7 * DAY;
const MOST_SOON = 3;

/** Lists the first ongoing and upcoming windows; empty if there are none. */
export function maintenanceSoon(windows: readonly PlannedWindow[], output: Output): string {
  const limit = output.now.add({ milliseconds: SOON });
  return windows.filter(({ start }) => isBefore(start, limit)).slice(0, MOST_SOON)
    .map((one) => windowLine(one, output)).join("\n");
}

export function maintenanceJson(
  windows: readonly PlannedWindow[],
  now: Temporal.Instant,
): unknown {
  const { ongoing, ahead } = split(windows, now);
  return { running: ongoing.map(windowJson), ahead: ahead.map(windowJson) };
}

export function windowJson({ name, source, start, until, sites, issue, text }: PlannedWindow) {
  return withNulls({ name, source, start, until, sites, issue, text });
}

/** Describes a change of a maintenance window, with its file. */
export function maintenanceLine(
  { id, action, maintenance }: MaintenanceChange,
): string {
  return `${maintenanceNews(action, maintenance)}${paint.dim(` → ${incidentPath(id)}`)}`;
}

const LONGEST_NAME = 80;
const MOST_SLUGS = 3;

export function maintenanceNews(
  action: MaintenanceChange["action"],
  { start, until, end, ...maintenance }: Maintenance,
): string {
  const name = shorten(plainText(maintenance.name), LONGEST_NAME);
  const slugs = [...maintenance.sites.keys()];
  const sites = slugs.length === 0
    ? ""
    : ` (${slugs.length > MOST_SLUGS ? countSites(slugs.length) : slugs.join(", ")})`;
  const to = formatMinuteFrom(until, start);
  const time = `from ${formatMinute(start)} to ${to}`;
  if (action === "announce") return `Maintenance is announced: ${name}, ${time}${sites}`;
  if (action === "begin") return `Maintenance begins: ${name}, until ${to}${sites}`;
  if (action === "change") return `Maintenance is changed: ${name}, ${time}${sites}`;
  const lasted = end!.since(start).total("milliseconds");
  return lasted === 0
    ? `Maintenance is called off: ${name}`
    : `Maintenance is over: ${name}, after ${describeDuration(lasted)}`;
}

export function damagedNote(path: string): string {
  return `${path} can't be read, so its maintenance is ignored: fix the file or remove it`;
}
