import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import { CHANNELS } from "../../../helpers/senders.ts";
import type { SiteEvent } from "../../../../lib/notifications/message.ts";
import fc from "../../../helpers/property.ts";
import { hostileMessages } from "../../../helpers/vendors/hostile_messages.ts";
import {
  manyEvents,
  messageOf,
  sendingWith,
  siteEvent,
} from "../../../helpers/vendors/messages.ts";
import { type VendorAnswer, vendorServer } from "../../../helpers/vendors/vendor_server.ts";
import { CANARIES, sendTo, VENDORS } from "../../../helpers/vendors/vendors.ts";

type Room = "google-chat" | "mattermost" | "rocket-chat" | "zulip";

/** Sends events to a vendor with these answers and changes of its usual settings. */
function sent(
  type: Room,
  events: SiteEvent[],
  { answers = [], changes = {} }: { answers?: VendorAnswer[]; changes?: Partial<Notification> } =
    {},
) {
  const notification = (url: string) => ({ ...VENDORS[type].notification(url), ...changes });
  return sendTo(notification, { events, answers });
}

Deno.test("Google Chat gets a text, a card with the facts and a button for each link", async () => {
  const { seen: [request] } = await sent("google-chat", [siteEvent()]);
  assertEquals(request!.query.get("key"), CANARIES.KEY);
  assertEquals(request!.query.get("messageReplyOption"), "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD");
  const fact = (topLabel: string, text: string) => ({
    decoratedText: { topLabel, text, wrapText: true },
  });
  const button = (text: string, url: string) => ({ text, onClick: { openLink: { url } } });
  assertEquals(request!.json, {
    text: "🛑 *Shop is down*",
    cardsV2: [{
      cardId: "message",
      card: {
        sections: [{
          widgets: [
            { textParagraph: { text: "answered 503 Service Unavailable" } },
            fact("Since", "09:55 UTC"),
            fact("Address", "https://shop.example.com/?key=$KEY"),
            {
              buttonList: {
                buttons: [
                  button("Incident", "https://github.com/acme/status/issues/12"),
                  button("Status page", "https://status.acme.example/history/shop"),
                ],
              },
            },
          ],
        }],
      },
    }],
    thread: { threadKey: "acme/status:shop:2026-11-21-shop" },
  });
});

Deno.test("in Google Chat a recovery joins the thread of its outage, and what must be noticed does not", async () => {
  const thread = async (...events: SiteEvent[]) => {
    const { seen: [request] } = await sent("google-chat", events);
    assertEquals(request!.query.has("messageReplyOption"), request!.json.thread !== undefined);
    return request!.json.thread?.threadKey;
  };
  const down = await thread(siteEvent());
  assert(down !== undefined);
  assertEquals(await thread(siteEvent({ kind: "up" })), down);
  assertEquals(await thread(siteEvent({ reminder: true })), undefined);
  assertEquals(await thread(siteEvent({ start: "2026-11-21T09:00:00Z" })), undefined);
  assertEquals(await thread(...manyEvents(2)), undefined);
});

Deno.test("Mattermost and Rocket.Chat get a headline and an attachment in the color of the event", async () => {
  const attachment = {
    fallback: "answered 503 Service Unavailable",
    color: "#c13737",
    text: [
      "answered 503 Service Unavailable",
      "[Incident](https://github.com/acme/status/issues/12) · [Status page](https://status.acme.example/history/shop)",
    ].join("\n"),
    fields: [
      { title: "Since", value: "09:55 UTC", short: true },
      { title: "Address", value: "https://shop.example.com/?key=$KEY", short: false },
    ],
  };
  const mattermost = await sent("mattermost", [siteEvent()], { changes: { channel: "ops" } });
  assertEquals(mattermost.seen[0]!.json, {
    text: "🛑 **Shop is down**",
    channel: "ops",
    attachments: [attachment],
  });
  const rocket = await sent("rocket-chat", [siteEvent()]);
  assertEquals(rocket.seen[0]!.json, {
    text: "🛑 *Shop is down*",
    attachments: [attachment],
    parseUrls: false,
  });
});

Deno.test("several events are an attachment for each kind, and what does not fit is counted", async () => {
  for (const type of ["mattermost", "rocket-chat"] as const) {
    const { seen: [request] } = await sent(type, manyEvents(200));
    const { attachments } = request!.json;
    assertEquals(attachments[0].color, "#c13737");
    const shown = attachments.flatMap(({ text }: { text: string }) => text.match(/^\S+ Site/gm));
    const [, more] = /and (\d+) more$/.exec(attachments.at(-1).text)!;
    assertEquals(shown.length + Number(more), 200);
  }
});

