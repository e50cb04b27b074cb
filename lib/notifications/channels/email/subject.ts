import { latestEvents, namedHeadline } from "../../headline.ts";
import type { Told, ToldEvent } from "../../tell.ts";
import { plainText } from "../../../text/plain_text.ts";

/** Longest subject in characters; mail programs show half of it. */
const LONGEST = 150;

/** What a mail is about when it tells of several kinds: the worst first. */
const GRAVITY: readonly ToldEvent["event"]["kind"][] = ["down", "degraded", "up", "notice", "test"];

/** The sign of the gravest event of a message. */
export function gravest(events: readonly ToldEvent[]): ToldEvent {
  return GRAVITY.map((kind) => events.find(({ event }) => event.kind === kind))
    .find((told) => told !== undefined)!;
}

/** Longest name of a monitor in a subject, in characters. */
const LONGEST_MONITOR = 40;

/**
 * The subject of a mail: one line, whatever the names in it hold. One about several sites names up to three
 * of them and the monitor.
 */
export function subjectOf({ headline, events }: Told, monitor: string): string {
  const { sign } = gravest(events);
  const last = latestEvents(events.map(({ event }) => event));
  const line = (text: string, length = LONGEST) =>
    cutAtWord(plainText(text.toWellFormed()), length);
  if (last.length === 1) return line(`${sign} ${headline}`);
  const end = ` · ${line(monitor, LONGEST_MONITOR)}`;
  return line(`${sign} ${namedHeadline(last)}`, LONGEST - [...end].length) + end;
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
