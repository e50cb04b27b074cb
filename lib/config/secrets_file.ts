import { parseEnv } from "node:util";
import * as v from "valibot";

const SECRETS = v.record(v.string(), v.string());

/**
 * Secrets by name, from a JSON object of texts or from lines of the form `NAME=value`.
 *
 * @throws {SyntaxError} Where the text is JSON of another shape. The message holds none of it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(parseSecrets('{"TOKEN": "abcd"}'), { TOKEN: "abcd" });
 * assertEquals(parseSecrets("# mine\nTOKEN='abcd'\n"), { TOKEN: "abcd" });
 * ```
 */
export function parseSecrets(text: string): Record<string, string> {
  if (text.trim() === "") return {};
  if (!text.trimStart().startsWith("{")) return { ...parseEnv(text) } as Record<string, string>;
  try {
    return v.parse(SECRETS, JSON.parse(text));
  } catch {
    throw new SyntaxError("Cannot read secrets: expected a JSON object whose values are texts");
  }
}
