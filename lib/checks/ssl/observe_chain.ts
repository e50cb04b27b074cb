import { isIP } from "node:net";
import { type DetailedPeerCertificate, TLSSocket } from "node:tls";
import type { Failure, Observation, ProbeContext } from "../check.ts";
import { reach, type ReachOptions } from "../net/reach.ts";
import { Stopwatch } from "../net/stopwatch.ts";
import { timedLookup } from "../net/timed_lookup.ts";
import { endpoint, networkFailure } from "../network_failure.ts";
import { describeRefusal, isCertificateError, peerCertificate } from "../tls/certificate.ts";
import { certificateDetails } from "../tls/certificate_details.ts";
import { chainOf } from "../tls/chain.ts";
import type { TlsOptions } from "../tls/tls_options.ts";
import { judgeChain } from "./judge_chain.ts";

/** How a chain is judged, and what may be said of it. */
export interface Rules {
  expiresWithin: number;
  /** Whether host and port stand in the configuration in plain sight. */
  showsHost: boolean;
  /** Host and port as configured. */
  shown: string;
}

/** Negotiates TLS once, and observes the chain of certificates. */
export async function observeChain(
  target: ReachOptions & { tls: TlsOptions },
  { now, detailed }: ProbeContext,
  { expiresWithin, showsHost, shown }: Rules,
): Promise<Observation> {
  const { host, port, tls, signal } = target;
  const { phases, responseTime, seen, error } = await reach(target, (socket) => ({
    address: endpoint(socket.remoteAddress ?? host, socket.remotePort),
    ...(socket instanceof TLSSocket
      ? { protocol: socket.getProtocol(), leaf: socket.getPeerCertificate(true) }
      : {}),
  }));
  const refused = error?.cause.code !== undefined && isCertificateError(error.cause);
  const lookup = timedLookup(new Stopwatch(false), target);
  const servername = isIP(host) === 0 ? host : undefined;
  const leaf = refused
    ? await peerCertificate({ ...tls, host, port, servername, lookup }, signal)
    : seen?.leaf;
  const chain = leaf === undefined ? [] : chainOf(leaf);
  const accepted = error === undefined && tls.rejectUnauthorized;
  const name = showsHost ? host : undefined;
  const verdict = judgeChain(chain, { now, expiresWithin, accepted, host: name });
  const certificate = leaf === undefined ? {} : { certificate: certificateDetails(leaf, false).to };
  const details = detailed
    ? {
      details: {
        ...(showsHost ? { address: seen?.address } : {}),
        protocol: seen?.protocol ?? undefined,
        ...chainDetails(chain, showsHost),
        hops: [{
          method: "TLS",
          url: shown,
          ...(error === undefined ? { words: "handshake done" } : {}),
        }],
      },
    }
    : {};
  const fail = (reason: string, kind: Failure["kind"] = "network"): Observation => ({
    code: 0,
    responseTime,
    phases,
    failure: { kind, reason },
    ...certificate,
    ...details,
  });
  if (verdict !== undefined && "failure" in verdict) return fail(verdict.failure);
  if (error === undefined) {
    return { code: 200, responseTime, phases, ...verdict, ...certificate, ...details };
  }
  if (refused) return fail(describeRefusal(error.cause.code!, leaf, name));
  const { kind, reason } = networkFailure(error.cause, {
    stage: error.stage,
    ...(showsHost ? { host, port } : {}),
  });
  return fail(reason, kind);
}

function chainDetails(chain: readonly DetailedPeerCertificate[], showsHost: boolean) {
  const [certificate, ...issuers] = chain.map((one) => certificateDetails(one, showsHost));
  return certificate === undefined ? {} : { certificate, issuers };
}
