import { addedAuthorities } from "../../../checks/credentials.ts";
import { networkFailure } from "../../../checks/network_failure.ts";
import { EffectError } from "../../../outbox/effect.ts";
import { toAsciiDomain } from "../../../text/mail_addresses.ts";
import type { MailSettings } from "./settings.ts";

export interface Mail {
  subject: string;
  text: string;
  html: string;
  messageId: string;
  /** Identifiers of the threads that this mail belongs to, one for each incident. */
  references: string[];
  date: Date;
  headers: Record<string, string>;
}

/** Timeouts of a mail server in milliseconds. */
export interface MailPace {
  /** Until it is connected, names and TLS included. */
  connection: number;
  /** Until the server's greeting. */
  greeting: number;
  /** Between two answers; more than `greeting`, so that errors show which limit was exceeded. */
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

/**
 * True for ports with implicit TLS: 465, and variants such as 2465 that providers offer; not for
 * ephemeral ports.
 */
function hasImplicitTls(port: number): boolean {
  return port % 1000 === 465 && port < 32_768;
}

/**
 * Sends a mail. Returns the server's final answer, and the recipients that it did not take with its answer
 * to each. Rejects with a {@linkcode MailFault} if the server refuses the mail.
 */
export async function deliver(
  { references, ...mail }: Mail,
  { host, port, login, from, to }: MailSettings,
  { pace, userAgent }: { pace: MailPace; userAgent: string },
): Promise<{ answer: string; refused: { shown: string; answer: string }[] }> {
  const { createTransport } = await import("nodemailer");
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|::1)$/i.test(host);
  const transport = createTransport({
    host,
    port,
    // The form for a client without a name; its true name stays private.
    name: "[127.0.0.1]",
    secure: hasImplicitTls(port),
    requireTLS: login !== undefined && !isLoopback,
    // Otherwise a server without login would get the mail unauthenticated.
    forceAuth: true,
    auth: login && { user: login.user, pass: login.password },
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
      ...mail,
      from,
      to: to.map(({ name, address }) => ({ name, address })),
      ...references.length === 0 ? {} : { inReplyTo: references[0], references },
      xMailer: userAgent,
      signal: late.signal,
    });
    const refused = rejectedErrors.flatMap(({ recipient = "", response: answer = "" }: MailFault) =>
      to.filter(({ address }) => canonical(address) === canonical(recipient))
        .map(({ shown }) => ({ shown, answer }))
    );
    return { answer: response, refused };
  } finally {
    clearTimeout(timer);
  }
}

/** An address with the ASCII domain that the server is asked for. */
function canonical(address: string): string {
  return `${address.slice(0, address.lastIndexOf("@"))}@${toAsciiDomain(address)}`;
}

interface MailFault extends Error {
  code?: string;
  /** Code of the error of the system behind it. */
  originalCode?: string;
  command?: string;
  response?: string;
  responseCode?: number;
  timeoutType?: string;
  recipient?: string;
}

