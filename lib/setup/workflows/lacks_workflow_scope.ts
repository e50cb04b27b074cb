/**
 * Whether a remote refuses a push because the token may not write workflows, given its words.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * assert(lacksWorkflowScope(
 *   "refusing to allow a Personal Access Token to create or update workflow `.github/workflows/site.yml` without `workflow` scope",
 * ));
 * ```
 */
export function lacksWorkflowScope(words: string): boolean {
  return /refusing to allow .*workflow|without .?workflows?.? (?:scope|permission)/i.test(words);
}
