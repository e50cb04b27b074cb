import { isIP } from "node:net";
import type { Failure, ProbeContext } from "../check.ts";
import { openTunnel } from "../net/open_tunnel.ts";
import { ProxyError, type Route } from "../net/route.ts";
import { Stopwatch } from "../net/stopwatch.ts";
import { timedLookup } from "../net/timed_lookup.ts";
import { networkFailure, type Stage } from "../network_failure.ts";
import { explainCertificate, isCertificateError } from "../tls/certificate.ts";
import { bareHost } from "../../config/checks/hosts.ts";
import type { ExchangeOptions } from "./exchange.ts";
import type { Witness } from "./witness.ts";

/** Milliseconds that a second tunnel may take, through which a certificate is looked at. */
const TUNNEL_LIMIT = 5_000;

/** What an explanation is made with. */
export interface Explanation {
  showsHost: boolean;
  route: Route;
  tls: ExchangeOptions["tls"];
  context: ProbeContext;
  witness?: Witness;
}

/** Why no answer came, in words; a certificate that is not accepted is looked at. */
export async function explain(
  { cause, stage }: { cause: Error; stage: Stage },
  url: URL,
  { showsHost, route, tls, context, witness }: Explanation,
): Promise<Failure> {
  if (cause instanceof ProxyError) return { kind: cause.kind, reason: cause.message };
  const code = (cause as { code?: string }).code;
  const port = Number(url.port) || (/^(?:http|ws)s:$/.test(url.protocol) ? 443 : 80);
  if (code === undefined || !isCertificateError({ code })) {
    return networkFailure(cause, { stage, host: showsHost ? url.hostname : undefined, port });
  }
  const hostname = bareHost(url);
  const { proxy } = route;
  const watch = new Stopwatch(false);
  const tunnel = proxy === undefined ? undefined : await openTunnel({
    ...{ ...route, host: hostname, port, proxy, watch },
    connectTimeout: TUNNEL_LIMIT,
    signal: context.signal,
  }).catch(() => undefined);
  const reason = await explainCertificate(code, {
    ...tls,
    host: hostname,
    port,
    ...(tunnel === undefined ? {} : { socket: tunnel }),
    servername: isIP(hostname) === 0 ? hostname : undefined,
    lookup: timedLookup(watch, route),
    now: context.now,
    signal: context.signal,
    showsNames: showsHost,
    witness,
  });
  return { kind: "network", reason };
}
