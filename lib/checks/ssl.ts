import type { PeerCertificate, TLSSocket } from "node:tls";
import { chooseFamily } from "../config/checks/connection_keys.ts";
import { hostAndPort, isPort } from "../config/checks/hosts.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { utcDay } from "../time.ts";
import {
  describeRefusal,
  expiryText,
  findName,
  type Link,
  toCertificateDetails,
  toChain,
} from "./certificates.ts";
import { explainFailure, inspectConnection, type Target } from "./connection.ts";
import { readTlsOptions, resolveCredentials, type TlsOptions } from "./credentials.ts";
import { endpoint } from "./network_failure.ts";
import {
  type Failure,
  misconfigured,
  missingSecrets,
  type Observation,
  type Probe,
  type ProbeContext,
} from "./observation.ts";

const HTTPS = "443";

/** Negotiates TLS and evaluates the certificates. `url` is a host, with or without `:port`. */
export const ssl: Probe<CheckSettings<"ssl">> = async (site, context) => {
  const { secrets, attempt } = context;
  const address = secrets.substitute(site.url);
  const given = secrets.substitute(site.port ?? "");
  const credentials = resolveCredentials(site, secrets);
  const missing = [address, given, credentials].flatMap(({ missing }) => missing);
  if (missing.length > 0) return missingSecrets(missing, secrets);
  const { host, port: inUrl = HTTPS } = hostAndPort(address.text);
  if (host === "") return misconfigured("an ssl check needs a host");
  const port = site.port === undefined ? inUrl : given.text.trim();
  if (!isPort(port)) return misconfigured("an ssl check needs a port from 1 to 65535");
  const tls = await readTlsOptions(credentials, site, context.root);
  if (!("insecure" in tls)) return tls;
  const target = { host, port: Number(port), family: chooseFamily(site), attempt };
  const configured = hostAndPort(site.url);
  return await observeChain({ ...target, tls }, site, {
    context,
    showsHost: !address.secret && !given.secret,
    shown: endpoint(configured.host, site.port ?? configured.port ?? HTTPS),
  });
};

async function observeChain(
  target: Target & { tls: TlsOptions },
  { connectTimeout, expiresWithin }: { connectTimeout: number; expiresWithin: number },
  { context: { now, signal }, showsHost, shown }: {
    context: ProbeContext;
    /** True if no secret hides host and port. */
    showsHost: boolean;
    /** Host and port as configured. */
    shown: string;
  },
): Promise<Observation> {
  const { host, port, tls } = target;
  const { phases, responseTime, seen, error } = await inspectConnection(
    { ...target, tls: { ...tls, insecure: true } },
    { connectTimeout, signal },
    (socket) => {
      const secure = socket as TLSSocket;
      return {
        address: endpoint(secure.remoteAddress ?? host, secure.remotePort),
        protocol: secure.getProtocol() ?? undefined,
        leaf: secure.getPeerCertificate(true),
        refusal: tls.insecure || secure.authorized ? undefined : String(secure.authorizationError),
      };
    },
  );
  const chain = seen === undefined ? [] : toChain(seen.leaf, now);
  const name = showsHost ? host : undefined;
  const isTrusted = seen?.refusal === undefined && !tls.insecure;
  const { problem, ...degraded } = evaluateChain(chain, { now, expiresWithin, isTrusted, name });
  const failure: Failure | undefined = error !== undefined
    ? explainFailure(error.cause, error.stage, { host, port, shown: showsHost, now })
    : problem !== undefined
    ? { kind: "network", reason: problem }
    : seen?.refusal !== undefined
    ? { kind: "network", reason: describeRefusal(seen.refusal, seen.leaf, name) }
    : undefined;
  const [certificate, ...issuers] = chain.map((link) =>
    toCertificateDetails(link.certificate, showsHost)
  );
  return {
    code: failure === undefined ? 200 : 0,
    responseTime,
    phases,
    ...(failure === undefined ? degraded : { failure }),
    ...(certificate === undefined ? {} : { certificate: certificate.to }),
    details: {
      ...(showsHost ? { address: seen?.address } : {}),
      protocol: seen?.protocol,
      ...(certificate === undefined ? {} : { certificate, issuers }),
      hops: [{
        method: "TLS",
        url: shown,
        ...(seen === undefined ? {} : { words: "handshake done" }),
      }],
    },
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
    const expiry = expiryText(first.left);
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
