import type { Config } from "../../lib/config/config.ts";
import type { ProbeResult } from "../../lib/evaluation/results.ts";
import { type EffectHandlers, findObstacle } from "../../lib/outbox/effect.ts";
import type { Entry } from "../../lib/outbox/outbox.ts";
import type { Decision } from "../../lib/pipeline/decide.ts";
import type { Outcome } from "../../lib/pipeline/outcomes.ts";
import { joinFirst } from "../../lib/text/words.ts";
import { count, countSites } from "../words.ts";

/** Sites or messages named in one line. */
const MOST_NAMES = 10;

/** Reports messages that a run can't send, by what it lacks for them. */
export function waitingMessages(outbox: readonly Entry[], handlers: EffectHandlers): string[] {
  const waiting = outbox.filter(({ handler, done }) => handler === "message" && done === undefined);
  const byNeed = Map.groupBy(waiting, (entry) => findObstacle(entry, handlers));
  return [...byNeed].flatMap(([need, own]) => {
    if (need === undefined) return [];
    const whats = joinFirst([...new Set(own.map(({ description }) => description))], MOST_NAMES);
    const wait = own.length === 1 ? "waits" : "wait";
    return [`${count(own.length, "message")} ${wait} for a run that has ${need}: ${whats}`];
  });
}

/**
 * Warns of sites that are unknown after a run. Sites with the same reason share a line, because a job shows only
 * ten warnings. A run without any result is an error.
 */
export function unknownNotes(
  { outcomes, runState }: Pick<Decision, "outcomes" | "runState">,
  isBlind: boolean,
): { errors: string[]; warnings: string[] } {
  const runsOf = ({ result: { site: { slug } } }: Outcome) =>
    runState.sites[slug]?.unknown?.runs ?? 0;
  const unknown = outcomes.filter((outcome) => {
    const runs = runsOf(outcome);
    return runs > 1 || (runs === 1 && outcome.since === undefined);
  });
  const byReason = Map.groupBy(unknown, ({ result }) => result.error ?? "no reason is known");
  const warnings = [...byReason].map(([reason, own]) => {
    const names = joinFirst(own.map(({ result }) => result.site.name), MOST_NAMES);
    const runs = count(Math.max(...own.map(runsOf)), "run");
    return `${names} ${
      own.length === 1 ? "is" : "are"
    } unknown, without a result in ${runs}: ${reason}`;
  });
  const errors = isBlind
    ? [`Nothing is monitored: this run has no result for ${countSites(outcomes.length)}`]
    : [];
  return { errors, warnings };
}

/** Warns that the time ran out before all sites were checked. */
export function outOfTimeNote(
  results: readonly Pick<ProbeResult, "missing">[],
  { runDeadline }: Pick<Config, "runDeadline">,
): string[] {
  const number = (missing: ProbeResult["missing"]) =>
    results.filter((result) => result.missing === missing).length;
  const [notAsked, unfinished] = [number("notAsked"), number("unfinished")];
  if (notAsked + unfinished === 0) return [];
  const parts = [
    ...notAsked === 0 ? [] : [`${notAsked} not asked, which come first in the next run`],
    ...unfinished === 0 ? [] : [`${unfinished} without an answer in time`],
  ];
  const checked = results.length - notAsked - unfinished;
  return [
    `Only ${checked} of ${countSites(results.length)} were checked within the ${
      runDeadline / 1000
    } s of runDeadline (${parts.join("; ")}): raise runDeadline or concurrency`,
  ];
}
