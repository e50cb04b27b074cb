import type { Problem } from "../io/problem.ts";

/**
 * Whether a configuration tells of every site that there is, given its problems and the file that was
 * asked for: another one, or a site that can't be read, may be why one is not among its sites.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * assert(tellsOfAllSites([]));
 * assert(!tellsOfAllSites([], "staging.yml"));
 * assert(!tellsOfAllSites([{ severity: "error", path: ["sites", 2], message: "expected a url" }]));
 * assert(tellsOfAllSites([{ severity: "error", path: ["sites", 2, "tags"], message: "expected a list", isIgnored: true }]));
 * ```
 */
export function tellsOfAllSites(problems: readonly Problem[], file?: string): boolean {
  return file === undefined &&
    problems.every(({ severity, isIgnored }) => severity !== "error" || isIgnored);
}
