import { cutText } from "../fit_text.ts";
import { findWithin, parseAnswer } from "./http/delivery.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { Outgoing } from "./outgoing.ts";
import { sayLink } from "../message_text.ts";
import { findTone, listMessageLinks, renderPlainText } from "./plain_message.ts";

const LONGEST_TITLE = 250;
/** Gotify has no limit, but proxies in front of it and readers do. */
const LONGEST_MESSAGE = 4_000;

/** 8 and above vibrate, 4 to 7 make a sound, and 1 to 3 only show an icon. */
const PRIORITIES = { down: 8, degraded: 5, up: 2, notice: 5, report: 2, test: 5 } as const;

/**
 * A message of Gotify (gotify.net/docs/pushmsg). It is plain text, because Markdown would load pictures. The
 * priority is always given: that of an application is 0 unless somebody set it, and nobody would notice.
 */
export const gotify = httpChannel({
  vendor: "Gotify",
  requests: (outgoing) => [{
    address: outgoing.apiUrl("", "/message"),
    headers: { "X-Gotify-Key": outgoing.credential(outgoing.notification.token) },
    body: gotifyMessage(outgoing),
  }],
  confirms: (answer) => typeof findWithin(parseAnswer(answer), "id") === "number",
  cures: [
    { status: 401, cure: "check token: it is that of an application, not of a client" },
    { status: 403, cure: "check token: it is that of an application, not of a client" },
  ],
});

function gotifyMessage(outgoing: Outgoing) {
  const { headline, events } = outgoing.text;
  const links = listMessageLinks(outgoing);
  const [first] = links;
  const text = renderPlainText(outgoing, { longest: LONGEST_MESSAGE });
  return {
    title: cutText(`${events[0]!.sign} ${headline}`, LONGEST_TITLE),
    message: [
      text,
      ...outgoing.isShort ? [] : links.map((link) => sayLink(link, outgoing.language)),
    ].join("\n"),
    priority: Number(outgoing.notification.priority ?? PRIORITIES[findTone(outgoing)]),
    extras: {
      "client::display": { contentType: "text/plain" },
      ...first === undefined ? {} : { "client::notification": { click: { url: first.address } } },
    },
  };
}
