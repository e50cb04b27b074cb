import {
  connect,
  type ConnectionOptions,
  type DetailedPeerCertificate,
  type PeerCertificate,
} from "node:tls";
import { describeDuration } from "../../time.ts";
import type { Witness } from "../http/witness.ts";
import { nameOf, namesOf } from "./certificate_details.ts";
import { chainOf } from "./chain.ts";

const HANDSHAKE_LIMIT = 5_000;

const WORDS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate is signed by an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate is signed by an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT: "certificate is signed by an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate is signed by an unknown authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate is for another host",
};

/** Whether an error says that a certificate was not accepted. */
export function isCertificateError(error: { code?: string }): boolean {
  return error.code !== undefined &&
    (Object.hasOwn(WORDS, error.code) || error.code.startsWith("CERT_"));
}

/** How a certificate is looked at, and what may be said of it. */
interface Inspection extends ConnectionOptions {
  now: Temporal.Instant;
  signal: AbortSignal;
  /** Whether the names of the certificate may be shown: they tell what host was asked. */
  showsNames: boolean;
  witness?: Witness;
}

/**
 * Why a certificate was not accepted, in words. The error of the runtime says too little (an expired
 * certificate is to it one that can't be verified), so the certificate is looked at over a connection
 * of its own, over which nothing is sent.
 */
export async function explainCertificate(
  code: string,
  { now, signal, showsNames, witness, ...options }: Inspection,
): Promise<string> {
  const certificate = await peerCertificate(options, signal);
  witness?.saw(certificate);
  const expiry = certificate === undefined ? undefined : validity(certificate, now, showsNames);
  if (expiry !== undefined) return expiry;
  const host = showsNames ? options.servername ?? options.host : undefined;
  return describeRefusal(code, certificate, host);
}

/** Why a certificate whose time is right was not accepted by who asked for `host`, if that may be shown. */
export function describeRefusal(
  code: string,
  certificate: PeerCertificate | undefined,
  host: string | undefined,
): string {
  const words = Object.hasOwn(WORDS, code) ? WORDS[code]! : "certificate is not accepted";
  if (certificate === undefined || host === undefined) return words;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `certificate is for ${names(certificate)}, not for ${host}`;
  }
  const issuer = certificate.issuer?.CN ?? certificate.issuer?.O;
  return words.endsWith("authority") && issuer !== undefined ? `${words} (${issuer})` : words;
}

/** The certificate a server shows, over a connection of its own; `undefined` where it shows none. */
export function peerCertificate(
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<DetailedPeerCertificate | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ ...options, rejectUnauthorized: false });
    const finish = (certificate?: DetailedPeerCertificate) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      socket.destroy();
      resolve(certificate);
    };
    const giveUp = () => finish();
    const timer = setTimeout(giveUp, HANDSHAKE_LIMIT);
    signal.addEventListener("abort", giveUp);
    socket.on("error", giveUp);
    socket.on("secureConnect", () => {
      const certificate = socket.getPeerCertificate(true);
      finish(certificate?.valid_to === undefined ? undefined : certificate);
    });
  });
}

function validity(
  leaf: DetailedPeerCertificate,
  now: Temporal.Instant,
  showsNames?: boolean,
): string | undefined {
  for (const [depth, certificate] of chainOf(leaf).entries()) {
    const subject = depth === 0
      ? "certificate"
      : `certificate of the authority${showsNames ? ` ${certificate.subject?.CN}` : ""}`;
    const from = Date.parse(certificate.valid_from);
    const to = Date.parse(certificate.valid_to);
    const late = now.epochMilliseconds - to;
    if (late > 0) return `${subject} expired ${largestUnit(late)} ago`;
    const early = from - now.epochMilliseconds;
    if (early > 0) return `${subject} is not valid for another ${largestUnit(early)}`;
  }
}

/**
 * Formats the remaining validity of a certificate, in milliseconds; negative if it has expired.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(expiryText(4.5 * 86_400_000), "certificate expires in 4 days");
 * assertEquals(expiryText(-3_600_000), "certificate expired 1 hour ago");
 * ```
 */
export function expiryText(left: number): string {
  return left < 0
    ? `certificate expired ${largestUnit(-left)} ago`
    : `certificate expires in ${largestUnit(left)}`;
}

/** A length of time in words, its largest unit alone. */
export function largestUnit(milliseconds: number): string {
  return describeDuration(milliseconds).split(", ")[0]!;
}

function names(certificate: PeerCertificate): string {
  const known = namesOf(certificate);
  if (known.length === 0) return nameOf(certificate.subject);
  return known.length > 3 ? `${known.slice(0, 3).join(", ")} and others` : known.join(", ");
}
