import { type IncomingHttpHeaders, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type PeerCertificate, TLSSocket } from "node:tls";
import { endpoint } from "../network_failure.ts";
import type { Details, Hop } from "../details.ts";
import { certificateDetails } from "../tls/certificate_details.ts";

/** Headers of an answer that help to understand it. */
const TELLING = ["content-type", "server", "cache-control", "retry-after", "www-authenticate"];

/** Sees an exchange as it goes on, and remembers what it saw. */
export class Witness {
  /** Of what was seen of a connection, that of the last. */
  details: Details = { hops: [] };
  /** Until when the certificate is valid that was seen last, on whichever connection. */
  expiry: Temporal.Instant | undefined;
  #showsHost = true;

  /** A request is sent. `showsHost` says whether it may be seen where to. */
  requested(method: string, url: string | undefined, showsHost: boolean): void {
    this.#showsHost = showsHost;
    this.details = { hops: [...this.details.hops, { method, url }] };
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
    if (certificate?.valid_to === undefined) return;
    this.details.certificate = certificateDetails(certificate, this.#showsHost);
    this.expiry = this.details.certificate.to;
  }

  answered(status: number, headers: IncomingHttpHeaders, bytes?: number): void {
    const last: Hop | undefined = this.details.hops.at(-1);
    if (last !== undefined) Object.assign(last, { status, words: STATUS_CODES[status] ?? "" });
    this.details.bytes = bytes;
    // What a server says of itself may name its host.
    if (!this.#showsHost) return;
    this.details.headers = Object.fromEntries(
      TELLING.flatMap((name) =>
        headers[name] === undefined ? [] : [[name, [headers[name]].flat().join(", ")]]
      ),
    );
  }
}
