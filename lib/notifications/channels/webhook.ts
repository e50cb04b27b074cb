import { isBodiless, isPerEvent } from "../../config/channels/kinds.ts";
import { parseJson } from "../../text/safe_parse.ts";
import { importantFirst, joinFitting } from "../fit_text.ts";
import type { Message, SiteEvent } from "../message.ts";
import { renderEvent, renderMessage } from "../message_text.ts";
import { type Encode, toPlaceholders } from "../templates.ts";
import { escapeMarkup } from "./escape.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { HttpRequest } from "./http/request.ts";
import { encodeInAddress, type Outgoing } from "./outgoing.ts";

/** Headers whose values are credentials. */
const CREDENTIALS = /authorization|cookie|key|token|secret|signature/i;

/** Events in a request at most, and their length as JSON: many servers refuse more than 1 MB. */
const MOST_EVENTS = 500;
const LONGEST_EVENTS = 400_000;

/**
 * Any address. What is configured with placeholders is sent once for each event, unless it uses `$EVENTS` or
 * `$SUMMARY`; that, and our own JSON, once for {@linkcode MOST_EVENTS} events of a message. `X-Monitor-Delivery` is the
 * same whenever the same is sent again.
 */
export const webhook = httpChannel({
  vendor: "The webhook",
  // Any answer will do: the server is the user's.
  confirms: () => true,
  requests(outgoing) {
    const { message: { id, events }, notification } = outgoing;
    if (isPerEvent(notification) && events.length > 1) {
      return events.map((event) =>
        toRequest({ id: `${id}/${event.id}`, events: [event] }, outgoing)
      );
    }
    return split(events).map((some, index) =>
      toRequest({ id: index === 0 ? id : `${id}/${index + 1}`, events: some }, outgoing)
    );
  },
});

/** Splits events into parts that are small enough for one request. */
function split(events: readonly SiteEvent[]): SiteEvent[][] {
  const parts: SiteEvent[][] = [];
  let length = 0;
  for (const event of events) {
    const { length: own } = JSON.stringify(event);
    const part = parts.at(-1);
    length += own;
    if (part !== undefined && part.length < MOST_EVENTS && length <= LONGEST_EVENTS) {
      part.push(event);
    } else {
      parts.push([event]);
      length = own;
    }
  }
  return parts;
}

function toRequest(message: Message, outgoing: Outgoing): HttpRequest {
  const { notification } = outgoing;
  const { url = "", method = "POST", headers = {}, body: template } = notification;
  const first = importantFirst(message.events)[0]!;
  const values = {
    ...toPlaceholders(first, outgoing.view),
    EVENTS: JSON.stringify(message.events.map((event) => toJson(event, outgoing))),
    SUMMARY: summaryText(message, outgoing),
  };
  const own = Object.entries(headers).map(([name, value]): [string, string] => {
    const isPlain = !value.includes("$") && CREDENTIALS.test(name);
    return [name, isPlain ? outgoing.credential(value) : outgoing.fill(value, values)];
  });
  const given = new Map(own.map(([name, value]) => [name.toLowerCase(), value]));
  const hasBody = !isBodiless(method);
  const kind = template === undefined ? undefined : bodyKind(template, given.get("content-type"));
  const body = kind === undefined
    ? toPayload(message, outgoing)
    : outgoing.fill(template!, values, KINDS[kind].encode);
  const defaults = {
    "Content-Type": hasBody ? kind && KINDS[kind].type : undefined,
    "X-Monitor-Event": first.kind,
    "X-Monitor-Delivery": message.id,
  };
  return {
    method: method.trim().toUpperCase(),
    address: outgoing.fill(url.trim(), values, encodeInAddress),
    headers: Object.fromEntries([
      ...Object.entries(defaults).flatMap(([name, value]) =>
        value === undefined || given.has(name.toLowerCase()) ? [] : [[name, value]]
      ),
      ...own,
    ]),
    body: hasBody ? body : undefined,
  };
}

