import type { Decision } from "../../lib/pipeline/decide.ts";
import type { Outcome } from "../../lib/pipeline/outcomes.ts";
import { listed } from "../../lib/text/listed.ts";
import { count, countSites } from "../words.ts";

/** Sites that are named for one reason; others are counted. */
const MOST_NAMES = 10;

/**
 * Warns of every site that is shown as unknown after a run, with the reason. Sites with the same reason share a
 * line, because a job shows only ten warnings. A run without any result is an error.
 */
export function unknownNotes(
  { outcomes, memory }: Pick<Decision, "outcomes" | "memory">,
  isBlind: boolean,
): { errors: string[]; warnings: string[] } {
  const runsOf = ({ result: { site: { slug } } }: Outcome) =>
    memory.sites[slug]?.unknown?.runs ?? 0;
  const unknown = outcomes.filter((outcome) => {
    const runs = runsOf(outcome);
    return runs > 1 || (runs === 1 && outcome.since === undefined);
  });
  const byReason = Map.groupBy(unknown, ({ result }) => result.error ?? "no reason is known");
  const warnings = [...byReason].map(([reason, own]) => {
    const names = listed(own.map(({ result }) => result.site.name), MOST_NAMES);
    const verb = own.length === 1 ? "is" : "are";
    const runs = Math.max(...own.map(runsOf));
    return `${names} ${verb} unknown, without a result in ${count(runs, "run")}: ${reason}`;
  });
  const errors = isBlind
    ? [`Nothing is monitored: this run has no result for ${countSites(outcomes.length)}`]
    : [];
  return { errors, warnings };
}
