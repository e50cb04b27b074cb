import { networkFailure } from "../../../checks/network_failure.ts";
import { addedAuthorities } from "../../../checks/credentials.ts";
import { EffectError } from "../../../outbox/effect.ts";
import type { ErrorKind } from "../../../io/error_kind.ts";
import { type Address, domainOf } from "../../../text/mail_addresses.ts";
import { plainText, shorten } from "../../../text/plain_text.ts";
import type { MailSettings, Recipient } from "./settings.ts";

/** A mail without its envelope. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
  messageId: string;
  /** Identifiers of the threads that this mail belongs to, one for each incident. */
  roots: readonly string[];
  date: Temporal.Instant;
  /** Further headers. */
  headers: Readonly<Record<string, string>>;
}

export interface Delivered {
  /** The server's final answer. */
  answer: string;
  /** Recipients that it did not take, and what it said of each. */
  refused: { recipient: Recipient; answer: string }[];
}

/** A client that gives no name of its own says so; its true name is nobody's business. */
const NAME = "[127.0.0.1]";

/**
 * True for ports with implicit TLS: 465, and variants such as 2465 that providers offer; not for
 * ephemeral ports.
 */
export function speaksTlsAtOnce(port: number): boolean {
  return port % 1000 === 465 && port < 32_768;
}

/** Sends a mail; rejects with a {@linkcode MailFault} if the server refuses it. */
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
    // Otherwise a server without login would get the mail unauthenticated.
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

/** Compares a recipient with the address that the server was asked to take, which has an ASCII domain. */
function isSame({ address }: Address, asked: string): boolean {
  const local = (text: string) => text.slice(0, text.lastIndexOf("@"));
  return local(address) === local(asked) && domainOf(address) === domainOf(asked);
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|::1)$/i.test(host);
}

/** An error of `nodemailer`. */
interface MailFault extends Error {
  code?: string;
  /** Code of the error of the system behind it. */
  originalCode?: string;
  /** The refused SMTP command. */
  command?: string;
  /** The server's answer. */
  response?: string;
  responseCode?: number;
  timeoutType?: string;
  recipient?: string;
}

