import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import { manyEvents, messageOf, siteEvent } from "../../../helpers/vendors/messages.ts";
import type { VendorAnswer } from "../../../helpers/vendors/vendor_server.ts";
import { sendTo } from "../../../helpers/vendors/vendors.ts";

/** Sends a message to a vendor with these answers; returns the result and the requests. */
async function sent(
  notification: (url: string) => Notification,
  answers: VendorAnswer[],
  { message: { events } = messageOf(), secrets }: {
    message?: ReturnType<typeof messageOf>;
    secrets?: Record<string, string>;
  } = {},
) {
  const all = await sendTo(notification, { events: [...events], answers, secrets });
  return { ...all, body: all.bodies.at(-1) };
}

const slack = (url: string): Notification => ({
  type: "slack",
  "webhook-url": `${url}/services/x`,
});
const discord = (url: string): Notification => ({
  type: "discord",
  "webhook-url": `${url}/api/webhooks/1/x?thread_id=42&wait=false`,
});
const telegram = (url: string): Notification => ({
  type: "telegram",
  url,
  "bot-token": "123456:AA_b-c",
  "chat-id": "-100",
});
const teams = (url: string): Notification => ({
  type: "teams",
  "webhook-url":
    `${url}/workflows/a/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Frun&sig=a-b_c%2Bd`,
});

Deno.test("Slack gets an attachment in the color of the event", async () => {
  const { body } = await sent(slack, [{ status: 200, body: "ok" }]);
  assertEquals(body, {
    text: "🛑 Shop is down",
    mrkdwn: false,
    attachments: [{
      color: "#c13737",
      fallback: "Shop is down: answered 503 Service Unavailable, since 09:55 UTC",
      blocks: [
        {
          type: "section",
          text: { type: "plain_text", text: "answered 503 Service Unavailable", emoji: false },
        },
        {
          type: "section",
          fields: [
            {
              type: "mrkdwn",
              text: "*Since*\n<!date^1795254903^{date_short_pretty} {time}|09:55 UTC>",
              verbatim: true,
            },
            {
              type: "plain_text",
              text: "Address\nhttps://shop.example.com/?key=$KEY",
              emoji: false,
            },
          ],
        },
        {
          type: "section",
          text: {
            type: "mrkdwn",
            text:
              "<https://github.com/acme/status/issues/12|Incident> · <https://status.acme.example/history/shop|Status page>",
            verbatim: true,
          },
        },
      ],
    }],
    unfurl_links: false,
    unfurl_media: false,
  });
});

Deno.test("Slack's channel is sent along, and several events are grouped by kind", async () => {
  const { body } = await sent((url) => ({ ...slack(url), channel: "#ops" }), [], {
    message: messageOf(siteEvent({ kind: "up", name: "A", slug: "a" }), siteEvent()),
  });
  assertEquals([body.channel, body.text], ["#ops", "🛑 Shop is down, A is up again"]);
  assertEquals(body.attachments.map(({ color }: { color: string }) => color), [
    "#c13737",
    "#2e9e5b",
  ]);
});

Deno.test("Discord's webhook is called with wait=true and keeps its query", async () => {
  const { seen, body } = await sent(discord, [{ status: 204 }]);
  assertEquals(seen[0]!.path, "/api/webhooks/1/x");
  assertEquals([...seen[0]!.query], [["thread_id", "42"], ["wait", "true"]]);
  assertEquals(body, {
    embeds: [{
      title: "🛑 Shop is down",
      description:
        "answered 503 Service Unavailable\n[Incident](<https://github.com/acme/status/issues/12>) · [Status page](<https://status.acme.example/history/shop>)",
      color: 0xc13737,
      fields: [
        { name: "Since", value: "<t:1795254903:f> (<t:1795254903:R>)", inline: true },
        { name: "Address", value: "https\\://shop.example.com/?key=$KEY", inline: false },
      ],
      timestamp: "2026-11-21T09:55:03.120Z",
    }],
    allowed_mentions: { parse: [] },
  });
});

Deno.test("Discord gets an embed for each kind of several events", async () => {
  const { body } = await sent(discord, [], { message: messageOf(...manyEvents(8)) });
  assertEquals(body.embeds.map(({ title }: { title: string }) => title), [
    "2 down",
    "2 with degraded performance",
    "4 up again",
  ]);
});

Deno.test("Telegram gets HTML", async () => {
  const { seen, body } = await sent(telegram, []);
  assertEquals(seen[0]!.path, "/bot123456:AA_b-c/sendMessage");
  assertEquals(body, {
    chat_id: "-100",
    text: [
      "🛑 <b>Shop is down</b>",
      "<code>answered 503 Service Unavailable</code>",
      "Since: 09:55 UTC",
      "Address: <code>https://shop.example.com/?key=$KEY</code>",
      '<a href="https://github.com/acme/status/issues/12">Incident</a> · <a href="https://status.acme.example/history/shop">Status page</a>',
    ].join("\n"),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  });
});

