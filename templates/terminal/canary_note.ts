import type { CheckResult } from "../../lib/evaluation/judge.ts";
import { countSites } from "../words.ts";

/** What is said of canaries most of which could not be reached: what it meant, and the cure where they seem to be the wrong ones. */
export function canaryNote(
  addresses: readonly string[],
  { results, distrusted }: { results: readonly CheckResult[]; distrusted: boolean },
): string {
  const list = addresses.join(", ");
  if (distrusted) return distrustNote(addresses);
  const excused = results.filter(({ state, unreached }) => state === "unknown" && unreached).length;
  return `the monitor's own network seems to be at fault: most canaries (${list}) can't be reached, so ${
    countSites(excused)
  } that can't be reached either ${excused === 1 ? "is" : "are"} unknown and not down`;
}

/** What is said of canaries that are not believed, with the cure. */
export function distrustNote(addresses: readonly string[]): string {
  const list = addresses.join(", ");
  return `the canaries (${list}) can't be reached from here though sites can, so they are not believed; name places that this runner reaches in canaries:, or none with []`;
}
