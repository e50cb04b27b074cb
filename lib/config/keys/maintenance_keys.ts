import * as v from "valibot";
import { DAY, MINUTE } from "../../time.ts";
import { duration } from "./duration.ts";
import { readMoment } from "./moment.ts";
import { schedule } from "./schedule.ts";
import { timezone } from "./timezone.ts";
import { about, expected, names, text, textOrNumber } from "./values.ts";

/** Longest that a maintenance window may last, in milliseconds. */
export const LONGEST_WINDOW = 90 * DAY;

/** Keys of a maintenance window. */
export const MAINTENANCE_KEYS = {
  name: v.optional(
    about("What people read of it.", textOrNumber("a name")),
    "Scheduled maintenance",
  ),
  sites: v.optional(
    about(
      "Names or slugs of the sites that it concerns; all sites where neither sites nor groups are given.",
      names("a site"),
    ),
  ),
  groups: v.optional(about("Groups whose sites it concerns.", names("a group"))),
  start: v.optional(
    about(
      "When it begins, once, such as 2026-12-24T22:00; without Z or an offset in its time zone.",
      moment(),
    ),
  ),
  cron: v.optional(
    about(
      "When it begins, again and again: a schedule of five fields in its time zone.",
      schedule(),
    ),
  ),
  duration: about(
    "Minutes that it lasts, or a length of time such as 90m or 4h; the same where clocks change meanwhile.",
    duration("m", { min: MINUTE, max: LONGEST_WINDOW }),
  ),
  timezone: v.optional(
    about("Its time zone; that of the top level where it is not given.", timezone()),
  ),
};

/** A moment that may depend on a time zone. */
function moment() {
  const what = "a time such as 2026-12-24T22:00 or 2026-12-24T22:00+01:00";
  return v.pipe(
    text(what),
    v.check((input) => readMoment(input, "UTC") !== undefined, expected(what)),
  );
}
