import { isIP } from "node:net";
import type { Failure, ProbeContext } from "../check.ts";
import { Stopwatch } from "../net/stopwatch.ts";
import { type Family, timedLookup } from "../net/timed_lookup.ts";
import { networkFailure, type Stage } from "../network_failure.ts";
import { explainCertificate, isCertificateError } from "../tls/certificate.ts";
import { bareHost, type ExchangeOptions } from "./exchange.ts";
import type { Witness } from "./witness.ts";

/** What an explanation is made with. */
export interface Explanation {
  showsHost: boolean;
  family?: Family;
  tls: ExchangeOptions["tls"];
  context: ProbeContext;
  witness?: Witness;
}

/** Why no answer came, in words; a certificate that is not accepted is looked at. */
export async function explain(
  { cause, stage }: { cause: Error; stage: Stage },
  url: URL,
  { showsHost, family, tls, context, witness }: Explanation,
): Promise<Failure> {
  const code = (cause as { code?: string }).code;
  const port = Number(url.port) || (/^(?:http|ws)s:$/.test(url.protocol) ? 443 : 80);
  if (code === undefined || !isCertificateError({ code })) {
    return networkFailure(cause, { stage, host: showsHost ? url.hostname : undefined, port });
  }
  const hostname = bareHost(url);
  const reason = await explainCertificate(code, {
    ...tls,
    host: hostname,
    port,
    servername: isIP(hostname) === 0 ? hostname : undefined,
    lookup: timedLookup(new Stopwatch(false), family),
    now: context.now,
    signal: context.signal,
    showsNames: showsHost,
    witness,
  });
  return { kind: "network", reason };
}
