import { cadence } from "../../../config/cadence.ts";
import { DAY, describeDuration, MINUTE } from "../../../time.ts";
import { change, type Examination, type Finding, note, unexamined, well } from "../examination.ts";
import { type Gaps, gapsBetween } from "../gaps.ts";
import type { Facts } from "../facts.ts";

/** How often the usual gap and the longest one may be longer than the schedule's. */
const USUAL_LIMIT = 2;
const LONGEST_LIMIT = 6;

const CURE = "GitHub starts schedules late or not at all; start checks from outside on time, " +
  "as templates/examples/outside_scheduler.sh does, or ask for fewer";

/** What shows the runs of late. */
const LIST = 'gh run list --workflow "Uptime CI"';

/** Whether checks come as often as the schedule says. */
export const schedule: Examination = (facts) => {
  const { config, runs, now, since } = facts;
  if (config === undefined) return [];
  if (runs.value === undefined) return unexamined(runs.why);
  const { words, shortest } = cadence(config.workflowSchedule.uptime);
  const { moments, isAll } = runs.value;
  const [first] = moments;
  const gaps = gapsBetween(moments, now.epochMilliseconds);
  if (first === undefined || gaps === undefined) {
    return [change("there was no check in the last week", `see whether Uptime CI runs: ${LIST}`)];
  }
  const begin = isAll ? first : since.epochMilliseconds;
  const whole = { ...gaps, longest: Math.max(gaps.longest, first - begin) };
  const told = [
    `checks are to come ${words}; in the last week there were ${moments.length}`,
    ...apart(whole),
    ...started(facts, begin),
  ].join(", ");
  return judge(whole, shortest * MINUTE, told);
};

/** What gaps mean that were to be an interval, in milliseconds. */
function judge({ median, longest, last }: Gaps, interval: number, told: string): Finding[] {
  const isSilent = last > LONGEST_LIMIT * interval;
  const isSlow = median !== undefined && median > USUAL_LIMIT * interval;
  const isUneven = longest > LONGEST_LIMIT * interval;
  return [
    ...isSlow ? [change(told, CURE)] : isUneven ? [note(told, CURE)] : well(told),
    ...isSilent
      ? [change(`the last check was made ${describeDuration(last)} ago`, `see why: ${LIST}`)]
      : [],
  ];
}

function apart({ median, longest }: Gaps): string[] {
  if (median === undefined) return [];
  const [usual, worst] = [median, longest].map(describeDuration);
  return [`usually ${usual} apart (median), and ${worst} at worst`];
}

/** How many runs the schedule started, of those that it was to since a moment in milliseconds. */
function started({ scheduledRuns, config, now }: Facts, begin: number): string[] {
  if (scheduledRuns.value === undefined) return [];
  const days = (now.epochMilliseconds - begin) / DAY;
  const planned = Math.round(cadence(config!.workflowSchedule.uptime).runs * days / 30);
  return [`GitHub started ${scheduledRuns.value} of about ${planned} by schedule`];
}
