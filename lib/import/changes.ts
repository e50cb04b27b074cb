import { joinFirst } from "../text/words.ts";

/** A change of a configuration. */
export interface Change {
  /** The sentence about it; `of` names the sites that have it, with a blank in front. */
  describe(of: string): string;
  /** The site that has it; absent for keys of the top level. */
  site?: string;
}

/** Sites that one line names. */
const MOST_SITES = 5;

/** One sentence for each kind of change, with the sites that have it. */
export function describeChanges(changes: readonly Change[]): string[] {
  return [...Map.groupBy(changes, ({ describe }) => describe("")).values()].map((group) => {
    const sites = [...new Set(group.flatMap(({ site }) => site ?? []))];
    const [{ describe }] = group as [Change];
    if (sites.length === 0) return describe("");
    return describe(
      sites.length === 1
        ? ` of the site ${sites[0]}`
        : ` of ${sites.length} sites (${joinFirst(sites, MOST_SITES)})`,
    );
  });
}
