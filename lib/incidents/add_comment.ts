import type { Clock } from "../io/clock.ts";
import type { GitHub } from "../github/github.ts";
import { commentMarker, withMarker } from "./markers.ts";
import { makeOnce } from "./make_once.ts";

/** A comment that an issue is to have once. */
export interface CommentOnce {
  number: number;
  text: string;
  /** What it is written for: tells it from all others. */
  purpose: string;
  /** The earliest moment at which it may have been written. */
  since: Temporal.Instant;
}

/** Comments on an issue, unless the comment is there already. */
export async function addComment(
  { number, text, purpose, since }: CommentOnce,
  { github, clock }: { github: GitHub; clock: Clock },
): Promise<void> {
  const marker = commentMarker(purpose);
  const find = async () => {
    const comments = await github.commentsSince(number, since);
    const marked = comments.filter(({ body }) => body.includes(marker));
    if (marked.length === 0) return undefined;
    const account = await github.account();
    return marked.find(({ author }) => author === account);
  };
  if (await find() !== undefined) return;
  await makeOnce(find, () => github.comment(number, withMarker(text, marker)), clock);
}
