import type { DetailedPeerCertificate, PeerCertificate } from "node:tls";
import { describeLargestUnit } from "../time.ts";
import type { CertificateDetails } from "./observation.ts";

const REASONS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate is signed by an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate is signed by an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT: "certificate is signed by an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate is signed by an unknown authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate is for another host",
};

export class CertificateError extends Error {
  override readonly name = "CertificateError";
  constructor(readonly code: string, readonly certificate: PeerCertificate) {
    super(`The certificate is not accepted: ${code}`);
  }
}

export interface Link {
  certificate: PeerCertificate;
  /** Milliseconds until it expires. */
  left: number;
  /** Reason why it is not valid now, after its subject. */
  problem?: string;
}

export function toChain(leaf: PeerCertificate, now: Temporal.Instant): Link[] {
  const chain = new Map<string, Link>();
  let certificate: DetailedPeerCertificate | undefined = leaf as DetailedPeerCertificate;
  while (certificate?.fingerprint256 !== undefined && !chain.has(certificate.fingerprint256)) {
    const early = Date.parse(certificate.valid_from) - now.epochMilliseconds;
    const left = Date.parse(certificate.valid_to) - now.epochMilliseconds;
    const problem = left <= 0
      ? `expired ${describeLargestUnit(-left)} ago`
      : early > 0
      ? `is not valid for another ${describeLargestUnit(early)}`
      : undefined;
    chain.set(certificate.fingerprint256, { certificate, left, problem });
    certificate = certificate.issuerCertificate;
  }
  return [...chain.values()];
}

/**
 * Reason why a certificate was not accepted. The runtime's error says too little (an expired certificate is one that
 * can't be verified), so the dates of the chain come first. Names are shown only if `host` is given.
 */
export function describeCertificateError(
  { code, certificate }: CertificateError,
  now: Temporal.Instant,
  host: string | undefined,
): string {
  const chain = toChain(certificate, now);
  const depth = chain.findIndex(({ problem }) => problem !== undefined);
  if (depth === -1) return describeRefusal(code, certificate, host);
  const issuer = host === undefined ? "" : ` ${chain[depth]!.certificate.subject?.CN}`;
  const subject = depth === 0 ? "certificate" : `certificate of the authority${issuer}`;
  return `${subject} ${chain[depth]!.problem}`;
}

/** Reason why a certificate with valid dates was not accepted for `host`, if that may be shown. */
export function describeRefusal(
  code: string,
  certificate: PeerCertificate,
  host: string | undefined,
): string {
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code]! : "certificate is not accepted";
  if (host === undefined) return reason;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    const names = listNames(certificate);
    const shown = names.length === 0
      ? findName(certificate.subject)
      : names.slice(0, 3).join(", ") + (names.length > 3 ? " and others" : "");
    return `certificate is for ${shown}, not for ${host}`;
  }
  const issuer = certificate.issuer?.CN ?? certificate.issuer?.O;
  return reason.endsWith("authority") && issuer !== undefined ? `${reason} (${issuer})` : reason;
}

/** Details of a certificate; names, which reveal the host, only if `showsNames`. */
export function toCertificateDetails(
  certificate: PeerCertificate,
  showsNames: boolean,
): CertificateDetails {
  const { subject, issuer, valid_from, valid_to } = certificate;
  return {
    ...(showsNames ? { subject: findName(subject), issuer: findName(issuer) } : {}),
    names: showsNames ? listNames(certificate) : [],
    from: Temporal.Instant.fromEpochMilliseconds(Date.parse(valid_from)),
    to: Temporal.Instant.fromEpochMilliseconds(Date.parse(valid_to)),
  };
}

export function findName(entity: PeerCertificate["subject"] | undefined): string {
  return [entity?.CN ?? entity?.O ?? "nobody"].flat().join(", ");
}

function listNames({ subjectaltname = "" }: PeerCertificate): string[] {
  return subjectaltname.split(", ").map((name) => name.replace(/^[^:]+:/, "")).filter(Boolean);
}

/** Formats the remaining validity of a certificate or domain, in milliseconds; negative if it has expired. */
export function formatExpiry(left: number, what: "certificate" | "domain" = "certificate"): string {
  return left < 0
    ? `${what} expired ${describeLargestUnit(-left)} ago`
    : `${what} expires in ${describeLargestUnit(left)}`;
}

/** The time that {@linkcode formatExpiry} says, in one unit; negative once it has expired. */
export interface Expiry {
  what: "certificate" | "domain";
  count: number;
  unit: "day" | "hour" | "minute" | "second";
}

/**
 * Reads the start of an error that {@linkcode formatExpiry} has written; `undefined` for others.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(readExpiry("certificate expires in 13 days"), { what: "certificate", count: 13, unit: "day" });
 * assertEquals(readExpiry("certificate expired 1 hour ago"), { what: "certificate", count: -1, unit: "hour" });
 * ```
 */
export function readExpiry(text: string): Expiry | undefined {
  const [, what, verb, count, unit] =
    /^(certificate|domain) (expires in|expired) (\d+) (day|hour|minute|second)s?\b/.exec(text) ??
      [];
  return what === undefined ? undefined : {
    what: what as Expiry["what"],
    count: verb === "expired" ? -Number(count) : Number(count),
    unit: unit as Expiry["unit"],
  };
}
