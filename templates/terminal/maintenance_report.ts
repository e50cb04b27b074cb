import { fit, textWidth } from "../../lib/columns.ts";
import type { Config } from "../../lib/config/config.ts";
import { incidentPath } from "../../lib/history/incident.ts";
import type { Expected, Maintenance } from "../../lib/history/maintenance.ts";
import type { PlannedWindow } from "../../lib/maintenance/window.ts";
import { paint } from "../../lib/paint.ts";
import { plainText } from "../../lib/plain_text.ts";
import type { Published } from "../../lib/store/store.ts";
import { describeDuration, formatTime } from "../../lib/time.ts";
import { shortDuration } from "../measures.ts";
import { STATE_SIGNS } from "../words.ts";

/** What sites are called, and in which time zone people read times. */
type Readers = Pick<Config, "sites" | "timezone">;

/** Columns where no terminal says how many there are. */
const COLUMNS = 100;
/** Columns that a name has at least. */
const SHORTEST_NAME = 12;
/** More names than these no line lists. */
const MOST_NAMES = 8;

/** The windows that go on and are ahead, for the terminal. */
export function maintenanceText(
  windows: readonly PlannedWindow[],
  readers: Readers,
  { now, columns = COLUMNS }: { now: Temporal.Instant; columns?: number },
): string {
  const { going, ahead } = split(windows, now);
  if (windows.length === 0) {
    return `No maintenance goes on or is ahead.\n${
      paint.dim(
        'maintenance: in the configuration plans it, "maintenance start SITE --for 1h" begins it now.',
      )
    }`;
  }
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [[paint.dim(title), ...lines.map((line) => fit(line, columns).trimEnd())].join("\n")];
  const lines = (window: PlannedWindow, time: string) => [
    nameLine(window, time, columns),
    detailsOf(window, readers),
  ];
  return [
    ...part("In maintenance now", going.flatMap((one) => lines(one, leftOf(one, readers, now)))),
    ...part("Ahead", ahead.flatMap((one) => lines(one, timeOf(one, readers, now)))),
  ].join("\n\n");
}

function split(windows: readonly PlannedWindow[], now: Temporal.Instant) {
  const isGoing = ({ start }: PlannedWindow) => Temporal.Instant.compare(start, now) <= 0;
  return { going: windows.filter(isGoing), ahead: windows.filter((one) => !isGoing(one)) };
}

/** Of a name and a time the time is what there has to be room for. */
function nameLine({ name }: PlannedWindow, time: string, columns: number): string {
  const begin = `  ${STATE_SIGNS.maintenance} `;
  const room = Math.max(SHORTEST_NAME, columns - textWidth(begin) - textWidth(`, ${time}`));
  return `${begin}${fit(plainText(name), room)}, ${time}`;
}

function leftOf({ until }: PlannedWindow, readers: Readers, now: Temporal.Instant): string {
  const left = shortDuration(until.since(now).total("seconds"));
  return `until ${zonedMinute(until, readers, now)} ${readers.timezone} (${left} left)`;
}

function timeOf({ start, until }: PlannedWindow, readers: Readers, now: Temporal.Instant): string {
  const left = shortDuration(start.since(now).total("seconds"));
  const end = zonedMinute(until, readers, start);
  return `${zonedMinute(start, readers)} to ${end} ${readers.timezone} (in ${left})`;
}

function detailsOf({ sites, source, issue }: PlannedWindow, readers: Readers): string {
  const sources = {
    configuration: "configured",
    issue: `announced by issue #${issue}`,
    hand: "begun by hand",
  };
  return paint.dim(`     ${namesOf(sites, readers)}; ${sources[source]}`);
}

const EXPECTATIONS: Readonly<Record<Expected, string>> = {
  down: "",
  degraded: " (may be degraded)",
  none: " (announced only)",
};

function namesOf(windowSites: PlannedWindow["sites"], { sites }: Readers): string {
  const expected = [...windowSites];
  if (expected.length === 0) return "no sites are named";
  const isAll = sites.length > 1 && sites.every(({ slug }) => windowSites.get(slug) === "down");
  if (isAll) return "all sites";
  const names = new Map(sites.map(({ slug, name }) => [slug, name]));
  const shown = expected.slice(0, MOST_NAMES).map(([slug, one]) =>
    `${plainText(names.get(slug) ?? slug)}${EXPECTATIONS[one]}`
  );
  const rest = expected.length - shown.length;
  return `${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** `Sun 2026-11-29 03:00` in the time zone of the readers, without the day where another moment has the same. */
function zonedMinute(
  time: Temporal.Instant,
  { timezone }: Readers,
  other?: Temporal.Instant,
): string {
  const zoned = time.toZonedDateTimeISO(timezone);
  const clock = zoned.toPlainTime().toString({ smallestUnit: "minute" });
  const date = zoned.toPlainDate();
  const isSame = other?.toZonedDateTimeISO(timezone).toPlainDate().equals(date) === true;
  const day = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" })
    .format(Date.UTC(date.year, date.month - 1, date.day));
  return `${isSame ? "" : `${day} ${date} `}${clock}`;
}

/** The same as data. */
export function maintenanceJson(
  windows: readonly PlannedWindow[],
  now: Temporal.Instant,
): unknown {
  const { going, ahead } = split(windows, now);
  return { running: going.map(windowJson), ahead: ahead.map(windowJson) };
}

function windowJson({ name, source, start, until, sites, issue, text }: PlannedWindow) {
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

/** A window that somebody began; `published` is absent where nothing was written. */
export interface StartedMaintenance {
  id: string;
  maintenance: Maintenance;
  published?: Published;
}

/** What was begun, and how it ends. */
export function startedText({ id, maintenance, published }: StartedMaintenance, readers: Readers) {
  const { name, start, until, sites } = maintenance;
  const length = describeDuration(until.since(start).total("milliseconds"));
  const end = `${zonedMinute(until, readers, start)} ${readers.timezone}`;
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

/** The same as data. */
export function startedJson({ id, maintenance, published }: StartedMaintenance): unknown {
  return { id, ...windowJson(maintenance), commit: published?.commit ?? null };
}

/** Windows that somebody ended, by id; `published` is absent where nothing was written. */
export interface StoppedMaintenance {
  ended: ReadonlyMap<string, Maintenance>;
  published?: Published;
}

/** What was ended. */
export function stoppedText({ ended, published }: StoppedMaintenance, readers: Readers): string {
  const lines = [...ended].map(([id, { name, start, end }]) =>
    `Maintenance is over: ${plainText(name)}, begun at ${
      zonedMinute(start, readers, end)
    } ${readers.timezone}${paint.dim(` → ${incidentPath(id)}`)}`
  );
  return [...lines, published === undefined ? "Nothing was written." : recorded(published)].join(
    "\n",
  );
}

/** The same as data. */
export function stoppedJson({ ended, published }: StoppedMaintenance): unknown {
  return { ended: [...ended.keys()], commit: published?.commit ?? null };
}

function recorded({ commit, place }: Published): string {
  return commit === undefined
    ? `Recorded: ${place}.`
    : `Recorded in ${commit.slice(0, 7)}: ${place}.`;
}
