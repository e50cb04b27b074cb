import { isAbout } from "./apply_event.ts";
import type { SiteEvent } from "./message.ts";

/**
 * Removes outages of muted sites that are over before they were sent: once the site is not muted any more, its
 * state is the one that was sent last. `before` are the events that waited before this run.
 */
export function withoutMutedPast(
  held: readonly SiteEvent[],
  before: readonly SiteEvent[],
  muted: ReadonlySet<string> = new Set(),
): SiteEvent[] {
  return held.filter((event) => {
    if (event.was === undefined || !muted.has(event.slug) || before.includes(event)) return true;
    const outage = before.find((one) => isAbout(one, event.slug) && one.kind !== "up");
    return outage !== undefined && outage.knew !== undefined;
  });
}