Deno.test("Zulip gets a form, with a topic for each site and times in the reader's zone", async () => {
  const { seen: [request] } = await sent("zulip", [siteEvent()]);
  assertEquals(request!.path, "/api/v1/messages");
  assertEquals(request!.headers["content-type"], "application/x-www-form-urlencoded");
  const login = `monitor-bot@zulip.example:${CANARIES.API_KEY}`;
  assertEquals(request!.headers["authorization"], `Basic ${btoa(login)}`);
  assertEquals(Object.fromEntries(new URLSearchParams(request!.text)), {
    type: "stream",
    to: "ops",
    topic: "Shop",
    content: [
      "🛑 **Shop is down**",
      "answered 503 Service Unavailable",
      "* Since: <time:2026-11-21T09:55:03.120Z>",
      "* Address: https://shop.example.com/?key=$KEY",
      "[Incident](https://github.com/acme/status/issues/12) · [Status page](https://status.acme.example/history/shop)",
    ].join("\n"),
  });
});

Deno.test("a topic of Zulip is that configured, that of the address, or the name of the site or the monitor", async () => {
  const topic = async (events: SiteEvent[], changes: Partial<Notification> = {}) => {
    const { seen: [request] } = await sent("zulip", events, { changes });
    return new URLSearchParams(request!.text).get("topic");
  };
  assertEquals(await topic([siteEvent({ name: "é".repeat(99) })]), `${"é".repeat(59)}…`);
  assertEquals(await topic(manyEvents(2)), "acme/status");
  assertEquals(await topic(manyEvents(2), { topic: "outages" }), "outages");
});

Deno.test("Zulip accepts the address of its API with channel and topic, as Upptime does", async () => {
  const { yes } = VENDORS.zulip;
  await using server = await vendorServer(yes);
  const notification: Notification = {
    type: "zulip",
    url: `${server.url}/api/v1/messages?type=stream&to=general&topic=Upptime%20notifications`,
    "bot-email": "bot@zulip.example",
    "api-key": "$API_KEY",
  };
  await CHANNELS.zulip.send(notification, messageOf(), sendingWith(CANARIES));
  const [request] = server.seen;
  assertEquals(request!.path, "/api/v1/messages");
  assertEquals(request!.query.get("topic"), "Upptime notifications");
  assertEquals([...new URLSearchParams(request!.text).keys()], ["content"]);
  const bare = { ...notification, url: server.url };
  const error = await CHANNELS.zulip.send(bare, messageOf(), sendingWith(CANARIES)).catch((e) => e);
  assertEquals(error.kind, "misconfigured");
  assertStringIncludes(error.message, "channel is missing");
});

Deno.test("a limit is waited for as Zulip and Rocket.Chat say it", async () => {
  const limited = {
    status: 200,
    body: '{"result":"error","code":"RATE_LIMIT_HIT","msg":"zu oft"}',
  };
  const zulip = await sent("zulip", [siteEvent()], { answers: [limited] });
  assertEquals([zulip.seen.length, zulip.waits], [2, [1_000]]);
  const reset = Date.parse("2026-11-21T10:00:09Z");
  const answer = { status: 429, headers: { "X-RateLimit-Reset": String(reset) } };
  const rocket = await sent("rocket-chat", [siteEvent()], { answers: [answer] });
  assertEquals([rocket.seen.length, rocket.waits], [2, [9_250]]);
});

Deno.test("no room finds markup, a mention or a link of its own in a name or an error", () => {
  const ours =
    /\[(?:Incidents?|Status page|Monitor)\]\(https:\/\/(?:github\.com\/acme|status\.acme\.example)[^()\s]*\)|<https:\/\/(?:github\.com\/acme|status\.acme\.example)[^|>\s]*\|(?:Incidents?|Status page|Monitor)>/g;
  const address = /https?:\/\/[^\s*`<>|\\]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gi;
  const marked =
    /[*_~`<>]|@[\p{L}\d*_]|#[\p{L}\d*]|\]\(|\$\$|\|\||:[\w+-]+:|&#?\w+;|^\s*(?:\d+[.)]|[-+=])\s/mu;
  fc.assert(fc.property(hostileMessages(), (message) => {
    for (const type of ["google-chat", "mattermost", "rocket-chat", "zulip"] as const) {
      for (
        const keys of [{}, { "message-template": "a $SITE_NAME b $ERROR c" }, { short: true }]
      ) {
        const notification = { ...VENDORS[type].notification("https://a.example"), ...keys };
        const [request] = CHANNELS[type].preview(notification, message, sendingWith()) as {
          // deno-lint-ignore no-explicit-any
          [key: string]: any;
        }[];
        const { text, attachments = [] } = request!.body ?? { text: request!.form.content };
        const texts = [text, ...attachments.map(({ text }: { text: string }) => text)];
        for (const shown of texts) {
          const foreign = shown.replace(/^(\S+) \*{1,2}(.*?)\*{1,2}$/m, "$1 $2").replace(ours, "")
            .replaceAll(/^\* /gm, "").replaceAll(/<time:[\d:.TZ-]+>/g, "").replace(address, "/");
          assert(!marked.test(foreign), `${type}: ${marked.exec(foreign)?.[0]} in ${shown}`);
        }
      }
    }
  }));
});
