import type { DetailedPeerCertificate } from "node:tls";

/** A certificate and those that vouch for it, each signed by the next. */
export function chainOf(leaf: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const chain = new Map<string, DetailedPeerCertificate>();
  let certificate: DetailedPeerCertificate | undefined = leaf;
  while (certificate?.fingerprint256 !== undefined && !chain.has(certificate.fingerprint256)) {
    chain.set(certificate.fingerprint256, certificate);
    certificate = certificate.issuerCertificate;
  }
  return [...chain.values()];
}
