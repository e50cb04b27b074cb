import type { Told, ToldEvent } from "../../notify/tell.ts";
import { plainText } from "../../plain_text.ts";

/** Longest subject in characters; mail programs show half of it. */
const LONGEST = 150;

/** What a mail is about when it tells of several kinds: the worst first. */
const GRAVITY: readonly ToldEvent["event"]["kind"][] = ["down", "degraded", "up", "notice", "test"];

/** The sign of the gravest event of a message. */
export function gravest(events: readonly ToldEvent[]): ToldEvent {
  return GRAVITY.map((kind) => events.find(({ event }) => event.kind === kind))
    .find((told) => told !== undefined)!;
}

/** The subject of a mail: one line, whatever the names in it hold. */
export function subjectOf({ headline, events }: Told): string {
  return cutAtWord(plainText(`${gravest(events).sign} ${headline}`.toWellFormed()), LONGEST);
}

/**
 * A text of at most `length` characters, cut between words where there are some near the end.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(cutAtWord("The shop of Jo is down", 15), "The shop of Jo…");
 * assertEquals(cutAtWord("abcdefghij", 5), "abcd…");
 * ```
 */
export function cutAtWord(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const kept = characters.slice(0, length - 1).join("");
  if (/^\s/u.test(characters[length - 1]!)) return `${kept}…`;
  const word = kept.lastIndexOf(" ");
  return `${word > kept.length / 2 ? kept.slice(0, word) : kept}…`;
}
