import type { SiteState } from "../evaluation/results.ts";
import type { HistoryRecord } from "../history/record.ts";

/** Addresses that are spoken to over TLS; one that begins with a secret may be. */
const SECURE = /^(?:https|wss|\$)/i;

/**
 * Until when the certificate of a site is valid after a run. One that saw none, because it failed before
 * TLS, tells nothing new of it, unless the site has another address now, or answers without TLS.
 */
export function knownCertificate(
  { site, certificate, responseTime }: SiteState,
  previous: Pick<HistoryRecord, "url" | "certificate"> | undefined,
): Temporal.Instant | undefined {
  if (certificate !== undefined) return certificate;
  if (previous?.url !== site.url) return undefined;
  const mayBeSecure = site.check === "ssl" || SECURE.test(site.url);
  return mayBeSecure || responseTime === undefined ? previous.certificate : undefined;
}
