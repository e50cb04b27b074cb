import type { Expected, Maintenance } from "../history/maintenance.ts";

/** A maintenance window as somebody has planned it: a time, and what is expected of sites in it. */
export type PlannedWindow = Omit<Maintenance, "kind" | "end" | "updates">;

/** The maintenance that a run of a site falls into. */
export interface SiteWindow {
  /** When the site is out of maintenance again: windows that overlap or follow each other are one. */
  until: Temporal.Instant;
  /** What is expected of it until then. */
  expected: Exclude<Expected, "none">;
}

/** The sites that are in maintenance at a moment, by slug. */
export type SiteWindows = ReadonlyMap<string, SiteWindow>;
