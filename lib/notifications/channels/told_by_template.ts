import { cutText } from "../cut_text.ts";
import { joinFitting } from "../fit_parts.ts";
import { eventHeadline } from "../tell.ts";
import { importantFirst } from "../important_first.ts";
import { ADDRESSES, placeholdersOf } from "../placeholders.ts";
import type { SiteEvent } from "../message.ts";
import type { Outgoing } from "./http/http_channel.ts";

/** Placeholders whose values mean nothing in any markup, and are read by programs. */
const PLAIN: readonly string[] = ["TIMESTAMP", "RESPONSE_CODE", "RESPONSE_TIME"];

/** How values are made fit for the markup of a channel. */
interface Escapes {
  escape(text: string): string;
  escapeAddress?(address: string): string;
}

/**
 * What `message-template` says of an event; `undefined` where there is none. The template is written in
 * the markup of the channel, and values are escaped for it: addresses may become links, all else must
 * not. Where nothing is left to say, it is the headline.
 */
export function toldByTemplate(
  event: SiteEvent,
  { notification, sending, filler }: Pick<Outgoing, "notification" | "sending" | "filler">,
  { escape, escapeAddress = escape }: Escapes,
): string | undefined {
  const template = notification["message-template"];
  if (template === undefined) return undefined;
  // A template is made for sites.
  if (event.kind === "notice") return escape(`${eventHeadline(event)}: ${event.error}`);
  const text = filler.telling(
    template,
    placeholdersOf(event, sending.places),
    (value, { name, isSecret }) => {
      if (!isSecret && PLAIN.includes(name)) return value;
      return !isSecret && ADDRESSES.includes(name) ? escapeAddress(value) : escape(value);
    },
  );
  return text.trim() === "" ? escape(eventHeadline(event)) : text;
}

/**
 * What `message-template` says of all events, the most important first, as far as they fit. What is
 * longer by itself is cut where `whole` tells what must not be cut in two, and left as it is where not.
 */
export function textByTemplate(
  outgoing: Outgoing,
  { separator, longest, whole, ...escapes }: Escapes & {
    separator: string;
    /** In UTF-16 units. */
    longest: number;
    whole?: RegExp;
  },
): string | undefined {
  if (outgoing.notification["message-template"] === undefined) return undefined;
  const texts = importantFirst(outgoing.message.events)
    .map((event) => toldByTemplate(event, outgoing, escapes) ?? "");
  const text = joinFitting(texts, { separator, longest });
  return whole === undefined ? text : cutText(text, longest, whole);
}
