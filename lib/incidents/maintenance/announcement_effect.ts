import * as v from "valibot";

const ANNOUNCEMENT_EFFECT = v.object({
  /** Number of the issue. */
  issue: v.number(),
  /** When the window ended, ISO 8601. */
  until: v.string(),
  /** Of times without an offset in the issue. */
  timezone: v.string(),
  comment: v.string(),
});

/** What is to happen to the issue of a maintenance window that is over. */
export type AnnouncementEffect = v.InferOutput<typeof ANNOUNCEMENT_EFFECT>;

/** Reads what an outbox has kept; `undefined` where another version wrote it. */
export function parseAnnouncementEffect(data: unknown): AnnouncementEffect | undefined {
  const result = v.safeParse(ANNOUNCEMENT_EFFECT, data);
  return result.success ? result.output : undefined;
}
