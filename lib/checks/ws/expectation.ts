/** Whether an answer is what was expected. */
export type Expectation = (answer: string) => boolean;

/**
 * What `expect` asks of an answer: the text somewhere in it, or between slashes a regular expression
 * that matches; `undefined` where that is none.
 *
 * @example
 * ```ts
 * import { assert, assertEquals } from "@std/assert";
 * assert(expectation("pong")!("a pong b"));
 * assert(expectation("/^PONG \\d+$/i")!("pong 7"));
 * assertEquals(expectation("/(/"), undefined);
 * ```
 */
export function expectation(text: string): Expectation | undefined {
  const [, source, flags] = /^\/(.+)\/([dimsuv]*)$/s.exec(text) ?? [];
  if (source === undefined) return (answer) => answer.includes(text);
  try {
    const expression = new RegExp(source, flags);
    return (answer) => expression.test(answer);
  } catch {
    return undefined;
  }
}
