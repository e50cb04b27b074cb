import { assertEquals, assertNotEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import { toSubscribers } from "../../../lib/notifications/channel_list.ts";
import { EVENT_KINDS } from "../../../lib/notifications/message.ts";
import { listRoutes, WANTS_ALL } from "../../../lib/notifications/routes.ts";
import { configOf } from "../../helpers/sites.ts";

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
  assertEquals(toSubscribers(config).map(({ wants }) => wants("site-1")), [[
    "down",
    "up",
  ]]);
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
  const bot = { type: "telegram", "bot-token": "123:t0ken", "chat-id": 7, on: ["up"] };
  const pager = { type: "pagerduty", "integration-key": "s3cretkey", on: [] };
  const config = await configOf([
    { name: "Shop", url: "https://a.example", notifications: [CHAT, { ...MAIL, on: ["down"] }] },
    { name: "API", url: "https://b.example" },
  ], { notifications: [{ ...MAIL, on: ["up", "down"] }, hook, bot, pager] });
  const all = listRoutes(
    toSubscribers(config),
    config.sites,
  );
  assertEquals(all, [
    { channel: "email (ops@example.com)", events: ["down"], sites: ["Shop"] },
    { channel: "email (ops@example.com)", events: ["down", "up"], sites: ["API"] },
    { channel: "webhook (example.com)", events: ["down"], sites: "all" },
    { channel: "telegram (chat 7)", events: ["up"], sites: "all" },
    { channel: "pagerduty", events: [], sites: "all" },
    {
      channel: "slack ($SLACK)",
      events: ["down", "degraded", "up"],
      sites: ["Shop"],
      note: WANTS_ALL,
    },
  ]);
});

Deno.test("without monitored sites there is no route", () => {
  assertEquals(
    listRoutes(
      toSubscribers({ notifications: [{ type: "email" }], sites: [] }),
      [],
    ),
    [],
  );
});
