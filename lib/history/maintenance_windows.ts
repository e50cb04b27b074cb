import type { Expected, Maintenance } from "./maintenance.ts";
import type { Window } from "./windows.ts";

/**
 * Finds when sites were in maintenance, by slug, ascending: the windows of the files in which something of
 * the given kinds is expected of them; by default those in which they may be down. Windows that overlap or follow each other are one; one that was called off before it began is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseMaintenance } from "./maintenance.ts";
 * const file = (start: string, until: string, end = until) => parseMaintenance(
 *   `kind: maintenance\nsource: hand\nname: Move\nstart: ${start}\nuntil: ${until}\nend: ${end}\nsites: { shop: down, blog: degraded }\n`,
 * )!;
 * const [ten, eleven, noon] = [10, 11, 12].map((hour) => `2026-11-21T${hour}:00:00Z`) as [string, string, string];
 * const windows = maintenanceWindows([file(eleven, noon), file(noon, noon, ten), file(ten, noon, eleven)]);
 * assertEquals([...windows], [["shop", [{ from: Date.parse(ten), to: Date.parse(noon) }]]]);
 * ```
 */
export function maintenanceWindows(
  files: Iterable<Maintenance>,
  kinds: readonly Expected[] = ["down"],
): Map<string, Window[]> {
  const bySlug = new Map<string, Window[]>();
  for (const { start, until, end = until, sites } of files) {
    const window = { from: start.epochMilliseconds, to: end.epochMilliseconds };
    if (window.to <= window.from) continue;
    for (const [slug, expected] of sites) {
      if (!kinds.includes(expected)) continue;
      const own = bySlug.get(slug);
      if (own === undefined) bySlug.set(slug, [window]);
      else own.push(window);
    }
  }
  return new Map([...bySlug].map(([slug, windows]) => [slug, joined(windows)]));
}

function joined(windows: readonly Window[]): Window[] {
  const whole: Window[] = [];
  for (const window of windows.toSorted((one, other) => one.from - other.from)) {
    const last = whole.at(-1);
    if (last !== undefined && window.from <= last.to) last.to = Math.max(last.to, window.to);
    else whole.push({ ...window });
  }
  return whole;
}
