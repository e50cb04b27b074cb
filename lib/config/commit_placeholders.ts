import { COMMIT_PLACEHOLDERS } from "./keys/record_keys.ts";
import { nearest } from "./keys/unknown_key.ts";
import type { Problem } from "../io/problem.ts";
import { isMap } from "./document.ts";

/** Keys of `commitMessages` without placeholders: the author's name and address. */
const NAMES = ["commitAuthorName", "commitAuthorEmail"];

/**
 * Warns of unknown placeholders in `commitMessages`, which stay in the text.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [problem] = unknownPlaceholders({ statusChange: "$EMOJI $SITENAME" });
 * assertEquals(problem?.message, "$SITENAME is not replaced: did you mean $SITE_NAME?");
 * ```
 */
export function unknownPlaceholders(messages: unknown): Problem[] {
  if (!isMap(messages)) return [];
  return Object.entries(messages).flatMap(([key, text]) => {
    if (typeof text !== "string" || NAMES.includes(key)) return [];
    const known: readonly string[] = key === "statusChange" ? COMMIT_PLACEHOLDERS : [];
    const [unknown] = [...text.matchAll(/\$([A-Za-z_]+)/g)].filter(([, name]) =>
      !known.includes(name!)
    );
    if (unknown === undefined) return [];
    const { 0: written, 1: name, index: offset } = unknown;
    const near = nearest(name!, known);
    const hint = known.length === 0
      ? "this text takes no placeholders"
      : near === undefined
      ? `the placeholders are ${known.map((one) => `$${one}`).join(", ")}`
      : `did you mean $${near}?`;
    const message = `${written} is not replaced: ${hint}`;
    return [{ severity: "warning", path: ["commitMessages", key], message, offset }];
  });
}
