import type { DetailedPeerCertificate } from "node:tls";
import { utcDay } from "../../time.ts";
import { largestUnit } from "../tls/certificate.ts";
import { nameOf } from "../tls/certificate_details.ts";

/** What a chain is judged by. */
export interface ChainRules {
  now: Temporal.Instant;
  /** Milliseconds before its end from which on a certificate is about to expire. */
  expiresWithin: number;
  /** Host that was asked for; absent where it may not be shown, nor the names of certificates. */
  host?: string;
}

/** What is wrong with the times of a chain, if anything: one that is over, or about to be. */
export type ChainVerdict = { failure: string } | { degradation: string } | undefined;

/** Finds the certificate of a chain, the server's first, that is at fault or that expires first. */
export function judgeChain(
  chain: readonly DetailedPeerCertificate[],
  { now, expiresWithin, host }: ChainRules,
): ChainVerdict {
  const times = chain.map((certificate, depth) => ({
    who: describe(certificate, depth, host),
    early: Date.parse(certificate.valid_from) - now.epochMilliseconds,
    left: Date.parse(certificate.valid_to) - now.epochMilliseconds,
  }));
  const over = times.find(({ left }) => left <= 0);
  if (over !== undefined) {
    return { failure: `${over.who} expired ${largestUnit(Math.max(-over.left, 1000))} ago` };
  }
  const young = times.find(({ early }) => early > 0);
  if (young !== undefined) {
    return { failure: `${young.who} is not valid for another ${largestUnit(young.early)}` };
  }
  const [first] = times.filter(({ left }) => left < expiresWithin).sort((a, b) => a.left - b.left);
  if (first === undefined) return undefined;
  const day = utcDay(now.add({ milliseconds: first.left }));
  return { degradation: `${first.who} expires in ${largestUnit(first.left)} (${day})` };
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