/** True if the mail server or the network is at fault, not the program. */
export function isMailFault(error: unknown): error is MailFault {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

type Reason = readonly [kind: EffectError["kind"], why: string];

/** Explains a refused mail with its cure, without names and passwords. `quote` redacts the server's words. */
export function refusal(
  fault: MailFault,
  { port, login }: Pick<MailSettings, "port" | "login">,
  { server, quote }: { server: string; quote(text: string): string },
): EffectError {
  const said = quote(fault.response ?? "");
  const [kind, why] = fault.responseCode === undefined || fault.code === "EAUTH"
    ? explainFailure(fault, port)
    : explainAnswer(fault, fault.responseCode, { said, hasLogin: login !== undefined });
  return new EffectError(`Cannot send mail through ${server}: ${why}`, { kind });
}

function explainAnswer(
  { code, command, response = "" }: MailFault,
  status: number,
  { said, hasLogin }: { said: string; hasLogin: boolean },
): Reason {
  const needsLogin = [
    "misconfigured",
    `it wants a login (${said}): set smtp-username and smtp-password`,
  ] as const;
  if (status === 421) return ["transient", `it has no time for us (${said})`];
  if (status === 530 && !hasLogin) return needsLogin;
  const isTransient = status < 500;
  if (code === "EENVELOPE" && command === "MAIL FROM") {
    if (isTransient) return ["transient", `it does not take the sender for now (${said})`];
    return ["misconfigured", `it does not take the sender (${said}): correct the address in from`];
  }
  if (code === "EENVELOPE") {
    if (isTransient) return ["transient", `it takes none of the recipients for now (${said})`];
    if (!hasLogin && /^5\d\d[ -]5\.7\.|relay|authenticat/i.test(response)) return needsLogin;
    return ["permanent", `it takes none of the recipients (${said}): correct the addresses in to`];
  }
  if (command === "STARTTLS") {
    if (isTransient) return ["transient", `it has no TLS for now (${said})`];
    return [
      "misconfigured",
      `it has no TLS (${said}), and a password is sent over nothing else: set smtp-port: 465, or another server`,
    ];
  }
  if (isTransient) return ["transient", `it does not take the mail for now (${said})`];
  if (code === "EPROTOCOL") return ["misconfigured", `it takes no mail from here (${said})`];
  return ["permanent", `it does not take the mail (${said})`];
}

const NOT_TLS = /InvalidContentType|corrupt message|wrong version number|packet length too long/i;

const CERTIFICATES: readonly [says: RegExp, words: string][] = [
  [/expired/i, "has expired: renew it"],
  [/altname|NotValidForName|not valid for name|hostname/i, "is for another name: change smtp-host"],
  [
    /certificate|UnknownIssuer|self.signed|CERT_|VERIFY/i,
    "is not trusted: use a server with a public one, or name the file of its authority in NODE_EXTRA_CA_CERTS",
  ],
];

function explainFailure(fault: MailFault, port: number): Reason {
  const { code, responseCode, response = "", timeoutType, originalCode, message } = fault;
  const secure = hasImplicitTls(port);
  if (code === "EAUTH") {
    // Answers to a login are not quoted, because they may name the account.
    const status = /^\d{3}(?:[ -]\d\.\d+\.\d+)?/.exec(response)?.[0] ?? "no answer";
    if (responseCode !== undefined && responseCode < 500) {
      return ["transient", `it can't check the login for now (${status})`];
    }
    return [
      "misconfigured",
      responseCode === 534 || responseCode === 535
        ? `it does not take the login (${status}): check smtp-username and smtp-password; some providers want an app password`
        : `it takes no login here (${status}): use another smtp-port, or leave out smtp-username and smtp-password`,
    ];
  }
  if (timeoutType === "CONNECT_TIMEOUT") {
    const blocked = port === 25 ? "; hosted runners can't reach port 25, use 587 or 465" : "";
    return ["transient", `no connection in time: check smtp-host and smtp-port${blocked}`];
  }
  if (timeoutType === "GREETING_TIMEOUT") {
    const cure = ", or TLS is expected there from the start (set smtp-port: 465, or 587)";
    return ["misconfigured", `it never says hello: smtp-port is wrong${secure ? "" : cure}`];
  }
  if (code === "ETIMEDOUT" || code === "EABORT") return ["transient", "it stopped answering"];
  if (code === "EPROTOCOL") {
    return ["misconfigured", "the server is no mail server: check smtp-port"];
  }
  const said = `${originalCode ?? ""} ${message}`;
  if (NOT_TLS.test(said)) {
    return [
      "misconfigured",
      secure
        ? "it does not speak TLS from the start on this port: set smtp-port: 587"
        : "its STARTTLS is not followed by TLS: set smtp-port: 465",
    ];
  }
  const certificate = CERTIFICATES.find(([says]) => says.test(said))?.[1];
  if (certificate !== undefined) return ["misconfigured", `its certificate ${certificate}`];
  if (/size larger/i.test(said)) return ["permanent", "the mail is larger than it takes"];
  if (originalCode === undefined || /closed/i.test(message)) {
    return ["transient", "it closed the connection"];
  }
  const error = Object.assign(new Error(message), { code: originalCode });
  const { reason } = networkFailure(error, { stage: "connecting" });
  if (reason === "name not found") return ["misconfigured", "name not found: check smtp-host"];
  return code === "EDNS"
    ? ["transient", "name look-up failed: check smtp-host if it stays so"]
    : ["transient", `${reason}: check smtp-host and smtp-port if it stays so`];
}
