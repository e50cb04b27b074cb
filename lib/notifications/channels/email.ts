import { destinationOf, mailServer } from "../../config/channels/kinds.ts";
import { Secrets } from "../../io/secrets/secrets.ts";
import { plainText, shorten } from "../../text/plain_text.ts";
import type { Channel } from "./channel.ts";
import { domainOf } from "../../text/mail_addresses.ts";
import { composeMail } from "./email/compose.ts";
import { deliver, type Delivered, speaksTlsAtOnce } from "./email/deliver.ts";
import { type MailPace, USUAL_MAIL_PACE } from "./email/pace.ts";
import { isMailFault, refusal } from "./email/refusal.ts";
import { readSettings } from "./email/settings.ts";

/** Sends mail through a server of the user's. */
export const email: Channel = emailAt(USUAL_MAIL_PACE);

/** The channel with other limits of time. */
export function emailAt(pace: MailPace): Channel {
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
        return describe(delivered, settings.to.length, { server, redact });
      } catch (error) {
        if (!isMailFault(error)) throw error;
        const { port, login } = settings;
        const secure = speaksTlsAtOnce(port);
        throw refusal(error, { server, port, secure, hasLogin: login !== undefined, redact });
      }
    },
  };
}

function describe(
  { answer, refused }: Delivered,
  count: number,
  { server, redact }: { server: string; redact(text: string): string },
): string {
  const quote = (text: string) => shorten(plainText(redact(text)), 200);
  const taken = count - refused.length;
  const takes = `${server} took it for ${taken} of ${count} recipients (${quote(answer)})`;
  if (refused.length === 0) return takes;
  const list = refused.map(({ recipient, answer }) => `${recipient.shown} (${quote(answer)})`);
  return `${takes}, but not for ${list.join(", ")}`;
}
