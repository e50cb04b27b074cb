import type { CarriedEntry } from "../../lib/outbox/ends.ts";
import { paint } from "../../lib/text/paint.ts";

/** What a run did outside of the repository, or why it could not; `home` is the page of the repository. */
export function carriedLine(end: CarriedEntry, home: string | undefined): string {
  const { what } = end.entry;
  if ("failed" in end) {
    return `${end.failed.failure}. ${
      end.isGivenUp ? "Given up" : "The next run tries again"
    }: ${what}`;
  }
  const { issue, isGone, isLeft, isUnlisted } = end.receipt;
  if (isGone === true) return `Nothing to do, because there is no such issue: ${what}`;
  if (isLeft === true) {
    return `Nothing to do, because somebody has closed it, or changed what it announces: ${what}`;
  }
  if (isUnlisted === true) {
    return `Nothing sent, because its channel is no longer configured: ${what}`;
  }
  const place = typeof issue === "number" && home !== undefined
    ? paint.dim(` → ${home}/issues/${issue}`)
    : "";
  return `Done: ${what}${place}`;
}

/** The same as data. */
export function carriedJson(end: CarriedEntry): Record<string, unknown> {
  const { entry: { id, what } } = end;
  if ("failed" in end) {
    return { id, what, state: end.isGivenUp ? "given up" : "failed", failure: end.failed.failure };
  }
  return { id, what, state: "done", receipt: end.receipt };
}
