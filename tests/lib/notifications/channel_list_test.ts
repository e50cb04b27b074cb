import { assertEquals, assertNotEquals } from "@std/assert";
import * as v from "valibot";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import { toSubscribers } from "../../../lib/notifications/channel_list.ts";
import type { ChannelStates } from "../../../lib/notifications/channel_state.ts";
import { CHANNEL_STATES, formatChannels } from "../../../lib/notifications/channel_state.ts";
import { EVENT_KINDS } from "../../../lib/notifications/message.ts";
import type { EventKind } from "../../../lib/notifications/message.ts";
import {
  applyReceipts,
  messageEffect,
  parseMessageEffect,
  planMessageEffects,
} from "../../../lib/notifications/message_effects.ts";
import { LACKS_ON, listRoutes } from "../../../lib/notifications/routes.ts";
import type { Condition } from "../../../lib/state.ts";
import type { Subject } from "../../../lib/notifications/subject.ts";
import { channelOf, Inbox, listKnown, MINUTE, StoryOfSites } from "../../helpers/channels.ts";
import { NOW } from "../../helpers/outcomes.ts";
import { configOf } from "../../helpers/sites.ts";
import { LANGUAGE } from "../../helpers/languages.ts";

const MAIL = {
  type: "email",
  to: ["ops@example.com"],
  "smtp-host": "mail.example.com",
  from: "me@example.com",
};
const CHAT = { type: "slack", "webhook-url": "$SLACK" };
const EVERYTHING = [...EVENT_KINDS];

Deno.test("a channel configured for all sites and for two is one channel, with the events configured for each site", async () => {
  const config = await configOf([
    {
      name: "Shop",
      url: "https://a.example",
      notifications: [{ ...MAIL, on: ["down"], "min-interval": 60 }],
    },
    { name: "API", url: "https://b.example", notifications: [MAIL, CHAT] },
    { name: "Mail", url: "https://c.example" },
  ], { notifications: [{ ...MAIL, on: ["up", "down"], reminders: [30, "2h"] }] });
  const [mail, chat, ...others] = toSubscribers(config);
  assertEquals(others, []);
  assertEquals(["shop", "api", "mail"].map(mail!.wants), [["down"], EVERYTHING, ["down", "up"]]);
  assertEquals(["shop", "api", "mail"].map(chat!.wants), [[], EVERYTHING, []]);
  assertEquals([mail!.minInterval, mail!.reminders], [0, [1_800_000, 7_200_000]]);
  assertEquals(mail!.wants("gone"), EVERYTHING);
});

Deno.test("a channel configured twice in one place is notified of the events of both", async () => {
  const listed = [{ ...MAIL, on: ["down"] }, { ...MAIL, on: ["up"] }];
  const config = await configOf([{ url: "https://a.example" }], { notifications: listed });
  assertEquals(toSubscribers(config).map(({ wants }) => wants("site-1")), [["down", "up"]]);
});

Deno.test("the key of a channel depends on type and destination, and on nothing else", () => {
  const keysOf = (...notifications: Notification[]) =>
    toSubscribers({ notifications, sites: [] }).map(({ key }) => key);
  const [key] = keysOf({ type: "slack", "webhook-url": "$SLACK" });
  assertEquals(keysOf({ type: "slack", "webhook-url": "$SLACK", on: ["up"], "min-interval": 5 }), [
    key!,
  ]);
  assertNotEquals(keysOf({ type: "discord", "webhook-url": "$SLACK" }), [key!]);
  assertNotEquals(keysOf({ type: "slack", "webhook-url": "$OTHER" }), [key!]);
});

Deno.test("listRoutes() lists channels, events and sites without possible secrets", async () => {
  const hook = {
    type: "webhook",
    url: "https://me:pa55word@example.com/t0ken?key=s3cret",
    on: ["down"],
  };
  const bot = {
    type: "telegram",
    "bot-token": "123:t0ken",
    "chat-id": 7,
    on: ["up"],
    report: ["week", "month"],
  };
  const pager = { type: "pagerduty", "integration-key": "s3cretkey", on: [], report: ["week"] };
  const config = await configOf([
    { name: "Shop", url: "https://a.example", notifications: [CHAT, { ...MAIL, on: ["down"] }] },
    { name: "API", url: "https://b.example" },
  ], { notifications: [{ ...MAIL, on: ["up", "down"] }, hook, bot, pager] });
  const all = listRoutes(toSubscribers(config), config.sites);
  assertEquals(all, [
    { channel: "email (ops@example.com)", events: ["down"], sites: ["Shop"] },
    { channel: "email (ops@example.com)", events: ["down", "up"], sites: ["API"] },
    { channel: "webhook (example.com)", events: ["down"], sites: "all" },
    {
      channel: "telegram (chat 7)",
      events: ["up"],
      sites: "all",
      report: "report of each week and month",
    },
    { channel: "pagerduty", events: [], sites: "all" },
    {
      channel: "slack ($SLACK)",
      events: ["down", "degraded", "up", "certificate"],
      sites: ["Shop"],
      note: LACKS_ON,
    },
  ]);
});

Deno.test("without monitored sites there is no route", () => {
  assertEquals(
    listRoutes(toSubscribers({ notifications: [{ type: "email" }], sites: [] }), []),
    [],
  );
});

