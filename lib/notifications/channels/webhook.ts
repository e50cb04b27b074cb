import type { Channel } from "./channel.ts";
import { encodeInAddress } from "./http/encode_in_address.ts";
import { httpChannel, type Outgoing } from "./http/http_channel.ts";
import type { HttpRequest } from "./http/request.ts";
import { isBodiless, isPerEvent } from "../../config/channels/kinds.ts";
import type { Placeholders } from "../fill_template.ts";
import { importantFirst } from "../important_first.ts";
import type { Message } from "../message.ts";
import { placeholdersOf } from "../placeholders.ts";
import { bodyKind, encoderOf, usualType } from "./webhook/body_kind.ts";
import { payloadEvents, summaryText, webhookPayload } from "./webhook/payload.ts";

/** Headers whose values are credentials. */
const CREDENTIALS = /authorization|cookie|key|token|secret|signature/i;

/**
 * Any address. What is configured with placeholders is sent once for each event, unless it uses `$EVENTS`
 * or `$SUMMARY`, and our own JSON once for a message. `X-Monitor-Delivery` is the same whenever the same is sent again.
 */
export const webhook: Channel = httpChannel({
  vendor: "The webhook",
  requests(outgoing) {
    const { message } = outgoing;
    if (!isPerEvent(outgoing.notification) || message.events.length === 1) {
      return [requestFor(message, outgoing)];
    }
    return message.events.map((event) =>
      requestFor({ id: `${message.id}/${event.id}`, events: [event] }, outgoing)
    );
  },
});

function requestFor(message: Message, outgoing: Outgoing): HttpRequest {
  const { notification, sending, filler } = outgoing;
  const { url = "", method = "POST", headers = {} } = notification;
  const first = importantFirst(message.events)[0]!;
  const values = {
    ...placeholdersOf(first, sending.places),
    EVENTS: JSON.stringify(payloadEvents({ ...outgoing, message })),
    SUMMARY: summaryText({ ...outgoing, message }),
  };
  const own = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const isPlain = !value.includes("$") && CREDENTIALS.test(name);
      return [name, isPlain ? filler.credential(value) : filler.text(value, values)];
    }),
  );
  const given = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const { body, type } = isBodiless(method) ? {} : bodyOf({ ...outgoing, message }, values);
  const defaults = {
    ...(type === undefined ? {} : { "Content-Type": type }),
    "X-Monitor-Event": first.kind,
    "X-Monitor-Delivery": message.id,
  };
  return {
    method: method.trim().toUpperCase(),
    address: filler.text(url.trim(), values, encodeInAddress),
    headers: {
      ...Object.fromEntries(
        Object.entries(defaults).filter(([name]) => !given.has(name.toLowerCase())),
      ),
      ...own,
    },
    ...(body === undefined ? {} : { body }),
  };
}

function bodyOf(
  outgoing: Outgoing,
  values: Placeholders,
): { body: unknown; type?: string } {
  const { notification: { body, headers = {} }, filler } = outgoing;
  if (body === undefined) return { body: webhookPayload(outgoing) };
  const configured = Object.entries(headers)
    .find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const kind = bodyKind(body, configured);
  return { body: filler.text(body, values, encoderOf(kind)), type: usualType(kind) };
}
