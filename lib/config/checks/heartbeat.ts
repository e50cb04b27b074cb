import * as v from "valibot";
import { DAY, describeInterval, MINUTE } from "../../time.ts";
import { duration, timezone } from "../keys/times.ts";
import {
  expected,
  flag,
  found,
  noEffect,
  optional,
  parsed,
  pattern,
  text,
} from "../keys/values.ts";
import { type ScheduleTimes, scheduleTimes, shortestGap } from "../schedule.ts";
import { checkKind } from "./check_kind.ts";

const LONGEST = 366 * DAY;
const EVERY = "a length of time such as 1d, or a schedule of five fields";

/** Keys that name where beats come from. */
const BEAT_SOURCES = ["variable", "file", "dispatch"] as const;

/** Variable in which Uptime CI passes the payload of the event that started it. */
export const DISPATCH_VARIABLE = "HEARTBEAT_DISPATCH";

/**
 * Keys of `heartbeat`. Its variables have names of their own, so that none stands in for another variable of the
 * program's environment, and so that it may read no others.
 */
export const heartbeat = checkKind(
  "heartbeat",
  {
    every: optional(
      'heartbeat: minutes between two runs of the job, or its cron schedule, such as "0 3 * * *".',
      v.union([
        v.pipe(
          v.string(explainEvery),
          v.regex(/\S\s+\S/, explainEvery),
          v.check(isSchedule, explainEvery),
        ),
        duration("m", { min: MINUTE, max: LONGEST }),
      ], explainEvery),
    ),
    timezone: optional("heartbeat: time zone of its schedule.", timezone(), "UTC"),
    grace: optional(
      "heartbeat: minutes that a beat may be late. Default: a fifth of `every`, at least 5; 60 for a schedule.",
      duration("m", { max: LONGEST }),
    ),
    expectFirst: optional(
      "heartbeat: true: the site is down if the first beat is late, instead of unknown until it comes.",
      flag(),
      false,
    ),
    variable: optional(
      "heartbeat: repository variable with the last beat; its name starts with HEARTBEAT_.",
      parsed("a name such as HEARTBEAT_BACKUP", (name) => {
        const upper = name.trim().toUpperCase();
        const isOwn = /^HEARTBEAT_[A-Z0-9_]{1,80}$/.test(upper) && upper !== DISPATCH_VARIABLE;
        return isOwn ? upper : undefined;
      }),
    ),
    file: optional("heartbeat: file whose last line is the last beat.", text("a file")),
    dispatch: optional(
      "heartbeat: key of the beat in the payload of an event that starts Uptime CI.",
      pattern(/^[\w.-]{1,100}$/, "a name such as backup"),
    ),
    endpoint: noEffect(
      'it was removed; set file or variable, which "monitor beat" writes',
      "warning",
    ),
    acceptGet: noEffect("it was removed with endpoint", "notice"),
  },
  ({ every, ...site }) => {
    if (every === undefined) {
      return { path: ["every"], message: "a heartbeat needs every, such as every: 1d" };
    }
    if ([...BEAT_SOURCES, "endpoint" as const].every((key) => site[key] === undefined)) {
      const message = `a heartbeat needs one of ${
        BEAT_SOURCES.join(", ")
      }: where its beats come from`;
      return { path: ["variable"], message };
    }
  },
);

/** Interval in milliseconds, or schedule, of a job. */
export function parseEvery(every: number | string): number | ScheduleTimes {
  if (typeof every === "number") return every;
  const times = scheduleTimes(every);
  if (typeof times === "string") throw new RangeError(times);
  return times;
}

/**
 * Describes when a job has to run.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(describeEvery({ every: 86_400_000, timezone: "UTC" }), "every day");
 * assertEquals(describeEvery({ every: 0, timezone: "UTC" }), "without a schedule");
 * assertEquals(describeEvery({ every: "0 3 * * *", timezone: "Europe/Vienna" }), "0 3 * * * Europe/Vienna");
 * ```
 */
export function describeEvery(
  { every, timezone }: { every?: number | string; timezone: string },
): string {
  if (every === undefined || every === 0) return "without a schedule";
  return typeof every === "string"
    ? `${every.trim().replace(/\s+/g, " ")} ${timezone}`
    : describeInterval(every);
}

function isSchedule(input: string): boolean {
  const times = scheduleTimes(input);
  return typeof times !== "string" && shortestGap(times) !== Infinity;
}

function explainEvery(issue: v.BaseIssue<unknown>): string {
  const { input } = issue;
  if (typeof input !== "string" || !/\S\s+\S/.test(input.trim())) return expected(EVERY)(issue);
  const times = scheduleTimes(input);
  return typeof times === "string" ? times : `${found(input)} never comes`;
}