/** Formats of a configured body: the content type, what is recognized as it, and how values are escaped. */
const KINDS = {
  json: { type: "application/json", is: /\bjson\b/i, encode: encodeInJson },
  form: {
    type: "application/x-www-form-urlencoded",
    is: /x-www-form-urlencoded/i,
    encode: (value: string) => new URLSearchParams([["", value]]).toString().slice(1),
  },
  markup: { type: undefined, is: /\b(?:xml|html)\b/i, encode: escapeMarkup },
  text: { type: "text/plain; charset=utf-8", is: /^/, encode: (value: string) => value },
} as const;

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
export function bodyKind(template: string, contentType?: string): keyof typeof KINDS {
  if (contentType !== undefined) {
    const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
    return kinds.find((kind) => KINDS[kind].is.test(contentType))!;
  }
  const bare = template.trim().replace(EVENTS, "[]").replace(REFERENCES, "0");
  if (/^[[{]/.test(bare) && parseJson(bare) !== undefined) return "json";
  return FORM.test(bare) ? "form" : "text";
}

/**
 * Encodes a value within a template of JSON: escaped within a text, and outside of one made a text of its
 * own unless it is JSON already, such as a number or the list `$EVENTS`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { fillTemplate } from "../templates.ts";
 * const placeholders = { SITE_NAME: 'the "shop"', RESPONSE_CODE: "503" };
 * const template = '{"a": "$SITE_NAME", "b": $RESPONSE_CODE, "c": $SITE_NAME}';
 * const { text } = fillTemplate(template, { placeholders, encode: encodeInJson });
 * assertEquals(JSON.parse(text), { a: 'the "shop"', b: 503, c: 'the "shop"' });
 * ```
 */
export function encodeInJson(
  ...[value, { name, template, offset, isSecret }]: Parameters<Encode>
): string {
  const text = JSON.stringify(value);
  // An odd number of quotation marks precedes a value within a text.
  const marks = template.slice(0, offset).match(/\\.|"/gs)?.filter((mark) => mark === '"') ?? [];
  if (marks.length % 2 === 1) return text.slice(1, -1);
  const isValue = isSecret
    ? parseJson(value) !== undefined
    : name === "EVENTS" || /^\d+$/.test(value);
  return isValue ? value : text;
}

/**
 * Makes the body of a webhook without a configured one; incompatible changes increase `version`. Events are
 * in order of time; `type` is that of the most important one, and `text` covers all.
 */
function toPayload(message: Message, outgoing: Outgoing) {
  const { sending: { places, monitor } } = outgoing;
  const events = message.events.map((event) => toJson(event, outgoing));
  return {
    version: "1",
    id: message.id,
    type: importantFirst(message.events)[0]!.kind,
    monitor,
    repository: places.home,
    page: places.page,
    headline: renderMessage(message, outgoing.view).headline,
    text: events.map(({ text }) => text).join("\n"),
    events,
  };
}

/** Longest summary of several events, in UTF-16 units. */
const LONGEST_SUMMARY = 2_000;

/** A message in lines of text: the headline if there are several events, then each event as far as they fit. */
function summaryText(message: Message, outgoing: Outgoing): string {
  const texts = importantFirst(message.events).map((event) => toJson(event, outgoing).text);
  if (texts.length === 1) return texts[0]!;
  const { headline } = renderMessage(message, outgoing.view);
  return `${headline}\n${
    joinFitting(texts, {
      separator: "\n",
      longest: LONGEST_SUMMARY,
      language: outgoing.language,
    })
  }`;
}

/** Renders an event; absent keys have no value, and numbers whose name ends in `_ms` are milliseconds. */
function toJson(event: SiteEvent, outgoing: Outgoing) {
  const { places } = outgoing.sending;
  const { summary, event: plain } = renderEvent(event, outgoing.view);
  const { id, kind, reminder, name, slug, url, since, lasted, code, error, attempts } = plain;
  const { responseTime, incident, issue, flapping } = plain;
  const { description, runbook, group, tags, hint, news, acknowledged } = plain;
  const hasUrl = issue !== undefined && places.home !== undefined;
  return {
    id,
    type: kind,
    news,
    reminder: reminder === true,
    flapping: flapping === undefined || kind === "up" ? undefined : true,
    site: { name, slug, url, description, runbook, group, tags },
    since,
    lasted_ms: lasted,
    code,
    error,
    hint,
    figures: plain.figures,
    acknowledged_by: acknowledged?.by,
    attempts,
    response_time_ms: responseTime && Math.round(responseTime),
    incident: {
      id: incident,
      number: issue,
      url: hasUrl ? `${places.home}/issues/${issue}` : undefined,
    },
    text: outgoing.templateText(plain, { escape: (text) => text }) ?? summary,
  };
}
