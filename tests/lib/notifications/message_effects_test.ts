import { assert, assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import { messageEffect } from "../../../lib/notifications/message_effects.ts";
import { createMessageHandler } from "../../../lib/notifications/message_handler.ts";
import { type Entry, executeEffects, settle } from "../../../lib/outbox/outbox.ts";
import type { Condition } from "../../../lib/state.ts";
import { channelOf } from "../../helpers/channels.ts";
import { type Fate, Mailbox } from "../../helpers/mailbox.ts";
import fc from "../../helpers/property.ts";
import { sendingWith, siteEvent } from "../../helpers/vendors/messages.ts";
import { vendorServer } from "../../helpers/vendors/vendor_server.ts";

/** Stories of failing messages, run by run: a minute, the changes, and the fate of the messages. */
const STORIES: [what: string, story: string, messages: string, keys?: Partial<Notification>][] = [
  ...["fails", "lacks"].flatMap((fate): [string, string, string][] => [
    [
      `an outage that starts and ends while each message ${fate} is one message with its length`,
      `0 shop down (${fate}); 5 (${fate}); 12 shop up (${fate}); 15`,
      "15: shop was down for 12 minutes",
    ],
    [
      `several outages while each message ${fate} are one message with an event each`,
      `0 shop down (${fate}); 5 shop up (${fate}); 10 shop down (${fate}); 15 shop up (${fate}); 30`,
      "30: shop was down for 5 minutes, shop was down for 5 minutes",
    ],
    [
      `the last of several outages is ongoing while each message ${fate}`,
      `0 shop down (${fate}); 5 shop up (${fate}); 10 shop down (${fate}); 15 (${fate}); 20`,
      "20: shop was down for 5 minutes, shop is down",
    ],
  ]),
  [
    "the end of an outage that was sent is sent once, however often it could not be sent",
    "0 shop down; 5 shop up (fails); 10 shop down (fails); 15 shop up (fails); 20",
    "0: shop is down; 20: shop is up again, shop was down for 5 minutes",
  ],
  [
    "the next outage is sent with the end of the one before, in one message",
    "0 shop down; 5 shop up (fails); 10 shop down (fails); 15",
    "0: shop is down; 15: shop is up again, shop is down",
  ],
  [
    "a channel's Retry-After is respected, also for messages that are condensed meanwhile",
    "0 shop down (600 s); 5 shop up; 9; 10",
    "10: shop was down for 5 minutes",
  ],
  [
    "while a message is claimed others are sent, and after three minutes it is sent as well",
    "0 shop down (killed); 1 api down; 2; 3",
    "1: api is down; 3: shop is down",
  ],
  [
    "the end of an outage waits for its claimed start, and replaces it after the claim expires",
    "0 shop down (killed); 2 shop up; 3",
    "3: shop is up again",
  ],
  [
    "a return to the state before one that a killed run may have sent is sent",
    "0 shop degraded; 5 shop down (killed); 10 shop degraded",
    "0: shop has degraded performance; 10: shop has degraded performance",
  ],
  [
    "a message that is refused is sent once the channel takes it",
    "0 shop down (refused); 5 (refused); 10; 15 shop up",
    "10: shop is down; 15: shop is up again",
  ],
  [
    "an outage that could not be sent is news for two days after its end",
    "0 shop down, api down (lacks); 10 api up (lacks); 2880 shop up (lacks); 2895",
    "2895: shop was down for 2 days",
  ],
  [
    "a reminder that could not be sent is sent later",
    "0 shop down; 10 (fails); 15; 16 shop up",
    "0: shop is down; 15: shop is still down; 16: shop is up again",
    { reminders: [600_000] },
  ],
  [
    "a reminder that could not be sent is not sent after the end",
    "0 shop down; 10 (fails); 15 shop up",
    "0: shop is down; 15: shop is up again",
    { reminders: [600_000] },
  ],
  [
    "a message that could not be sent before quiet hours waits for their end",
    "50 shop down, api down (fails); 60; 70 api up; 115",
    "115: api was down for 20 minutes, shop is down",
    // The first run is at 10:05.
    { quiet: { from: "11:00", to: "12:00" } },
  ],
  [
    "a reminder that could not be sent before quiet hours is not sent in them",
    "0 shop down; 50 (fails); 60; 114; 115",
    "0: shop is down; 115: shop is still down",
    { reminders: [3_000_000], quiet: { from: "11:00", to: "12:00" } },
  ],
  [
    "a step that could not be sent is sent later, also if the outage is over by then",
    "0 shop down, api down; 10; 15 (fails); 20 api up; 25 shop up",
    "20: shop is still down; 20: api was down for 20 minutes; 25: shop is up again",
    { after: 900_000 },
  ],
];

for (const [what, story, messages, keys] of STORIES) {
  Deno.test(what, () => {
    assertEquals(new Mailbox(() => channelOf(keys)).play(story).texts().join("; "), messages);
  });
}

Deno.test("an unsent message without newer events keeps its id and the time for which it is retried", () => {
  const mailbox = new Mailbox(() => channelOf()).play("0 shop down (fails)");
  const [{ id, planned, expires }] = mailbox.outbox as [Entry];
  mailbox.run(5, {}, "fails");
  mailbox.run(10, { api: "down" }, "fails");
  assertEquals(mailbox.outbox.map((entry) => entry.id)[0], id);
  assertEquals([mailbox.outbox[0]!.planned, mailbox.outbox[0]!.expires], [planned, expires]);
  mailbox.run(15, {});
  assertEquals(mailbox.texts(), ["15: shop is down", "15: api is down"]);
});

const CONDITION = fc.constantFrom<Condition>("up", "up", "down", "degraded");
const FATES: Fate[] = ["sent", "fails", "killed", "lacks", { retryAfter: 700_000 }];
const runsWith = (fates: Fate[]) =>
  fc.array(
    fc.record({
      minutes: fc.constantFrom(1, 5, 5, 20),
      conditions: fc.record({ shop: CONDITION, api: CONDITION }, { requiredKeys: [] }),
      fate: fc.constantFrom(...fates),
    }),
    { maxLength: 30 },
  );
const KEYS = fc.record({
  "min-interval": fc.constantFrom(0, 0, 600),
  "group-notifications": fc.boolean(),
  "group-interval": fc.constantFrom(0, 900),
});

/** Makes runs and two more after them in which everything is sent; returns how the sites are in the end. */
function afterRuns(
  runs: ReturnType<typeof runsWith> extends fc.Arbitrary<infer T> ? T : never,
  keys: Partial<Notification>,
) {
  const mailbox = new Mailbox(() => channelOf(keys));
  const states: Record<string, Condition> = { shop: "up", api: "up" };
  let minute = 0;
  for (const { minutes, conditions, fate } of runs) {
    minute += minutes;
    mailbox.run(minute, conditions as Record<string, Condition>, fate);
    Object.assign(states, conditions);
  }
  for (const later of [60, 120]) mailbox.run(minute + later, {});
  return { mailbox, states };
}

Deno.test("whatever fails, a channel is sent the present state in the end, down and up alternate, and a site is in one message of a run", () => {
  fc.assert(fc.property(runsWith(FATES), KEYS, (runs, keys) => {
    const { mailbox, states } = afterRuns(runs, keys);
    for (const slug of ["shop", "api"]) {
      const own = mailbox.sent.map(({ minute, events }) => (
        { minute, events: events.filter((event) => event.slug === slug) }
      )).filter(({ events }) => events.length > 0);
      const minutes = own.map(({ minute }) => minute);
      assertEquals(new Set(minutes).size, minutes.length);
      const sent = own.flatMap(({ events }) => events).flatMap(({ kind, was, incident }) =>
        was === undefined
          ? [{ kind, incident }]
          : [{ kind: was, incident }, { kind: "up", incident }]
      );
      const kinds = sent.map(({ kind }) => kind);
      for (const [index, { kind, incident }] of sent.entries()) {
        // A state is repeated if a killed run may have sent another one since.
        const isRepeated = kind === (kinds[index - 1] ?? "up");
        assert(!isRepeated || mailbox.uncertain.has(incident), kinds.join());
      }
      assertEquals(kinds.at(-1) ?? "up", states[slug]);
    }
  }));
});

Deno.test("a channel that exceeds its time budget is sent the remaining messages in the next run, each once", async () => {
  await using server = await vendorServer({ status: 204 });
  const sending = sendingWith();
  const { clock } = sending;
  clock.elapsed = () => server.seen.length * 50_000;
  const notification: Notification = { type: "webhook", url: server.url };
  const channels = new Map([["a", notification]]);
  const now = clock.now();
  let outbox = Array.from({ length: 5 }, (_, index) => {
    const message = {
      id: `${index}`,
      events: [siteEvent({ id: `${index}` })],
      patches: [],
      opensWindow: false,
    };
    return { ...messageEffect({ key: "a", notification }, message, now), planned: now };
  });
  const counts = [];
  for (let run = 0; run < 3; run++) {
    const handler = createMessageHandler({
      channels,
      isPartial: false,
      sending,
      issues: new Map(),
    });
    const waiting = outbox.filter((entry) => !("done" in entry));
    const { results } = await executeEffects(waiting, outbox, { message: handler });
    outbox = settle(outbox, results, now) as typeof outbox;
    counts.push(server.seen.length);
    if (run > 0) continue;
    assertEquals(results.flatMap((one) => "failure" in one ? [one.failure] : []), [
      "webhook took 3 messages in 100 s; the next run sends this one",
    ]);
  }
  assertEquals(counts, [3, 5, 5]);
  assertEquals(server.seen.map(({ json }) => json.id), ["0", "1", "2", "3", "4"]);
});
