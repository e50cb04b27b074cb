import { createHash } from "node:crypto";
import { describeDestination, mailServer } from "../../config/channels/kinds.ts";
import { toAsciiDomain } from "../../text/mail_addresses.ts";
import { plainText, shorten } from "../../text/plain_text.ts";
import { cutText } from "../fit_text.ts";
import type { EventText, MessageText } from "../message_text.ts";
import { findSubject } from "../templates.ts";
import type { ChannelSender } from "./channel.ts";
import {
  deliver,
  isMailFault,
  type Mail,
  type MailPace,
  refusal,
  USUAL_MAIL_PACE,
} from "./email/delivery.ts";
import { htmlPart, plainPart } from "./email/parts.ts";
import { readSettings } from "./email/settings.ts";
import { Outgoing } from "./outgoing.ts";

/** Sends mail through a server of the user's. */
export const email: ChannelSender = createEmail(USUAL_MAIL_PACE);

export function createEmail(pace: MailPace): ChannelSender {
  return {
    preview(notification, message, sending) {
      const { from = "", to = [], "smtp-username": login } = notification;
      const outgoing = new Outgoing(notification, message, sending, true);
      const { subject, text, messageId, references, date, headers } = composeMail(
        outgoing,
        toAsciiDomain(from) ?? from,
      );
      return {
        server: mailServer(notification),
        login,
        headers: {
          From: from,
          To: to.join(", "),
          Subject: subject,
          Date: date.toISOString(),
          "Message-ID": messageId,
          "In-Reply-To": references[0],
          References: references.join(" ") || undefined,
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
      const quote = (text: string) => shorten(plainText(secrets.redact(text)), LONGEST_QUOTE);
      const domain = toAsciiDomain(settings.from.address) ?? "monitor.invalid";
      const mail = composeMail(new Outgoing(notification, message, sending), domain);
      try {
        const { answer, refused } = await deliver(mail, settings, { pace, userAgent });
        const all = settings.to.length;
        const accepted = `${server} took it for ${all - refused.length} of ${all} recipients`;
        const others = refused.map(({ shown, answer }) => `${shown} (${quote(answer)})`).join(", ");
        if (others === "") return `${accepted} (${quote(answer)})`;
        sending.onRefused?.(others);
        return `${accepted} (${quote(answer)}), but not for ${others}`;
      } catch (error) {
        if (!isMailFault(error)) throw error;
        throw refusal(error, settings, { server, quote });
      }
    },
  };
}

/** Longest that a server is quoted, in characters. */
const LONGEST_QUOTE = 200;
/** Longest subject in UTF-16 units; mail programs show half of it. */
const LONGEST_SUBJECT = 150;
const LONGEST_MONITOR = 40;
/** Threads that one mail refers to, because servers limit the size of headers. */
const MOST_THREADS = 200;

/** The configured subject of the most important event with the number of the others, or the headline. */
function toSubject(outgoing: Outgoing): string {
  const { headline, events } = outgoing.text;
  const [{ sign, event }, ...others] = events as [EventText, ...EventText[]];
  const template = findSubject(outgoing.notification, event);
  if (template === undefined) return `${sign} ${headline}`;
  const subject = outgoing.fillForEvent(template, event, { escape: (text) => text });
  return others.length === 0
    ? subject
    : outgoing.language.say("subjectAndMore", { TEXT: subject, COUNT: others.length });
}

/** UTF-16 units that each part, such as the hint, may have in all lines together: many servers take 10 MB. */
const LONGEST_PARTS = 100_000;

function cutAllParts({ headline, events, lines }: MessageText): MessageText {
  const longest = Math.ceil(LONGEST_PARTS / lines.length);
  const cut = (part: string) => cutText(part, longest);
  const cutEvent = (text: EventText): EventText => ({
    ...text,
    event: { ...text.event, body: text.event.body && cut(text.event.body) },
    headline: cut(text.headline),
    sentence: cut(text.sentence),
    facts: text.facts.map((fact) => ({ ...fact, value: cut(fact.value) })),
  });
  return { headline: cut(headline), events: events.map(cutEvent), lines: lines.map(cutEvent) };
}

/** Renders a report as one event with a table of its sites. */
function withTable(text: MessageText): MessageText {
  const { headline } = text;
  const [first] = text.events as [EventText];
  const { kind, error: sentence, figures = [] } = first.event;
  if (kind !== "report") return text;
  const facts = figures.map(({ name: label, text: value }) => ({ label, value }));
  const events = [{ ...first, headline, sentence, facts }];
  return { headline, events, lines: events };
}

/**
 * Writes the mail of a message; `domain` is that of the sender. Its identifier is the same whenever it is
 * sent again, so that a mailbox can drop the second. All mails about an incident answer one that was never
 * sent, because it is unknown at planning time which of them arrives first.
 */
export function composeMail(outgoing: Outgoing, domain: string): Mail {
  const { notification, message, sending: { monitor, title = monitor, places, clock } } = outgoing;
  const text = cutAllParts(withTable(outgoing.text));
  const line = (words: string, longest: number) =>
    cutText(plainText(words.toWellFormed()), longest);
  const end = text.events.length === 1 ? "" : ` · ${line(title, LONGEST_MONITOR)}`;
  const texts = text.events.map(({ event }) =>
    outgoing.templateText(event, { escape: (text) => text })
  );
  const incidents = new Set(
    message.events.filter(({ kind }) => kind !== "test").map(({ incident }) => incident),
  );
  const identifier = (...parts: string[]) => {
    const hash = createHash("sha256").update(JSON.stringify([monitor, ...parts])).digest("hex");
    return `<${hash.slice(0, 40)}@${domain}>`;
  };
  const sender = { monitor: plainText(monitor), home: places.home, language: outgoing.language };
  return {
    subject: line(toSubject(outgoing), LONGEST_SUBJECT - end.length) + end,
    text: plainPart(text, sender, texts).toWellFormed(),
    html: htmlPart(text, sender, texts).toWellFormed(),
    messageId: identifier("message", message.id, describeDestination(notification)),
    references: [...incidents].slice(0, MOST_THREADS)
      .map((incident) => identifier("incident", incident)),
    date: new Date(clock.now().epochMilliseconds),
    headers: {
      "Content-Language": outgoing.language.code,
      // Prevents automatic replies.
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      "X-Monitor-Delivery": shorten(message.id.replaceAll(/[^\x21-\x7e]/g, "-"), 200),
    },
  };
}
