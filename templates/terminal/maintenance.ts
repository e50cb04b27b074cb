import { fit, textWidth } from "../../lib/text/columns.ts";
import type { PlannedWindow } from "../../lib/evaluation/window.ts";
import { paint } from "../../lib/text/paint.ts";
import { DAY, describeDuration, formatTime } from "../../lib/time.ts";
import { shortDuration, siteName, STATE_SIGNS, zonedMinute } from "../words.ts";
import { incidentPath } from "../../lib/history/incident.ts";
import type { Expected, Maintenance } from "../../lib/history/maintenance.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import type { Published } from "../../lib/history/store/store.ts";
import { listed } from "../../lib/text/listed.ts";
import type { Config } from "../../lib/config/config.ts";

interface Telling {
  now: Temporal.Instant;
  columns: number;
}

/** The windows that go on and are ahead, for the terminal. */
export function maintenanceList(
  windows: readonly PlannedWindow[],
  readers: Readers,
  { now, columns }: Telling,
): string {
  if (windows.length === 0) {
    return `No maintenance goes on or is ahead.\n${
      paint.dim(
        'maintenance: in the configuration plans it, "maintenance start SITE --for 1h" begins it now.',
      )
    }`;
  }
  const { going, ahead } = split(windows, now);
  const part = (title: string, some: readonly PlannedWindow[]) => {
    const lines = some.flatMap((window) => [
      `  ${STATE_SIGNS.maintenance} ${windowText(window, readers, { now, columns: columns - 5 })}`,
      paint.dim(`     ${namesOf(window.sites, readers)}; ${sourceOf(window)}`),
    ]);
    const fitting = lines.map((line) => fit(line, columns).trimEnd());
    return lines.length === 0 ? [] : [[paint.dim(title), ...fitting].join("\n")];
  };
  return [...part("In maintenance now", going), ...part("Ahead", ahead)].join("\n\n");
}

function split(windows: readonly PlannedWindow[], now: Temporal.Instant) {
  const isGoing = ({ start }: PlannedWindow) => Temporal.Instant.compare(start, now) <= 0;
  return { going: windows.filter(isGoing), ahead: windows.filter((one) => !isGoing(one)) };
}

function sourceOf({ source, issue }: PlannedWindow): string {
  const sources = {
    configuration: "configured",
    issue: `announced by issue #${issue}`,
    hand: "begun by hand",
  };
  return sources[source];
}

/** Milliseconds ahead in which maintenance is worth a line beside how sites are, and the most such lines. */
const SOON = 7 * DAY;
const MOST = 3;

/** The windows that go on and come soon, a line each, for who asks how sites are; empty where there are none. */
export function maintenanceSoon(
  windows: readonly PlannedWindow[],
  readers: Readers,
  { now, columns }: Telling,
): string {
  const limit = now.add({ milliseconds: SOON });
  const soon = nextOfEach(windows)
    .filter(({ start }) => Temporal.Instant.compare(start, limit) <= 0);
  const lines = soon.slice(0, MOST).map((window) =>
    `${STATE_SIGNS.maintenance} ${windowText(window, readers, { now, columns: columns - 3 })}: ${
      namesOf(window.sites, readers)
    }`
  );
  const rest = soon.length - MOST;
  if (rest > 0) lines.push(`${rest} more: see maintenance`);
  return lines.map((line) => fit(line, columns).trimEnd()).join("\n");
}

function nextOfEach(windows: readonly PlannedWindow[]): PlannedWindow[] {
  const seen = new Set<string>();
  return windows.filter(({ source, name, sites }) => {
    const key = JSON.stringify([source, name, ...sites.keys()]);
    const isFirst = source !== "configuration" || !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

export function maintenanceJson(
  windows: readonly PlannedWindow[],
  now: Temporal.Instant,
): unknown {
  const { going, ahead } = split(windows, now);
  return { running: going.map(windowJson), ahead: ahead.map(windowJson) };
}

/** A window that somebody began; `published` is absent where nothing was written. */
interface StartedMaintenance {
  id: string;
  maintenance: Maintenance;
  published?: Published;
}

export function startedText({ id, maintenance, published }: StartedMaintenance, readers: Readers) {
  const { name, start, until, sites } = maintenance;
  const length = describeDuration(until.since(start).total("milliseconds"));
  const end = `${zonedMoment(until, readers, start)} ${readers.timezone}`;
  const verb = sites.size === 1 ? "is" : "are";
  const what = `${
    namesOf(sites, readers)
  } ${verb} in maintenance until ${end} (${length}): ${name}`;
  if (published === undefined) {
    return `${what}.\nNothing was written; it would write ${incidentPath(id)}.`;
  }
  return `${what}.\n${recorded(published)} ${
    paint.dim('"maintenance stop" ends it before its time.')
  }`;
}

export function startedJson({ id, maintenance, published }: StartedMaintenance): unknown {
  return { id, ...windowJson(maintenance), commit: published?.commit ?? null };
}

/** Windows that somebody ended, by id; `published` is absent where nothing was written. */
interface StoppedMaintenance {
  ended: ReadonlyMap<string, Maintenance>;
  published?: Published;
}

export function stoppedText({ ended, published }: StoppedMaintenance, readers: Readers): string {
  const lines = [...ended].map(([id, { name, start, end }]) =>
    `Maintenance is over: ${plainText(name)}, begun at ${
      zonedMoment(start, readers, end)
    } ${readers.timezone}${paint.dim(` → ${incidentPath(id)}`)}`
  );
  return [...lines, published === undefined ? "Nothing was written." : recorded(published)].join(
    "\n",
  );
}

export function stoppedJson({ ended, published }: StoppedMaintenance): unknown {
  return { ended: [...ended.keys()], commit: published?.commit ?? null };
}

function recorded({ commit, place }: Published): string {
  return commit === undefined
    ? `Recorded: ${place}.`
    : `Recorded in ${commit.slice(0, 7)}: ${place}.`;
}

type Readers = Pick<Config, "sites" | "timezone">;

/** More names than these no line lists. */
const MOST_NAMES = 8;

interface At {
  now: Temporal.Instant;
  columns?: number;
}

/** Columns that a name has at least. */
const SHORTEST_NAME = 12;

/**
 * `Weekly backup, Sun 2026-11-29 03:00 to 04:30 Europe/Berlin (in 5h 54m)`; of a window that goes on, how
 * long it still does. Where there is no room for all the name is cut.
 */
function windowText(
  window: Pick<PlannedWindow, "name" | "start" | "until">,
  readers: Pick<Readers, "timezone">,
  { now, columns = Infinity }: At,
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
function zonedMoment(
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
