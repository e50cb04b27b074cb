import type { TLSSocket } from "node:tls";
import { chooseFamily } from "../config/checks/connection_keys.ts";
import { hostAndPort } from "../config/checks/hosts.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { evaluatePeer, type Peer, readPeer } from "./chain.ts";
import { explainFailure, negotiateTls, type Target } from "./connection.ts";
import { readTlsOptions, resolveCredentials, type TlsOptions } from "./credentials.ts";
import { Dialogue, DialogueError, holdDialogue, type Talk } from "./dialogue.ts";
import { readHost } from "./host.ts";
import {
  type Failure,
  missingSecrets,
  type Observation,
  type ProbeContext,
} from "./observation.ts";
import { unlessAborted, withTimeLimit } from "./timing.ts";

/** Milliseconds that a server has for its last answer, which decides nothing. */
const FAREWELL = 2_000;

/** Dialect of a mail server. Each step throws a {@linkcode DialogueError} if the answer is a refusal. */
export interface MailProtocol {
  name: "smtp" | "imap";
  ports: { starttls: number; implicit: number };
  /** Used if neither port nor scheme says which. */
  usual: "starttls" | "implicit";
  /** Reads the greeting; `needsTls` if STARTTLS will follow. */
  greet(dialogue: Dialogue, needsTls: boolean): Promise<void>;
  /** Asks for the capabilities; returns true if STARTTLS is among them. */
  askCapabilities(dialogue: Dialogue): Promise<boolean>;
  startTls(dialogue: Dialogue): Promise<void>;
  leave(dialogue: Dialogue): Promise<void>;
}

type MailSite = CheckSettings<"smtp" | "imap">;

/** Reads a mail server's greeting, negotiates TLS, and evaluates the certificates. */
export async function observeMail(
  protocol: MailProtocol,
  site: MailSite,
  context: ProbeContext,
): Promise<Observation> {
  const { secrets, now, signal, attempt, quotesAnswers } = context;
  const { ports, name } = protocol;
  const written = secrets.substitute(site.url).text;
  const port = site.port === undefined
    ? hostAndPort(written).port
    : secrets.substitute(site.port).text.trim();
  const encryption = site.tls ?? chooseEncryption(protocol, written, port);
  const usual = ports[encryption === "implicit" ? "implicit" : "starttls"];
  const address = readHost({ ...site, check: name, usual }, secrets);
  if (!("host" in address)) return address;
  const credentials = resolveCredentials(site, secrets);
  if (credentials.missing.length > 0) return missingSecrets(credentials.missing, secrets);
  const tls = await readTlsOptions(credentials, site, context.root);
  if (!("insecure" in tls)) return tls;

  const { host, showsHost } = address;
  const target: Target = { host, port: address.port, family: chooseFamily(site), attempt };
  // The certificate is evaluated after the dialogue.
  const unverified = { ...tls, insecure: true };
  const { phases, responseTime, said: peer, error, ...held } = await holdDialogue(
    encryption === "implicit" ? { ...target, tls: unverified } : target,
    { ...site, signal },
    talkTo(protocol, { encryption, host, tls, unverified }),
  );
  const chain = peer &&
    evaluatePeer(peer, { now, expiresWithin: site.expiresWithin, host, showsHost });
  const failure = error === undefined
    ? chain?.failure
    : explainRefusal(error.cause, showsHost && quotesAnswers === true) ??
      explainFailure(error.cause, error.stage, { ...target, shown: showsHost, now });
  return {
    code: failure === undefined ? 200 : 0,
    responseTime,
    phases,
    ...chain?.observation,
    ...(failure === undefined ? {} : { failure }),
    details: {
      ...(showsHost ? { address: held.address } : {}),
      ...chain?.details,
      hops: [{
        method: name.toUpperCase(),
        url: address.shown,
        ...(error === undefined ? { words: "greeted" } : {}),
      }],
    },
  };
}

function chooseEncryption(
  { name, ports, usual }: MailProtocol,
  address: string,
  port: string | undefined,
): "starttls" | "implicit" {
  const scheme = /^([a-z]+):\/\//i.exec(address)?.[1]?.toLowerCase();
  if (scheme === `${name}s` || port === String(ports.implicit)) return "implicit";
  return scheme === undefined && port === undefined ? usual : "starttls";
}

/** The dialogue with a mail server; it finds the server's certificate, if there is TLS. */
function talkTo(
  protocol: MailProtocol,
  { encryption, host, tls, unverified }: {
    encryption: "starttls" | "implicit" | "none";
    host: string;
    tls: TlsOptions;
    unverified: TlsOptions;
  },
): Talk<Peer | undefined> {
  return async (socket, signal, watch) => {
    const isUpgraded = encryption === "starttls";
    let dialogue = new Dialogue(socket, signal);
    let peer = encryption === "implicit" ? readPeer(socket as TLSSocket, tls) : undefined;
    const start = performance.now();
    await protocol.greet(dialogue, isUpgraded);
    const ttfb = performance.now() - start;
    watch.stage = "waiting for the answer";
    const offersTls = await protocol.askCapabilities(dialogue);
    let upgrade = 0;
    if (isUpgraded) {
      if (!offersTls) {
        throw new DialogueError("the server offers no STARTTLS, which only tls: none accepts");
      }
      await protocol.startTls(dialogue);
      // Anybody on the way could have added it, to be taken for an answer over TLS.
      if (dialogue.release() > 0) {
        throw new DialogueError("the server sent more in plain text after its answer to STARTTLS");
      }
      watch.stage = "negotiating TLS";
      const before = performance.now();
      const secure = await negotiateTls(socket, host, unverified, signal);
      upgrade = performance.now() - before;
      peer = readPeer(secure, tls);
      watch.stage = "waiting for the answer";
      dialogue = new Dialogue(secure, signal);
      await protocol.askCapabilities(dialogue);
    }
    const download = performance.now() - start - ttfb - upgrade;
    // A connection that is closed before the answer would look like a reset to the server.
    const farewell = protocol.leave(dialogue).catch(() => {});
    await withTimeLimit(
      FAREWELL,
      signal,
      (signal) => unlessAborted<void>(signal, (resolve) => void farewell.then(resolve)),
    )
      .catch(() => {});
    return { found: peer, phases: { ttfb, tls: upgrade, download } };
  };
}

/** Reason why a server does not take part in the dialogue; what it said is quoted only if `quotes`. */
function explainRefusal(error: Error, quotes: boolean): Failure | undefined {
  if (!(error instanceof DialogueError)) return undefined;
  const { message, said } = error;
  const reason = quotes && said !== "" ? `${message}: ${said}` : message;
  return { kind: "answer", reason };
}
