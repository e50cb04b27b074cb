import type { IssueComment } from "../../github/github.ts";
import { takeApart } from "../../text/hidden_part.ts";
import { type Phase, PHASES, type Update } from "../../history/updates.ts";
import { isMarked } from "../markers.ts";

/** A phase at the begin of a comment, alone or in bold, with its colon on either side of the asterisks. */
const PHASE = new RegExp(
  `^(?<bold>\\*\\*|__|)(?<phase>${PHASES.join("|")}) ?(?::\\k<bold>|\\k<bold> ?:)`,
  "i",
);

/**
 * What a comment adds to a timeline; `undefined` for one by somebody who may not speak for the repository,
 * for one of ours, and for one that shows nothing.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const created = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const comment = { body: "**Identified:** a cable", author: "jo", isTrusted: true, created };
 * assertEquals(updateOf(comment), { at: created, phase: "identified", text: "a cable" });
 * assertEquals(updateOf({ ...comment, isTrusted: false }), undefined);
 * ```
 */
export function updateOf({ body, isTrusted, created: at }: IssueComment): Update | undefined {
  if (!isTrusted || isMarked(body)) return undefined;
  const { shown } = takeApart(body);
  const found = PHASE.exec(shown);
  if (found === null) return shown === "" ? undefined : { at, text: shown };
  const phase = found.groups!["phase"]!.toLowerCase() as Phase;
  return { at, phase, text: shown.slice(found[0].length).trim() };
}

/** What the comments on an issue make of a timeline, the oldest first; `redact` takes out secrets. */
export function updatesOf(
  comments: readonly IssueComment[],
  redact: (text: string) => string,
): Update[] {
  return comments.toSorted((one, other) => Temporal.Instant.compare(one.created, other.created))
    .flatMap((comment) => updateOf(comment) ?? [])
    .map((update) => ({ ...update, text: redact(update.text) }));
}
