import type { TLSSocket } from "node:tls";
import { chooseFamily } from "../config/checks/connection_keys.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { evaluatePeer, readPeer } from "./chain.ts";
import { explainFailure, inspectConnection } from "./connection.ts";
import { readTlsOptions, resolveCredentials } from "./credentials.ts";
import { readHost } from "./host.ts";
import { endpoint } from "./network_failure.ts";
import { missingSecrets, type Probe } from "./observation.ts";

/** Negotiates TLS and evaluates the certificates. `url` is a host, with or without `:port`. */
export const ssl: Probe<CheckSettings<"ssl">> = async (site, context) => {
  const { secrets, attempt, now, signal } = context;
  const address = readHost({ ...site, check: "ssl", usual: 443 }, secrets);
  if (!("host" in address)) return address;
  const credentials = resolveCredentials(site, secrets);
  if (credentials.missing.length > 0) return missingSecrets(credentials.missing, secrets);
  const tls = await readTlsOptions(credentials, site, context.root);
  if (!("insecure" in tls)) return tls;

  const { host, port, showsHost } = address;
  const { connectTimeout, expiresWithin } = site;
  const { phases, responseTime, seen, error } = await inspectConnection(
    // The certificate is evaluated afterwards.
    { host, port, family: chooseFamily(site), attempt, tls: { ...tls, insecure: true } },
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
        url: address.shown,
        ...(seen === undefined ? {} : { words: "handshake done" }),
      }],
    },
  };
};
