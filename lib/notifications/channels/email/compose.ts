import type { Notification } from "../../../config/channels/keys.ts";
import type { Secrets } from "../../../io/secrets/secrets.ts";
import { fillTemplate } from "../../fill_template.ts";
import type { Message } from "../../message.ts";
import { placeholdersOf } from "../../placeholders.ts";
import { tell } from "../../tell.ts";
import { shorten } from "../../../text/plain_text.ts";
import type { Sending } from "../channel.ts";
import { htmlPart, htmlPartOf } from "./html_part.ts";
import { plainPart } from "./plain_part.ts";
import { subjectOf } from "./subject.ts";
import { threadOf } from "./thread.ts";

/** A mail without its envelope. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
  messageId: string;
  /** Identifiers of the threads that this mail belongs to, one for each incident. */
  roots: readonly string[];
  date: Temporal.Instant;
  /** What else stands in its head. */
  headers: Readonly<Record<string, string>>;
}

/** What a mail is made with, beside the message. */
export interface Composing {
  notification: Notification;
  sending: Sending;
  /** Those whose values may stand in the mail. */
  secrets: Secrets;
  destination: string;
  /** The domain of the sender. */
  domain: string;
}

/** Writes the mail of a message. */
export function composeMail(message: Message, composing: Composing): Mail {
  const { notification, sending, secrets, destination, domain } = composing;
  const { places, monitor, clock } = sending;
  const told = tell(message, places);
  const template = notification["message-template"];
  const sender = { monitor, home: places.home };
  const texts = template === undefined
    ? undefined
    : message.events.map((event) =>
      fillTemplate(template, { placeholders: placeholdersOf(event, places), secrets }).text
    );
  return {
    subject: subjectOf(told, sending.title ?? monitor),
    text: (texts === undefined ? plainPart(told, sender) : texts.join("\n\n")).toWellFormed(),
    html: (texts === undefined ? htmlPart(told, sender) : htmlPartOf(told, texts, sender))
      .toWellFormed(),
    ...threadOf(message, { monitor, destination, domain }),
    date: clock.now(),
    headers: {
      // Nobody's absence is told to a monitor, and no list answers it.
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      "X-Monitor-Delivery": shorten(message.id.replaceAll(/[^\x21-\x7e]/g, "-"), 200),
    },
  };
}
