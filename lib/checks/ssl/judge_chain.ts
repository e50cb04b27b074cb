import type { DetailedPeerCertificate } from "node:tls";
import { utcDay } from "../../time.ts";
import { expiryText, largestUnit } from "../tls/certificate.ts";
import { nameOf } from "../tls/certificate_details.ts";

/** What a chain is judged by. */
export interface ChainRules {
  now: Temporal.Instant;
  /** Milliseconds before its end from which on a certificate is about to expire. */
  expiresWithin: number;
  /** Whether the runtime accepts the chain: then it needs no certificate that is not valid. */
  accepted: boolean;
  /** Host that was asked for; absent where it may not be shown, nor the names of certificates. */
  host?: string;
}

/** What is wrong with the times of a chain, if anything: one that is over, or about to be. */
export type ChainVerdict =
  | { failure: string }
  | { degradation: string; expiry?: string }
  | undefined;

/** Finds the certificate of a chain, the server's first, that is at fault or that expires first. */
export function judgeChain(
  chain: readonly DetailedPeerCertificate[],
  { now, expiresWithin, accepted, host }: ChainRules,
): ChainVerdict {
  const times = chain.map((certificate, depth) => ({
    depth,
    isNeeded: depth === 0 || !accepted,
    who: describe(certificate, depth, host),
    early: Date.parse(certificate.valid_from) - now.epochMilliseconds,
    left: Date.parse(certificate.valid_to) - now.epochMilliseconds,
  }));
  const invalid = [
    ...times.filter(({ left }) => left <= 0).map(({ who, left, isNeeded }) => ({
      isNeeded,
      words: `${who} expired ${largestUnit(Math.max(-left, 1000))} ago`,
    })),
    ...times.filter(({ early }) => early > 0).map(({ who, early, isNeeded }) => ({
      isNeeded,
      words: `${who} is not valid for another ${largestUnit(early)}`,
    })),
  ];
  const fault = invalid.find(({ isNeeded }) => isNeeded);
  if (fault !== undefined) return { failure: fault.words };
  const [first] = times.filter(({ left }) => left > 0 && left < expiresWithin)
    .sort((a, b) => a.left - b.left);
  if (first !== undefined) {
    const day = utcDay(now.add({ milliseconds: first.left }));
    const expiry = expiryText(first.left);
    const which = first.depth === 0 ? "" : `: ${first.who}`;
    return { degradation: `${expiry} (${day})${which}`, expiry };
  }
  const [stray] = invalid;
  if (stray === undefined) return undefined;
  return { degradation: `${stray.words}; not every client accepts the chain without it` };
}

function describe(
  { subject, issuer }: DetailedPeerCertificate,
  depth: number,
  host: string | undefined,
): string {
  if (depth === 0) return host === undefined ? "the certificate" : `the certificate of ${host}`;
  const rank = nameOf(subject) === nameOf(issuer) ? "root" : "intermediate";
  return host === undefined
    ? "a certificate of the chain"
    : `the ${rank} certificate "${nameOf(subject)}"`;
}
