import type { Mute } from "../../history/run_state_schema.ts";
import { isBefore } from "../../time.ts";
import type { IssueCommand } from "./read_responses.ts";

type Mutes = Readonly<Record<string, Mute>>;

/** Time for which an ended mute is kept, so that a comment that is read again does not repeat it. */
const RETENTION = { hours: 1 };

/** Applies commands to the muted sites, in the order in which they were written. */
export function applyMutes(
  before: Mutes,
  commands: readonly Pick<IssueCommand, "slug" | "by" | "at" | "command" | "isAllowed">[],
  now: Temporal.Instant,
): Mutes {
  const after = new Map(Object.entries(before));
  for (const { slug, by, at, command, isAllowed } of commands) {
    const known = after.get(slug);
    if (!isAllowed || (known !== undefined && isBefore(at, known.at))) continue;
    if (command.name === "mute") {
      after.set(slug, { by, at, until: at.add({ milliseconds: command.lasts }) });
    } else if (command.name === "unmute" && known !== undefined) {
      after.set(slug, { by, at, until: at });
    }
  }
  const kept = [...after].filter(([, { until }]) => isBefore(now.subtract(RETENTION), until));
  return Object.fromEntries(kept);
}

/** Slugs of the sites about which nothing is sent at a moment. */
export function listMutedSites(mutes: Mutes, now: Temporal.Instant): ReadonlySet<string> {
  return new Set(
    Object.entries(mutes).flatMap(([slug, { until }]) => isBefore(now, until) ? [slug] : []),
  );
}
