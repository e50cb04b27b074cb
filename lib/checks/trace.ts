import { type IncomingHttpHeaders, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { toCertificateDetails } from "./certificates.ts";
import { endpoint } from "./network_failure.ts";
import type { Details } from "./observation.ts";

const HEADERS = ["content-type", "server", "cache-control", "retry-after", "www-authenticate"];

export class Trace {
  /** Those of the connection are of the last one. */
  details: Details = { hops: [] };
  /** Expiry of the certificate that was seen last, on whichever connection. */
  expiry: Temporal.Instant | undefined;
  #showsHost = true;

  /** Records a request; `showsHost` is false if its host must stay hidden. */
  requested(method: string, url: string | undefined, showsHost: boolean): void {
    this.#showsHost = showsHost;
    this.details = { hops: [...this.details.hops, { method, url }] };
  }

  connected({ remoteAddress, remotePort }: Socket): void {
    if (remoteAddress === undefined || !this.#showsHost) return;
    this.details.address = endpoint(remoteAddress, remotePort);
  }

  secured(socket: TLSSocket): void {
    this.details.protocol = socket.getProtocol() ?? undefined;
    const certificate = socket.getPeerCertificate();
    if (certificate?.valid_to === undefined) return;
    this.details.certificate = toCertificateDetails(certificate, this.#showsHost);
    this.expiry = this.details.certificate.to;
  }

  answered(status: number, headers: IncomingHttpHeaders, bytes?: number): void {
    const last = this.details.hops.at(-1);
    if (last !== undefined) Object.assign(last, { status, words: STATUS_CODES[status] ?? "" });
    this.details.bytes = bytes;
    // Headers may name the host.
    if (!this.#showsHost) return;
    this.details.headers = Object.fromEntries(
      HEADERS.flatMap((name) =>
        headers[name] === undefined ? [] : [[name, [headers[name]].flat().join(", ")]]
      ),
    );
  }
}
