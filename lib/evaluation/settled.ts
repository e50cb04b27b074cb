import { sitesAmong } from "../config/dependency.ts";
import type { CheckResult } from "./judge.ts";
import { parentsFirst } from "./parents_first.ts";

/** Facts about the other sites of a run. */
export interface OtherSites {
  /** True if the canaries fail, so that a site without any answer is probably not at fault. */
  isNetworkDoubtful: boolean;
  /** True if the result of a site is still to come. */
  isPending(slug: string): boolean;
}

/**
 * Returns the results that can be recorded before the others. Left out are sites that could not be reached while
 * the monitor's own network is in doubt, and failing sites whose dependencies are still being checked.
 */
export function settledResults(
  results: readonly CheckResult[],
  { isNetworkDoubtful, isPending }: OtherSites,
): CheckResult[] {
  const unsettled = new Set<string>();
  for (const { site, state, unreached } of parentsFirst(results)) {
    const isDoubtful = isNetworkDoubtful && state === "down" && unreached === true;
    const waits = state !== "up" &&
      sitesAmong(site.dependsOn).some((slug) => isPending(slug) || unsettled.has(slug));
    if (isDoubtful || waits) unsettled.add(site.slug);
  }
  return results.filter(({ site }) => !unsettled.has(site.slug));
}
