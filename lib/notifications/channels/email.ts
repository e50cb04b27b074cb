import { createHash } from "node:crypto";
import type { Notification } from "../../config/channels/keys.ts";
import { destinationOf, mailServer } from "../../config/channels/kinds.ts";
import { Secrets } from "../../io/secrets/secrets.ts";
import { domainOf } from "../../text/mail_addresses.ts";
import { plainText, shorten } from "../../text/plain_text.ts";
import type { Message } from "../message.ts";
import { renderMessage } from "../message_text.ts";
import { fillTemplate, toPlaceholders } from "../templates.ts";
import type { ChannelSender, Sending } from "./channel.ts";
import {
  deliver,
  type Delivered,
  isMailFault,
  type Mail,
  type MailPace,
  refusal,
  speaksTlsAtOnce,
  USUAL_MAIL_PACE,
} from "./email/delivery.ts";
import { htmlPart, htmlPartOf, plainPart, renderSubject } from "./email/parts.ts";
import { readSettings } from "./email/settings.ts";

/** Sends mail through a server of the user's. */
export const email: ChannelSender = emailAt(USUAL_MAIL_PACE);

/** The channel with other limits of time. */
export function emailAt(pace: MailPace): ChannelSender {
  return {
    preview(notification, message, sending) {
      const { from = "", to = [] } = notification;
      const { subject, text, messageId, roots, date, headers } = composeMail(message, {
        notification,
        sending,
        secrets: new Secrets(),
        destination: destinationOf(notification),
        domain: domainOf(from) ?? from,
      });
      const login = notification["smtp-username"];
      return {
        server: mailServer(notification),
        ...(login === undefined ? {} : { login }),
        headers: {
          From: from,
          To: to.join(", "),
          Subject: subject,
          Date: date.toString(),
          "Message-ID": messageId,
          ...(roots.length === 0 ? {} : { "In-Reply-To": roots[0], References: roots.join(" ") }),
          ...headers,
        },
        text,
      };
    },
    assertSendable(notification, _message, { secrets }) {
      readSettings(notification, secrets);
    },
    async send(notification, message, sending) {
      const { secrets, userAgent } = sending;
      const settings = readSettings(notification, secrets);
      const server = mailServer(notification);
      const redact = (text: string) => secrets.redact(text);
      const mail = composeMail(message, {
        notification,
        sending,
        secrets,
        destination: destinationOf(notification),
        domain: domainOf(settings.from.address) ?? "monitor.invalid",
      });
      try {
        const delivered = await deliver(mail, settings, { pace, userAgent });
        const refused = describeRefused(delivered, redact);
        if (refused !== "") sending.onRefused?.(refused);
        const all = settings.to.length;
        const taken = all - delivered.refused.length;
        const answer = quoted(delivered.answer, redact);
        const takes = `${server} took it for ${taken} of ${all} recipients (${answer})`;
        return refused === "" ? takes : `${takes}, but not for ${refused}`;
      } catch (error) {
        if (!isMailFault(error)) throw error;
        const { port, login } = settings;
        const secure = speaksTlsAtOnce(port);
        throw refusal(error, { server, port, secure, hasLogin: login !== undefined, redact });
      }
    },
  };
}

function describeRefused({ refused }: Delivered, redact: (text: string) => string): string {
  return refused.map(({ recipient, answer }) => `${recipient.shown} (${quoted(answer, redact)})`)
    .join(", ");
}

function quoted(text: string, redact: (text: string) => string): string {
  return shorten(plainText(redact(text)), 200);
}

interface Composing {
  notification: Notification;
  sending: Sending;
  secrets: Secrets;
  destination: string;
  /** The domain of the sender. */
  domain: string;
}

/** Writes the mail of a message. */
export function composeMail(message: Message, composing: Composing): Mail {
  const { notification, sending, secrets, destination, domain } = composing;
  const { places, monitor, clock } = sending;
  const text = renderMessage(message, places);
  const template = notification["message-template"];
  const sender = { monitor, home: places.home };
  const texts = template === undefined
    ? undefined
    : message.events.map((event) =>
      fillTemplate(template, { placeholders: toPlaceholders(event, places), secrets }).text
    );
  return {
    subject: renderSubject(text, sending.title ?? monitor),
    text: (texts === undefined ? plainPart(text, sender) : texts.join("\n\n")).toWellFormed(),
    html: (texts === undefined ? htmlPart(text, sender) : htmlPartOf(text, texts, sender))
      .toWellFormed(),
    ...threadOf(message, { monitor, destination, domain }),
    date: clock.now(),
    headers: {
      // Prevents automatic replies.
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      "X-Monitor-Delivery": shorten(message.id.replaceAll(/[^\x21-\x7e]/g, "-"), 200),
    },
  };
}

/** Identifiers by which mail programs group mails. */
interface Thread {
  messageId: string;
  /** Identifiers of the thread roots, one for each incident of the message; empty for a test. */
  roots: string[];
}

interface ThreadParts {
  /** Name of the monitor. */
  monitor: string;
  /** Recipients and sender. */
  destination: string;
  /** The domain of the sender. */
  domain: string;
}

/** Threads that one mail refers to, because servers limit the size of headers. */
const MOST_ROOTS = 200;

/**
 * The identifiers of a mail. They are the same whenever it is sent again, so that a mailbox can drop the
 * second; and all mails about an incident answer one that was never sent, as nobody knows at planning
 * time which of them will be the first to arrive.
 */
function threadOf(
  { id, events }: Message,
  { monitor, destination, domain }: ThreadParts,
): Thread {
  const messageId = identifier([monitor, "message", id, destination], domain);
  const incidents = new Set(
    events.filter(({ kind }) => kind !== "test").map(({ incident }) => incident),
  );
  const roots = [...incidents].slice(0, MOST_ROOTS)
    .map((incident) => identifier([monitor, "incident", incident], domain));
  return { messageId, roots };
}

function identifier(parts: readonly string[], domain: string): string {
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return `<${hash.slice(0, 40)}@${domain}>`;
}
