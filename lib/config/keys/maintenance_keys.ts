import { DAY, MINUTE } from "../../time.ts";
import { duration, parseMoment, timezone } from "./times.ts";
import { schedule } from "../schedule.ts";
import { about, names, optional, parsed, textOrNumber } from "./values.ts";

/** Longest that a maintenance window may last, in milliseconds. */
export const LONGEST_WINDOW = 90 * DAY;

export const MAINTENANCE_KEYS = {
  name: optional("Name shown to people.", textOrNumber("a name"), "Scheduled maintenance"),
  sites: optional(
    "Names or slugs of the affected sites. Default: all, if `groups` is absent too.",
    names("a site"),
  ),
  groups: optional("Groups whose sites are affected.", names("a group")),
  start: optional(
    "Start of a single window, such as 2026-12-24T22:00; in its time zone unless it has an offset.",
    moment(),
  ),
  cron: optional("Start of a recurring window: five cron fields in its time zone.", schedule()),
  duration: about(
    "Length in minutes, or with a unit such as 90m or 4h; not changed by daylight saving.",
    duration("m", { min: MINUTE, max: LONGEST_WINDOW }),
  ),
  timezone: optional("Its time zone. Default: `timezone` of the top level.", timezone()),
};

/** A moment that may depend on a time zone. */
function moment() {
  return parsed(
    "a time such as 2026-12-24T22:00 or 2026-12-24T22:00+01:00",
    (text) => parseMoment(text, "UTC") === undefined ? undefined : text,
  );
}
