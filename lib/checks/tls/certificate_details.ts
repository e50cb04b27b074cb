import type { PeerCertificate } from "node:tls";
import type { CertificateDetails } from "../details.ts";

/** What is told of a certificate; `showsNames` says whether its names may be: they tell the host. */
export function certificateDetails(
  certificate: PeerCertificate,
  showsNames: boolean,
): CertificateDetails {
  const { subject, issuer, valid_from, valid_to } = certificate;
  return {
    ...(showsNames ? { subject: nameOf(subject), issuer: nameOf(issuer) } : {}),
    names: showsNames ? namesOf(certificate) : [],
    from: Temporal.Instant.fromEpochMilliseconds(Date.parse(valid_from)),
    to: Temporal.Instant.fromEpochMilliseconds(Date.parse(valid_to)),
  };
}

/** Who a certificate speaks of. */
export function nameOf(entity: PeerCertificate["subject"] | undefined): string {
  return [entity?.CN ?? entity?.O ?? "nobody"].flat().join(", ");
}

/** The hosts and addresses that a certificate is for. */
export function namesOf({ subjectaltname = "" }: PeerCertificate): string[] {
  return subjectaltname.split(", ").map((name) => name.replace(/^[^:]+:/, "")).filter((name) =>
    name !== ""
  );
}
