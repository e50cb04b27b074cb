import { assert } from "@std/assert";
import { ADDRESS, list, object, schema, text } from "./schema.ts";

const checkNtfyShape = schema(object({
  topic: text(64),
  title: text(250),
  message: text(4_096),
  priority: { enum: [1, 2, 3, 4, 5] },
  tags: list(text(32), 10),
  "click?": ADDRESS,
  actions: list(object({ action: { const: "view" }, label: text(100), url: ADDRESS }), 3),
  sequence_id: { type: "string", pattern: "^[-_A-Za-z0-9]{1,64}$" },
}));

/**
 * A message of ntfy (`publishMessage` of its server; limits in bytes are the server's defaults for a message
 * and for a whole body).
 */
export function checkNtfy(body: { message: string }): void {
  checkNtfyShape(body);
  const count = (value: string) => new TextEncoder().encode(value).length;
  assert(count(body.message) <= 4_096, `${count(body.message)} bytes`);
  assert(count(JSON.stringify(body)) <= 8_192, `${count(JSON.stringify(body))} bytes`);
}

/** A message of Gotify (`MessageExternal` of its API, and gotify.net/docs/msgextras). */
export const checkGotify = schema(object({
  title: text(250),
  message: text(10_000),
  priority: { type: "integer", minimum: 0, maximum: 10 },
  extras: object({
    "client::display": object({ contentType: { const: "text/plain" } }),
    "client::notification?": object({ click: object({ url: ADDRESS }) }),
  }),
}));