/** True if the mail server or the network is at fault, not the program. */
export function isMailFault(error: unknown): error is MailFault {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

export interface Circumstances {
  /** The server, secrets by their names. */
  server: string;
  port: number;
  /** True for implicit TLS. */
  secure: boolean;
  hasLogin: boolean;
  redact(text: string): string;
}

type Refused = { fault: MailFault; where: Circumstances };
type Reason = { kind: ErrorKind; why: string };

/** Longest that a server is quoted. */
const LONGEST_QUOTE = 200;

const NOT_TLS = /InvalidContentType|corrupt message|wrong version number|packet length too long/i;

const CERTIFICATES: readonly [says: RegExp, words: string][] = [
  [/expired/i, "has expired: renew it"],
  [/altname|NotValidForName|not valid for name|hostname/i, "is for another name: change smtp-host"],
  [
    /certificate|UnknownIssuer|self.signed|CERT_|VERIFY/i,
    "is not trusted: use a server with a public one, or name the file of its authority in NODE_EXTRA_CA_CERTS",
  ],
];

/** Explains a refused mail with its cure, without names and passwords. */
export function refusal(fault: MailFault, where: Circumstances): EffectError {
  const { kind, why } = reasonOf({ fault, where });
  return new EffectError(`Cannot send mail through ${where.server}: ${why}`, { kind });
}

function reasonOf(refused: Refused): Reason {
  const { code, responseCode } = refused.fault;
  if (responseCode === 421) return transient(`it has no time for us (${quote(refused)})`);
  if (responseCode === 530 && !refused.where.hasLogin) return loginNeeded(refused);
  if (code === "EAUTH") return loginRefused(refused);
  if (code === "EENVELOPE") return envelopeRefused(refused);
  if (code === "ETIMEDOUT" || code === "EABORT") return tooSlow(refused);
  if (refused.fault.command === "STARTTLS" && responseCode !== undefined) return noTls(refused);
  if (responseCode !== undefined) return answered(refused);
  if (code === "EPROTOCOL") {
    return misconfigured("what answers there is no mail server: check smtp-port");
  }
  return notConnected(refused);
}

function loginNeeded(refused: Refused): Reason {
  return misconfigured(`it wants a login (${quote(refused)}): set smtp-username and smtp-password`);
}

/** Answers to a login are not quoted, because they may name the account. */
function loginRefused({ fault: { responseCode, response = "" } }: Refused): Reason {
  const said = /^\d{3}(?:[ -]\d\.\d+\.\d+)?/.exec(response)?.[0] ?? "no answer";
  if (responseCode !== undefined && responseCode < 500) {
    return transient(`it can't check the login for now (${said})`);
  }
  return responseCode === 534 || responseCode === 535
    ? misconfigured(
      `it does not take the login (${said}): check smtp-username and smtp-password; some providers want an app password`,
    )
    : misconfigured(
      `it takes no login here (${said}): use another smtp-port, or leave out smtp-username and smtp-password`,
    );
}

function envelopeRefused(refused: Refused): Reason {
  const { fault: { command, responseCode = 0, response = "" }, where: { hasLogin } } = refused;
  const temporary = responseCode < 500;
  if (command === "MAIL FROM") {
    return temporary
      ? transient(`it does not take the sender for now (${quote(refused)})`)
      : misconfigured(
        `it does not take the sender (${quote(refused)}): correct the address in from`,
      );
  }
  if (temporary) return transient(`it takes none of the recipients for now (${quote(refused)})`);
  if (!hasLogin && /^5\d\d[ -]5\.7\.|relay|authenticat/i.test(response)) {
    return loginNeeded(refused);
  }
  return {
    kind: "permanent",
    why: `it takes none of the recipients (${quote(refused)}): correct the addresses in to`,
  };
}

function tooSlow({ fault: { timeoutType }, where: { port, secure } }: Refused): Reason {
  const blocked = port === 25 ? "; hosted runners can't reach port 25, use 587 or 465" : "";
  if (timeoutType === "CONNECT_TIMEOUT") {
    return transient(`no connection in time: check smtp-host and smtp-port${blocked}`);
  }
  if (timeoutType === "GREETING_TIMEOUT") {
    return misconfigured(
      secure
        ? "it never says hello: smtp-port is wrong"
        : "it never says hello: smtp-port is wrong, or TLS is expected there from the start (set smtp-port: 465, or 587)",
    );
  }
  return transient("it stopped answering");
}

function noTls(refused: Refused): Reason {
  if ((refused.fault.responseCode ?? 0) < 500) {
    return transient(`it has no TLS for now (${quote(refused)})`);
  }
  return misconfigured(
    `it has no TLS (${
      quote(refused)
    }), and a password is sent over nothing else: set smtp-port: 465, or another server`,
  );
}

function answered(refused: Refused): Reason {
  const { fault: { responseCode = 0, code } } = refused;
  if (responseCode < 500) return transient(`it does not take the mail for now (${quote(refused)})`);
  if (code === "EPROTOCOL") return misconfigured(`it takes no mail from here (${quote(refused)})`);
  return { kind: "permanent", why: `it does not take the mail (${quote(refused)})` };
}

function notConnected({ fault, where }: Refused): Reason {
  const said = `${fault.originalCode ?? ""} ${fault.message}`;
  if (NOT_TLS.test(said)) {
    return misconfigured(
      where.secure
        ? "it does not speak TLS from the start on this port: set smtp-port: 587"
        : "its STARTTLS is not followed by TLS: set smtp-port: 465",
    );
  }
  const certificate = CERTIFICATES.find(([says]) => says.test(said))?.[1];
  if (certificate !== undefined) return misconfigured(`its certificate ${certificate}`);
  if (/size larger/i.test(said)) {
    return { kind: "permanent", why: "the mail is larger than it takes" };
  }
  const error = Object.assign(new Error(fault.message), { code: fault.originalCode });
  if (fault.originalCode === undefined || /closed/i.test(fault.message)) {
    return transient("it closed the connection");
  }
  const { reason } = networkFailure(error, { stage: "connecting" });
  if (reason === "name not found") return misconfigured("name not found: check smtp-host");
  return fault.code === "EDNS"
    ? transient("name look-up failed: check smtp-host if it stays so")
    : transient(`${reason}: check smtp-host and smtp-port if it stays so`);
}

function quote({ fault: { response = "" }, where: { redact } }: Refused): string {
  return shorten(plainText(redact(response)), LONGEST_QUOTE);
}

function misconfigured(why: string): Reason {
  return { kind: "misconfigured", why };
}

function transient(why: string): Reason {
  return { kind: "transient", why };
}

/** Timeouts of a mail server in milliseconds. */
export interface MailPace {
  /** Until it is connected, names and TLS included. */
  connection: number;
  /** Until it says who it is. */
  greeting: number;
  /** Between two things it says; more than for the greeting, so that it is known which of them ran out. */
  silence: number;
  /** For the whole mail, however busy the server seems. */
  mail: number;
}

export const USUAL_MAIL_PACE: MailPace = {
  connection: 10_000,
  greeting: 10_000,
  silence: 11_000,
  mail: 30_000,
};
