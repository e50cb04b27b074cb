import { parseEnv } from "node:util";

/** An unquoted value with a `#` that follows no space, which {@linkcode parseEnv} takes for a comment. */
const UNQUOTED_HASH = /^\s*(?:export\s+)?[\w.-]+\s*=\s*(?!["'`#])[^#\n]*\S#/;

const MESSAGE = "Cannot read secrets: expected a JSON object whose values are texts";

/**
 * Parses the output of GitHub's `toJSON(secrets)`; none from an empty text. A name with `null` or an empty
 * text is one that a workflow asks for and nobody has saved: GitHub saves no empty secret.
 *
 * @throws {SyntaxError} If the text is no JSON object of texts. The message does not contain it.
 */
export function parseSecretsContext(text: string): Record<string, string> {
  if (text.trim() === "") return {};
  const secrets = parseJson(text) ?? {};
  if (typeof secrets !== "object" || Array.isArray(secrets)) throw new SyntaxError(MESSAGE);
  const set = Object.entries(secrets).filter(([, value]) => value !== null && value !== "");
  if (set.some(([, value]) => typeof value !== "string")) throw new SyntaxError(MESSAGE);
  return Object.fromEntries(set);
}

/**
 * Parses a file of secrets: a JSON object of texts, or lines such as `NAME=value` as in `.env` files.
 *
 * @throws {SyntaxError} If the text is JSON of another shape, or a value would be cut at a `#`. The message
 * does not contain the text.
 */
export function parseSecretsFile(text: string): Record<string, string> {
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const unquoted = plain.split("\n").findIndex((line) => UNQUOTED_HASH.test(line));
  if (unquoted !== -1 && !/^\s*[{[]/.test(plain)) {
    throw new SyntaxError(
      `Cannot read secrets: line ${unquoted + 1} has a # in its value; put quotes around the value`,
    );
  }
  return /^\s*[{[]/.test(plain)
    ? parseSecretsContext(plain)
    : { ...parseEnv(plain) } as Record<string, string>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError(MESSAGE);
  }
}
