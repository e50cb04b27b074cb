import type { Maintenance } from "../../history/maintenance.ts";
import type { Effect } from "../../outbox/effect.ts";
import { formatTime, utcMinute } from "../../time.ts";
import type { AnnouncementEffect } from "./announcement_effect.ts";

/**
 * What is owed to the issue that announces a maintenance window which is over: a comment, and to be closed.
 * One that is given another end and reopened is owed it again. `timezone` is that of times without an offset.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const until = Temporal.Instant.from("2026-11-21T12:00:00Z");
 * const effect = closeAnnouncement({ name: "Router", until, issue: 12 }, "UTC");
 * assertEquals(effect.what, "close issue #12, because its maintenance is over (Router)");
 * assertEquals(effect.data["comment"], "**Completed:** the maintenance window ended at 2026-11-21 12:00 UTC.");
 * ```
 */
export function closeAnnouncement(
  { name, until, issue }: Pick<Maintenance, "name" | "until"> & { issue: number },
  timezone: string,
): Effect {
  const data: AnnouncementEffect = {
    issue,
    until: formatTime(until),
    timezone,
    comment: `**Completed:** the maintenance window ended at ${utcMinute(until)} UTC.`,
  };
  const line = `announcement-${issue}`;
  return {
    // By the issue alone: what was over before anybody looked has no file, and names of files are taken by others.
    id: `${line}/completed@${formatTime(until)}`,
    carrier: "announcement",
    line,
    what: `close issue #${issue}, because its maintenance is over (${name})`,
    data: { ...data },
  };
}
