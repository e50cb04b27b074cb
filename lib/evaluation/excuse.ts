import type { CheckResult } from "./judge.ts";

/** Sites at which a fault that many share is suspicious. */
const FEWEST = 3;

/** Whether so many sites can't be reached at once that the monitor's own network has to be looked at again. */
export function seemsOwnFault(results: readonly CheckResult[]): boolean {
  const looked = results.filter(({ attempts }) => attempts > 0);
  const unreached = looked.filter(({ state, unreached }) => state === "down" && unreached);
  return looked.length >= FEWEST && 2 * unreached.length >= looked.length;
}

/** A failing look for which the monitor's own network is to blame: nothing was learnt of the site. */
export function excuse(look: CheckResult): CheckResult {
  const error =
    `the monitor's own network is at fault, its canaries can't be reached either: ${look.error}`;
  return { ...look, state: "unknown", error };
}
