import { fit } from "../../lib/text/columns.ts";
import type { PlannedWindow } from "../../lib/evaluation/window.ts";
import { paint } from "../../lib/text/paint.ts";
import { DAY } from "../../lib/time.ts";
import { STATE_SIGNS } from "../words.ts";
import { namesOf, type Readers, windowJson, windowText } from "./window_words.ts";

/** When something is told, and in how many columns. */
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

/** Of windows that come again and again the first alone; they are given by their begin. */
function nextOfEach(windows: readonly PlannedWindow[]): PlannedWindow[] {
  const seen = new Set<string>();
  return windows.filter(({ source, name, sites }) => {
    const key = JSON.stringify([source, name, ...sites.keys()]);
    const isFirst = source !== "configuration" || !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

/** The same as data. */
export function maintenanceJson(
  windows: readonly PlannedWindow[],
  now: Temporal.Instant,
): unknown {
  const { going, ahead } = split(windows, now);
  return { running: going.map(windowJson), ahead: ahead.map(windowJson) };
}
