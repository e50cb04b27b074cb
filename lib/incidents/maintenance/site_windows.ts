import type { PlannedWindow, SiteWindow, SiteWindows } from "../../evaluation/window.ts";

type Window = Pick<PlannedWindow, "start" | "until" | "sites">;

/**
 * The sites that are in maintenance at a moment, given all windows that go on or are still to come. Of
 * windows of one site that go on the most counts that any lets expect, until nothing lets expect as much
 * any more: those that overlap or follow each other are one.
 */
export function siteWindows(windows: readonly Window[], now: Temporal.Instant): SiteWindows {
  const ascending = windows.toSorted((one, other) =>
    Temporal.Instant.compare(one.start, other.start)
  );
  const slugs = new Set(ascending.flatMap(({ sites }) => [...sites.keys()]));
  return new Map([...slugs].flatMap((slug): [string, SiteWindow][] => {
    const down = endOf(ascending.filter(({ sites }) => sites.get(slug) === "down"), now);
    if (down !== undefined) return [[slug, { until: down, expected: "down" }]];
    const degraded = endOf(ascending.filter(({ sites }) => isExpected(sites.get(slug))), now);
    return degraded === undefined ? [] : [[slug, { until: degraded, expected: "degraded" }]];
  }));
}

function isExpected(expected: ReturnType<Window["sites"]["get"]>): boolean {
  return expected === "down" || expected === "degraded";
}

/** When windows are over of which one goes on, `undefined` where none does; they are given by their begin. */
function endOf(ascending: readonly Window[], now: Temporal.Instant): Temporal.Instant | undefined {
  let end = now;
  for (const { start, until } of ascending) {
    const isMet = Temporal.Instant.compare(start, end) <= 0;
    if (isMet && Temporal.Instant.compare(until, end) > 0) end = until;
  }
  return end === now ? undefined : end;
}
