import { parseEnv } from "node:util";

/**
 * Secrets by name, from what the platform's `toJson(secrets)` gives; none from an empty text.
 *
 * @throws {SyntaxError} Where the text is no JSON object of texts. The message holds none of it.
 */
export function parseSecretsContext(text: string): Record<string, string> {
  if (text.trim() === "") return {};
  const secrets = parseJson(text) ?? {};
  const values = Object.values(secrets);
  if (typeof secrets !== "object" || Array.isArray(secrets) || values.some(isNoText)) {
    throw new SyntaxError(MESSAGE);
  }
  return { ...secrets };
}

/**
 * Secrets by name, from a file: a JSON object of texts, or lines of the form `NAME=value`.
 *
 * @throws {SyntaxError} Where the text is JSON of another shape. The message holds none of it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(parseSecretsFile('{"TOKEN": "abcd"}'), { TOKEN: "abcd" });
 * assertEquals(parseSecretsFile("# mine\nTOKEN='abcd'\n"), { TOKEN: "abcd" });
 * ```
 */
export function parseSecretsFile(text: string): Record<string, string> {
  if (/^\s*[{[]/.test(text)) return parseSecretsContext(text);
  const entries = Object.entries(parseEnv(text));
  return Object.fromEntries(
    entries.flatMap(([name, value]) => value === undefined ? [] : [[name, value]]),
  );
}

const MESSAGE = "Cannot read secrets: expected a JSON object whose values are texts";

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError(MESSAGE);
  }
}

function isNoText(value: unknown): boolean {
  return typeof value !== "string";
}
