import { isIP } from "node:net";
import { type DetailedPeerCertificate, TLSSocket } from "node:tls";
import * as v from "valibot";
import { duration } from "../config/keys/duration.ts";
import { about, found } from "../config/keys/values.ts";
import {
  defineCheck,
  misconfigured,
  missingSecrets,
  type Observation,
  type ProbeContext,
} from "./check.ts";
import { FAMILY_KEYS, familyOf, familyProblem } from "./net/family_keys.ts";
import { hostAndPort, isPort } from "./net/host_and_port.ts";
import { PORT_KEY } from "./net/port_key.ts";
import { reach, type ReachOptions } from "./net/reach.ts";
import { Stopwatch } from "./net/stopwatch.ts";
import { timedLookup } from "./net/timed_lookup.ts";
import { endpoint, networkFailure } from "./network_failure.ts";
import { judgeChain } from "./ssl/judge_chain.ts";
import { describeRefusal, isCertificateError, peerCertificate } from "./tls/certificate.ts";
import { certificateDetails } from "./tls/certificate_details.ts";
import { chainOf } from "./tls/chain.ts";
import { TLS_KEYS, tlsProblem } from "./tls/keys.ts";
import { credentialsOf, readTlsOptions, type TlsOptions } from "./tls/tls_options.ts";

const DAY = 86_400_000;
const HTTPS = "443";

/** Negotiates TLS and looks at the certificates. `url` is a host, with or without `:port`. */
export const ssl = defineCheck({
  keys: {
    ...PORT_KEY,
    expiresWithin: v.optional(
      about(
        "ssl: days; a site is degraded when fewer are left of a certificate of its chain.",
        duration("d", { max: 3650 * DAY }),
      ),
      14,
    ),
    ...TLS_KEYS,
    ...FAMILY_KEYS,
  },
  shared: ["expiresWithin"],
  problem(site) {
    if (site.url.includes("$")) return tlsProblem(site);
    const { host, port } = hostAndPort(site.url);
    if (host === "" || /\s/.test(host)) {
      return { path: ["url"], message: `expected a host, found ${found(site.url)}` };
    }
    if (site.port === undefined && port !== undefined && !isPort(port)) {
      return { path: ["url"], message: `expected a port from 1 to 65535, found ${port}` };
    }
    return tlsProblem(site) ?? familyProblem(host, site);
  },
  prepare: (site) => async (context) => {
    const { secrets, signal } = context;
    const address = secrets.substitute(site.url);
    const given = secrets.substitute(site.port ?? "");
    const credentials = credentialsOf(site, secrets);
    const missing = [address, given, credentials].flatMap(({ missing }) => missing);
    if (missing.length > 0) return missingSecrets(missing);
    const { host, port: inUrl = HTTPS } = hostAndPort(address.text);
    if (host === "") return misconfigured("an ssl check needs a host");
    const port = site.port === undefined ? inUrl : given.text.trim();
    if (!isPort(port)) return misconfigured("an ssl check needs a port from 1 to 65535");
    const tls = await readTlsOptions(credentials, site, context.root);
    if (!("rejectUnauthorized" in tls)) return tls;

    const { connectTimeout } = site;
    const target = { host, port: Number(port), family: familyOf(site), tls };
    const configured = hostAndPort(site.url);
    return await observe({ ...target, connectTimeout, signal }, context, {
      expiresWithin: site.expiresWithin,
      showsHost: !address.secret && !given.secret,
      shown: endpoint(configured.host, site.port ?? configured.port ?? HTTPS),
    });
  },
});

interface Rules {
  expiresWithin: number;
  /** Whether host and port stand in the configuration in plain sight. */
  showsHost: boolean;
  /** Host and port as configured. */
  shown: string;
}

async function observe(
  target: ReachOptions & { tls: TlsOptions },
  { now, detailed }: ProbeContext,
  { expiresWithin, showsHost, shown }: Rules,
): Promise<Observation> {
  const { host, port, tls, family, signal } = target;
  const { phases, responseTime, seen, error } = await reach(target, (socket) => ({
    address: endpoint(socket.remoteAddress ?? host, socket.remotePort),
    ...(socket instanceof TLSSocket
      ? { protocol: socket.getProtocol(), leaf: socket.getPeerCertificate(true) }
      : {}),
  }));
  const refused = error?.cause.code !== undefined && isCertificateError(error.cause);
  const lookup = timedLookup(new Stopwatch(false), family);
  const servername = isIP(host) === 0 ? host : undefined;
  const leaf = refused
    ? await peerCertificate({ ...tls, host, port, servername, lookup }, signal)
    : seen?.leaf;
  const chain = leaf === undefined ? [] : chainOf(leaf);
  const accepted = error === undefined && tls.rejectUnauthorized;
  const name = showsHost ? host : undefined;
  const verdict = judgeChain(chain, { now, expiresWithin, accepted, host: name });
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
  const fail = (reason: string): Observation => ({
    code: 0,
    responseTime,
    phases,
    failure: { kind: "network", reason },
    ...details,
  });
  if (verdict !== undefined && "failure" in verdict) return fail(verdict.failure);
  if (error === undefined) return { code: 200, responseTime, phases, ...verdict, ...details };
  if (refused) return fail(describeRefusal(error.cause.code!, leaf, name));
  const { reason } = networkFailure(error.cause, {
    stage: error.stage,
    ...(showsHost ? { host, port } : {}),
  });
  return fail(reason);
}

function chainDetails(chain: readonly DetailedPeerCertificate[], showsHost: boolean) {
  const [certificate, ...issuers] = chain.map((one) => certificateDetails(one, showsHost));
  return certificate === undefined ? {} : { certificate, issuers };
}
