import type { Config } from "../../lib/config/config.ts";
import { incidentPath } from "../../lib/history/incident.ts";
import type { Expected, Maintenance, PlannedWindow } from "../../lib/history/maintenance.ts";
import type { Published } from "../../lib/history/store/store.ts";
import { fit, textWidth } from "../../lib/text/columns.ts";
import { joinFirst } from "../../lib/text/words.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { DAY, describeDuration, formatTime } from "../../lib/time.ts";
import { shortDuration, siteName, STATE_SIGNS, zonedMinute } from "../words.ts";

/** The configured sites and the time zone of the output. */
type Readers = Pick<Config, "sites" | "timezone">;

/** Lists ongoing and planned maintenance windows. */
export function maintenanceList(
  windows: readonly PlannedWindow[],
  readers: Readers,
  { now, columns }: { now: Temporal.Instant; columns: number },
): string {
  if (windows.length === 0) {
    const hint =
      'maintenance: in the configuration plans it, "maintenance start SITE --for 1h" begins it now.';
    return `No maintenance is ongoing or planned.\n${paint.dim(hint)}`;
  }
  const { ongoing, ahead } = split(windows, now);
  const section = (title: string, some: readonly PlannedWindow[]) => {
    if (some.length === 0) return [];
    const lines = some.flatMap((window) => [
      `  ${STATE_SIGNS.maintenance} ${windowText(window, readers, now, columns - 5)}`,
      paint.dim(`     ${sitesText(window.sites, readers)}; ${sourceText(window)}`),
    ]);
    const fitting = lines.map((line) => fit(line, columns).trimEnd());
    return [[paint.dim(title), ...fitting].join("\n")];
  };
  return [...section("In maintenance now", ongoing), ...section("Ahead", ahead)].join("\n\n");
}

function split(windows: readonly PlannedWindow[], now: Temporal.Instant) {
  const isOngoing = ({ start }: PlannedWindow) => Temporal.Instant.compare(start, now) <= 0;
  return { ongoing: windows.filter(isOngoing), ahead: windows.filter((one) => !isOngoing(one)) };
}

function sourceText({ source, issue }: PlannedWindow): string {
  if (source === "issue") return `announced by issue #${issue}`;
  return source === "configuration" ? "configured" : "begun by hand";
}

/** Milliseconds ahead in which windows are listed below the status, and the most that are. */
const SOON = 7 * DAY;
const MOST_SOON = 3;

/** Lists ongoing and upcoming windows, the first of each series; empty if there are none. */
export function maintenanceSoon(
  windows: readonly PlannedWindow[],
  readers: Readers,
  { now, columns }: { now: Temporal.Instant; columns: number },
): string {
  const limit = now.add({ milliseconds: SOON });
  const series = Map.groupBy(
    windows,
    (one) => one.source === "configuration" ? JSON.stringify([one.name, ...one.sites.keys()]) : one,
  );
  const soon = [...series.values()].map(([first]) => first!)
    .filter(({ start }) => Temporal.Instant.compare(start, limit) <= 0);
  const lines = soon.slice(0, MOST_SOON).map((window) => {
    const text = windowText(window, readers, now, columns - 3);
    return `${STATE_SIGNS.maintenance} ${text}: ${sitesText(window.sites, readers)}`;
  });
  const rest = soon.length - MOST_SOON;
  if (rest > 0) lines.push(`${rest} more: see maintenance`);
  return lines.map((line) => fit(line, columns).trimEnd()).join("\n");
}

/** Data for `maintenance --json`. */
export function maintenanceJson(
  windows: readonly PlannedWindow[],
  now: Temporal.Instant,
): unknown {
  const { ongoing, ahead } = split(windows, now);
  return { running: ongoing.map(windowJson), ahead: ahead.map(windowJson) };
}

export function windowJson({ name, source, start, until, sites, issue, text }: PlannedWindow) {
  return {
    name,
    source,
    start: formatTime(start),
    until: formatTime(until),
    sites: Object.fromEntries(sites),
    issue: issue ?? null,
    text,
  };
}

const SHORTEST_NAME = 12;

/**
 * Formats a window, `Weekly backup, Sun 2026-11-29 03:00 to 04:30 Europe/Berlin (in 5h 54m)`, with the name cut to
 * fit into the columns.
 */
