import type { Config } from "../../lib/config/config.ts";
import type { CheckResult } from "../../lib/evaluation/judge.ts";
import { countSites } from "../words.ts";

/** Warns of a run that was out of time before it had checked every site; empty if it was not. */
export function outOfTimeNote(
  results: readonly Pick<CheckResult, "missing">[],
  { runDeadline }: Pick<Config, "runDeadline">,
): string[] {
  const count = (missing: CheckResult["missing"]) =>
    results.filter((result) => result.missing === missing).length;
  const [notAsked, unfinished] = [count("notAsked"), count("unfinished")];
  if (notAsked + unfinished === 0) return [];
  const parts = [
    ...notAsked === 0 ? [] : [`${notAsked} not asked, which come first in the next run`],
    ...unfinished === 0 ? [] : [`${unfinished} without an answer in time`],
  ];
  const seconds = runDeadline / 1000;
  return [
    `Only ${results.length - notAsked - unfinished} of ${
      countSites(results.length)
    } were checked within ` +
    `the ${seconds} s of runDeadline (${parts.join("; ")}): raise runDeadline or concurrency`,
  ];
}