/** The events a channel is sent in runs 5 minutes apart, some of which do not know it. */
function eventsSentTo(
  on: EventKind[],
  runs: readonly { shop?: Condition; isAbsent?: true; isPartial?: false }[],
): string[] {
  const story = new StoryOfSites();
  const channel = channelOf({ on });
  let states: ChannelStates = {};
  return runs.flatMap(({ shop, isAbsent = false, isPartial = isAbsent }, index) => {
    const now = NOW.add({ milliseconds: index * 5 * MINUTE });
    const subjects = story.run(shop === undefined ? {} : { shop }, now);
    const planned = planMessageEffects({
      language: LANGUAGE,
      channels: isAbsent ? [] : [channel],
      isPartial,
      subjects: listKnown(subjects, states, now),
      isKnown: () => true,
      states,
      now,
    }, []);
    const entries = planned.effects.map((effect) => ({ ...effect, planned: now }));
    states = applyReceipts(planned.channels, entries);
    return entries.flatMap(({ data }) =>
      parseMessageEffect(data)!.message.events.map(({ kind }) => kind)
    );
  });
}

const DOWN_UP: EventKind[] = ["down", "up"];

Deno.test("a channel that was missing from a partial configuration is notified of the end of its outages when it is back", () => {
  assertEquals(
    eventsSentTo(DOWN_UP, [{ shop: "down" }, { shop: "up", isAbsent: true }, {}, { shop: "down" }]),
    ["down", "up", "down"],
  );
});

Deno.test("a channel without recoveries is notified of none, also when it is back", () => {
  assertEquals(
    eventsSentTo(["down"], [{ shop: "down" }, { shop: "up", isAbsent: true }, {}, {
      shop: "down",
    }]),
    ["down", "down"],
  );
});

Deno.test("a new channel is notified of what is still open, and of nothing that ended before", () => {
  const runs = [{ shop: "down", isAbsent: true }, {}, { shop: "up" }] as const;
  assertEquals(eventsSentTo(DOWN_UP, runs), ["down", "up"]);
  const over = [{ shop: "down", isAbsent: true }, { shop: "up", isAbsent: true }, {}] as const;
  assertEquals(eventsSentTo(DOWN_UP, over), []);
});

Deno.test("the state of a channel that a complete configuration lacks is dropped", () => {
  const gone = { isAbsent: true, isPartial: false } as const;
  assertEquals(eventsSentTo(DOWN_UP, [{ shop: "down" }, gone, { ...gone, shop: "up" }, {}]), [
    "down",
  ]);
});

Deno.test("a channel whose stored state is unreadable loses only its own state", () => {
  const { state } = new Inbox(channelOf({ "min-interval": 900 })).play("0 shop down; 5 api down");
  const good = JSON.parse(JSON.stringify(formatChannels({ own: state })));
  const { own } = good;
  const damaged = [null, {}, 7, { ...own, last: "yesterday" }, { ...own, told: [{}] }];
  for (const broken of damaged) {
    assertEquals(v.parse(CHANNEL_STATES, { ...good, broken }), { own: state });
  }
});

Deno.test("a site removed while it is down is reported as gone to the channels that were notified of it", () => {
  const story = new StoryOfSites();
  const found = story.run({ shop: "down" }, NOW);
  const ends = story.run({ shop: "up" }, NOW.add({ minutes: 5 }))
    .map((one): Subject => ({ ...one, event: { ...one.event, gone: true } }));
  const notified = new Inbox(channelOf());
  notified.run(0, found);
  notified.run(5, ends);
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
  for (const { message: { patches, opensWindow, ...message } } of [first!, digest!]) {
    const { data } = messageEffect(channel, { ...message, patches, opensWindow }, NOW);
    const read = parseMessageEffect(JSON.parse(JSON.stringify(data)));
    assertEquals(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(data)));
    assertEquals([read?.message.id, read?.patches], [message.id, patches]);
  }
  const effect = messageEffect(channel, digest!.message, NOW);
  assertEquals(effect.description, "notify email about b and 2 others");
  assertEquals([effect.handler, effect.queue], ["message", `message/${channel.key}`]);
  assertEquals(parseMessageEffect({ ...effect.data, message: "b is down" }), undefined);
});

Deno.test("the state of an earlier version is taken over: unsent outages are sent, and alerts are ended", () => {
  const told = ["shop", "api", "wiki"].map((slug) => (
    { slug, kind: "down", incident: `2026-11-21-${slug}-1`, at: `${NOW}` }
  ));
  const found = { name: "A site", since: `${NOW}`, code: 0, error: "", attempts: 1 };
  const [, api, wiki] = told;
  const held = [
    { ...found, ...api, id: "a" },
    { ...found, id: "b", kind: "up", slug: "blog", incident: "2026-11-21-blog-1", knew: "down" },
    { ...found, ...wiki, id: "c", reminder: true },
  ];
  const stored = { a: { told, held, waiting: [], quiet: true } };
  const inbox = new Inbox(channelOf({ type: "pagerduty", "integration-key": "$KEY" }));
  inbox.state = v.parse(CHANNEL_STATES, stored)["a"]!;
  const story = new StoryOfSites();
  story.run({ shop: "down", api: "down", blog: "down", wiki: "down" }, NOW);
  inbox.run(0, story.run({ blog: "up" }, NOW));
  inbox.run(5, story.run({ shop: "up" }, NOW.add({ minutes: 5 })));
  assertEquals(inbox.summary(), ["0: blog end silently", "0: api down", "5: shop end silently"]);
});
