import type { RepositoryComment } from "../../github/github.ts";
import { shortHash } from "../../text/short_hash.ts";
import { formatTime } from "../../time.ts";
import type { Tracked } from "./tracked.ts";

/** Comments of a whole repository since some moment, by the issues they are on. */
export interface Listed {
  since: Temporal.Instant;
  byIssue: ReadonlyMap<number, readonly RepositoryComment[]>;
  /** Absent where there is none. */
  newest?: Temporal.Instant;
  count: number;
}

/** Sorts comments by their issues. */
export function listedOf(since: Temporal.Instant, comments: readonly RepositoryComment[]): Listed {
  return {
    since,
    // As each issue has them: two of the same second are told apart by which came first.
    byIssue: Map.groupBy(
      comments.toSorted((one, other) => one.id - other.id),
      ({ issue }) => issue,
    ),
    newest: comments.map(({ updated }) => updated).sort(Temporal.Instant.compare).at(-1),
    count: comments.length,
  };
}

/** Whether all comments on an issue are among those listed since a moment. */
export function isCovered({ from }: Pick<Tracked, "from">, since: Temporal.Instant): boolean {
  return Temporal.Instant.compare(since, from) <= 0;
}

/** Short names, by issue, for what was listed on each that is followed. */
export function seenIn(
  { byIssue }: Pick<Listed, "byIssue">,
  tracked: readonly Pick<Tracked, "issue">[],
): Record<string, string> {
  return Object.fromEntries(tracked.flatMap(({ issue }): [string, string][] => {
    const comments = byIssue.get(issue) ?? [];
    const facts = comments.map(({ id, updated, body }) => [id, formatTime(updated), body]);
    return comments.length === 0 ? [] : [[String(issue), shortHash(JSON.stringify(facts))]];
  }));
}
