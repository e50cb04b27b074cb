import * as v from "valibot";

const ISSUE = v.object({
  body: v.string(),
  labels: v.array(v.object({ name: v.string(), color: v.string(), description: v.string() })),
  assignees: v.array(v.string()),
  /** Whether only collaborators may comment. */
  lock: v.boolean(),
});

const COMMON = {
  /** What the incident is called in the marker that its issue is found by. */
  name: v.string(),
  /** The title as it is to be. */
  title: v.string(),
  /** The titles that we give; another one was given by a person, and stays. */
  titles: v.array(v.string()),
  /** When the incident began. */
  start: v.string(),
  /** The issue, where its number was known when this was planned. */
  number: v.optional(v.number()),
};

const ISSUE_EFFECT = v.variant("action", [
  v.object({ action: v.literal("open"), ...COMMON, issue: ISSUE }),
  // The issue may never have been opened, or be gone by then.
  v.object({ action: v.literal("update"), ...COMMON, comment: v.string(), issue: ISSUE }),
  v.object({ action: v.literal("reopen"), ...COMMON, comment: v.string(), issue: ISSUE }),
  v.object({ action: v.literal("close"), ...COMMON, comment: v.string() }),
]);

/** What is to happen to the issue of an incident: all that has to be known for it, whenever it is done. */
export type IssueEffect = v.InferOutput<typeof ISSUE_EFFECT>;

/** An issue to open. */
export type IssueToOpen = v.InferOutput<typeof ISSUE>;

/** Reads what an outbox has kept; `undefined` where another version wrote it. */
export function parseIssueEffect(data: unknown): IssueEffect | undefined {
  const result = v.safeParse(ISSUE_EFFECT, data);
  return result.success ? result.output : undefined;
}
