import type { TLSSocket } from "node:tls";
import { chooseFamily } from "../config/checks/connection_keys.ts";
import { hostAndPort, isPort } from "../config/checks/hosts.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { evaluatePeer, readPeer } from "./chain.ts";
import { explainFailure, inspectConnection, type Target } from "./connection.ts";
import { readTlsOptions, resolveCredentials, type TlsOptions } from "./credentials.ts";
import { endpoint } from "./network_failure.ts";
import {
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
  { connectTimeout, expiresWithin }: { connectTimeout: number; expiresWithin?: number },
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
    (socket) => ({
      address: endpoint(socket.remoteAddress ?? host, socket.remotePort),
      peer: readPeer(socket as TLSSocket, tls),
    }),
  );
  const chain = seen && evaluatePeer(seen.peer, { now, expiresWithin, host, showsHost });
  const failure = error === undefined
    ? chain?.failure
    : explainFailure(error.cause, error.stage, { host, port, shown: showsHost, now });
  return {
    code: failure === undefined ? 200 : 0,
    responseTime,
    phases,
    ...chain?.observation,
    ...(failure === undefined ? {} : { failure }),
    details: {
      ...(showsHost ? { address: seen?.address } : {}),
      ...chain?.details,
      hops: [{
        method: "TLS",
        url: shown,
        ...(seen === undefined ? {} : { words: "handshake done" }),
      }],
    },
  };
}
