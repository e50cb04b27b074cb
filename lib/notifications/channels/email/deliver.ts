import { addedAuthorities } from "../../../checks/credentials.ts";
import { type Address, domainOf } from "../../../text/mail_addresses.ts";
import type { Mail } from "./compose.ts";
import type { MailPace } from "./pace.ts";
import type { MailFault } from "./refusal.ts";
import type { MailSettings, Recipient } from "./settings.ts";

/** What a server did with a mail it took. */
export interface Delivered {
  /** What it said in the end. */
  answer: string;
  /** Recipients that it did not take, and what it said of each. */
  refused: { recipient: Recipient; answer: string }[];
}

/** A client that gives no name of its own says so; its true name is nobody's business. */
const NAME = "[127.0.0.1]";

/**
 * Ports on which TLS is spoken from the start: 465, and such as 2465 where a provider avoids blocked ports;
 * not those that a system gives to whoever asks for any.
 */
export function speaksTlsAtOnce(port: number): boolean {
  return port % 1000 === 465 && port < 32_768;
}

/** Hands a mail to its server; rejects with a {@linkcode MailFault} where it was not taken. */
export async function deliver(
  { subject, text, html, messageId, roots, date, headers }: Mail,
  { host, port, login, from, to }: MailSettings,
  { pace, userAgent }: { pace: MailPace; userAgent: string },
): Promise<Delivered> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host,
    port,
    name: NAME,
    secure: speaksTlsAtOnce(port),
    requireTLS: login !== undefined && !isLoopback(host),
    // Else a mail would go out without the login that was asked for.
    forceAuth: true,
    auth: login === undefined ? undefined : { user: login.user, pass: login.password },
    tls: { ca: addedAuthorities() },
    allowInternalNetworkInterfaces: true,
    connectionTimeout: pace.connection,
    dnsTimeout: pace.connection,
    greetingTimeout: pace.greeting,
    socketTimeout: pace.silence,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), pace.mail);
  try {
    const { response, rejectedErrors = [] } = await transport.sendMail({
      from: { name: from.name, address: from.address },
      to: to.map(({ name, address }) => ({ name, address })),
      subject,
      text,
      html,
      messageId,
      ...(roots.length === 0 ? {} : { inReplyTo: roots[0], references: [...roots] }),
      date: new Date(date.epochMilliseconds),
      headers,
      xMailer: userAgent,
      signal: late.signal,
    });
    const refused = rejectedErrors.flatMap(({ recipient, response = "" }: MailFault) => {
      const found = to.find((one) => recipient !== undefined && isSame(one, recipient));
      return found === undefined ? [] : [{ recipient: found, answer: response }];
    });
    return { answer: response, refused };
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a recipient is the one that the server was asked to take, in the letters of the name system. */
function isSame({ address }: Address, asked: string): boolean {
  const local = (text: string) => text.slice(0, text.lastIndexOf("@"));
  return local(address) === local(asked) && domainOf(address) === domainOf(asked);
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|::1)$/i.test(host);
}
