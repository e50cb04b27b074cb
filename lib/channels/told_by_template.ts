import { ADDRESSES, placeholdersOf } from "../notify/placeholders.ts";
import type { SiteEvent } from "../notify/message.ts";
import type { Outgoing } from "./http/http_channel.ts";

/**
 * What `message-template` says of an event; `undefined` where there is none. The template is written in
 * the markup of the channel, and values are escaped for it: addresses may become links, all else must
 * not.
 */
export function toldByTemplate(
  event: SiteEvent,
  { notification, sending, filler }: Pick<Outgoing, "notification" | "sending" | "filler">,
  { escape, escapeAddress = escape }: {
    escape(text: string): string;
    escapeAddress?(address: string): string;
  },
): string | undefined {
  const template = notification["message-template"];
  if (template === undefined) return undefined;
  return filler.telling(
    template,
    placeholdersOf(event, sending.places),
    (value, { name, isSecret }) =>
      !isSecret && ADDRESSES.includes(name) ? escapeAddress(value) : escape(value),
  );
}
