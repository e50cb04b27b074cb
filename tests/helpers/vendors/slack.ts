import { list, object, schema, text } from "./schema.ts";

/** Limits of Block Kit, as `@slack/types` documents them. */
const plain = (length: number) =>
  object({ type: { const: "plain_text" }, text: text(length), "emoji?": { type: "boolean" } });
const mrkdwn = (length: number) =>
  object({ type: { const: "mrkdwn" }, text: text(length), "verbatim?": { type: "boolean" } });
const either = (length: number) => ({ oneOf: [plain(length), mrkdwn(length)] });
const BLOCK = {
  oneOf: [
    {
      ...object({
        type: { const: "section" },
        "text?": either(3000),
        "fields?": list(either(2000), 10, 1),
      }),
      anyOf: [{ required: ["text"] }, { required: ["fields"] }],
    },
    object({ type: { const: "context" }, elements: list(either(2000), 10, 1) }),
  ],
};

/** A message for an incoming webhook. */
export const checkSlack = schema(object({
  text: text(40_000),
  "mrkdwn?": { type: "boolean" },
  "channel?": text(80),
  attachments: list(
    object({
      color: { type: "string", pattern: "^#[0-9a-f]{6}$" },
      fallback: text(40_000),
      blocks: list(BLOCK, 50, 1),
    }),
    20,
  ),
  unfurl_links: { type: "boolean" },
  unfurl_media: { type: "boolean" },
}));
