import type { Config } from "../../config/config.ts";
import type { GitHub } from "../../github/github.ts";
import { askAnnounced, type AskedAnnouncements } from "./ask_announced.ts";
import { configuredWindows } from "./configured_windows.ts";
import type { MaintenancePlans } from "./plan_maintenance.ts";
import type { PlannedWindow } from "../../evaluation/window.ts";

/** What plans are made of, beside the configuration. */
export interface PlanSources {
  /** Absent where no issues can be read. */
  github?: GitHub;
  /** Whether the configuration may have other windows and sites, because some of it can't be read. */
  isPartial: boolean;
  /** The monitored folder in the repository, empty for its top. */
  folder: string;
  now: Temporal.Instant;
  /** Milliseconds ahead in which all windows of the configuration count. @default Only the next of each. */
  reach?: number;
  /** Takes secrets out of what people have written: it goes into files, and is told to others. */
  redact(text: string): string;
}

/** What is planned of maintenance, by the configuration and by issues, and what people should know of it. */
export async function plansFor(
  config: Pick<Config, "maintenance" | "issues" | "sites" | "timezone">,
  { github, isPartial, folder, now, reach, redact }: PlanSources,
): Promise<{ plans: MaintenancePlans; notes: string[] }> {
  const { maintenance, issues, sites, timezone } = config;
  const asked: AskedAnnouncements = github === undefined || !issues
    ? { notes: [] }
    : await askAnnounced(github, {
      sites,
      lacksSites: isPartial,
      isPart: folder !== "",
      timezone,
    });
  const shown = (window: PlannedWindow): PlannedWindow => (
    { ...window, name: redact(window.name), text: redact(window.text) }
  );
  const configured = configuredWindows(maintenance, now, reach).map(shown);
  const { windows, unclear, notes } = asked;
  const announced = windows?.map(shown);
  return { plans: { configured, isPartial, announced, unclear, timezone }, notes };
}
