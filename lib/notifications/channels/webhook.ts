import { isBodiless, isPerEvent } from "../../config/channels/kinds.ts";
import { importantFirst, joinFitting } from "../fit_text.ts";
import type { Message, SiteEvent } from "../message.ts";
import { renderMessage } from "../message_text.ts";
import {
  type Encode,
  type Outgoing,
  type Placeholders,
  type PlaceInTemplate,
  toldByTemplate,
  toPlaceholders,
} from "../templates.ts";
import type { ChannelSender } from "./channel.ts";
import { escapeMarkup } from "./escape.ts";
import { encodeInAddress, httpChannel, type HttpRequest } from "./http/http_channel.ts";

/** Headers whose values are credentials. */
const CREDENTIALS = /authorization|cookie|key|token|secret|signature/i;

/**
 * Any address. What is configured with placeholders is sent once for each event, unless it uses `$EVENTS`
 * or `$SUMMARY`, and our own JSON once for a message. `X-Monitor-Delivery` is the same whenever the same is sent again.
 */
export const webhook: ChannelSender = httpChannel({
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
    ...toPlaceholders(first, sending.places),
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

/** The format of a configured body. */
type BodyKind = keyof typeof KINDS;

const KINDS = {
  json: { type: "application/json", encode: encodeInJson },
  form: { type: "application/x-www-form-urlencoded", encode: encodeInForm },
  markup: { type: undefined, encode: escapeMarkup },
  text: { type: "text/plain; charset=utf-8", encode: (value: string) => value },
} as const;

/** Media types, and what they are written in. */
const TYPES: readonly [type: RegExp, kind: BodyKind][] = [
  [/\bjson\b/i, "json"],
  [/x-www-form-urlencoded/i, "form"],
  [/\b(?:xml|html)\b/i, "markup"],
];

const EVENTS = /\$EVENTS(?!\w)/g;
const REFERENCES = /\$[A-Za-z_][A-Za-z0-9_]*/g;
const FORM = /^[^\s=&{}<>]+=[^\s&]*(?:&[^\s=&]+=[^\s&]*)*$/;

/**
 * Detects the format of a body: by the configured content type, otherwise by its form, with a number in
 * place of each `$NAME`, which is valid in JSON also outside of strings.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(bodyKind('{"code": $RESPONSE_CODE, "text": "$SITE_NAME"}'), "json");
 * assertEquals(bodyKind("site=$SITE_NAME&status=$STATUS"), "form");
 * assertEquals(bodyKind("$SITE_NAME is $STATUS"), "text");
 * assertEquals(bodyKind("$EVENTS"), "json");
 * ```
 */
export function bodyKind(template: string, contentType?: string): BodyKind {
  if (contentType !== undefined) {
    return TYPES.find(([type]) => type.test(contentType))?.[1] ?? "text";
  }
  const bare = template.trim().replace(EVENTS, "[]").replace(REFERENCES, "0");
  if (/^[[{]/.test(bare) && isJson(bare)) return "json";
  return FORM.test(bare) ? "form" : "text";
}

function encoderOf(kind: BodyKind): Encode {
  return KINDS[kind].encode;
}

/** The content type of a format. */
function usualType(kind: BodyKind): string | undefined {
  return KINDS[kind].type;
}

/**
 * A value within a template of JSON: escaped within a text, and outside of one made a text of its own
 * unless it is JSON already, such as a number or the list `$EVENTS`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { fillTemplate } from "../../templates.ts";
 * const placeholders = { SITE_NAME: 'the "shop"', RESPONSE_CODE: "503" };
 * const template = '{"a": "$SITE_NAME", "b": $RESPONSE_CODE, "c": $SITE_NAME}';
 * const { text } = fillTemplate(template, { placeholders, encode: encodeInJson });
 * assertEquals(JSON.parse(text), { a: 'the "shop"', b: 503, c: 'the "shop"' });
 * ```
 */
export function encodeInJson(
  value: string,
  { name, template, offset, isSecret }: PlaceInTemplate,
): string {
  const text = JSON.stringify(value);
  if (isWithinText(template, offset)) return text.slice(1, -1);
  if (name === "EVENTS" && !isSecret) return value;
  return isSecret ? (isJson(value) ? value : text) : /^\d+$/.test(value) ? value : text;
}

/** A value within a form (`application/x-www-form-urlencoded`). */
function encodeInForm(value: string): string {
  return new URLSearchParams([["", value]]).toString().slice(1);
}

/** True if a position in JSON is within a string: an odd number of quotation marks precedes it. */
function isWithinText(template: string, offset: number): boolean {
  const marks = template.slice(0, offset).match(/\\.|"/gs)?.filter((mark) => mark === '"') ?? [];
  return marks.length % 2 === 1;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Version of the payload below; incompatible changes increase it. */
const VERSION = "1";

/**
 * Makes the payload of a webhook without a configured body. Events are in order of time; `type` is that
 * of the most important one, and `text` covers all.
 */
function webhookPayload(outgoing: Outgoing) {
  const { message, sending } = outgoing;
  const { home, page } = sending.places;
  const told = renderMessage(message, sending.places);
  const events = payloadEvents(outgoing);
  return {
    version: VERSION,
    id: message.id,
    type: importantFirst(message.events)[0]!.kind,
    monitor: sending.monitor,
    ...(home === undefined ? {} : { repository: home }),
    ...(page === undefined ? {} : { page }),
    headline: told.headline,
    text: events.map(({ text }) => text).join("\n"),
    events,
  };
}

/** The events of a message, as a webhook is sent them. */
function payloadEvents(outgoing: Outgoing) {
  const { message, sending } = outgoing;
  return renderMessage(message, sending.places).events.map(({ event, headline, sentence }) =>
    eventOf(event, {
      text: toldByTemplate(event, outgoing, { escape: (text) => text }) ??
        `${headline}: ${sentence}`,
      home: sending.places.home,
    })
  );
}

/** Longest summary of several events, in UTF-16 units. */
const LONGEST_SUMMARY = 2_000;

/** A message in lines of text: the headline if there are several events, then each event as far as they fit. */
function summaryText(outgoing: Outgoing): string {
  const { message, sending } = outgoing;
  const texts = payloadEvents({ ...outgoing, message: importantFirstOf(message) })
    .map(({ text }) => text);
  if (texts.length === 1) return texts[0]!;
  const { headline } = renderMessage(message, sending.places);
  return `${headline}\n${joinFitting(texts, { separator: "\n", longest: LONGEST_SUMMARY })}`;
}

function importantFirstOf(message: Message): Message {
  return { ...message, events: importantFirst(message.events) };
}

/** Renders an event; absent keys have no value, and numbers whose name ends in `_ms` are milliseconds. */
function eventOf(event: SiteEvent, { text, home }: { text: string; home?: string }) {
  const { id, kind, reminder, name, slug, url, since, lasted, code, error, attempts } = event;
  const { responseTime, incident, issue, flapping } = event;
  return {
    id,
    type: kind,
    reminder: reminder === true,
    ...(flapping === undefined || kind === "up" ? {} : { flapping: true }),
    site: { name, slug, ...(url === undefined ? {} : { url }) },
    since,
    ...(lasted === undefined ? {} : { lasted_ms: lasted }),
    code,
    error,
    attempts,
    ...(responseTime === undefined ? {} : { response_time_ms: Math.round(responseTime) }),
    incident: {
      id: incident,
      ...(issue === undefined ? {} : { number: issue }),
      ...(issue === undefined || home === undefined ? {} : { url: `${home}/issues/${issue}` }),
    },
    text,
  };
}
