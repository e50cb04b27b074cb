import { parseDuration } from "../../config/keys/times.ts";
import { takeApart } from "../../text/hidden_part.ts";
import { DAY, MINUTE } from "../../time.ts";

/** Something that a comment asks of the program; durations in milliseconds. `unclear` if it can't be read. */
export type Command =
  | { name: "ack"; lasts?: number }
  | { name: "mute"; lasts: number }
  | { name: "unmute" }
  | { name: "unclear" };

/** Longest time of an acknowledgement or mute, in milliseconds. */
const LONGEST_PAUSE = 30 * DAY;

const COMMAND = /^\/(ack|mute|unmute)(?![\w/-])(?:[^\S\n]+(\S+))?/i;

/**
 * Reads the command that a comment starts with; `undefined` if it starts with none. Text after it is for people.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(parseCommand("/ack I restart it"), { name: "ack" });
 * assertEquals(parseCommand("/mute 2h"), { name: "mute", lasts: 7_200_000 });
 * assertEquals(parseCommand("/ack, 2H is enough"), { name: "ack" });
 * assertEquals(parseCommand("/mute"), { name: "unclear" });
 * assertEquals(parseCommand("> /ack"), undefined);
 * ```
 */
export function parseCommand(body: string): Command | undefined {
  const [, word, first = ""] = COMMAND.exec(takeApart(body).shown) ?? [];
  if (word === undefined) return undefined;
  const name = word.toLowerCase() as "ack" | "mute" | "unmute";
  if (name === "unmute") return { name };
  const lasts = parsePause(first.toLowerCase());
  if (lasts !== undefined) return { name, lasts };
  return name === "ack" ? { name } : { name: "unclear" };
}

/** The milliseconds of a duration with its unit, such as `2h`; `undefined` unless it is from a minute to 30 days. */
export function parsePause(text: string): number | undefined {
  const lasts = /[a-z]$/.test(text) ? parseDuration(text, "m") : undefined;
  return lasts !== undefined && lasts >= MINUTE && lasts <= LONGEST_PAUSE ? lasts : undefined;
}
