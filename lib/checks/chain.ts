import type { PeerCertificate, TLSSocket } from "node:tls";
import { DAY, utcDay } from "../time.ts";
import {
  describeRefusal,
  findName,
  formatExpiry,
  type Link,
  toCertificateDetails,
  toChain,
} from "./certificates.ts";
import type { TlsOptions } from "./credentials.ts";
import type { Details, Failure, Observation } from "./observation.ts";

/** Milliseconds before the expiry of a certificate in which a site is degraded, unless it says otherwise. */
const USUAL_WARNING = 14 * DAY;

/** The other end of a TLS connection, whose certificate may not be accepted. */
export interface Peer {
  protocol?: string;
  leaf: PeerCertificate;
  /** The runtime's code for the reason why the certificate is not accepted. */
  refusal?: string;
  /** False if any certificate is accepted. */
  isVerified: boolean;
}

/** Reads the other end of a connection that was opened without a verification, as `tls` wants it verified. */
export function readPeer(socket: TLSSocket, { insecure }: Pick<TlsOptions, "insecure">): Peer {
  return {
    protocol: socket.getProtocol() ?? undefined,
    leaf: socket.getPeerCertificate(true),
    refusal: insecure || socket.authorized ? undefined : String(socket.authorizationError),
    isVerified: !insecure,
  };
}

/** Evaluates the certificates of a server. A failure takes precedence over what the observation adds. */
export function evaluatePeer(
  { protocol, leaf, refusal, isVerified }: Peer,
  { now, expiresWithin = USUAL_WARNING, host, showsHost }: {
    now: Temporal.Instant;
    expiresWithin?: number;
    host: string;
    showsHost: boolean;
  },
): {
  failure?: Failure;
  observation: Pick<Observation, "degradation" | "expiry" | "certificate">;
  details: Pick<Details, "protocol" | "certificate" | "issuers">;
} {
  const chain = toChain(leaf, now);
  const name = showsHost ? host : undefined;
  const isTrusted = refusal === undefined && isVerified;
  const { problem, ...degraded } = evaluateChain(chain, { now, expiresWithin, isTrusted, name });
  const reason = problem ??
    (refusal === undefined ? undefined : describeRefusal(refusal, leaf, name));
  const [certificate, ...issuers] = chain.map((link) =>
    toCertificateDetails(link.certificate, showsHost)
  );
  return {
    ...(reason === undefined ? {} : { failure: { kind: "network", reason } }),
    observation: {
      ...(reason === undefined ? degraded : {}),
      ...(certificate === undefined ? {} : { certificate: certificate.to }),
    },
    details: { protocol, ...(certificate === undefined ? {} : { certificate, issuers }) },
  };
}

/** Finds the certificate of a trusted chain that is at fault or expires first. */
function evaluateChain(
  chain: readonly Link[],
  { now, expiresWithin, isTrusted, name }: {
    now: Temporal.Instant;
    expiresWithin: number;
    isTrusted: boolean;
    name: string | undefined;
  },
): { problem?: string } & Pick<Observation, "degradation" | "expiry"> {
  const subject = (link: Link) => describeSubject(link.certificate, link === chain[0], name);
  const invalid = chain.filter(({ problem }) => problem !== undefined);
  const fault = invalid.find((link) => link === chain[0] || !isTrusted);
  if (fault !== undefined) return { problem: `${subject(fault)} ${fault.problem}` };
  const [first] = chain.filter(({ left }) => left > 0 && left < expiresWithin)
    .sort((a, b) => a.left - b.left);
  if (first !== undefined) {
    const day = utcDay(now.add({ milliseconds: first.left }));
    const expiry = formatExpiry(first.left);
    const which = first === chain[0] ? "" : `: ${subject(first)}`;
    return { degradation: `${expiry} (${day})${which}`, expiry };
  }
  const [stray] = invalid;
  if (stray === undefined) return {};
  return {
    degradation: `${
      subject(stray)
    } ${stray.problem}; not every client accepts the chain without it`,
  };
}

function describeSubject(
  { subject, issuer }: PeerCertificate,
  isLeaf: boolean,
  host: string | undefined,
): string {
  if (isLeaf) return host === undefined ? "the certificate" : `the certificate of ${host}`;
  if (host === undefined) return "a certificate of the chain";
  const rank = findName(subject) === findName(issuer) ? "root" : "intermediate";
  return `the ${rank} certificate "${findName(subject)}"`;
}
