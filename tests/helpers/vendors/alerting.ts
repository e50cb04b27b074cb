import { ADDRESS, list, object, schema, text } from "./schema.ts";

/** A text of at most so many bytes of UTF-8, checked by the tests of Matrix. */
const ANY_TEXT = text(65_536);

const checkMatrixShape = schema(object({
  msgtype: { enum: ["m.text", "m.notice"] },
  body: ANY_TEXT,
  format: { const: "org.matrix.custom.html" },
  formatted_body: ANY_TEXT,
  "m.mentions": object({}),
}));

/** A message of a room (spec.matrix.org/latest/client-server-api/#instant-messaging) within the size of an event. */
export function checkMatrix(content: unknown): void {
  checkMatrixShape(content);
  const bytes = new TextEncoder().encode(JSON.stringify(content)).length;
  if (bytes > 64_000) throw new Error(`the event has ${bytes} bytes`);
}

const KEY = text(60);
const message = {
  token: KEY,
  user: KEY,
  title: text(250),
  message: text(1024),
  timestamp: { type: "integer", minimum: 1_600_000_000 },
  "url?": { ...ADDRESS, maxLength: 512 },
  "url_title?": text(100),
};

/** A message of Pushover (pushover.net/api), or the end of one that is repeated (pushover.net/api/receipts). */
export const checkPushover = schema({
  oneOf: [
    object({ ...message, priority: { enum: [-2, -1, 0, 1] } }),
    object({
      ...message,
      priority: { const: 2 },
      retry: { type: "integer", minimum: 30 },
      expire: { type: "integer", maximum: 10_800 },
      tags: { type: "string", pattern: "^[0-9a-f]+$" },
    }),
    object({ token: KEY }),
  ],
});

const checkJsmShape = schema({
  oneOf: [
    object({
      message: text(130),
      alias: { ...text(512), pattern: "^[^/]+$" },
      description: text(15_000),
      entity: text(512),
      source: text(100),
      priority: { enum: ["P1", "P2", "P3", "P4", "P5"] },
      tags: list(text(50), 20),
      details: { type: "object", additionalProperties: text(4000) },
    }),
    object({ source: text(100), note: text(25_000) }),
  ],
});

/** An alert of Opsgenie's Alert API (docs.opsgenie.com/docs/alert-api), also for JSM, or its end. */
export function checkJsm(body: { details?: Record<string, string> }): void {
  checkJsmShape(body);
  const length = Object.entries(body.details ?? {}).flat().join("").length;
  if (length > 8_000) throw new Error(`the details have ${length} characters`);
}

/** An event of an HTTP alert source (docs.incident.io/api-reference/alert-events-v2/createhttp). */
export const checkIncidentIo = schema(object({
  title: text(1000),
  status: { enum: ["firing", "resolved"] },
  deduplication_key: text(255),
  description: text(10_000),
  "source_url?": ADDRESS,
  metadata: { type: "object" },
}));

/** A message of Twilio (twilio.com/docs/messaging/api/message-resource). */
export const checkTwilio = schema({
  ...object({
    To: { type: "string", pattern: "^\\+[1-9]\\d{6,14}$" },
    "From?": { type: "string", pattern: "^(?:\\+[1-9]\\d{6,14}|\\d{3,6}|[A-Za-z0-9 ]{1,11})$" },
    "MessagingServiceSid?": { type: "string", pattern: "^MG[0-9a-f]{32}$" },
    Body: text(1600),
    "RiskCheck?": { enum: ["enable", "disable"] },
  }),
  oneOf: [{ required: ["From"] }, { required: ["MessagingServiceSid"] }],
});

/** A call of Twilio (twilio.com/docs/voice/api/call-resource). */
export const checkTwilioCall = schema(object({
  To: { type: "string", pattern: "^\\+[1-9]\\d{6,14}$" },
  From: { type: "string", pattern: "^\\+[1-9]\\d{6,14}$" },
  Twiml: text(4000),
}));

/** `PersistentNotificationRequest` of the API's own description (github.com/caronc/apprise-api, swagger.yaml). */
export const checkApprise = schema(object({
  body: text(100_000),
  "title?": text(1000),
  "type?": { enum: ["info", "success", "warning", "failure"] },
  "format?": { enum: ["text", "markdown", "html"] },
  "tag?": text(1000),
}));