function windowText(
  { name, start, until }: Pick<PlannedWindow, "name" | "start" | "until">,
  { timezone }: Readers,
  now: Temporal.Instant,
  columns: number,
): string {
  const between = (from: Temporal.Instant, to: Temporal.Instant) =>
    shortDuration(to.since(from).total("seconds"));
  const isOngoing = Temporal.Instant.compare(start, now) <= 0;
  const from = isOngoing
    ? `until ${zonedMoment(until, timezone, now)}`
    : `${zonedMoment(start, timezone)} to ${zonedMoment(until, timezone, start)}`;
  const rest = isOngoing ? `${between(now, until)} left` : `in ${between(now, start)}`;
  const time = `, ${from} ${timezone} (${rest})`;
  return fit(plainText(name), Math.max(SHORTEST_NAME, columns - textWidth(time))) + time;
}

const EXPECTATIONS: Readonly<Record<Expected, string>> = {
  down: "",
  degraded: " (may be degraded)",
  none: " (announced only)",
};
const MOST_NAMES = 8;

/** Names the sites of a window, with their expected states other than down. */
function sitesText(expected: PlannedWindow["sites"], { sites }: Readers): string {
  if (expected.size === 0) return "no sites are named";
  const isAll = sites.length > 1 && sites.every(({ slug }) => expected.get(slug) === "down");
  if (isAll) return "all sites";
  const name = ([slug, one]: [string, Expected]) => `${siteName(slug, sites)}${EXPECTATIONS[one]}`;
  return joinFirst([...expected], MOST_NAMES, name);
}

/** Formats a moment as `Sun 2026-11-29 03:00`, without the day if it is that of another moment. */
function zonedMoment(time: Temporal.Instant, timezone: string, other?: Temporal.Instant): string {
  const [day, clock] = zonedMinute(time, timezone).split(" ") as [string, string];
  if (other !== undefined && zonedMinute(other, timezone).startsWith(day)) return clock;
  const weekday = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: timezone })
    .format(time.epochMilliseconds);
  return `${weekday} ${day} ${clock}`;
}

/** A window started by hand; `published` is absent on a dry run. */
interface StartedMaintenance {
  id: string;
  maintenance: Maintenance;
  published?: Published;
}

export function startedText(
  { id, maintenance, published }: StartedMaintenance,
  readers: Readers,
): string {
  const { name, start, until, sites } = maintenance;
  const length = describeDuration(until.since(start).total("milliseconds"));
  const end = `${zonedMoment(until, readers.timezone, start)} ${readers.timezone}`;
  const verb = sites.size === 1 ? "is" : "are";
  const what = `${sitesText(sites, readers)} ${verb} in maintenance until ${end} (${length})`;
  if (published === undefined) {
    return `${what}: ${name}.\nNothing was written; it would write ${incidentPath(id)}.`;
  }
  const hint = paint.dim('"maintenance stop" ends it before its time.');
  return `${what}: ${name}.\n${recordedText(published)} ${hint}`;
}

export function startedJson({ id, maintenance, published }: StartedMaintenance): unknown {
  return { id, ...windowJson(maintenance), commit: published?.commit ?? null };
}

/** Windows ended by hand, by id; `published` is absent on a dry run. */
interface StoppedMaintenance {
  ended: ReadonlyMap<string, Maintenance>;
  published?: Published;
}

export function stoppedText(
  { ended, published }: StoppedMaintenance,
  { timezone }: Readers,
): string {
  const lines = [...ended].map(([id, { name, start, end }]) => {
    const begun = `${zonedMoment(start, timezone, end)} ${timezone}`;
    const file = paint.dim(` → ${incidentPath(id)}`);
    return `Maintenance is over: ${plainText(name)}, begun at ${begun}${file}`;
  });
  return [...lines, published === undefined ? "Nothing was written." : recordedText(published)]
    .join("\n");
}

export function stoppedJson({ ended, published }: StoppedMaintenance): unknown {
  return { ended: [...ended.keys()], commit: published?.commit ?? null };
}

function recordedText({ commit, place }: Published): string {
  return commit === undefined
    ? `Recorded: ${place}.`
    : `Recorded in ${commit.slice(0, 7)}: ${place}.`;
}
