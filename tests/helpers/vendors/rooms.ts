import { assert } from "@std/assert";
import { ADDRESS, list, object, schema, text } from "./schema.ts";

const WIDGET = {
  oneOf: [
    object({ textParagraph: object({ text: text(32_000) }) }),
    object({
      decoratedText: object({
        topLabel: text(100),
        text: text(4_000),
        "wrapText?": { type: "boolean" },
      }),
    }),
    object({
      buttonList: object({
        buttons: list(
          object({
            text: text(100),
            onClick: object({ openLink: object({ url: ADDRESS }) }),
          }),
          6,
          1,
        ),
      }),
    }),
  ],
};

const checkGoogleChatShape = schema(object({
  text: text(4_096),
  "cardsV2?": list(
    object({
      cardId: text(100),
      card: object({ sections: list(object({ widgets: list(WIDGET, 100, 1) }), 10, 1) }),
    }),
    1,
    1,
  ),
  "thread?": object({ threadKey: text(4_000) }),
}));

/** A message of Google Chat (`Message` and `Card` of its REST API, developers.google.com/workspace/chat). */
export function checkGoogleChat(body: unknown): void {
  checkGoogleChatShape(body);
  const bytes = new TextEncoder().encode(JSON.stringify(body)).length;
  assert(bytes <= 32_000, `${bytes} bytes`);
}

const ATTACHMENT = object({
  fallback: text(16_383, 0),
  color: { type: "string", pattern: "^#[0-9a-f]{6}$" },
  text: text(7_600, 0),
  "fields?": list(
    object({ title: text(100), value: text(1_000), short: { type: "boolean" } }),
    20,
    1,
  ),
});

/** A message for an incoming webhook of Mattermost (developers.mattermost.com/integrate/webhooks/incoming). */
export const checkMattermost = schema(object({
  text: text(16_383),
  "channel?": text(64),
  attachments: list(ATTACHMENT, 10),
}));

const checkRocketChatShape = schema(object({
  text: text(5_000),
  "channel?": text(100),
  attachments: list(ATTACHMENT, 10),
  parseUrls: { const: false },
}));

/** A message for an incoming integration of Rocket.Chat (`processWebhookMessage` of its server). */
export function checkRocketChat(body: { attachments: unknown }): void {
  checkRocketChatShape(body);
  assert(JSON.stringify(body.attachments).length <= 5_000);
}

/** The form of a message to Zulip (zulip.com/api/send-message). */
export const checkZulip = schema(object({
  type: { const: "stream" },
  to: text(60),
  topic: text(60),
  content: text(10_000),
}));
