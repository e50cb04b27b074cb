import { createRequire } from "node:module";
import { object, schema } from "./schema.ts";

const require = createRequire(import.meta.resolve("adaptivecards"));
const { AdaptiveCard, SerializationContext, Versions } = require("../dist/adaptivecards.js");

const checkEnvelope = schema(object({
  type: { const: "message" },
  attachments: {
    type: "array",
    minItems: 1,
    maxItems: 1,
    items: object({
      contentType: { const: "application/vnd.microsoft.card.adaptive" },
      contentUrl: { type: "null" },
      content: { type: "object", properties: { version: { const: "1.4" } } },
    }),
  },
}));

/** Fails if a message is not a card of version 1.4 that Teams would show. */
export function checkTeams(message: unknown): void {
  checkEnvelope(message);
  const bytes = new TextEncoder().encode(JSON.stringify(message)).length;
  if (bytes > 28 * 1024) throw new Error(`the message has ${bytes} bytes`);
  const { attachments: [{ content: { msteams: _, ...content } }] } = message as {
    attachments: [{ content: Record<string, unknown> }];
  };
  const card = new AdaptiveCard();
  const context = new SerializationContext(Versions.v1_4);
  card.parse(content, context);
  const wrong = Array.from(
    { length: context.eventCount },
    (_, index) => context.getEventAt(index).message,
  );
  const invalid = card.validateProperties().validationEvents.map(
    ({ message }: { message: string }) => message,
  );
  if (wrong.length + invalid.length > 0) throw new Error([...wrong, ...invalid].join("\n"));
}
