import { chooseFamily } from "../config/checks/connection_keys.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { inspectConnection } from "./connection.ts";
import { readHost } from "./host.ts";
import { endpoint, networkFailure } from "./network_failure.ts";
import type { Probe } from "./observation.ts";

/** Opens a TCP connection and closes it again. `url` is a host, or an address with a port. */
export const tcpPing: Probe<CheckSettings<"tcp-ping">> = async (
  site,
  { secrets, signal, attempt },
) => {
  const address = readHost({ ...site, check: "tcp-ping" }, secrets);
  if (!("host" in address)) return address;
  const { host, port, showsHost, shown } = address;
  const { phases, responseTime, seen, error } = await inspectConnection(
    { host, port, family: chooseFamily(site), attempt },
    { connectTimeout: site.connectTimeout, signal },
    ({ remoteAddress = host, remotePort }) => endpoint(remoteAddress, remotePort),
  );
  const hop = {
    method: "CONNECT",
    url: shown,
    ...(error === undefined ? { words: "connected" } : {}),
  };
  const failure = error &&
    networkFailure(error.cause, { stage: error.stage, ...(showsHost ? { host, port } : {}) });
  return {
    code: failure === undefined ? 200 : 0,
    responseTime,
    ...(failure === undefined ? { phases } : { failure }),
    details: { ...(showsHost && seen !== undefined ? { address: seen } : {}), hops: [hop] },
  };
};
