import { assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import { channelOf, Inbox, MINUTE } from "../../helpers/channels.ts";

const GROUPED = { "group-notifications": true };
const WINDOW = { ...GROUPED, "group-interval": 1800 };
const INTERVAL = { "min-interval": 900 };
const REMINDED = { reminders: [30 * MINUTE, 120 * MINUTE] };

/** Runs every 5 minutes without a change. */
function quiet(from: number, to: number): string {
  return Array.from({ length: (to - from) / 5 + 1 }, (_, index) => `${from + 5 * index}`).join(";");
}

/** Messages are separated by semicolons, events by commas. */
const STORIES: [what: string, keys: Partial<Notification>, story: string, messages: string][] = [
  [
    "without an interval each event is a message of its own",
    {},
    "0 shop down, api down; 5 shop up, api up",
    "0: shop down; 0: api down; 5: shop up; 5: api up",
  ],
  [
    "the events of a run are one message with group-notifications",
    GROUPED,
    "0 shop down, api down; 5 shop up, api up",
    "0: shop down, api down; 5: shop up, api up",
  ],
  [
    "a group interval starts with the message that was sent at once, and lasts over several runs",
    WINDOW,
    "0 shop down; 10 api down; 20 mail down; 31; 35 api up; 40 mail up; 66",
    "0: shop down; 31: api down, mail down; 35: api up; 66: mail up",
  ],
  [
    "events of the run in which an interval ends are in the same message, which starts the next interval",
    WINDOW,
    "0 shop down; 10 api down; 30 mail down; 35 api up; 59; 60",
    "0: shop down; 30: api down, mail down; 60: api up",
  ],
  ...[INTERVAL, { ...GROUPED, "group-interval": 900 }].map((keys, index) =>
    [
      `a clock that is set back delays nothing by more than an interval (${index + 1})`,
      keys,
      "600 shop down; 0 api down; 5 mail down; 15",
      "600: shop down; 15: api down, mail down",
    ] as [string, Partial<Notification>, string, string]
  ),
  [
    "a run that started before the one that sent a message respects the interval as well",
    INTERVAL,
    "2 shop down; 0 api down; 15; 17",
    "2: shop down; 17: api down",
  ],
  [
    "an outage notified before is not sent again at the end of an interval, but its end is",
    INTERVAL,
    "0 shop down; 5 shop up; 10 shop down; 16; 20 shop up; 35",
    "0: shop down; 16: shop up, shop down; 35: shop up",
  ],
  [
    "changes of a notified outage that is over are dropped for its end",
    INTERVAL,
    "0 shop down; 5 shop degraded; 8 shop down; 12 shop up; 15",
    "0: shop down; 15: shop up",
  ],
  [
    "a change for the worse that is over before it can be sent is no message of its own",
    INTERVAL,
    "0 shop degraded; 5 shop down; 12 shop up; 15",
    "0: shop degraded; 15: shop up",
  ],
  [
    "a reminder of a site that stays down follows after each delay, the last of which repeats",
    REMINDED,
    `0 shop down; ${quiet(5, 400)}; 405 shop up; ${quiet(410, 800)}`,
    "0: shop down; 30: shop still down; 150: shop still down; 270: shop still down; 390: shop still down; 405: shop up",
  ],
  ["a channel without reminders gets none", {}, `0 shop down; ${quiet(5, 400)}`, "0: shop down"],
  [
    "a reminder follows for a degraded site",
    REMINDED,
    `0 shop degraded; ${quiet(5, 155)}`,
    "0: shop degraded; 30: shop still degraded; 150: shop still degraded",
  ],
  [
    "no reminder of a degraded site follows if the channel is not notified of it",
    { ...REMINDED, on: ["down", "up"] },
    `0 shop degraded; ${quiet(5, 155)}`,
    "",
  ],
  [
    "one reminder replaces all that were due while no run took place",
    { reminders: [10 * MINUTE] },
    "0 shop down; 55; 60; 65",
    "0: shop down; 55: shop still down; 65: shop still down",
  ],
  [
    "no reminder is sent while events wait",
    { reminders: [10 * MINUTE], "min-interval": 1800 },
    `0 api down; 5 shop down, api up; ${quiet(10, 75)}`,
    "0: api down; 30: api up, shop down; 60: shop still down",
  ],
  [
    "the delays of reminders restart when an outage changes or reopens",
    REMINDED,
    "0 shop down; 30; 40 shop up; 45 shop down; 75; 80 shop degraded; 200; 205 shop down; 235",
    "0: shop down; 30: shop still down; 40: shop up; 45: shop down; 75: shop still down; 80: shop degraded; 200: shop still degraded; 205: shop down; 235: shop still down",
  ],
  [
    "a clock that is set back postpones a reminder by its length at most",
    { reminders: [30 * MINUTE] },
    `600 shop down; ${quiet(5, 65)}`,
    "600: shop down; 35: shop still down; 65: shop still down",
  ],
  [
    "reminders that are due together are one message in a grouped channel",
    { ...REMINDED, ...GROUPED },
    "0 shop down, api down; 30",
    "0: shop down, api down; 30: shop still down, api still down",
  ],
];

for (const [what, keys, story, messages] of STORIES) {
  Deno.test(what, () => {
    assertEquals(new Inbox(channelOf(keys)).play(story).summary().join("; "), messages);
  });
}
