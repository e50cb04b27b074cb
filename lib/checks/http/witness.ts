import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { type PeerCertificate, TLSSocket } from "node:tls";
import { endpoint } from "../network_failure.ts";
import type { CertificateDetails, Details, Hop } from "../details.ts";

/** Headers of an answer that help to understand it and name nothing that is to be kept. */
const TELLING = ["content-type", "server", "cache-control", "retry-after", "www-authenticate"];

/** Sees an exchange as it goes on, and remembers what it saw. */
export class Witness {
  readonly details: Details = { hops: [] };
  #showsHost = true;

  /** A request is sent. `showsHost` says whether it may be seen where to. */
  requested(method: string, url: string | undefined, showsHost: boolean): void {
    this.#showsHost = showsHost;
    this.details.hops.push({ method, url });
  }

  connected({ remoteAddress, remotePort }: Socket): void {
    if (remoteAddress === undefined || !this.#showsHost) return;
    this.details.address = endpoint(remoteAddress, remotePort);
  }

  secured(socket: Socket): void {
    if (!(socket instanceof TLSSocket)) return;
    this.details.protocol = socket.getProtocol() ?? undefined;
    this.saw(socket.getPeerCertificate());
  }

  /** The server shows a certificate, whether it is accepted or not. */
  saw(certificate: PeerCertificate | undefined): void {
    if (certificate?.valid_to === undefined || !this.#showsHost) return;
    this.details.certificate = certificateDetails(certificate);
  }

  answered(status: number, headers: IncomingHttpHeaders, bytes: number): void {
    const last: Hop | undefined = this.details.hops.at(-1);
    if (last !== undefined) last.status = status;
    this.details.headers = Object.fromEntries(
      TELLING.flatMap((name) =>
        headers[name] === undefined ? [] : [[name, [headers[name]].flat().join(", ")]]
      ),
    );
    this.details.bytes = bytes;
  }
}

function certificateDetails(
  { subject, issuer, subjectaltname = "", valid_from, valid_to }: PeerCertificate,
): CertificateDetails {
  const names = subjectaltname.split(", ").map((name) => name.replace(/^[^:]+:/, ""));
  return {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    names: names.filter((name) => name !== ""),
    from: Temporal.Instant.fromEpochMilliseconds(Date.parse(valid_from)),
    to: Temporal.Instant.fromEpochMilliseconds(Date.parse(valid_to)),
  };
}

function nameOf(entity: PeerCertificate["subject"] | undefined): string {
  return [entity?.CN ?? entity?.O ?? "nobody"].flat().join(", ");
}