Deno.test("a Telegram group that became a supergroup gets messages under its new id", async () => {
  const migrated = {
    status: 400,
    body: JSON.stringify({
      ok: false,
      error_code: 400,
      description: "Bad Request: group chat was upgraded to a supergroup chat",
      parameters: { migrate_to_chat_id: -1001234567890 },
    }),
  };
  const { result, seen } = await sent(telegram, [migrated]);
  assertEquals(
    result,
    "answered 200; the group became a supergroup: put -1001234567890 into chat-id",
  );
  assertEquals(seen.map(({ json }) => json.chat_id), ["-100", "-1001234567890"]);
  const again = await sent(telegram, [migrated, migrated]);
  assertEquals([again.seen.length, again.result.kind], [2, "permanent"]);
});

Deno.test("a template with HTML that Telegram rejects is sent as plain text", async () => {
  const wrong = {
    status: 400,
    body:
      `{"ok":false,"error_code":400,"description":"Bad Request: can't parse entities: Unsupported start tag"}`,
  };
  const withTemplate = (url: string): Notification => ({
    ...telegram(url),
    "message-template": "$SITE_NAME < 5 s & $ERROR",
  });
  const message = messageOf(siteEvent({ name: "A & B", error: "a < b" }));
  const { result, seen } = await sent(withTemplate, [wrong], { message });
  assertEquals(result, "answered 200");
  assertEquals(seen.map(({ json }) => [json.text, json.parse_mode]), [
    ["A &amp; B < 5 s & a &lt; b", "HTML"],
    ["A & B < 5 s & a < b", undefined],
  ]);
});

Deno.test("Teams gets a card, and the signed query of its address is unchanged", async () => {
  const { seen, body, result } = await sent(teams, [{ status: 202 }]);
  assertEquals(result, "answered 202");
  assertEquals(
    seen[0]!.query.toString(),
    "api-version=2016-06-01&sp=%2Ftriggers%2Frun&sig=a-b_c%2Bd",
  );
  const { content, contentType } = body.attachments[0];
  assertEquals(contentType, "application/vnd.microsoft.card.adaptive");
  assertEquals([content.version, content.fallbackText], ["1.4", "Shop is down"]);
  assertEquals(content.body, [
    {
      type: "RichTextBlock",
      inlines: [{
        type: "TextRun",
        text: "🛑 Shop is down",
        color: "Attention",
        size: "Large",
        weight: "Bolder",
      }],
    },
    {
      type: "RichTextBlock",
      inlines: [{ type: "TextRun", text: "answered 503 Service Unavailable" }],
    },
    {
      type: "FactSet",
      facts: [
        {
          title: "Since",
          value: "{{DATE(2026-11-21T09:55:03Z,SHORT)}} {{TIME(2026-11-21T09:55:03Z)}}",
        },
      ],
    },
    {
      type: "RichTextBlock",
      inlines: [{ type: "TextRun", text: "Address: https://shop.example.com/?key=$KEY" }],
    },
  ]);
  assertEquals(content.actions.map(({ title }: { title: string }) => title), [
    "Incident",
    "Status page",
  ]);
});

Deno.test("a connector of Teams that answers 200 with an error did not take the message", async () => {
  const text = (code: number) =>
    `Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error ${code} with ContextId tcid=1.`;
  const limited = await sent(teams, [{ status: 200, body: text(429) }, { status: 200, body: "1" }]);
  assertEquals([limited.result, limited.seen.length], ["answered 200: 1", 2]);
  const gone = await sent(teams, [{ status: 200, body: text(404) }]);
  assertEquals(gone.result.kind, "misconfigured");
  const large = await sent(teams, [{ status: 200, body: text(413) }]);
  assertEquals(large.result.kind, "permanent");
});

