import type { Incident } from "../history/incident.ts";
import type { Window } from "./windows.ts";

/**
 * The times in which an incident went on: until it ended, and again from when it was reopened; an open one
 * until now. In milliseconds since 1970.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseIncident } from "../history/incident.ts";
 * const incident = parseIncident(
 *   "{ slug: shop, kind: down, start: 1970-01-01T00:00:01Z, confirmed: 1970-01-01T00:00:02Z," +
 *     " ended: [1970-01-01T00:00:05Z], reopened: [1970-01-01T00:00:08Z] }",
 * )!;
 * assertEquals(episodesOf(incident, 9000), [{ from: 1000, to: 5000 }, { from: 8000, to: 9000 }]);
 * ```
 */
export function episodesOf({ start, end, reopened, ended }: Incident, now: number): Window[] {
  const last = Math.min(now, end?.epochMilliseconds ?? now);
  return [start, ...reopened].flatMap((begin, index): Window[] => {
    const from = begin.epochMilliseconds;
    const to = Math.min(last, ended[index]?.epochMilliseconds ?? last);
    return to >= from && from <= now ? [{ from, to }] : [];
  });
}

/** How long episodes are inside a window, in seconds. */
export function secondsWithin(episodes: readonly Window[], window: Window): number {
  const lengths = episodes.map(({ from, to }) =>
    Math.max(0, Math.min(to, window.to) - Math.max(from, window.from))
  );
  return lengths.reduce((sum, length) => sum + length, 0) / 1000;
}
