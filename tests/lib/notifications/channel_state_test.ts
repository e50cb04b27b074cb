import { assertEquals } from "@std/assert";
import * as v from "valibot";
import { channelOf, Inbox, StoryOfSites } from "../../helpers/channels.ts";
import { NOW } from "../../helpers/outcomes.ts";
import { CHANNEL_STATES, formatChannels } from "../../../lib/notifications/channel_state.ts";
import { messageEffect, parseMessageEffect } from "../../../lib/notifications/message_effects.ts";
import { planMessages } from "../../../lib/notifications/plan_messages.ts";

const HELD = new Inbox(channelOf({ "min-interval": 900 })).play([
  [0, { shop: "down" }],
  [5, { api: "down", shop: "up" }],
]);

Deno.test("a channel whose state can't be read loses its own state only", () => {
  const good = JSON.parse(JSON.stringify(formatChannels(HELD.memory ?? {})));
  const [memory] = Object.values(good);
  const damaged = [null, {}, 7, { ...memory as object, last: "yesterday" }, {
    ...memory as object,
    held: [{}],
  }];
  for (const broken of damaged) {
    assertEquals(v.parse(CHANNEL_STATES, { ...good, broken }), HELD.memory);
  }
});

Deno.test("held events of a channel that is no longer configured are dropped", () => {
  const other = channelOf({ "min-interval": 900 });
  const now = NOW.add({ minutes: 20 });
  const planned = planMessages({
    channels: [{ ...other, key: "other" }],
    events: [],
    ongoing: [],
    states: HELD.memory,
    now,
  });
  assertEquals(planned, { messages: [], states: {} });
});

Deno.test("held events of a site that is no longer configured are sent, then its state is dropped", () => {
  const { channel, memory } = HELD;
  const configured = new Set(["shop"]);
  const now = NOW.add({ minutes: 20 });
  const planned = planMessages({
    channels: [channel],
    events: [],
    ongoing: [],
    states: memory,
    configured,
    now,
  });
  const [{ message }] = planned.messages as [typeof planned.messages[number]];
  assertEquals(message.events.map(({ slug, kind }) => `${slug} ${kind}`), ["api down", "shop up"]);
  assertEquals(planned.states[channel.key]!.notified, []);
});

Deno.test("a site removed while it is down is reported as gone to the channels that were notified of it", () => {
  const story = new StoryOfSites();
  const found = story.run({ shop: "down" }, NOW);
  const ends = story.run({ shop: "up" }, NOW.add({ minutes: 5 })).events
    .map((event) => ({ ...event, gone: true as const }));
  const notified = new Inbox(channelOf());
  notified.run(0, found);
  for (const inbox of [notified, new Inbox(channelOf())]) inbox.run(5, { events: ends });
  assertEquals(notified.summary(), ["0: shop down", "5: shop up"]);
});

Deno.test("a message survives the outbox unchanged", () => {
  const [first, digest] = new Inbox(channelOf({ "min-interval": 900 })).play([
    [0, { a: "down" }],
    [5, { b: "down", c: "down", d: "degraded" }],
    [10, { b: "up" }],
    [20, {}],
  ]).messages;
  const channel = channelOf();
  for (const { message } of [first!, digest!]) {
    const { data } = messageEffect(channel, message, NOW);
    assertEquals(parseMessageEffect(JSON.parse(JSON.stringify(data))), {
      channel: channel.key,
      message,
    });
  }
  const effect = messageEffect(channel, digest!.message, NOW);
  assertEquals(effect.description, "notify email about c and 2 others");
  assertEquals([effect.handler, effect.queue], ["message", `message/${channel.key}`]);
  assertEquals(parseMessageEffect({ ...effect.data, message: "b is down" }), undefined);
});
