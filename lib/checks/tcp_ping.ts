import { chooseFamily } from "../config/checks/connection_keys.ts";
import { hostAndPort, isPort, portOfScheme } from "../config/checks/hosts.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { inspectConnection } from "./connection.ts";
import { endpoint, networkFailure } from "./network_failure.ts";
import { misconfigured, missingSecrets, type Probe } from "./observation.ts";

/** Opens a TCP connection and closes it again. `url` is a host, or an address with a port. */
export const tcpPing: Probe<CheckSettings<"tcp-ping">> = async (
  site,
  { secrets, signal, attempt },
) => {
  const { url, port, connectTimeout } = site;
  const address = secrets.substitute(url);
  const given = secrets.substitute(port ?? "");
  const missing = [...address.missing, ...given.missing];
  if (missing.length > 0) return missingSecrets(missing, secrets);
  const { host, port: inUrl } = hostAndPort(address.text);
  if (host === "") return misconfigured("a tcp-ping check needs a host");
  const chosen = port === undefined ? inUrl ?? portOfScheme(address.text) : given.text.trim();
  if (chosen === undefined || !isPort(chosen)) {
    return misconfigured("a tcp-ping check needs a port from 1 to 65535");
  }
  const target = { host, port: Number(chosen) };
  const showsHost = !address.secret && !given.secret;
  const { phases, responseTime, seen, error } = await inspectConnection(
    { ...target, family: chooseFamily(site), attempt },
    { connectTimeout, signal },
    ({ remoteAddress = host, remotePort }) => endpoint(remoteAddress, remotePort),
  );
  const configured = hostAndPort(url);
  const hop = {
    method: "CONNECT",
    url: endpoint(configured.host, port ?? configured.port ?? portOfScheme(url)),
    ...(error === undefined ? { words: "connected" } : {}),
  };
  const failure = error &&
    networkFailure(error.cause, { stage: error.stage, ...(showsHost ? target : {}) });
  return {
    code: failure === undefined ? 200 : 0,
    responseTime,
    ...(failure === undefined ? { phases } : { failure }),
    details: { ...(showsHost && seen !== undefined ? { address: seen } : {}), hops: [hop] },
  };
};
