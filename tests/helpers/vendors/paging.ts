import { ADDRESS, list, object, schema, text } from "./schema.ts";

const MOMENT = {
  type: "string",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z$",
};

const checkPagerdutyShape = schema({
  oneOf: [
    object({
      routing_key: text(64),
      event_action: { const: "trigger" },
      dedup_key: text(255),
      "client?": text(255),
      "client_url?": ADDRESS,
      payload: object({
        summary: text(1024),
        source: text(2000),
        severity: { enum: ["critical", "error", "warning", "info"] },
        "timestamp?": MOMENT,
        "component?": text(255),
        "group?": text(255),
        "class?": text(255),
        "custom_details?": { type: "object" },
      }),
      "links?": list(object({ href: ADDRESS, "text?": text(255) }), 10),
      "images?": list({}, 0),
    }),
    object({
      routing_key: text(64),
      event_action: { enum: ["acknowledge", "resolve"] },
      dedup_key: text(255),
    }),
  ],
});

/** An event of PagerDuty's Events API v2 (developer.pagerduty.com/docs/send-alert-event). */
export function checkPagerduty(body: unknown): void {
  checkPagerdutyShape(body);
  const bytes = new TextEncoder().encode(JSON.stringify(body)).length;
  if (bytes > 512 * 1024) throw new Error(`the event has ${bytes} bytes`);
}

/** An event of Datadog's API v1 (`EventCreateRequest` of `@datadog/datadog-api-client`). */
export const checkDatadog = schema(object({
  title: text(100),
  text: text(4000),
  "alert_type?": {
    enum: ["error", "warning", "info", "success", "user_update", "recommendation", "snapshot"],
  },
  "priority?": { enum: ["normal", "low"] },
  "aggregation_key?": text(100),
  "date_happened?": { type: "integer", minimum: 1_600_000_000 },
  "tags?": list(text(200), 100),
}));
