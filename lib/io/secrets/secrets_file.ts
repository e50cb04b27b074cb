/**
 * Secrets by name, from what GitHub's `toJSON(secrets)` gives; none from an empty text. A name with `null`
 * or an empty text is one that a workflow asks for and nobody has saved: GitHub saves no empty secret.
 *
 * @throws {SyntaxError} Where the text is no JSON object of texts. The message holds none of it.
 */
export function parseSecretsContext(text: string): Record<string, string> {
  if (text.trim() === "") return {};
  const secrets = parseJson(text) ?? {};
  if (typeof secrets !== "object" || Array.isArray(secrets)) throw new SyntaxError(MESSAGE);
  const set = Object.entries(secrets).filter(([, value]) => value !== null && value !== "");
  if (set.some(([, value]) => isNoText(value))) throw new SyntaxError(MESSAGE);
  return Object.fromEntries(set);
}

/**
 * Secrets by name, from a file: a JSON object of texts, or lines of the form `NAME=value`, with or
 * without `export` before them. A value in quotes may go over several lines, and in double quotes
 * `\\n` is a new line; outside of quotes, a `#` begins a comment where white space is before it.
 *
 * @throws {SyntaxError} Where the text is JSON of another shape. The message holds none of it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(parseSecretsFile('{"TOKEN": "abcd"}'), { TOKEN: "abcd" });
 * assertEquals(parseSecretsFile("# mine\nTOKEN='abcd'\nexport PASS=ab#cd # hers\n"), { TOKEN: "abcd", PASS: "ab#cd" });
 * ```
 */
export function parseSecretsFile(text: string): Record<string, string> {
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  if (/^\s*[{[]/.test(plain)) return parseSecretsContext(plain);
  const secrets: Record<string, string> = {};
  for (const [, name, single, double, bare] of plain.matchAll(ASSIGNMENT)) {
    secrets[name!] = single ?? double?.replaceAll("\\n", "\n") ?? bare!.trim();
  }
  return secrets;
}

/** One assignment: its name, and its value in single quotes, in double quotes or in none. */
const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=(?:[ \t]*'([^']*)'(?=[ \t]*(?:[ \t]#.*)?$)|[ \t]*"([^"]*)"(?=[ \t]*(?:[ \t]#.*)?$)|((?:(?![ \t]#).)*))/gm;

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
