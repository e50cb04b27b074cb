import { connect, type ConnectionOptions, type DetailedPeerCertificate } from "node:tls";
import { describeDuration } from "../../time.ts";
import type { Witness } from "./witness.ts";

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
  const words = Object.hasOwn(WORDS, code) ? WORDS[code]! : "certificate is not accepted";
  if (certificate?.valid_to === undefined) return words;
  const expiry = validity(certificate, now, showsNames);
  if (expiry !== undefined) return expiry;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID" && showsNames) {
    return `certificate is for ${names(certificate)}, not for ${
      options.servername ?? options.host
    }`;
  }
  const issuer = showsNames ? certificate.issuer?.CN ?? certificate.issuer?.O : undefined;
  return words.endsWith("authority") && issuer !== undefined ? `${words} (${issuer})` : words;
}

function peerCertificate(
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
    socket.on("secureConnect", () => finish(socket.getPeerCertificate(true)));
  });
}

function validity(
  leaf: DetailedPeerCertificate,
  now: Temporal.Instant,
  showsNames?: boolean,
): string | undefined {
  for (const [certificate, depth] of chain(leaf)) {
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

function* chain(leaf: DetailedPeerCertificate): Generator<[DetailedPeerCertificate, number]> {
  const seen = new Set<string>();
  let certificate: DetailedPeerCertificate | undefined = leaf;
  while (certificate?.fingerprint256 !== undefined && !seen.has(certificate.fingerprint256)) {
    yield [certificate, seen.size];
    seen.add(certificate.fingerprint256);
    certificate = certificate.issuerCertificate;
  }
}

function largestUnit(milliseconds: number): string {
  return describeDuration(milliseconds).split(", ")[0]!;
}

function names({ subjectaltname, subject }: DetailedPeerCertificate): string {
  const all = (subjectaltname ?? "").split(", ").map((name) => name.replace(/^[^:]+:/, ""));
  const known = all.filter((name) => name !== "");
  if (known.length === 0) return [subject?.CN ?? "nobody"].flat().join(", ");
  return known.length > 3 ? `${known.slice(0, 3).join(", ")} and others` : known.join(", ");
}
