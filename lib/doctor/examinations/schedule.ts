import { cadence } from "../../billing/cadence.ts";
import { DAY, describeDuration, MINUTE } from "../../time.ts";
import { change, type Examination, type Finding, note, unexamined, well } from "../examination.ts";
import { gapsBetween } from "../gaps.ts";
import type { Facts } from "../facts.ts";

/** How often the usual gap and the longest one may be longer than the schedule's. */
const USUAL_LIMIT = 2;
const LONGEST_LIMIT = 6;

const CURE =
  "the platform starts schedules late or not at all; start checks from outside on time, " +
  "as templates/examples/outside_scheduler.sh does, or ask for fewer";

/** Whether checks come as often as the schedule says. */
export const schedule: Examination = (facts) => {
  const { config, runs, now, since } = facts;
  if (config === undefined) return [];
  if (runs.value === undefined) return unexamined(runs.why);
  const { words, shortest } = cadence(config.workflowSchedule.uptime);
  const interval = shortest * MINUTE;
  const { moments, isAll } = runs.value;
  const begin = isAll ? moments[0] : since.epochMilliseconds;
  const gaps = gapsBetween(moments, now.epochMilliseconds);
  if (gaps === undefined) {
    return [
      change(
        "there was no check in the last week",
        'see whether Uptime CI runs: gh run list --workflow "Uptime CI"',
      ),
    ];
  }
  const { median, last } = gaps;
  const longest = Math.max(gaps.longest, moments[0]! - begin!);
  const told = [
    `checks are to come ${words}; in the last week there were ${moments.length}`,
    ...median === undefined ? [] : [
      `usually ${describeDuration(median)} apart (median), and ${
        describeDuration(longest)
      } at worst`,
    ],
    ...started(facts, begin!),
  ].join(", ");
  const findings: Finding[] = [];
  if (last > LONGEST_LIMIT * interval) {
    findings.push(
      change(
        `the last check was made ${describeDuration(last)} ago`,
        'see why: gh run list --workflow "Uptime CI"',
      ),
    );
  }
  if (median !== undefined && median > USUAL_LIMIT * interval) {
    return [change(told, CURE), ...findings];
  }
  const isUneven = longest > LONGEST_LIMIT * interval;
  return [...isUneven ? [note(told, CURE)] : well(told), ...findings];
};

/** How many runs the schedule started, of those that it was to since a moment in milliseconds. */
function started({ scheduledRuns, config, now }: Facts, begin: number): string[] {
  if (scheduledRuns.value === undefined) return [];
  const days = (now.epochMilliseconds - begin) / DAY;
  const planned = Math.round(cadence(config!.workflowSchedule.uptime).runs * days / 30);
  return [`the platform started ${scheduledRuns.value} of about ${planned} by schedule`];
}
