import type { Problem } from "../../io/problem.ts";
import { nearest } from "../../text/nearest.ts";

/**
 * Warns of an unknown key, with the known key that it probably means.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { message } = unknownKey("prot", ["port", "url"], ["sites", 0, "prot"]);
 * assertEquals(message, 'unknown key, did you mean "port"?');
 * ```
 */
export function unknownKey(
  key: string,
  known: readonly string[],
  path: Problem["path"],
): Problem {
  const near = nearest(key, known);
  const hint = startHint(key) ??
    (near === undefined ? "it has no effect" : `did you mean "${near}"?`);
  const meant = near === undefined ? {} : { meant: near };
  return { severity: "warning", path, message: `unknown key, ${hint}`, ...meant };
}

/** The cure for a key such as `-name`. */
export function startHint(key: string): string | undefined {
  if (/^-\S/.test(key)) return `a space is missing after the hyphen: write "- ${key.slice(1)}:"`;
  const [odd] = /^[^\S ]|^\p{Cf}/u.exec(key) ?? [];
  if (odd === undefined) return undefined;
  const code = odd.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return `it starts with a special space (U+${code}): write a plain one`;
}