Deno.test("a template replaces the text of every chat, one for each event, in the chat's own markup", async () => {
  const template = "*$SITE_NAME* is $STATUS\n$SITE_URL $RESPONSE_CODE $NOT_A_SECRET";
  const message = messageOf(
    siteEvent({ kind: "up", name: "A*", slug: "a", url: "https://a.example/x_y?a=1&b=2" }),
    siteEvent({ name: "B", url: undefined }),
  );
  const bodyOf = async (notification: (url: string) => Notification) => {
    const withTemplate = (url: string) => ({ ...notification(url), "message-template": template });
    return (await sent(withTemplate, [], { message })).body;
  };
  assertEquals(
    (await bodyOf(slack)).text,
    "*B* is down\n 503 $NOT_A_SECRET\n*A∗* is up\nhttps://a.example/x_y?a=1&amp;b=2 200 $NOT_A_SECRET",
  );
  assertEquals(
    (await bodyOf(discord)).content,
    "*B* is down\n 503 $NOT_A_SECRET\n*A\\** is up\nhttps://a.example/x_y?a=1&b=2 200 $NOT_A_SECRET",
  );
  assertEquals(
    (await bodyOf(telegram)).text,
    "*B* is down\n 503 $NOT_A_SECRET\n\n*A** is up\nhttps://a.example/x_y?a=1&amp;b=2 200 $NOT_A_SECRET",
  );
  const card = (await bodyOf(teams)).attachments[0].content;
  assert(card.body[0].text.startsWith("*B* is down\n\n 503 $NOT_A_SECRET\n\n*A\\** is up"));
});

const COPIED = "https://api.example.com:8443/a_b-c/?q=1#top";
const OTHER = "https://jo@b.example/x.y";

Deno.test("addresses in Teams, Datadog and Telegram contain no invisible characters and can be copied", async () => {
  const error = `answered 302: ${OTHER} and jo@acme.example, mail @jo`;
  const message = messageOf(siteEvent({ name: `API ${OTHER}`, url: COPIED, error }));
  const datadog = (url: string): Notification => ({ type: "datadog", url, "api-key": "k" });
  for (const vendor of [teams, datadog, telegram]) {
    for (const template of [undefined, "x $SITE_NAME $SITE_URL $ERROR"]) {
      const { body } = await sent(
        (url) => ({ ...vendor(url), "message-template": template }),
        [],
        { message },
      );
      const text = JSON.stringify(body).replaceAll("\\\\", "");
      for (const address of [COPIED, OTHER, "jo@acme.example"]) assertStringIncludes(text, address);
      assert(!text.replaceAll("mail @\u200bjo", "").includes("\u200b"), text);
    }
  }
});

Deno.test("$TIMESTAMP is plain in every chat", async () => {
  const datadog = (url: string): Notification => ({ type: "datadog", url, "api-key": "k" });
  for (const vendor of [slack, discord, teams, datadog, telegram]) {
    const { body } = await sent(
      (url) => ({ ...vendor(url), "message-template": "at:$TIMESTAMP:" }),
      [],
    );
    assertStringIncludes(JSON.stringify(body), '"at:2026-11-21T09:55:03.120Z:"');
  }
});

Deno.test("Discord honours the mentions that the owner wrote in a template, and no others", async () => {
  const bodyOf = async (template: string, name = "@everyone <@7> <@&8>") => {
    const message = messageOf(siteEvent({ name }));
    const { body } = await sent(
      (url) => ({ ...discord(url), "message-template": template }),
      [],
      { message, secrets: { ONCALL: "42" } },
    );
    return body;
  };
  assertEquals((await bodyOf("$SITE_NAME")).allowed_mentions, { parse: [] });
  const own = await bodyOf("<@1> <@!2> <@&3> <@$ONCALL> $SITE_NAME");
  assertEquals(own.allowed_mentions, { parse: [], users: ["1", "2", "42"], roles: ["3"] });
  assertStringIncludes(own.content, "<@1> <@!2> <@&3> <@42> ");
  const all = await bodyOf("@here: $SITE_NAME");
  assertEquals(all.allowed_mentions, { parse: ["everyone"] });
  assertEquals(all.content.match(/@(?:here|everyone)/g), ["@here"]);
  assertEquals((await bodyOf("<@$SITE_NAME>", "9")).allowed_mentions, { parse: [] });
});

Deno.test("Teams honours the mentions that the owner wrote in a template, and no others", async () => {
  const template =
    '<at>jo@acme.example</at> <at id="$ONCALL">On call</at> $SITE_NAME <at>$ERROR</at>';
  const message = messageOf(siteEvent({ name: "<at>eve@acme.example</at>" }));
  const { body } = await sent(
    (url) => ({ ...teams(url), "message-template": template }),
    [],
    { message, secrets: { ONCALL: "ann@acme.example" } },
  );
  const { content } = body.attachments[0];
  assertEquals(content.msteams.entities, [
    {
      type: "mention",
      text: "<at>jo@acme.example</at>",
      mentioned: { id: "jo@acme.example", name: "jo@acme.example" },
    },
    {
      type: "mention",
      text: "<at>On call</at>",
      mentioned: { id: "ann@acme.example", name: "On call" },
    },
  ]);
  const [{ text }] = content.body;
  assert(text.startsWith("<at>jo@acme.example</at> <at>On call</at> "), text);
  assert(!text.includes("<at>eve"), text);
  const { body: usual } = await sent(teams, [], { message });
  assertEquals(usual.attachments[0].content.msteams, { width: "Full" });
});
