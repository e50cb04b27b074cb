import { assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import { type Subscriber, toSubscribers } from "../../../lib/notifications/channel_list.ts";
import { channelOf, MINUTE } from "../../helpers/channels.ts";
import { type Circumstances, Mailbox } from "../../helpers/mailbox.ts";

function play(
  story: string,
  channelAt: (minute: number) => Subscriber,
  circumstances?: Circumstances,
): string {
  return new Mailbox(channelAt, circumstances).play(story).texts().join("; ");
}

const LATER = { after: 15 * MINUTE };
// NOW is 10:05 UTC: minute 55 is 11:00, minute 115 is 12:00.
const QUIET = { quiet: { from: "11:00", to: "12:00" } };
const EXCEPT = { quiet: { ...QUIET.quiet, except: "critical" as const } };

const STORIES: [
  what: string,
  keys: Partial<Notification>,
  story: string,
  messages: string,
  circumstances?: Circumstances,
][] = [
  ...["fails", "killed"].map((fate): [string, Partial<Notification>, string, string] => [
    `the message at the end of quiet hours stays one if its run ${fate}`,
    QUIET,
    `60 shop down, api down; 115 (${fate}); 120; 125`,
    "120: shop is down, api is down",
  ]),
  [
    "a step that a killed run may have sent is sent and has its end, although it is acknowledged meanwhile",
    LATER,
    "0 shop down; 15 (killed); 20; 25 shop up",
    "20: shop is still down; 25: shop is up again",
    { acknowledged: [20, 25] },
  ],
  [
    "a change that a killed run may have sent leaves the outage known, although it is acknowledged meanwhile",
    LATER,
    "0 shop degraded; 15; 20 shop down (killed); 25; 30 shop up",
    "15: shop still has degraded performance; 25: shop is still down; 30: shop is up again",
    { acknowledged: [25, 30] },
  ],
  [
    "a step that could not be sent is withdrawn if somebody acknowledges meanwhile",
    LATER,
    "0 shop down; 15 (fails); 20; 25 shop up",
    "",
    { acknowledged: [20, 25] },
  ],
  [
    "a recovery that waits for the end of quiet hours outlasts a later outage that passes and fails",
    EXCEPT,
    "40 shop degraded; 60 shop up; 65 shop down (fails); 70; 75 shop up (fails); 80; 115",
    "40: shop has degraded performance; 70: shop is down; 80: shop is up again; 115: shop is up again",
  ],
  [
    "an outage that passes quiet hours has its recovery, whatever else fails meanwhile",
    EXCEPT,
    "40 shop degraded; 60 shop up; 65 shop down; 70 api down (fails); 75; 80 shop up; 85 api up; 115",
    "40: shop has degraded performance; 65: shop is down; 75: api is down; 80: shop is up again; " +
    "85: api is up again; 115: shop is up again",
  ],
  [
    "two recoveries in one message at the end of quiet hours are both sent again",
    EXCEPT,
    "40 shop degraded; 60 shop up; 65 shop down; 115 shop up (killed); 120",
    "40: shop has degraded performance; 65: shop is down; 120: shop is up again, shop is up again",
  ],
  [
    "an outage that was sent before the end of the one before has its recovery",
    EXCEPT,
    "40 shop degraded; 60 shop up; 65 shop down; 115 (fails); 120 shop up",
    "40: shop has degraded performance; 65: shop is down; 120: shop is up again, shop is up again",
  ],
  [
    "an alert is ended in quiet hours, also of an outage that a killed run may have sent",
    { type: "pagerduty", ...EXCEPT },
    "40 shop degraded; 60 shop up; 65 shop down (killed); 70 (killed); 115 (killed); 120 shop up",
    "40: shop has degraded performance; 60: shop is up again; 120: shop is up again",
  ],
  [
    "an outage that a killed run may have sent has its end after a mute",
    {},
    "0 shop down (killed); 5 shop up; 10; 30",
    "30: shop is up again",
    { muted: [3, 30] },
  ],
  [
    "that somebody has acknowledged passes quiet hours as the outage does",
    EXCEPT,
    "60 shop down, api degraded; 70; 115",
    "60: shop is down; 70: jo has acknowledged: shop is down; 115: api has degraded performance",
    { acknowledged: [70, 120] },
  ],
  [
    "an acknowledgement that was over before quiet hours ended is no news",
    QUIET,
    "40 shop down; 70; 80; 115; 120 shop up",
    "40: shop is down; 120: shop is up again",
    { acknowledged: [70, 80] },
  ],
];

for (const [what, keys, story, messages, circumstances] of STORIES) {
  Deno.test(what, () => {
    assertEquals(play(story, () => channelOf(keys), circumstances), messages);
  });
}

Deno.test("a recovery goes to a channel that was sent the outage, although its route has changed since", () => {
  const before = { name: "Shop", slug: "shop", tags: ["eu"], notifications: [] };
  const changed = { ...before, tags: ["us"], severity: "warning" as const };
  const cases: [keys: Partial<Notification>, messages: string][] = [
    [{ tags: ["eu"] }, "0: shop is down; 15: shop is up again"],
    [{ severity: "critical" }, "0: shop is down; 15: shop is up again"],
    [{ tags: ["eu"], on: ["down"] }, "0: shop is down"],
    [{ tags: ["eu"], ...LATER }, ""],
  ];
  for (const [keys, messages] of cases) {
    const channelAt = (minute: number) =>
      toSubscribers({
        notifications: [{ type: "email", ...keys }],
        sites: [{ severity: "critical", ...(minute < 10 ? before : changed) }],
      })[0]!;
    assertEquals(play("0 shop down; 5; 10; 15 shop up; 20", channelAt), messages);
  }
});
