import { listed } from "../../lib/text/listed.ts";
import { fit, textWidth } from "../../lib/text/columns.ts";
import type { Config } from "../../lib/config/config.ts";
import type { Expected } from "../../lib/history/maintenance.ts";
import type { PlannedWindow } from "../../lib/evaluation/window.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { formatTime } from "../../lib/time.ts";
import { shortDuration } from "../measures.ts";
import { siteName } from "../site_name.ts";
import { zonedMinute } from "../zoned.ts";

/** What sites are called, and in which time zone people read times. */
export type Readers = Pick<Config, "sites" | "timezone">;

/** More names than these no line lists. */
const MOST_NAMES = 8;

/** When something is told, and how many columns there are for it. */
interface Telling {
  now: Temporal.Instant;
  columns?: number;
}

/** Columns that a name has at least. */
const SHORTEST_NAME = 12;

/**
 * `Weekly backup, Sun 2026-11-29 03:00 to 04:30 Europe/Berlin (in 5h 54m)`; of a window that goes on, how
 * long it still does. Where there is no room for all the name is cut.
 */
export function windowText(
  window: Pick<PlannedWindow, "name" | "start" | "until">,
  readers: Pick<Readers, "timezone">,
  { now, columns = Infinity }: Telling,
): string {
  const time = `, ${timeText(window, readers, now)}`;
  const room = Math.max(SHORTEST_NAME, columns - textWidth(time));
  return fit(plainText(window.name), room) + time;
}

function timeText(
  { start, until }: Pick<PlannedWindow, "start" | "until">,
  readers: Pick<Readers, "timezone">,
  now: Temporal.Instant,
): string {
  const zone = readers.timezone;
  const between = (from: Temporal.Instant, to: Temporal.Instant) =>
    shortDuration(to.since(from).total("seconds"));
  if (Temporal.Instant.compare(start, now) <= 0) {
    return `until ${zonedMoment(until, readers, now)} ${zone} (${between(now, until)} left)`;
  }
  const time = `${zonedMoment(start, readers)} to ${zonedMoment(until, readers, start)}`;
  return `${time} ${zone} (in ${between(now, start)})`;
}

const EXPECTATIONS: Readonly<Record<Expected, string>> = {
  down: "",
  degraded: " (may be degraded)",
  none: " (announced only)",
};

/** Names of the sites that a window concerns, with what else than that they may be down is expected of them. */
export function namesOf(windowSites: PlannedWindow["sites"], { sites }: Readers): string {
  const expected = [...windowSites];
  if (expected.length === 0) return "no sites are named";
  const isAll = sites.length > 1 && sites.every(({ slug }) => windowSites.get(slug) === "down");
  if (isAll) return "all sites";
  return listed(
    expected,
    MOST_NAMES,
    ([slug, one]) => `${siteName(slug, sites)}${EXPECTATIONS[one]}`,
  );
}

/** `Sun 2026-11-29 03:00` in the time zone of the readers, without the day where another moment has the same. */
export function zonedMoment(
  time: Temporal.Instant,
  { timezone }: Pick<Readers, "timezone">,
  other?: Temporal.Instant,
): string {
  const [day, clock] = zonedMinute(time, timezone).split(" ") as [string, string];
  if (other !== undefined && zonedMinute(other, timezone).startsWith(day)) return clock;
  const weekday = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: timezone })
    .format(time.epochMilliseconds);
  return `${weekday} ${day} ${clock}`;
}

/** A window as data. */
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
