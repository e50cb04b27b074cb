import type { Mute } from "../../history/run_state_schema.ts";
import { isBefore } from "../../time.ts";
import type { IssueCommand } from "./read_responses.ts";

type Mutes = Readonly<Record<string, Mute>>;

/** Time for which an ended mute is kept, so that a comment that is read again does not repeat it. */
const RETENTION = { hours: 1 };

/**
 * Applies commands to the muted sites, in the order in which they were written. Those for all mute the sites of some
 * slugs, and unmute whatever is muted.
 */
export function applyMutes(
  before: Mutes,
  commands: readonly Pick<IssueCommand, "slug" | "by" | "at" | "command" | "isAllowed">[],
  { all, now }: { all: Iterable<string>; now: Temporal.Instant },
): Mutes {
  const after = new Map(Object.entries(before));
  for (const { slug, by, at, command, isAllowed } of commands) {
    if (!isAllowed || (command.name !== "mute" && command.name !== "unmute")) continue;
    const until = command.name === "mute" ? at.add({ milliseconds: command.lasts }) : at;
    for (const one of command.isForAll ? new Set([slug, ...all, ...after.keys()]) : [slug]) {
      const known = after.get(one);
      const isNewer = known === undefined ? command.name === "mute" : !isBefore(at, known.at);
      if (isNewer) after.set(one, { by, at, until });
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
