import { parseExpectation } from "../../config/checks/ws.ts";
import type { Means } from "../assertions/evaluate.ts";

/**
 * Whether an answer is what was expected.
 *
 * @throws {PatternError} Where a pattern can't be matched.
 */
export type Expectation = (answer: string, match: Means["match"]) => boolean;

/**
 * What `expect` asks of an answer: the text somewhere in it, or between slashes a regular expression
 * that matches; `undefined` where that is none.
 *
 * @example
 * ```ts
 * import { assert, assertEquals } from "@std/assert";
 * import { matcher } from "../assertions/matcher.ts";
 * const match = await matcher();
 * assert(expectation("pong")!("a pong b", match));
 * assert(expectation("/^PONG \\d+$/i")!("pong 7", match));
 * assertEquals(expectation("/(/"), undefined);
 * ```
 */
export function expectation(text: string): Expectation | undefined {
  const expected = parseExpectation(text);
  if (expected === undefined) return undefined;
  if ("text" in expected) return (answer) => answer.includes(text);
  const { source, flags } = expected;
  return (answer, match) => match(source, flags, answer) !== undefined;
}
