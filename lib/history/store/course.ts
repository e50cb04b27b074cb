import type { PushAnswer } from "../../git/push.ts";
import type { Ways } from "./store.ts";

/** How a remote is dealt with: what it takes, as far as it has refused anything. */
export interface Course {
  ways: Ways;
  /** Why the branch does not take commits, in the remote's words. */
  refusal?: string;
  /** Whether the ref is left out only because the remote did not say which of the two it refuses. */
  isGuess?: boolean;
}

/** What a remote is expected to take. */
export const STRAIGHT: Course = { ways: { pending: "open", commits: true, atomic: true } };

/**
 * The way to go on where a push was refused: everything on the branch where the remote does not take the
 * ref, everything in the ref where it does not take the branch. `undefined` where none is left.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const answer = { kind: "refused", ref: "pending", words: "(hook declined)" } as const;
 * assertEquals(detour(STRAIGHT, answer)?.ways.pending, "refused");
 * ```
 */
export function detour(
  course: Course,
  answer: PushAnswer & { kind: "refused" | "not atomic" },
): Course | undefined {
  const { ways, isGuess } = course;
  if (answer.kind === "not atomic") return { ...course, ways: { ...ways, atomic: false } };
  if (!ways.commits) return undefined;
  if (answer.ref !== "branch") {
    return { ways: { ...ways, pending: "refused" }, isGuess: answer.ref === "unnamed" };
  }
  if (ways.pending === "refused" && !isGuess) return undefined;
  return { ways: { ...ways, pending: "open", commits: false }, refusal: answer.words };
}
