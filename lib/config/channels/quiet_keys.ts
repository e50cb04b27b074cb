import * as v from "valibot";
import { timezone } from "../keys/times.ts";
import { about, expected, list, map, optional, word } from "../keys/values.ts";

/** In the order of `dayOfWeek` of a date, from 1. */
export const DAY_NAMES = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

function timeOfDay(last: "23:59" | "24:00") {
  const what = `a time from 00:00 to ${last}, such as ${last === "24:00" ? "07:00" : "22:00"}`;
  const isRight = (text: string) => TIME.test(text) && text.trim().padStart(5, "0") <= last;
  return v.pipe(
    v.string(expected(what)),
    v.check(isRight, expected(what)),
    v.transform((text) => text.trim().padStart(5, "0")),
  );
}

const TIME = /^\s*\d?\d:[0-5]\d\s*$/;

/** Quiet hours of a channel: from one time of the day to another, on the next day if that is earlier. */
export function quietHours() {
  const keys = {
    from: about("Time of the day at which they start, such as 22:00.", timeOfDay("23:59")),
    to: about("Time at which they end; on the next day if it is earlier.", timeOfDay("24:00")),
    timezone: optional("Their time zone. Default: `timezone` of the top level.", timezone()),
    days: optional("Days on which they start. Default: every day.", list(word(DAY_NAMES))),
    except: optional("critical: events of that severity are sent at once.", word(["critical"])),
  };
  return v.pipe(
    map(keys, "a map with from and to"),
    v.check(
      ({ from, to }) => from !== to,
      ({ input: { from } }) =>
        `from and to are both ${from}: write the time at which they end in to, or on: [] in place of quiet to notify the channel of nothing`,
    ),
  );
}

export type QuietHours = v.InferOutput<ReturnType<typeof quietHours>>;
