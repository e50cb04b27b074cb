import { delay } from "@std/async/delay";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail that a server took. */
export interface ReceivedMail {
  /** As it came, lines and all. */
  raw: string;
  /** As a mail program reads it. */
  mail: Email;
  from: string;
  to: string[];
  /** True if it came over TLS. */
  secure: boolean;
  /** The authenticated user. */
  user?: string;
}

/** A mail server on the loopback, and the mails that it accepted. */
export interface MailServer extends AsyncDisposable {
  port: number;
  received: ReceivedMail[];
}

/** How a mail server behaves. */
export interface MailServerOptions extends SMTPServerOptions {
  /** The answer that refuses a recipient. */
  refuse?(recipient: string): string | undefined;
  /** Its port: a free one if absent. */
  port?: number;
}

/** Starts a mail server that accepts everything except what `refuse` answers; an answer starts with its code. */
export async function mailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { refuse = () => undefined, port = 0, ...rest } = options;
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1,
    onRcptTo({ address }, _session, done) {
      const answer = refuse(address);
      done(answer === undefined ? null : refusalOf(answer));
    },
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope;
      const receive = async () => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of stream) chunks.push(chunk);
        const blob = new Blob(chunks as Uint8Array<ArrayBuffer>[]);
        const bytes = new Uint8Array(await blob.arrayBuffer());
        received.push({
          raw: new TextDecoder().decode(bytes),
          mail: await PostalMime.parse(bytes),
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: session.user as string | undefined,
        });
      };
      // A client that gives up must not end all tests of the module.
      receive().then(() => done(null, "queued"), done);
    },
    ...rest,
  });
  server.on("error", () => {});
  const listening = await new Promise<number>((resolve, reject) => {
    server.server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  return {
    port: listening,
    received,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Ports with implicit TLS that are neither ephemeral nor among those of `closedPort()`. */
const TLS_PORTS = [32_465, 1465, 2465, 3465, 4465, 5465, 6465, 7465, 8465, 9465];

/** Starts a mail server that speaks TLS from the start; tests that run at the same time share its ports. */
export async function tlsMailServer(options: MailServerOptions): Promise<MailServer> {
  for (let tries = 0;; tries++) {
    try {
      const port = TLS_PORTS[tries % TLS_PORTS.length];
      return await mailServer({ secure: true, ...options, port });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
      await delay(20);
    }
  }
}

/** An answer such as `550 5.1.1 No such user` as an error of the server. */
export function refusalOf(answer: string): Error {
  const [, code, text] = /^(\d{3}) (.*)$/s.exec(answer)!;
  return Object.assign(new Error(text), { responseCode: Number(code) });
}
